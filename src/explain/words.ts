/**
 * The words for the reader: a site has batches and pages, any other collection files and records. The
 * command chooses the words, and passes them down. Records, items and fields are counted from 1 in
 * every sentence; pointers and `--json` count from 0.
 */
import type { Collection } from '../collections/collection.ts'
import { show } from '../text/wording.ts'

export interface ReaderWords {
  /** The name before the dot of the owner's functions, as in `"content.rules"`. */
  owner: string
  /** The word for a delivered file. */
  file: 'batch' | 'file'
  /** The word for an id, as in "has the same path" and "Change its path". */
  id: string
  /** Says the id of a record, as in `record 27 (/blog/029)` and `record 3 (code "NO")`. */
  showId(id: string): string
  /** The word for what a record becomes: a page, or just a record. */
  item: 'page' | 'record'
  /** The command that makes certain fixes. */
  fix: string
  /** The configuration, named as the delivered files are. */
  config: string
}

/** The words of pages. */
export const PAGE_WORDS: ReaderWords = {
  owner: 'content',
  file: 'batch',
  id: 'path',
  showId: (id) => id,
  item: 'page',
  fix: '--fix',
  config: 'src/content.ts',
}

/**
 * The words of a collection.
 *
 * @param fix the command that makes the fixes, as messages name it
 * @param config the name of the configuration
 */
export function wordsOf(
  { name, id, pages }: Collection,
  { fix, config }: Pick<ReaderWords, 'fix' | 'config'>,
): ReaderWords {
  if (pages) return { ...PAGE_WORDS, fix, config }

  const key = 'key' in id ? id.key : undefined
  return {
    owner: name,
    file: 'file',
    id: key === undefined ? 'id' : show(key),
    showId: (text) => `${key ?? 'id'} ${show(text)}`,
    item: 'record',
    fix,
    config,
  }
}
