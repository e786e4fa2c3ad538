/** Compares two values of a key for a reader: what differs, around the first difference. Pure. */
import { diffArrays } from 'diff'
import { changedPart } from '../../text/changed-part.ts'
import { isWithinCharacter } from '../../text/characters.ts'

/** A part of a text. */
export interface Part {
  text: string
  /** Whether the other text does not have it. */
  isMarked: boolean
}

/** A value as the report shows it. */
export interface ShownValue {
  /** Around the first difference. */
  excerpt: Part[]
  /** What follows the excerpt, to be unfolded. Empty if nothing does. */
  rest: Part[]
}

/** How a key of the kept record differs in a dropped one. */
export interface Difference {
  key: string
  kept: ShownValue
  dropped: ShownValue
}

/** How many characters are shown before the first difference, in the excerpt, and in all at most. */
const BEFORE = 60
const EXCERPT = 280
const MOST = 3_000

/**
 * From how many words removed and added on, two texts have too little in common to compare words: the
 * time grows with the square of this number, and nobody reads so many marks.
 */
const MOST_CHANGES = 100

/** Returns how two values of a key differ. Undefined is a value that is not there. */
export function compareValues(key: string, kept: unknown, dropped: unknown): Difference {
  const [keptText, droppedText] = textsOf(kept, dropped)
  const start = startOfExcerpt(keptText, firstDifference(keptText, droppedText))
  const keptPart = cutFrom(keptText, start)
  const droppedPart = cutFrom(droppedText, start)

  const changes = withoutSmallMatches(changesOf(keptPart, droppedPart))
  const keptParts = changes.flatMap((change) => {
    return change.added ? [] : { text: change.value, isMarked: change.removed }
  })
  const droppedParts = changes.flatMap((change) => {
    return change.removed ? [] : { text: change.value, isMarked: change.added }
  })

  return { key, kept: fold(keptParts), dropped: fold(droppedParts) }
}

/** Returns two values as people read them: texts as they are, anything else as JSON. */
function textsOf(kept: unknown, dropped: unknown): [kept: string, dropped: string] {
  const [one, other] = [textOf(kept), textOf(dropped)]

  // The number 5 and the text "5" would look the same.
  return one === other ? [JSON.stringify(kept), JSON.stringify(dropped)] : [one, other]
}

function textOf(value: unknown): string {
  if (value === undefined) return ''

  const isShownAsIs = typeof value === 'string' && value !== ''
  return isShownAsIs ? value : JSON.stringify(value)
}

/** Returns where two texts differ first, which is never within a character. */
function firstDifference(one: string, other: string): number {
  const { start } = changedPart(one, other)
  return isWithinCharacter(one, start) ? start - 1 : start
}

/** Returns where an excerpt starts that shows the first difference, at the start of a word. */
function startOfExcerpt(text: string, difference: number): number {
  if (difference <= BEFORE) return 0

  const from = difference - BEFORE
  const space = text.slice(from, difference).indexOf(' ')
  if (space >= 0) return from + space + 1

  return isWithinCharacter(text, from) ? from + 1 : from
}

/** Returns the part of a text that may be shown, with an ellipsis where it is cut. */
function cutFrom(text: string, start: number): string {
  const end = isWithinCharacter(text, start + MOST) ? start + MOST - 1 : start + MOST

  const beginning = start > 0 ? '…' : ''
  const ending = end < text.length ? '…' : ''
  return beginning + text.slice(start, end) + ending
}

/** What two texts have in common, or what only one of them has. */
interface Change {
  /** A word, a sign or a space each. */
  value: readonly string[]
  added: boolean
  removed: boolean
}

/** A word, a run of spaces, or a sign. */
const PARTS = /[\p{L}\p{M}\p{N}_]+|\s+|[^\p{L}\p{M}\p{N}_\s]/gu

/** A letter of a script that writes no spaces between words, such as 窯. */
const WITHOUT_SPACES =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u

/** Finds words by a dictionary, which takes ten times as long. In all languages, on every machine. */
const SEGMENTER = new Intl.Segmenter('en', { granularity: 'word' })

function wordsOf(text: string): string[] {
  if (!WITHOUT_SPACES.test(text)) return text.match(PARTS) ?? []
  return Array.from(SEGMENTER.segment(text), ({ segment }) => segment)
}

/** Returns which words differ. Of texts that have little in common, all from the first difference on. */
function changesOf(kept: string, dropped: string): Change[] {
  const [keptWords, droppedWords] = [wordsOf(kept), wordsOf(dropped)]
  const changes = diffArrays(keptWords, droppedWords, { maxEditLength: MOST_CHANGES })
  if (changes) return changes

  const place = firstDifference(kept, dropped)
  return [
    { value: [kept.slice(0, place)], added: false, removed: false },
    { value: [kept.slice(place)], added: false, removed: true },
    { value: [dropped.slice(place)], added: true, removed: false },
  ].filter(({ value: [text] }) => text !== '')
}

/** A letter or a digit, in any script. */
const WORD_CHARACTER = /[\p{L}\p{N}]/u

/** Whether this is a space, a sign or a single word, which two texts often share by chance. */
function isSmall(words: readonly string[]): boolean {
  return words.filter((word) => WORD_CHARACTER.test(word)).length <= 1
}

/** A change as one text. */
interface JoinedChange {
  value: string
  added: boolean
  removed: boolean
}

/**
 * Joins changes that only a word or less separates. Of two sentences that have nothing in common but
 * "the" and "to", the whole is marked.
 */
function withoutSmallMatches(changes: readonly Change[]): JoinedChange[] {
  const joined: JoinedChange[] = []
  let removed = ''
  let added = ''

  const endChange = () => {
    if (removed !== '') joined.push({ value: removed, added: false, removed: true })
    if (added !== '') joined.push({ value: added, added: true, removed: false })
    removed = ''
    added = ''
  }

  for (const [at, change] of changes.entries()) {
    const text = change.value.join('')
    const isCommon = !change.added && !change.removed
    const isBetween = at > 0 && at < changes.length - 1

    if (isCommon && !(isBetween && isSmall(change.value))) {
      endChange()
      joined.push({ value: text, added: false, removed: false })
      continue
    }

    if (!change.added) removed += text
    if (!change.removed) added += text
  }

  endChange()
  return joined
}

/** Divides parts into the excerpt, and what follows it. A word that is about to end is not cut. */
function fold(parts: readonly Part[]): ShownValue {
  const excerpt: Part[] = []
  const rest: Part[] = []
  let room = EXCERPT

  for (const part of parts) {
    if (room <= 0) {
      rest.push(part)
      continue
    }

    const end = part.text.length <= room ? part.text.length : endOfWord(part.text, room)

    excerpt.push({ ...part, text: part.text.slice(0, end) })
    if (end < part.text.length) rest.push({ ...part, text: part.text.slice(end) })
    room = end < part.text.length ? 0 : room - end
  }

  return { excerpt, rest }
}

/** Returns where the word at a place ends. A word that is very long is cut there. */
function endOfWord(text: string, place: number): number {
  const space = text.slice(place, place + BEFORE).search(/\s/)
  if (space >= 0) return place + space

  return isWithinCharacter(text, place) ? place - 1 : place
}
