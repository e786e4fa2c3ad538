/** Commas that are missing, or have nothing before or after them: which are a fault, which fix is certain. */
import type { Edit, Range } from '../../page/fault.ts'
import { beginsLine, indentationAt, isOneLine, startOfLine } from './layout.ts'
import { firstKeyAt, isJson, matchAt, type OpenBracket, rangeOfNext, type Spot } from './tokens.ts'

export interface CommaFault {
  code: 'json.comma-missing' | 'json.comma-trailing' | 'json.comma-extra'
  /** The comma; or the place, without a length, where one must come. */
  range: Range
}

/** For example the `,` at the end of `[{}],`. */
const COMMA_AT_END = /,[ \t\r\n]*$/y

/** For example the ` :` of `"name" : "North"`. */
const COLON = /[ \t\r\n]*:/y

/** Says what is wrong with a comma at a place, or that one is missing before it. */
export function findCommaFault(spot: Spot): CommaFault | undefined {
  const { text, kind, start, last, due, open } = spot
  const isObject = open.at(-1)?.kind === '{'

  if (last.kind === ',' && kind === (isObject ? '}' : ']'))
    return { code: 'json.comma-trailing', range: { start: last.start, end: last.start + 1 } }

  const comma = { start, end: start + 1 }
  if (due.length === 0 && matchAt(COMMA_AT_END, text, start) !== '')
    return { code: 'json.comma-trailing', range: comma }
  if (kind === ',' && (last.kind === ',' || last.kind === '{' || last.kind === '['))
    return { code: 'json.comma-extra', range: comma }

  if (!isCommaMissing(spot, isObject)) return undefined
  return { code: 'json.comma-missing', range: { start: last.end, end: last.end } }
}

/** Whether the next item of a list, or the next key of an object, stands where a comma must come. */
function isCommaMissing(spot: Spot, isObject: boolean): boolean {
  const { text, kind, start, end, last, due } = spot
  const isItem = kind === 'value' || kind === '{' || kind === '['
  if (!due.includes(',') || !isItem) return false

  const isStuck = last.end === start && last.kind === 'value' && kind === 'value'
  const isKey = text.startsWith('"', start) && matchAt(COLON, text, end) !== ''
  return !isStuck && isKey === isObject
}

/** Returns what to write instead of a comma that is wrong, if that is certain. */
export function editOfComma(spot: Spot, { code, range }: CommaFault): Edit | undefined {
  if (code === 'json.comma-missing') {
    const isUnsure =
      mayBeOneValue(spot) || isStray(spot) || isPastedTwice(spot) || mayBelongFurtherOut(spot)
    return isUnsure ? undefined : { ...range, text: ',' }
  }

  const isUnsure = mayLackNumber(spot) || (code === 'json.comma-trailing' && isClosedTooEarly(spot))
  return isUnsure ? undefined : { ...range, text: '' }
}

/**
 * Whether a number of a list may be missing beside a comma: `[1,,3]`, `[,3]` and `[13 ,]` in a line,
 * or a comma alone in its line. Not if the comma stands behind a bracket instead of before it:
 * `[1][,3]`.
 */
function mayLackNumber({ text, layout, kind, start, end, last, beforeLast, open }: Spot): boolean {
  if (open.at(-1)?.kind !== '[') return false

  const isAfterNumber = last.kind === ',' && isNumber(text, beforeLast)
  if (isAfterNumber && beforeLast.end < last.start) {
    const isAlone = !isOneLine(layout, last.end, start) || kind === ','
    return isAlone || isOneLine(layout, beforeLast.end, last.start)
  }

  const next = rangeOfNext(text, end)
  if (kind !== ',' || !isNumber(text, next)) return false
  const isDisplaced = beforeLast.kind === ',' && beforeLast.start === beforeLast.end
  const isFirst = last.kind === '[' && !isDisplaced
  if (!isAfterNumber && !isFirst) return false

  const before = isFirst ? last : beforeLast
  const isAlone = !isOneLine(layout, end, next.start) && beginsLine(layout, start)
  return isAlone || isOneLine(layout, before.end, next.start)
}

/**
 * Whether what follows a bracket is indented as what is in it, so that its line and that one may have
 * changed places:
 *
 *       "a": 1,
 *     },
 *       "b": 2
 */
function isClosedTooEarly({ text, layout, start, end }: Spot): boolean {
  const after = rangeOfNext(text, end)
  const next = text[after.start] === ',' ? rangeOfNext(text, after.end) : after
  const isNewLine = !isOneLine(layout, end, next.start) && beginsLine(layout, start)
  return isNewLine && indentationAt(layout, next.start) > indentationAt(layout, start)
}

