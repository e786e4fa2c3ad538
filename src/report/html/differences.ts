/** Compares two texts and finds what only one of them has. The only module that imports diff. */
import { type ChangeObject, diffWordsWithSpace } from 'diff'

/** A piece of a text, and whether only this text has it at that place. */
export interface Piece {
  text: string
  isOwn: boolean
}

/** How many words may differ: nobody reads more changes one by one, and finding them is slow. */
const MOST_EDITS = 100
/** How many characters of a text are shown, and how many of them before the first difference. */
const [LONGEST, BEFORE] = [2_000, 200]

/** Compares two texts by words. If most of them differ, none is marked. */
export function compareTexts(wholeLeft: string, wholeRight: string): [Piece[], Piece[]] {
  const [left, right] = cutToDifference(wholeLeft, wholeRight)
  const words = diffWordsWithSpace(left, right, { maxEditLength: MOST_EDITS }) ?? []
  const same = words.filter(({ added, removed }) => !added && !removed)
  const common = same.reduce((sum, { value }) => sum + value.length, 0)
  if (common < Math.max(left.length, right.length) / 2) {
    return [[{ text: left, isOwn: false }], [{ text: right, isOwn: false }]]
  }
  return [
    toPieces(words.filter(({ added }) => !added)),
    toPieces(words.filter(({ removed }) => !removed)),
  ]
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

const toPieces = (words: readonly ChangeObject<string>[]): Piece[] =>
  words.map(({ value, added, removed }) => ({ text: value, isOwn: added || removed }))
