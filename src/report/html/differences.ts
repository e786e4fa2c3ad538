/** Compares two values and finds what only one of them has. The only module that imports diff. */
import { type ChangeObject, diffLines, diffWordsWithSpace } from 'diff'
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
/** The least share of common words for which single words are marked. */
const ALIKE = 0.7
/** In characters: longer texts are cut. */
const LONGEST = 2_000
const BEFORE = 200
/** In words: texts up to this size are compared in no time. */
const SHORT = 30
/** In characters. */
const LONG = 200

/** Compares two texts by words, or by lines if too many words differ. */
export function compareTexts(wholeLeft: string, wholeRight: string): Comparison {
  const [left, right] = cutToDifference(wholeLeft, wholeRight)
  const options = { maxEditLength: MOST_EDITS }
  if (isLike(left, right)) {
    const words = diffWordsWithSpace(left, right, options)
    if (words && shareOfCommon(words) >= 0.5) return toComparison(words)
  }
  const lines = diffLines(left, right, options)
  if (lines && shareOfCommon(lines) > 0) return toComparison(lines)
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

/** A cheap first check in linear time. */
function isLike(left: string, right: string): boolean {
  const [shorter = 0, longer = 0] = [left.length, right.length].sort((a, b) => a - b)
  if (longer > LONG && shorter < longer / 2) return false
  const ours = left.match(/\S+/g) ?? []
  const theirs = right.match(/\S+/g) ?? []
  if (ours.length + theirs.length <= SHORT) return true
  const counts = new Map<string, number>()
  for (const word of ours) counts.set(word, (counts.get(word) ?? 0) + 1)
  let common = 0
  for (const word of theirs) {
    const count = counts.get(word) ?? 0
    if (count > 0) common++
    counts.set(word, count - 1)
  }
  return common >= ALIKE * Math.max(ours.length, theirs.length)
}

function shareOfCommon(changes: readonly ChangeObject<string>[]): number {
  const length = (side: readonly ChangeObject<string>[]) =>
    side.reduce((sum, { value }) => sum + value.replace(/\s/g, '').length, 0)
  const common = length(changes.filter(({ added, removed }) => !added && !removed))
  const added = length(changes.filter(({ added }) => added))
  const removed = length(changes.filter(({ removed }) => removed))
  return common / Math.max(1, common + Math.max(added, removed))
}

function toComparison(changes: readonly ChangeObject<string>[]): Comparison {
  const side = (isOther: (change: ChangeObject<string>) => boolean, own: 'added' | 'removed') =>
    changes.flatMap((change) =>
      isOther(change) ? [] : [{ text: change.value, isOwn: change[own] }],
    )
  return {
    left: side(({ added }) => added, 'removed'),
    right: side(({ removed }) => removed, 'added'),
    isUnlike: false,
  }
}

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