/** Whether a value may belong to the one before it: `1 200`, or a text that was cut in two. */
export function mayBeOneValue(spot: Spot): boolean {
  return mayBeOneNumber(spot) || mayBeOneText(spot)
}

/** Whether two numbers in a line may be one with a space in it: `1 200`. */
function mayBeOneNumber({ text, layout, start, end, last }: Spot): boolean {
  return (
    isNumber(text, last) && isNumber(text, { start, end }) && isOneLine(layout, last.end, start)
  )
}

/** Whether a text may go on in the next: one that ends in a space or a comma, or begins with one. */
function mayBeOneText({ text, layout, start, end, last }: Spot): boolean {
  const isStartOpen = /^"[ ,]/.test(text.slice(start, start + 2))
  if (isStartOpen || text.startsWith(',"', last.end - 2)) return true

  // No text goes on in the key of the next line.
  const isKeyOfNextLine = !isOneLine(layout, last.end, start) && matchAt(COLON, text, end) !== ''
  return text.startsWith(' "', last.end - 2) && !isKeyOfNextLine
}

/**
 * Whether one of two items of a list stands beside a bracket as if by accident: `[[1,2]0,[3,4]]`.
 * Only a text may be followed by a list or an object with other options: `["error" {"max": 3}]`.
 */
function isStray({ text, start, kind, last, open }: Spot): boolean {
  if (open.at(-1)?.kind === '{') return false

  const isBracketBefore = last.kind === '}' || last.kind === ']'
  const isBracketAfter = kind === '{' || kind === '['
  if (!isBracketBefore && !isBracketAfter) return false

  if (last.kind === '}') return kind !== '{'
  if (last.kind === ']') return kind !== '['
  return text[last.start] !== '"' || last.end === start
}

/** What may come after an item: white space, a sign, or nothing at all. */
const AFTER_ITEM = /^[\s,\]}]|^$/

/**
 * Whether what follows is the last item once more, or its line. The last line of a list has no comma, so
 * one is missing if that line was pasted twice. But nobody wanted both.
 *
 * Equal numbers at the end of a line and at the start of the next are none of that: `1, 0` and `0, 1`.
 */
function isPastedTwice({ text, layout, start, last, open }: Spot): boolean {
  const { item } = open.at(-1) as OpenBracket
  const isFollowedBy = (from: number) => {
    const pasted = text.slice(from, last.end)
    const end = start + pasted.length
    return text.startsWith(pasted, start) && AFTER_ITEM.test(text.slice(end, end + 1))
  }

  if (isOneLine(layout, last.end, start)) return isFollowedBy(item)
  if (isFollowedBy(startOfLine(layout, last.start))) return true
  return isFollowedBy(item) && (!isNumber(text, last) || beginsLine(layout, item))
}

/**
 * Whether what follows may belong to an outer list or object, so that brackets are missing before it,
 * which come later: a record after an open list of the record before it, a key after an open object.
 */
function mayBelongFurtherOut({ text, layout, start, kind, last, open }: Spot): boolean {
  const inner = open.at(-1) as OpenBracket
  const outer = open.slice(0, -1).filter((bracket) => bracket.kind === inner.kind)
  const outerItems = outer.map(({ item }) => item)

  const isNewLine = !isOneLine(layout, last.end, start)
  const indentation = isNewLine ? indentationAt(layout, start) : 0
  const isLessIndented = isNewLine && indentation < indentationAt(layout, inner.item)
  if (inner.kind === '{') {
    const isAsOuterKey = (key: number) =>
      beginsLine(layout, key) && indentationAt(layout, key) === indentation
    return isLessIndented && outerItems.some(isAsOuterKey)
  }

  const records = outerItems.filter((item) => text[item] === kind)
  const distanceTo = (item: number) => Math.abs(indentationAt(layout, item) - indentation)
  const isAtSibling =
    beginsLine(layout, inner.item) &&
    records.every((record) => distanceTo(inner.item) < distanceTo(record))
  if (isLessIndented && records.length > 0 && !isAtSibling) return true

  const firstKey = firstKeyAt(text, start)
  const isLikeSibling = firstKey === firstKeyAt(text, inner.item)
  const isLikeRecord = records.some((record) => firstKeyAt(text, record) === firstKey)
  return firstKey !== '' && isLikeRecord && !isLikeSibling
}

function isNumber(text: string, { start, end }: Range): boolean {
  return /^[-\d]/.test(text.slice(start, end)) && isJson(text.slice(start, end))
}
