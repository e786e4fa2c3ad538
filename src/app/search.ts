/** The search: what a text finds, in which order, and why. Pure. */
import { isWithinCharacter } from '../text/characters.ts'
import type { Entry, IndexData } from './lookup.ts'
import {
  fold,
  foldWithDigraphs,
  matches,
  type Piece,
  piecesOf,
  type Term,
  termsOf,
  wordsOf,
} from './search-words.ts'

/**
 * Each word, in order of code units, with the numbers of the entries that have it: the first, then
 * how much larger each is than the one before.
 */
export type WordIndex = readonly (readonly [word: string, steps: readonly number[]])[]

/** Where all words that were searched for are: in the title, in title and path, or also in the texts. */
type Place = 'title' | 'path' | 'text'

/** What a text finds. */
export interface Results {
  /** By titles first, then by paths, then by texts. */
  entries: readonly Entry[]
  placeOf(entry: Entry): Place | undefined
  /** Splits a title or a path. The words that were searched for are at the odd places. */
  mark(heading: string): string[]
  /** Does the same with the words around the first one that was found in some texts. */
  excerpt(texts: readonly string[]): string[]
}

/** Returns the parts of the index where the words of a text may be. */
export function partsFor(text: string, parts: IndexData['words']): string[] {
  const terms = termsOf(text)

  const wanted = parts.filter(([first], at) => {
    const next = parts[at + 1]?.[0]
    return terms.some((term) => mayHave(term, first, next))
  })

  return wanted.map(([, name]) => name)
}

/** Whether a word may be in the part of the index that begins with a word, and ends before the next. */
function mayHave({ spellings, isBeginning }: Term, first: string, next: string | undefined) {
  return spellings.some((spelling) => {
    const isWithin = first <= spelling && (next === undefined || spelling < next)
    return isWithin || (isBeginning && first.startsWith(spelling))
  })
}

/** Returns the numbers of the entries that have a word. */
function entriesWith(index: WordIndex, term: Term): Set<number> {
  const numbers = new Set<number>()
  for (const [word, steps] of index) {
    if (!matches(term, word)) continue

    let number = 0
    for (const step of steps) {
      number += step
      numbers.add(number)
    }
  }
  return numbers
}

interface FoldedHeading {
  title: string
  withPath: string
}

/** Folding the headings of all entries takes most of a search. */
const foldedHeadings = new WeakMap<Entry, FoldedHeading>()

function foldedHeadingOf(entry: Entry): FoldedHeading {
  const known = foldedHeadings.get(entry)
  if (known) return known

  const { title, path } = entry
  const heading = { title: foldBothWays(title), withPath: foldBothWays(`${title} ${path}`) }
  foldedHeadings.set(entry, heading)
  return heading
}

function foldBothWays(text: string): string {
  const [folded, withDigraphs] = [fold(text), foldWithDigraphs(text)]
  return folded === withDigraphs ? folded : `${folded} ${withDigraphs}`
}

const isIn = (heading: string, { spellings }: Term) =>
  spellings.some((spelling) => heading.includes(spelling))

/**
 * Finds the entries that have every word of a text: as a part of the title or path, or as a word of
 * the index. A text without words, such as !!!, is found as it is, in titles and paths. An empty one
 * finds all entries.
 */
export function searchEntries(
  entries: readonly Entry[],
  text: string,
  index: WordIndex = [],
): Results {
  const terms = termsOf(text)
  const signs = fold(text.trim())
  if (signs === '') return resultsOf(entries, new Map(), [])

  // Signs without a word are sought as a word is, but not in the texts: the index does not have them.
  const sought = terms.length > 0 ? terms : [{ spellings: [signs], isBeginning: true }]
  const places = placesOf(entries, sought, index)
  const entriesAt = (place: Place) => {
    return [...places.keys()].filter((entry) => places.get(entry) === place)
  }

  const inOrder = [...entriesAt('title'), ...entriesAt('path'), ...entriesAt('text')]
  return resultsOf(inOrder, places, terms)
}

