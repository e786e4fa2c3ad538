/** Commas that are missing, or have nothing before or after them: which are a fault, which fix is certain. */
import type { Edit, Range } from '../../text/range.ts'
import { beginsLine, indentationAt, isOneLine, startOfLine } from './layout.ts'
import { isJson, matchAt, type OpenBracket, rangeOfNext, type Spot } from './tokens.ts'

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

  const isClosing = kind === (isObject ? '}' : ']')
  if (last.kind === ',' && isClosing)
    return { code: 'json.comma-trailing', range: { start: last.start, end: last.start + 1 } }

  const comma = { start, end: start + 1 }
  const isAfterEnd = due.length === 0 && matchAt(COMMA_AT_END, text, start) !== ''
  if (isAfterEnd) return { code: 'json.comma-trailing', range: comma }

  const isBeforeItem = last.kind === ',' || last.kind === '{' || last.kind === '['
  if (kind === ',' && isBeforeItem) return { code: 'json.comma-extra', range: comma }

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
      mayBelongToNumber(spot) ||
      mayBeOneText(spot) ||
      isPastedTwice(spot) ||
      mayBelongFurtherOut(spot)
    return isUnsure ? undefined : { ...range, text: ',' }
  }

  return mayLackNumber(spot, code) ? undefined : { ...range, text: '' }
}

/** Whether a number of a list may be missing beside a comma: `[1,,3]`, `[,3]`, `[13 ,]`. */
function mayLackNumber(spot: Spot, code: CommaFault['code']): boolean {
  const { text, end, last, beforeLast, open } = spot
  if (open.at(-1)?.kind !== '[') return false

  const isAfterNumber = last.kind === ',' && isNumber(text, beforeLast)
  const isApart = beforeLast.end < last.start
  if (code === 'json.comma-trailing') return isAfterNumber && isApart
  return isAfterNumber || isNumber(text, rangeOfNext(text, end))
}

/**
 * Whether what a list has before or after a place may be a part of a number, as in `1 200`, or not beside
 * it, as in `[5, ]49`. In two lines, two numbers are two numbers.
 */
function mayBelongToNumber({ text, layout, start, end, last, open }: Spot): boolean {
  if (open.at(-1)?.kind !== '[') return false

  const isAfterNumber = isNumber(text, last)
  const isBeforeNumber = isNumber(text, { start, end })
  if (isAfterNumber && isBeforeNumber) return isOneLine(layout, last.end, start)
  return isAfterNumber || isBeforeNumber
}

/** Whether a text may go on in the next, since it ends in a space or a comma. */
function mayBeOneText({ text, layout, start, end, last }: Spot): boolean {
  if (text.startsWith(',"', last.end - 2)) return true

  // No text goes on in the key of the next line.
  const isNewLine = !isOneLine(layout, last.end, start)
  const isKeyOfNextLine = isNewLine && matchAt(COLON, text, end) !== ''
  return text.startsWith(' "', last.end - 2) && !isKeyOfNextLine
}

/** What may come after an item: white space, a sign, or nothing at all. */
const AFTER_ITEM = /^[\s,\]}]|^$/

/**
 * Whether what follows is the last item once more, or its line. The last line of a list has no comma,
 * so one is missing if that line was pasted twice. But nobody wanted both.
 *
 * Equal numbers at the end of a line and at the start of the next don't count: `1, 0` and `0, 1`.
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

  const isLine = beginsLine(layout, item)
  return isFollowedBy(item) && (isLine || !isNumber(text, last))
}

/**
 * Whether a key may belong to an outer object, since it is indented as its keys are. Then a brace is
 * missing before it, and comes later:
 *
 *     "a": {
 *       "b": 1
 *     "c": 2 }
 */
function mayBelongFurtherOut({ layout, start, last, open }: Spot): boolean {
  const inner = open.at(-1) as OpenBracket
  const indentation = indentationAt(layout, start)
  const isNewLine = !isOneLine(layout, last.end, start)
  const isLessIndented = indentation < indentationAt(layout, inner.item)
  if (inner.kind !== '{' || !isNewLine || !isLessIndented) return false

  const outerObjects = open.slice(0, -1).filter((bracket) => bracket.kind === '{')
  return outerObjects.some(({ item: key }) => {
    return beginsLine(layout, key) && indentationAt(layout, key) === indentation
  })
}

function isNumber(text: string, { start, end }: Range): boolean {
  const token = text.slice(start, end)
  return /^[-\d]/.test(token) && isJson(token)
}
