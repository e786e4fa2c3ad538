/**
 * Loads content into the browser: the entries of all pages as one module, the pages in modules
 * whose size `static/data-modules.ts` limits. Each is loaded once, when a visitor is about to need
 * it; what the first screen shows is in its document.
 */
import { data, firstWords, searchCode } from 'virtual:pages'
import { NOT_FOUND, pathAt } from '../../page/address.ts'
import { type Content, insist, type Search } from './content.ts'
import { type Found, type Given, orderOf } from './lookup.ts'
import type { openIndex } from './search.ts'

/** The base of the site. Vite's own ends in a slash. */
export const BASE = import.meta.env.BASE_URL.slice(0, -1)

/** @param given what the document has of its own screen: see `givenOf` */
export function browserContent({ entries, found }: Partial<Given> = {}): Content {
  let index: ReturnType<typeof openIndex> | undefined
  let tellUnreachable = () => {}
  const pages = new Map<string, Found>()
  if (found) pages.set(found.page.path, found)
  const absent = new Set<string>([NOT_FOUND])
  let firsts: readonly string[] | undefined
  const waiting = new Map<string, Promise<void>>()

  function isLoaded(path: string): boolean {
    return path === '/' ? entries !== undefined : pages.has(path) || absent.has(path)
  }

  async function load(path: string): Promise<void> {
    if (path === '/') {
      entries ??= (await data('list')).default
      // An address with a text shows its cards at once.
      const text = new URLSearchParams(location.search).get('q')
      if (text) await search.load(text).catch(() => {})
    }
    if (isLoaded(path)) return
    firsts ??= (await data('firsts')).default
    const order = orderOf(path)
    // The only chunk that can have the page.
    const at = firsts.findLastIndex((first) => orderOf(first) <= order)
    const chunk = at < 0 ? [] : (await data(at)).default
    for (const found of chunk) pages.set(found.page.path, found)
    if (!pages.has(path)) absent.add(path)
  }

  const search: Search = {
    hasTexts: firstWords.length > 0,
    find: (text) => index?.find(entries ?? [], text),
    async load(text, onCode) {
      index ??= (await searchCode()).openIndex(firstWords, data)
      onCode?.()
      await index.load(text)
    },
  }

  // A module that cannot be loaded belongs to a replaced build, but the path still has a document.
  // Without a connection it has none either, and the browser's error page would replace the screen.
  async function openDocument(path: string): Promise<never> {
    await insist(() => fetch(location.href, { method: 'HEAD' }), tellUnreachable)
    const { pathname, search } = location
    // If the visitor has left, a later visit tries again. If not, keep the promise: no second load.
    if (pathAt(pathname, BASE) === path) location.replace(pathname + search)
    else waiting.delete(path)
    return new Promise(() => {})
  }

  return {
    get entries() {
      return entries ?? []
    },
    find: (path) => pages.get(path),
    load,
    loading(path) {
      if (isLoaded(path)) return undefined
      const promise = waiting.get(path) ?? load(path).catch(() => openDocument(path))
      waiting.set(path, promise)
      return promise
    },
    search,
    onUnreachable(listener) {
      tellUnreachable = listener
    },
  }
}
