/**
 * Loads what the screens show into the browser, when a visitor is about to need it. It comes from the
 * documents of the site: that of a page has the page, that of the index its cards, or the name of
 * the file that has them, and the names of the files of words that the search finds.
 */
import { addressOf, NOT_FOUND } from '../../page/address.ts'
import type { Entry, Found, Given, IndexData, Lookup } from './lookup.ts'
import { openWords, type Results, type WordIndex } from './search.ts'

/** What the screens show. In the browser, it loads. */
export interface SiteContent extends Lookup {
  /** Loads the content of the screen at a path. Rejects when that fails. */
  load(path: string): Promise<void>
  /**
   * Returns undefined if the content of the screen at a path is loaded. If not, it returns a promise
   * that never rejects: what cannot be loaded or shown is opened as a document.
   */
  loading(path: string): Promise<void> | undefined
  /** In the browser. */
  search?: Search
}

interface Search {
  /** Returns what a text finds in what is loaded, and whether that is all. */
  find(text: string): Results & { isWhole: boolean }
  /**
   * Loads what a text needs. If it rejects, it has read anew what the index names: another build may
   * have replaced it.
   */
  load(text: string): Promise<void>
}

/** The attribute by which a document names its script, if that is the one that runs here. */
const SCRIPT = ` src="${document.querySelector('script[type="module"][src]')?.getAttribute('src')}"`

/** What stands before the data of a document. In the data, every < is escaped. */
const DATA = 'id="screen">'

/** The address has a document that this script cannot show, such as one of another build. */
class OtherDocument extends Error {}

/**
 * @param base of the site
 * @param pathOf returns the path that an address of this site leads to
 * @param given what the document has of its own screen
 */
export function browserContent(
  base: string,
  pathOf: (address: string) => string,
  given?: Given,
): SiteContent {
  let entries: readonly Entry[] | undefined
  /** Whether the index has been entered: then it loads the words of a text by itself. */
  let isEntered = false
  let words = openWords([], readFile<WordIndex>)
  const pages = new Map<string, Found>()
  if (given?.found) pages.set(given.path, given.found)
  const absent = new Set<string>()
  const loads = new Map<string, Promise<void>>()
  const waits = new Map<string, Promise<void>>()

  const isLoaded = (path: string) =>
    path === '/' ? isEntered : path === NOT_FOUND || pages.has(path)

  async function load(path: string): Promise<void> {
    if (isLoaded(path)) return
    await share(loads, path, () => (path === '/' ? enterIndex() : loadPage(path)))
  }

  async function loadPage(path: string) {
    // It may be there by now.
    absent.delete(path)
    const { found } = await readScreen(base, path)
    if (found) pages.set(path, found)
    else absent.add(path)
  }

  async function loadIndex(known?: IndexData) {
    const data = known ?? (await readScreen(base, '/')).index
    if (!data) throw new OtherDocument()
    entries = data.entries ?? (await readFile<Entry[]>(data.list))
    words = openWords(data.words, readFile<WordIndex>)
  }

  async function enterIndex() {
    if (!entries) await loadIndex(given?.index)
    // It may be loaded for a link that is pointed at, long before its address is known.
    if (pathOf(location.pathname) !== '/') return
    // An address with a text shows its cards at once, so that Back finds the place that was left.
    const text = new URLSearchParams(location.search).get('q')
    if (text) await words.load(text).catch(() => {})
    isEntered = true
  }

  async function loadOrOpen(path: string) {
    await load(path).catch(() => {
      if (pathOf(location.pathname) === path) return openDocument()
    })
  }

  return {
    get entries() {
      return entries ?? []
    },
    find: (path) => pages.get(path),
    load,
    loading(path) {
      if (isLoaded(path) || absent.has(path)) return undefined
      return share(waits, path, () => loadOrOpen(path))
    },
    search: {
      find: (text) => words.find(entries ?? [], text),
      async load(text) {
        try {
          await words.load(text)
        } catch (error) {
          // Once, if the words of two texts are gone: one document is enough.
          await share(waits, 'names', () =>
            loadIndex().catch((other) => {
              if (other instanceof OtherDocument) return openDocument()
            }),
          )
          throw error
        }
      },
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
async function readScreen(base: string, path: string): Promise<Given> {
  // A document that a cache has kept may name files that are gone since.
  const cache = path === '/' ? 'no-cache' : 'default'
  const response = await fetch(base + addressOf(path), { cache })
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

/** @param address undefined is a file that was not named */
async function readFile<T>(address = ''): Promise<T> {
  const response = await fetch(address)
  if (!response.ok) throw new Error(address)
  return response.json()
}

/** Loads the document of this address. Never resolves. */
function openDocument(): Promise<never> {
  // The screen saves what is not in the address yet.
  dispatchEvent(new Event('pagehide'))
  location.reload()
  return new Promise(() => {})
}
