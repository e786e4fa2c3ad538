/**
 * The words of the one who reads. A site has batches and pages; somebody's own repository has files and
 * collections, whose records people count from 1. The command chooses the words, and passes them down.
 */
import type { Collection } from '../collections/collection.ts'
import { show } from '../text/wording.ts'

export interface ReaderWords {
  /** What stands before the dot of the owner's functions, as in `"content.rules"`. */
  owner: string
  /** What a delivered file is called. */
  file: 'batch' | 'file'
  /** The number of the first record. Pointers and `--json` always count from 0. */
  firstRecord: 0 | 1
  /** What a record is known by, as in "has the same path" and "Change its path". */
  id: string
  /** Says the id of a record, as in `record 27 (/blog/029)` and `record 3 (code "NO")`. */
  showId(id: string): string
  /** What a record becomes: a page, or just a record. */
  item: 'page' | 'record'
  /** What makes the fixes that are certain. */
  fix: string
  /** The configuration, named as the delivered files are; undefined if it isn't beside them. */
  config: string | undefined
}

/** The words of a site. */
export const SITE_WORDS: ReaderWords = {
  owner: 'content',
  file: 'batch',
  firstRecord: 0,
  id: 'path',
  showId: (id) => id,
  item: 'page',
  fix: '--fix',
  config: undefined,
}

/**
 * The words of a collection.
 *
 * @param fix the command that makes the fixes, as people type it
 * @param config the name of the configuration
 */
export function wordsOfCollection(
  { name, id }: Collection,
  { fix, config }: { fix: string; config: string },
): ReaderWords {
  const key = 'key' in id ? id.key : undefined
  return {
    owner: name,
    file: 'file',
    firstRecord: 1,
    id: key === undefined ? 'id' : show(key),
    showId: (text) => `${key ?? 'id'} ${show(text)}`,
    item: 'record',
    fix: `"${fix}"`,
    config,
  }
}
