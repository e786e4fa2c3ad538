/** Makes what the index needs, and no other screen: all cards, and the words of the search. Pure. */
import { sha256Of } from '../../text/digest.ts'
import { type IndexData, type Lookup, STEP } from '../content/lookup.ts'
import { indexWords } from './word-index.ts'

export interface IndexFiles {
  data: IndexData
  /** The texts of the files, by their addresses. */
  files: ReadonlyMap<string, string>
}

/**
 * @param code the address of the module of the search
 * @param folder the address of the folder of the files, which are named by their own digests: each
 *   keeps its name until its content changes
 */
export function indexFiles(lookup: Lookup, code: string, folder: string): IndexFiles {
  const files = new Map<string, string>()
  const add = (name: string, value: unknown) => {
    const text = JSON.stringify(value)
    const address = `${folder}/${name}-${sha256Of(text).slice(0, 16)}.json`
    files.set(address, text)
    return address
  }
  const words = indexWords(lookup).map((part) => [part[0]?.[0] ?? '', add('words', part)] as const)
  const { entries } = lookup
  const cards = entries.length > STEP ? { list: add('list', entries) } : { entries }
  return { data: { ...cards, code, words }, files }
}
