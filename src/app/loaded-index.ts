/** The index in a browser: all cards, and what searches have needed of the words and texts. */
import type { Entry, IndexData } from './lookup.ts'
import { OtherDocument, openDocument, readFile, readScreen } from './read-document.ts'
import { partsFor, type Results, searchEntries, type WordIndex } from './search.ts'
import { SharedWork } from './shared-work.ts'

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

/** Where the texts of a page are: in which file, and at which place in it. */
interface TextPlace {
  file: string
  at: number
}

export class LoadedIndex implements Search {
  /** All cards. Undefined until they are loaded. */
  entries: readonly Entry[] | undefined
  #numbers = new Map<string, number>()
  #wordParts: IndexData['words'] = []
  #textParts: IndexData['texts'] = []

  /** What is loaded, by the names of the files. */
  readonly #words = new Map<string, WordIndex>()
  readonly #texts = new Map<string, readonly string[][]>()
  readonly #work = new SharedWork()

  /** Loads the cards and the names of the other files, from the document of the index unless they are known. */
  async open(known?: IndexData): Promise<void> {
    const data = known ?? (await readScreen('/')).index
    if (!data) throw new OtherDocument()

    const { entries, words, texts } = data
    this.entries = typeof entries === 'string' ? await readFile<Entry[]>(entries) : entries
    this.#numbers = new Map(this.entries.map(({ path }, number) => [path, number]))
    this.#wordParts = words
    this.#textParts = texts
  }

  /** Looks at the names of the files again: another build may have replaced them. */
  async #reopen(): Promise<void> {
    try {
      await this.#work.do('names', () => this.open())
    } catch (error) {
      // The next attempt may succeed, unless the document is of another build.
      if (error instanceof OtherDocument) await openDocument()
    }
  }

  find(text: string): Results & { isWhole: boolean } {
    const names = partsFor(text, this.#wordParts)
    const index = names.flatMap((name) => this.#words.get(name) ?? [])
    return { ...searchEntries(this.entries ?? [], text, index), isWhole: this.hasWords(text) }
  }

  /** Whether all words that a text needs are loaded. */
  hasWords(text: string): boolean {
    return partsFor(text, this.#wordParts).every((name) => this.#words.has(name))
  }

  async load(text: string): Promise<void> {
    try {
      await this.loadWords(text)
    } catch (error) {
      await this.#reopen()
      throw error
    }
  }

  /** Loads the words that a text needs. Without a text, those of an index that has only one part. */
  async loadWords(text: string): Promise<void> {
    const [first, ...others] = this.#wordParts
    const isShort = first !== undefined && others.length === 0
    const needed = text === '' && isShort ? [first[1]] : partsFor(text, this.#wordParts)

    const missing = needed.filter((name) => !this.#words.has(name))
    await Promise.all(
      missing.map(async (name) => {
        this.#words.set(name, await readFile<WordIndex>(name))
      }),
    )
  }

  textsOf(path: string): readonly string[] | undefined {
    const place = this.#textPlaceOf(path)
    return place && this.#texts.get(place.file)?.[place.at]
  }

  async loadTexts(path: string): Promise<void> {
    try {
      await this.#loadTexts(path)
    } catch {
      await this.#reopen()
      await this.#loadTexts(path)
    }
  }

  async #loadTexts(path: string): Promise<void> {
    const file = this.#textPlaceOf(path)?.file
    if (file === undefined || this.#texts.has(file)) return

    await this.#work.do(file, async () => {
      this.#texts.set(file, await readFile(file))
    })
  }

  /** Returns where the texts of a page are. Undefined if the index has no such page. */
  #textPlaceOf(path: string): TextPlace | undefined {
    const number = this.#numbers.get(path)
    if (number === undefined) return undefined

    const part = this.#textParts.findLast(([first]) => first <= number)
    if (!part) return undefined

    const [first, file] = part
    return { file, at: number - first }
  }
}
