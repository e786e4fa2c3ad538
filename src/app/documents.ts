/**
 * Loads what the screens show into the browser, when a visitor is about to need it: from the
 * documents of the site, and from the files that the document of the index names.
 */
import { NOT_FOUND } from '../page/address.ts'
import { parseFilter } from './filter.ts'
import { LoadedIndex, type Search } from './loaded-index.ts'
import type { Entry, Found, Given } from './lookup.ts'
import { openDocument, readScreen } from './read-document.ts'
import { SharedWork } from './shared-work.ts'

/** The content of the screens. */
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

/** The content of the site in a browser. */
export class BrowserContent implements SiteContent {
  readonly pathOf: SiteContent['pathOf']
  readonly search = new LoadedIndex()
  /** Undefined is a page that is not there. */
  readonly #pages = new Map<string, Found | undefined>()
  readonly #work = new SharedWork()
  readonly #given: Given | undefined
  /** The text of the last address that the index was entered with. */
  #enteredText: string | undefined

  /**
   * @param pathOf finds the path of an address
   * @param given what the document has of its own screen
   */
  constructor(pathOf: SiteContent['pathOf'], given?: Given) {
    this.pathOf = pathOf
    this.#given = given
    if (given) this.#pages.set(given.path, given.found)
  }

  get entries(): readonly Entry[] {
    return this.search.entries ?? []
  }

  find(path: string): Found | undefined {
    return this.#pages.get(path)
  }

  async load(path: string): Promise<void> {
    if (this.#isLoaded(path)) return
    await this.#work.do(path, () => (path === '/' ? this.#enterIndex() : this.#loadPage(path)))
  }

  loading(path: string): Promise<void> | undefined {
    if (this.#isLoaded(path) || this.#pages.has(path)) return undefined

    return this.load(path).catch(() => {
      if (this.pathOf(location.pathname) === path) return openDocument()
    })
  }

  #isLoaded(path: string): boolean {
    if (path === NOT_FOUND) return true
    if (path !== '/') return this.#pages.get(path) !== undefined

    const text = textOfAddress()
    const hasEntered = text === this.#enteredText || this.search.hasWords(text)
    return this.search.entries !== undefined && hasEntered
  }

  async #loadPage(path: string): Promise<void> {
    // It may be there by now.
    this.#pages.delete(path)
    const { found } = await readScreen(path)
    this.#pages.set(path, found)
  }

  async #enterIndex(): Promise<void> {
    if (!this.search.entries) await this.search.open(this.#given?.index)
    // It may be loaded for a link that is pointed at, long before its address is known.
    if (this.pathOf(location.pathname) !== '/') return

    // An address with a text shows its cards at once, so that Back finds the place that was left.
    const text = textOfAddress()
    if (text) await this.search.loadWords(text).catch(() => {})
    this.#enteredText = text
  }
}

/** Returns what the address of the index searches for, or ''. */
function textOfAddress(): string {
  return parseFilter(location.search, [], []).q
}
