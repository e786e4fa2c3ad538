/** The search: the words of texts, their index, what a text finds, and why. Pure. */
import type { Entry, IndexData } from './lookup.ts'

/**
 * Each word, in order of code units, with the numbers of the entries that have it: the first, then
 * how much larger each is than the one before.
 */
export type WordIndex = readonly (readonly [word: string, steps: readonly number[]])[]

export type Results = ReturnType<typeof searchEntries>

/**
 * A run of letters and digits, with what nobody sees between them, such as soft hyphens, and the
 * signs of names such as C++ and C#. Or § or a currency.
 */
const WORD = /([\p{L}\p{N}\p{M}\p{DI}]+(?:[+#]+(?![\p{L}\p{N}]))?|[§\p{Sc}])/gu

/** Accents, what nobody sees, and the tatweel, which only makes Arabic words longer. */
const LEFT_OUT = /[\p{M}\p{DI}\u0640]+/gu

/** Letters that readers type otherwise, and that Unicode does not decompose. */
const LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
}

/** Returns a text in lower case, without accents, and with plain letters and digits: CO₂ is co2. */
function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(LEFT_OUT, '')
    .toLowerCase()
    .replace(/[ßæœøłđðþıς]/g, (letter) => LETTERS[letter] ?? letter)
}

/** Returns the words of a text, folded. */
export function wordsOf(text: string): string[] {
  return fold(text).match(WORD) ?? []
}

/** Returns the parts of the index where the words of a text may be, the last as a beginning. */
export function partsFor(text: string, parts: IndexData['words']): string[] {
  const words = wordsOf(text)
  const last = words.at(-1)
  const wanted: string[] = []
  for (const [at, [first, name]] of parts.entries()) {
    const next = parts[at + 1]?.[0]
    const has = (word: string) => first <= word && (next === undefined || word < next)
    const hasBeginning = last !== undefined && first.startsWith(last)
    if (hasBeginning || words.some(has)) wanted.push(name)
  }
  return wanted
}

/** Returns the numbers of the entries that have a word, or one that begins with it. */
function entriesWith(index: WordIndex, wanted: string, isBeginning: boolean): Set<number> {
  const entries = new Set<number>()
  for (const [word, steps] of index) {
    if (isBeginning ? !word.startsWith(wanted) : word !== wanted) continue
    let entry = 0
    for (const step of steps) {
      entry += step
      entries.add(entry)
    }
  }
  return entries
}

/** The folded title of an entry, and that with its path: folding them takes most of a search. */
const folded = new WeakMap<Entry, readonly [title: string, heading: string]>()

/**
 * Finds the entries that have every word of a text: as a part of the title or path, or as a word of
 * the index; the last one may be the beginning of such a word. A text without words finds them all.
 */
export function searchEntries(entries: readonly Entry[], text: string, index: WordIndex = []) {
  const words = wordsOf(text)
  const last = words.length - 1
  const inTexts = words.map((word, at) => entriesWith(index, word, at === last))
  /** Where the words are: in the title, in title and path, or also in the texts. */
  const places = new Map<Entry, 'title' | 'path' | 'text'>()
  for (const [number, entry] of words.length > 0 ? entries.entries() : []) {
    const { title: written, path } = entry
    const known = folded.get(entry) ?? ([fold(written), fold(`${written} ${path}`)] as const)
    folded.set(entry, known)
    const [title, heading] = known
    if (words.every((word) => title.includes(word))) places.set(entry, 'title')
    else if (words.every((word) => heading.includes(word))) places.set(entry, 'path')
    else if (words.every((word, at) => heading.includes(word) || inTexts[at]?.has(number))) {
      places.set(entry, 'text')
    }
  }
  const at = (place: string) => [...places].flatMap(([entry, its]) => (its === place ? entry : []))
  const isWanted = (word: string) =>
    words.some((wanted, at) => (at === last ? word.startsWith(wanted) : word === wanted))
  return {
    /** What was found: by titles first, then by paths, then by texts. */
    entries: words.length > 0 ? [...at('title'), ...at('path'), ...at('text')] : entries,
    placeOf: (entry: Entry) => places.get(entry),
    /** Splits a title or a path. The words that were searched for are at the odd places. */
    mark: (heading: string) =>
      markWords(heading, (word) => words.some((wanted) => word.includes(wanted))),
    /** Does the same with the words around the first one that was found in some texts. */
    excerpt: (texts: readonly string[]) =>
      texts.map((text) => excerptOf(text, isWanted)).find((parts) => parts.length > 1) ?? [],
  }
}

/** Splits a text. The words that are wanted are at the odd places. */
function markWords(text: string, isWanted: (word: string) => boolean): string[] {
  const parts = ['']
  for (const [at, part] of text.split(WORD).entries()) {
    if (at % 2 === 1 && wordsOf(part).some(isWanted)) parts.push(part, '')
    else parts.push((parts.pop() ?? '') + part)
  }
  return parts
}

/**
 * How many characters an excerpt has at most, and how many of them before the first wanted word. Of
 * most texts, so many fit into the four lines that the style keeps, and nothing moves.
 */
const LONGEST = 90
const BEFORE = 30

/** Returns the words around the first one that is wanted, split as `markWords` does. */
function excerptOf(text: string, isWanted: (word: string) => boolean): string[] {
  const [{ length: first } = ''] = markWords(text, isWanted)
  const start =
    first > BEFORE ? first - BEFORE + text.slice(first - BEFORE, first).indexOf(' ') + 1 : 0
  const rest = text.slice(start, start + LONGEST)
  const isCut = start + LONGEST < text.length
  const end = isCut ? rest.lastIndexOf(' ') : rest.length
  return markWords(`${start > 0 ? '…' : ''}${rest.slice(0, end)}${isCut ? '…' : ''}`, isWanted)
}
