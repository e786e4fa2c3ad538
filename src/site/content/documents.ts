/**
 * Loads what the screens show into the browser, when a visitor is about to need it: from the
 * documents of the site, and from the files that the document of the index names.
 */
import { addressOf, NOT_FOUND } from '../../page/address.ts'
import { parseFilter } from './filter.ts'
import type { Entry, Found, Given, IndexData } from './lookup.ts'
import { partsFor, searchEntries, type WordIndex } from './search.ts'

type Browser = ReturnType<typeof browserContent>

/** What the screens show. Without a browser, nothing is searched. */
export type SiteContent = Omit<Browser, 'search'> & Partial<Browser>

/** Of the site: see `address.ts`. */
export const BASE = import.meta.env.BASE_URL.slice(0, -1)

/** The attribute by which a document names its script, if that is the one that runs here. */
const SCRIPT = ` src="${document.querySelector('script[type="module"][src]')?.getAttribute('src')}"`

/** What stands before the data of a document. In the data, every < is escaped. */
const DATA = 'id="screen">'

/** The address has a document that this script cannot show, such as one of another build. */
class OtherDocument extends Error {}

/** `pathOf` finds the path of an address; `given` is what the document has of its own screen. */
export function browserContent(pathOf: (address: string) => string, given?: Given) {
  let entries: readonly Entry[] | undefined
  /** The text of the last address that the index was entered with. */
  let entered: string | undefined
  let names: IndexData['words'] = []
  /** The words that are loaded, by the names of their files. */
  const words = new Map<string, WordIndex>()
  /** Undefined is a page that is not there. */
  const pages = new Map<string, Found | undefined>()
  if (given) pages.set(given.path, given.found)
  const loads = new Map<string, Promise<void>>()

  function isLoaded(path: string): boolean {
    if (path !== '/') return path === NOT_FOUND || pages.get(path) !== undefined
    const text = textOfAddress()
    return entries !== undefined && (text === entered || hasWords(text))
  }

  /** Loads the content of the screen at a path. Rejects when that fails. */
  async function load(path: string): Promise<void> {
    if (isLoaded(path)) return
    await share(path, async () => {
      if (path === '/') return enterIndex()
      // It may be there by now.
      pages.delete(path)
      pages.set(path, (await readScreen(path)).found)
    })
  }

  /** Returns the promise of work that is under way, or begins it. */
  function share(name: string, work: () => Promise<void>): Promise<void> {
    const promise = loads.get(name) ?? work().finally(() => loads.delete(name))
    loads.set(name, promise)
    return promise
  }

  async function loadIndex(known?: IndexData) {
    const data = known ?? (await readScreen('/')).index
    if (!data) throw new OtherDocument()
    const all = data.entries
    entries = typeof all === 'string' ? await readFile<Entry[]>(all) : all
    names = data.words
  }

  /** Whether all words that a text needs are loaded. */
  function hasWords(text: string): boolean {
    return partsFor(text, names).every((name) => words.has(name))
  }

  /** Loads what a text needs. Without one, an index that has only one part. */
  async function loadWords(text: string): Promise<void> {
    const isShort = names.length === 1
    const needed = text === '' && isShort ? names.map(([, name]) => name) : partsFor(text, names)
    const missing = needed.filter((name) => !words.has(name))
    await Promise.all(missing.map(async (name) => words.set(name, await readFile(name))))
  }

  async function enterIndex() {
    if (!entries) await loadIndex(given?.index)
    // It may be loaded for a link that is pointed at, long before its address is known.
    if (pathOf(location.pathname) !== '/') return
    // An address with a text shows its cards at once, so that Back finds the place that was left.
    const text = textOfAddress()
    if (text) await loadWords(text).catch(() => {})
    entered = text
  }

  return {
    pathOf,
    get entries(): readonly Entry[] {
      return entries ?? []
    },
    find: (path: string) => pages.get(path),
    load,
    /**
     * Returns undefined if the content of the screen at a path is loaded. If not, it returns a promise
     * that never rejects: what cannot be loaded or shown is opened as a document.
     */
    loading(path: string): Promise<void> | undefined {
      if (isLoaded(path) || pages.has(path)) return undefined
      return load(path).catch(() => {
        if (pathOf(location.pathname) === path) return openDocument()
      })
    },
    search: {
      /** Returns what a text finds in what is loaded, and whether that is all. */
      find(text: string) {
        const index = partsFor(text, names).flatMap((name) => words.get(name) ?? [])
        return { ...searchEntries(entries ?? [], text, index), isWhole: hasWords(text) }
      },
      /** Loads what a text needs. Rejects after another look at the names, if that fails. */
      load: (text: string) =>
        loadWords(text).catch(async (error) => {
          // Another build may have replaced the words. Once, if those of two texts are gone.
          await share('names', () =>
            loadIndex().catch((other) => {
              if (other instanceof OtherDocument) return openDocument()
            }),
          )
          throw error
        }),
    },
  }
}

/** Returns what the address of the index searches for, or ''. */
const textOfAddress = () => parseFilter(location.search, [], []).q

/** Reads what the document of a path has of its screen: only a path, if no page is there. */
async function readScreen(path: string): Promise<Given> {
  // A document that a cache has kept may name files that are gone since.
  const cache = path === '/' ? 'no-cache' : 'default'
  const response = await fetch(BASE + addressOf(path), { cache })
  const html = await response.text()
  const data = html.split(DATA)[1]?.split('</script>')[0] ?? 'null'
  const given: Given | null = JSON.parse(data)
  if (response.status === 404 || given?.path === NOT_FOUND) return { path: NOT_FOUND }
  // Old code does not read new data. In development, the script has several names.
  const isOurs = import.meta.hot || html.includes(SCRIPT)
  if (response.ok && given?.path === path && isOurs) return given
  throw new OtherDocument()
}

async function readFile<T>(address: string): Promise<T> {
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
