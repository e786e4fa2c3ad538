/** Makes the modules that give the browser the pages, their list and the index of the search. Pure. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { byPath, type Found, type Lookup } from '../content/lookup.ts'
import { indexWords } from './word-index.ts'

/** The code of the search, which the browser loads when it is needed. */
export const SEARCH = join(import.meta.dirname, '../content/search.ts')

/** The most characters of bodies in a module of adjacent pages. A longer body has its own. */
const CHUNK = 6 * 1024

/**
 * Returns the modules of a built site: files with data, and the module that imports them on demand,
 * from its own folder. Only that one is bundled: all would take 150 MB at 10,000 pages.
 *
 * @param search what Vite calls the code of the search
 */
export function builtModules(lookup: Lookup, search: string) {
  const chunks = inChunks(lookup)
  const firsts = chunks.map(([first]) => first?.page.path)
  const index = indexWords(lookup)
  const firstWords = index.map(([first]) => first?.[0])
  const parts = Object.fromEntries(index.map((part, at) => [`words-${at}`, part]))
  const data = { ...chunks, list: lookup.entries, firsts, ...parts }
  const sources = Object.entries(data).map(
    ([name, value]) =>
      [name, `export default JSON.parse(${JSON.stringify(JSON.stringify(value))})\n`] as const,
  )
  // One hash for all: the script that imports them has to name it, and changes with any of them.
  const hash = createHash('sha256')
  for (const [, source] of sources) hash.update(source)
  const end = `-${hash.digest('base64url').slice(0, 8)}.js`
  return {
    files: sources.map(([name, source]) => [name + end, source] as const),
    /** The name of the file with the list of all pages. */
    list: `list${end}`,
    // HTML keeps a module that could not be loaded as such: to try again takes another address.
    loader: `let again = ''
    const load = (address) => import(/* @vite-ignore */ address + again)
      .catch((error) => { again = '?' + Date.now(); throw error })
    export const data = (name) => load('./' + name + '${end}')
    export const searchCode = () => load(import.meta.ROLLUP_FILE_URL_${search})
    export const firstWords = ${JSON.stringify(firstWords)}`,
  }
}

/** Splits all pages, in the order of their paths, into runs whose bodies have a bounded size. */
function inChunks({ entries, find }: Lookup): Found[][] {
  const chunks: Found[][] = []
  let size = CHUNK
  for (const { path } of byPath(entries)) {
    const found = find(path) as Found
    const { length } = found.page.contentHtml
    if (size + length > CHUNK) {
      chunks.push([])
      size = 0
    }
    chunks.at(-1)?.push(found)
    size += length
  }
  return chunks
}

/** Returns all as one module, for development. Its imports let Vite see what it depends on. */
export function liveModule(lookup: Lookup, dataset: string): string {
  const pages = lookup.entries.map(({ path }) => lookup.find(path))
  const words = indexWords(lookup, Infinity).flat()
  const all = { list: lookup.entries, firsts: [''], 0: pages, 'words-0': words }
  return `import ${JSON.stringify(dataset)}
    export const searchCode = () => import(${JSON.stringify(SEARCH)})
    export const firstWords = ['']
    const all = ${JSON.stringify(all)}
    export const data = async (name) => ({ default: all[name] })`
}
