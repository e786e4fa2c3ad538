/**
 * Hides how content travels to the browser: the list of all pages as one module, their bodies as
 * modules of bounded size, each loaded once, when a visitor is about to need it.
 */
import { bodies, list, starts } from 'virtual:pages'
import type { Page } from '../generated/dataset.json'
import { type Content, type Entry, NOT_FOUND, type Screen } from './content.ts'

/** What a document says of itself, by attributes of its root element. */
interface DocumentData {
  /** The path it was made for, or undefined when it says 'Not found'. */
  path: string | undefined
  /** The number of the module with its body, when it shows a page. */
  chunk: string | undefined
}

/**
 * The content of the site, as seen from the document that was loaded first.
 *
 * @param address the document's address, which is not always the path it was made for: a host may
 *   answer with it elsewhere, such as with the document of Not found
 */
export function contentFrom(address: string, { path, chunk }: DocumentData): Content {
  let entries: readonly Entry[] | undefined
  const positions = new Map<string, number>()
  const pages = new Map<string, Page>()

  const loadList = async () => {
    if (entries) return
    const { default: rows } = await list()
    entries = rows.map(([path, title, form]) => ({ path, title, hasForm: form === 1 }))
    for (const [position, { path }] of entries.entries()) positions.set(path, position)
  }
  const loadBodies = async (number: number) => {
    const { default: loaded } = (await bodies[number]?.()) ?? { default: [] }
    for (const page of loaded) pages.set(page.path, page)
  }

  const own = (asked: string) => (asked === address ? path : asked)
  const read = (asked: string): Screen | undefined => {
    const wanted = own(asked)
    if (wanted === undefined) return NOT_FOUND
    if (wanted === '/') return entries && { kind: 'index', entries }
    const page = pages.get(wanted)
    if (page) return { kind: 'page', page }
    return entries && !positions.has(wanted) ? NOT_FOUND : undefined
  }
  return {
    read,
    async load(asked) {
      if (read(asked)) return
      if (asked === address && chunk !== undefined) return loadBodies(Number(chunk))
      await loadList()
      const position = positions.get(own(asked) ?? '')
      if (position === undefined) return
      await loadBodies(starts.findLastIndex((start) => start <= position))
    },
  }
}
