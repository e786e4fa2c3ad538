/**
 * Loads content into the browser: the entries of all pages as one module, the pages in modules
 * whose size `static/static-site.ts` limits. Each is loaded once, when a visitor is about to need it.
 */
import { chunk, firsts, firstWords, list, words } from 'virtual:pages'
import { addressOf, NOT_FOUND, pathAt } from '../../dataset/address.ts'
import { type Content, insist, type Search } from './content.ts'
import { type Entry, type Found, orderOf } from './lookup.ts'
import type { WordIndex } from './search.ts'

/** The base of the site. Vite's own ends in a slash. */
export const BASE = import.meta.env.BASE_URL.slice(0, -1)

export function browserContent(): Content {
  let entries: readonly Entry[] | undefined
  let code: typeof import('./search.ts') | undefined
  const rows = new Map<number, WordIndex>()
  let tellUnreachable = () => {}
  const pages = new Map<string, Found>()
  const loaded = new Set<number>()
  const waiting = new Map<string, Promise<void>>()

  /** Returns the number of the only chunk that can have a path, or -1. */
  function chunkOf(path: string): number {
    if (path === NOT_FOUND) return -1
    const order = orderOf(path)
    return firsts.findLastIndex((first) => orderOf(first) <= order)
  }

  function isLoaded(path: string): boolean {
    if (path === '/') return entries !== undefined
    const at = chunkOf(path)
    return at < 0 || loaded.has(at)
  }

  async function load(path: string): Promise<void> {
    if (isLoaded(path)) return
    if (path === '/') {
      entries = (await list()).default
      // An address with a text shows its cards at once.
      const text = new URLSearchParams(location.search).get('q')
      if (text) await search.load(text).catch(() => {})
      return
    }
    const at = chunkOf(path)
    for (const found of (await chunk(at)).default) pages.set(found.page.path, found)
    loaded.add(at)
  }

  const search: Search = {
    hasTexts: firstWords.length > 0,
    find(text) {
      if (!code) return undefined
      const parts = code.partsFor(text, firstWords)
      const index = parts.flatMap((part) => rows.get(part) ?? [])
      const isWhole = parts.every((part) => rows.has(part))
      return { ...code.searchEntries(entries ?? [], text, index), isWhole }
    },
    async load(text, onCode) {
      code ??= await import('./search.ts')
      onCode?.()
      const isAll = text === '' && firstWords.length === 1
      const parts = isAll ? [0] : code.partsFor(text, firstWords)
      const missing = parts.filter((part) => !rows.has(part))
      await Promise.all(missing.map(async (at) => rows.set(at, (await words(at)).default)))
    },
  }

  // A module that cannot be loaded belongs to a replaced build, but the path still has a document.
  // Without a connection it has none either, and the browser's error page would replace the screen.
  async function openDocument(path: string): Promise<never> {
    await insist(() => fetch(BASE + addressOf(path), { method: 'HEAD' }), tellUnreachable)
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
