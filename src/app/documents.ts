/**
 * Loads what the screens show into the browser, when a visitor is about to need it: from the
 * documents of the site, and from the files that the document of the index names.
 */
import { addressOf, NOT_FOUND } from '../page/address.ts'
import { parseFilter } from './filter.ts'
import type { Entry, Found, Given, IndexData } from './lookup.ts'
import { partsFor, type Results, searchEntries, type WordIndex } from './search.ts'

/** What the screens show. */
export interface SiteContent {
  /** Returns the path of an address. */
  pathOf(address: string): string
  /** All cards of the index. Empty until it is loaded. */
  readonly entries: readonly Entry[]
  /** Returns the page at a path. Undefined if it is not there, or not loaded yet. */
  find(path: string): Found | undefined
  /** Loads the content of the screen at a path. Rejects if that fails. */
  load(path: string): Promise<void>
  /**
   * Returns undefined if the content of the screen at a path is loaded. If not, it returns a promise
   * that never rejects: what cannot be loaded or shown is opened as a document.
   */
  loading(path: string): Promise<void> | undefined
  /** Undefined where there is no browser: then nothing is searched. */
  search?: Search
}

/** The search of the index. */
export interface Search {
  /** Returns what a text finds in what is loaded, and whether that is all. */
  find(text: string): Results & { isWhole: boolean }
  /** Loads the words that a text needs. Rejects if that fails, after another look at their names. */
  load(text: string): Promise<void>
  /** Returns the texts of a page for its excerpt. Undefined until they are loaded. */
  textsOf(path: string): readonly string[] | undefined
  /** Loads the texts of a page. Rejects if that fails twice. */
  loadTexts(path: string): Promise<void>
}

/** Of the site: see `address.ts`. */
export const BASE = import.meta.env.BASE_URL.slice(0, -1)

/** The attribute by which a document names its script, if that is the one that runs here. */
const SCRIPT = ` src="${document.querySelector('script[type="module"][src]')?.getAttribute('src')}"`

/** What stands before the data of a document. In the data, every < is escaped. */
const DATA = 'id="screen">'

/** The address has a document that this script cannot show, such as one of another build. */
class OtherDocument extends Error {}

/** The texts of some entries, from the entry with the number `first` on. */
interface TextPart {
  first: number
  name: string
}

/**
 * Returns the content of the site in a browser.
 *
 * @param pathOf finds the path of an address
 * @param given what the document has of its own screen
 */
export function browserContent(pathOf: SiteContent['pathOf'], given?: Given): SiteContent {
  let entries: readonly Entry[] | undefined
  let numbers = new Map<string, number>()
  let wordParts: IndexData['words'] = []
  let textParts: IndexData['texts'] = []
  /** The text of the last address that the index was entered with. */
  let enteredText: string | undefined

  /** What is loaded, by the names of the files. */
  const words = new Map<string, WordIndex>()
  const texts = new Map<string, readonly string[][]>()
  /** Undefined is a page that is not there. */
  const pages = new Map<string, Found | undefined>()
  if (given) pages.set(given.path, given.found)
  const loads = new Map<string, Promise<void>>()

  function isLoaded(path: string): boolean {
    if (path !== '/') return path === NOT_FOUND || pages.get(path) !== undefined
    const text = textOfAddress()
    return entries !== undefined && (text === enteredText || hasWords(text))
  }

  async function load(path: string): Promise<void> {
    if (isLoaded(path)) return
    await share(path, () => (path === '/' ? enterIndex() : loadPage(path)))
  }

  /** Returns the promise of work that is under way, or begins it. */
  function share(name: string, work: () => Promise<void>): Promise<void> {
    const promise = loads.get(name) ?? work().finally(() => loads.delete(name))
    loads.set(name, promise)
    return promise
  }

  async function loadPage(path: string) {
    // It may be there by now.
    pages.delete(path)
    const { found } = await readScreen(path)
    pages.set(path, found)
  }

  async function loadIndex(known?: IndexData) {
    const data = known ?? (await readScreen('/')).index
    if (!data) throw new OtherDocument()

    const list = data.entries
    entries = typeof list === 'string' ? await readFile<Entry[]>(list) : list
    numbers = new Map(entries.map(({ path }, number) => [path, number]))
    wordParts = data.words
    textParts = data.texts
  }

  /** Looks at the names of the files again: another build may have replaced them. */
  function loadNames(): Promise<void> {
    return share('names', () =>
      loadIndex().catch((error) => {
        if (error instanceof OtherDocument) return openDocument()
      }),
    )
  }

  async function enterIndex() {
    if (!entries) await loadIndex(given?.index)
    // It may be loaded for a link that is pointed at, long before its address is known.
    if (pathOf(location.pathname) !== '/') return

    // An address with a text shows its cards at once, so that Back finds the place that was left.
    const text = textOfAddress()
    if (text) await loadWords(text).catch(() => {})
    enteredText = text
  }

  /** Whether all words that a text needs are loaded. */
  function hasWords(text: string): boolean {
    return partsFor(text, wordParts).every((name) => words.has(name))
  }

  /** Loads what a text needs. Without one, an index that has only one part. */
  async function loadWords(text: string): Promise<void> {
    const isShort = wordParts.length === 1
    const needed =
      text === '' && isShort ? wordParts.map(([, name]) => name) : partsFor(text, wordParts)
    const missing = needed.filter((name) => !words.has(name))
    await Promise.all(missing.map(async (name) => words.set(name, await readFile(name))))
  }

  /** Returns where the texts of a page are. Undefined if the index has no such page. */
  function textPartOf(path: string): TextPart | undefined {
    const number = numbers.get(path)
    if (number === undefined) return undefined
    const part = textParts.findLast(([first]) => first <= number)
    return part && { first: part[0], name: part[1] }
  }

  async function loadTexts(path: string): Promise<void> {
    const part = textPartOf(path)
    if (!part || texts.has(part.name)) return
    await share(part.name, async () => {
      texts.set(part.name, await readFile(part.name))
    })
  }

  return {
    pathOf,
    get entries() {
      return entries ?? []
    },
    find: (path) => pages.get(path),
    load,
    loading(path) {
      if (isLoaded(path) || pages.has(path)) return undefined
      return load(path).catch(() => {
        if (pathOf(location.pathname) === path) return openDocument()
      })
    },
    search: {
      find(text) {
        const names = partsFor(text, wordParts)
        const index = names.flatMap((name) => words.get(name) ?? [])
        return { ...searchEntries(entries ?? [], text, index), isWhole: hasWords(text) }
      },
      async load(text) {
        try {
          await loadWords(text)
        } catch (error) {
          await loadNames()
          throw error
        }
      },
      textsOf(path) {
        const part = textPartOf(path)
        return part && texts.get(part.name)?.[(numbers.get(path) ?? 0) - part.first]
      },
      async loadTexts(path) {
        try {
          await loadTexts(path)
        } catch {
          await loadNames()
          await loadTexts(path)
        }
      },
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
  const reload = () => {
    // The screen saves what is not in the address yet.
    dispatchEvent(new Event('pagehide'))
    location.reload()
  }

  reload()
  // What is typed before the new document comes would be lost: the screen notes it first.
  addEventListener('input', () => setTimeout(reload))
  return new Promise(() => {})
}