/** Returns where each entry has all words that are sought. One that lacks a word is left out. */
function placesOf(
  entries: readonly Entry[],
  sought: readonly Term[],
  index: WordIndex,
): Map<Entry, Place> {
  const inTexts = sought.map((term) => entriesWith(index, term))
  const places = new Map<Entry, Place>()

  for (const [number, entry] of entries.entries()) {
    const { title, withPath } = foldedHeadingOf(entry)
    if (sought.every((term) => isIn(title, term))) places.set(entry, 'title')
    else if (sought.every((term) => isIn(withPath, term))) places.set(entry, 'path')
    else if (sought.every((term, at) => isIn(withPath, term) || inTexts[at]?.has(number))) {
      places.set(entry, 'text')
    }
  }
  return places
}

function resultsOf(
  entries: readonly Entry[],
  places: ReadonlyMap<Entry, Place>,
  terms: readonly Term[],
): Results {
  // In a heading, a word may be within another one.
  const inHeading = (word: string) => terms.some((term) => isIn(word, term))
  const inText = (word: string) => terms.some((term) => matches(term, word))

  return {
    entries,
    placeOf: (entry) => places.get(entry),
    mark: (heading) => splitAt(heading, [...wantedPieces(heading, terms, inHeading)]),
    excerpt(texts) {
      for (const text of texts) {
        const [first] = wantedPieces(text, terms, inText)
        if (!first) continue

        const excerpt = cutAround(text, first.start)
        return splitAt(excerpt, [...wantedPieces(excerpt, terms, inText)])
      }
      return []
    },
  }
}

/** Yields the words of a text that were searched for. */
function* wantedPieces(
  text: string,
  terms: readonly Term[],
  isWanted: (word: string) => boolean,
): Generator<Piece> {
  for (const piece of piecesOf(text)) {
    const written = text.slice(piece.start, piece.end)
    if (piece.isSpaceless) {
      const letters = fold(written)
      if (terms.some(({ spellings }) => spellings.includes(letters))) yield piece
    } else if (wordsOf(written).some(isWanted)) {
      yield piece
    }
  }
}

/** Splits a text, so that the pieces are at the odd places. Pieces that overlap become one. */
function splitAt(text: string, pieces: readonly Piece[]): string[] {
  const parts: string[] = []
  let end = 0

  for (const piece of pieces) {
    if (parts.length > 0 && piece.isSpaceless && piece.start <= end) {
      parts.push(`${parts.pop()}${text.slice(end, Math.max(end, piece.end))}`)
    } else {
      parts.push(text.slice(end, piece.start), text.slice(piece.start, piece.end))
    }
    end = Math.max(end, piece.end)
  }

  return [...parts, text.slice(end)]
}

/**
 * How many characters an excerpt has at most, and how many of them before the first word that was
 * found. Of most texts, so many fit into the three lines that the style keeps, and nothing moves.
 */
const LONGEST = 100
const BEFORE = 30

/** Returns the text around a place, cut between words, with an ellipsis where it is cut. */
function cutAround(text: string, place: number): string {
  const start = place > BEFORE ? startOfWord(text, place - BEFORE, place) : 0
  const end = start + LONGEST < text.length ? endOfWord(text, start, start + LONGEST) : text.length
  const beginning = start > 0 ? '…' : ''
  const ending = end < text.length ? '…' : ''
  return beginning + text.slice(start, end) + ending
}

/** Returns where the first word after a place starts, or else the place, which is never within a character. */
function startOfWord(text: string, from: number, to: number): number {
  const space = text.slice(from, to).indexOf(' ')
  if (space >= 0) return from + space + 1
  return isWithinCharacter(text, from) ? from + 1 : from
}

/** Returns where the last word before a place ends, without the comma or full stop that follows it. */
function endOfWord(text: string, from: number, to: number): number {
  const space = text.slice(from, to).lastIndexOf(' ')
  if (space > 0) return from + text.slice(from, from + space).replace(/[\s.,:;!?…]+$/, '').length
  return isWithinCharacter(text, to) ? to - 1 : to
}
