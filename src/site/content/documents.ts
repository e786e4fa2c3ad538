/**
 * Loads content into the browser from the documents of the site: that of a page has the page, that
 * of the index its cards, or the name of the file that has them, and those of the words of the
 * search. Each is loaded once, when a visitor is about to need it.
 */
import { addressOf, NOT_FOUND } from '../../page/address.ts'
import type { Content, Search } from './content.ts'
import type { Entry, Found, Given, IndexData } from './lookup.ts'
import type { openIndex } from './search.ts'

/** The base of the site. Vite's own ends in a slash. */
export const BASE = import.meta.env.BASE_URL.slice(0, -1)

/** In milliseconds, between what could not be loaded and the next attempt. */
const AGAIN = 2_000

/** How documents name the script that they are made for. */
const SCRIPT = ` src="${document.querySelector('script[type="module"][src]')?.getAttribute('src')}"`

/** What stands before the data of a document. In the data, every < is escaped. */
const DATA = 'id="screen">'

/** The address has a document that this script cannot show, such as one of another build. */
class OtherDocument extends Error {}

interface Index {
  entries: readonly Entry[]
  data: IndexData
}

/**
 * @param pathOf returns the path that an address of this site leads to
 * @param given what the document has of its own screen
 */
export function browserContent(pathOf: (address: string) => string, given?: Given): Content {
  let index: Index | undefined
  let words: ReturnType<typeof openIndex> | undefined
  let tellUnreachable = () => {}
  const pages = new Map<string, Found>()
  if (given?.found) pages.set(given.path, given.found)
  const absent = new Set<string>()
  const loads = new Map<string, Promise<void>>()
  const waits = new Map<string, Promise<void>>()

  function isLoaded(path: string): boolean {
    if (path === '/') return index !== undefined
    return path === NOT_FOUND || pages.has(path) || absent.has(path)
  }

  function load(path: string): Promise<void> {
    if (isLoaded(path)) return Promise.resolve()
    return share(loads, path, () => (path === '/' ? loadIndex() : loadPage(path)))
  }

  async function loadPage(path: string) {
    const { found } = await readScreen(path)
    if (found) pages.set(path, found)
    else absent.add(path)
  }

  async function loadIndex() {
    await withFiles(async () => {})
    // An address with a text shows its cards at once.
    const text = new URLSearchParams(location.search).get('q')
    if (text) await search.load(text).catch(() => {})
  }

  /** Does what needs the files of the index. Once more, if that fails: a build may rename them. */
  async function withFiles(work: () => Promise<void>) {
    try {
      if (!index) await openFiles(given?.index ?? (await readIndex()))
      await work()
    } catch (error) {
      if (error instanceof OtherDocument) throw error
      await openFiles(await readIndex('no-cache'))
      await work()
    }
  }

  async function openFiles(data: IndexData) {
    const entries = data.entries ?? (await readFile<readonly Entry[]>(data.list))
    index = { entries, data }
    words = undefined
  }

  const search: Search = {
    get hasTexts() {
      return Boolean(index?.data.words.length)
    },
    find: (text) => words?.find(index?.entries ?? [], text),
    async load(text, onCode) {
      try {
        await withFiles(async () => {
          words ??= await openWords((index as Index).data)
          onCode?.()
          await words.load(text)
        })
      } catch (error) {
        if (error instanceof OtherDocument) openDocument()
        throw error
      }
    },
  }

  async function loadWhile(path: string, isNeeded: () => boolean, onFailure = () => {}) {
    while (isNeeded()) {
      try {
        await load(path)
        return true
      } catch (error) {
        if (error instanceof OtherDocument && isNeeded() && openDocument()) break
        onFailure()
        await new Promise((done) => setTimeout(done, AGAIN))
      }
    }
    return false
  }

  async function arrive(path: string): Promise<void> {
    const isWanted = () => pathOf(location.pathname) === path
    const isThere = await loadWhile(path, isWanted, () => tellUnreachable())
    // If the visitor has left, a later visit tries again.
    if (!isThere) await new Promise(() => waits.delete(path))
  }

  return {
    get entries() {
      return index?.entries ?? []
    },
    find: (path) => pages.get(path),
    load,
    loadWhile,
    loading: (path) => (isLoaded(path) ? undefined : share(waits, path, () => arrive(path))),
    arrived(path) {
      if (!absent.has(path)) absent.clear()
    },
    search,
    onUnreachable(listener) {
      tellUnreachable = listener
    },
  }
}

/** Returns the promise of work that is under way, or begins it. */
function share(all: Map<string, Promise<void>>, name: string, work: () => Promise<void>) {
  const promise = all.get(name) ?? work().finally(() => all.delete(name))
  all.set(name, promise)
  return promise
}

/**
 * Reads what the document of a path has of its screen; nothing but a path, if no page is there.
 *
 * @throws {OtherDocument}
 */
async function readScreen(path: string, cache: RequestCache = 'default'): Promise<Given> {
  const response = await fetch(BASE + addressOf(path), { cache })
  const html = await response.text()
  const start = html.indexOf(DATA) + DATA.length
  const isScreen = start >= DATA.length
  const given: Given = isScreen && JSON.parse(html.slice(start, html.indexOf('</script>', start)))
  if (response.status === 404 || given?.path === NOT_FOUND) return { path: NOT_FOUND }
  // Old code does not read new data. In development, the script has several names.
  const isOurs = import.meta.hot || html.includes(SCRIPT)
  if (response.ok && given?.path === path && isOurs) return given
  throw new OtherDocument()
}

async function readIndex(cache?: RequestCache): Promise<IndexData> {
  const { index } = await readScreen('/', cache)
  if (!index) throw new OtherDocument()
  return index
}

/** @param address undefined is a file that was not named */
async function readFile<T>(address = ''): Promise<T> {
  const response = await fetch(address)
  if (!response.ok) throw new Error(address)
  return response.json()
}

/** Loads the code of the search, and opens its index of words. */
async function openWords({ code, words }: IndexData) {
  const search: typeof import('./search.ts') = await import(/* @vite-ignore */ code).catch(
    async () => {
      // A browser that could not load a module does not try again, but in another document. Without a
      // connection, its error page would replace the screen.
      await fetch(location.href, { method: 'HEAD' })
      throw new OtherDocument()
    },
  )
  const firsts = words.map(([first]) => first)
  return search.openIndex(firsts, (part) => readFile(words[part]?.[1]))
}

/** Loads the document of this address. A script does that once: an address may have no newer one. */
function openDocument(): boolean {
  if (history.state?.openedBy === SCRIPT) return false
  // The screen saves what is not in the address yet.
  dispatchEvent(new Event('pagehide'))
  history.replaceState({ ...history.state, openedBy: SCRIPT }, '')
  location.reload()
  return true
}
