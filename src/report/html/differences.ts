/** Compares two values and finds what only one of them has. The only module that imports diff. */
import { type ChangeObject, diffWordsWithSpace } from 'diff'
import { readInstant } from '../../text/instant.ts'

/** A piece of a text, and whether the other text does not have it there. */
export interface Piece {
  text: string
  isOwn: boolean
}

export interface Comparison {
  left: Piece[]
  right: Piece[]
  /** Whether they have so little in common that nothing is marked. */
  isUnlike: boolean
}

/** Nobody reads more changes than this one by one, and finding them is slow. */
const MOST_EDITS = 100
/** In characters: longer texts are cut. */
const LONGEST = 2_000
const BEFORE = 200
/** In characters: shorter texts are marked as a whole if they have little in common. */
const LONG = 200

/** Compares two texts by words. */
export function compareTexts(wholeLeft: string, wholeRight: string): Comparison {
  const [left, right] = cutToDifference(wholeLeft, wholeRight)
  const words = diffWordsWithSpace(left, right, { maxEditLength: MOST_EDITS })
  if (words && shareOfCommon(words) >= 0.5) {
    return {
      left: toPieces(words.filter(({ added }) => !added)),
      right: toPieces(words.filter(({ removed }) => !removed)),
      isUnlike: false,
    }
  }
  const isUnlike = Math.max(left.length, right.length) > LONG
  const whole = (text: string) => [{ text, isOwn: !isUnlike }]
  return { left: whole(left), right: whole(right), isUnlike }
}

/** Cuts long texts to the part around their first difference. */
function cutToDifference(left: string, right: string): [string, string] {
  if (Math.max(left.length, right.length) <= LONGEST) return [left, right]
  let same = 0
  while (same < left.length && left[same] === right[same]) same++
  const start = Math.max(0, same - BEFORE)
  const part = (text: string) => {
    const more = text.length - start - LONGEST
    return `${start > 0 ? '…' : ''}${text.slice(start, start + LONGEST)}${more > 0 ? '…' : ''}`
  }
  return [part(left), part(right)]
}

/** Cuts a text that has no counterpart to the part that is shown. */
export function beginningOf(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}

function shareOfCommon(changes: readonly ChangeObject<string>[]): number {
  const length = (side: readonly ChangeObject<string>[]) =>
    side.reduce((sum, { value }) => sum + value.replace(/\s/g, '').length, 0)
  const common = length(changes.filter(({ added, removed }) => !added && !removed))
  const added = length(changes.filter(({ added }) => added))
  const removed = length(changes.filter(({ removed }) => removed))
  return common / Math.max(1, common + Math.max(added, removed))
}

const toPieces = (words: readonly ChangeObject<string>[]): Piece[] =>
  words.map(({ value, added, removed }) => ({ text: value, isOwn: added || removed }))

/**
 * Converts a value to text: a string as it is, with a line for each paragraph; others as JSON.
 *
 * @param value undefined if the record has no such key
 */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value.replaceAll('</p><p>', '</p>\n<p>')
  return value === undefined ? undefined : JSON.stringify(value, null, 2)
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
  ['millisecond', 1],
] as const

/** The time from one instant to another, such as "4 minutes later"; undefined for other values. */
export function spanOf(left: unknown, right: unknown): string | undefined {
  const [from, to] = [readInstant(left), readInstant(right)]
  if (from === undefined || to === undefined) return undefined
  const span = to - from
  const [unit, size] = UNITS.find(([, size]) => Math.abs(span) >= size) ?? []
  if (!unit) return 'the same instant, written differently'
  const count = Math.floor(Math.abs(span) / size)
  return `${count} ${unit}${count === 1 ? '' : 's'} ${span > 0 ? 'later' : 'earlier'}`
}
