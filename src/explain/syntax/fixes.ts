/**
 * Finds the fixes of punctuation that are certain: of commas, and of characters of other alphabets.
 *
 * A text is read once. At a fault, reading goes on as if it were fixed. If the end of the text is
 * reached, all these fixes were right. A fault without a fix may be the cause of those before it, so
 * some of their fixes are left out again.
 */
import { fixOfCharacter } from './characters.ts'
import { editOfComma, findCommaFault } from './commas.ts'
import { beginsLine, indentationAt, isOneLine } from './layout.ts'
import {
  isComplete,
  matchAt,
  quotesOfLine,
  rangeOfNext,
  readToFault,
  type Spot,
  type SyntaxFix,
  startReading,
  take,
} from './tokens.ts'

export interface FoundFixes {
  fixes: readonly SyntaxFix[]
  /** Whether the text is JSON with them. */
  isJson: boolean
  /** How far the text can be read with them. */
  end: number
}

/**
 * Finds all fixes that are certain, in the order of the text.
 *
 * @param from where the value begins
 */
export function findFixes(text: string, from = 0): FoundFixes {
  const reader = startReading(text, from)
  const fixes: SyntaxFix[] = []

  for (;;) {
    const spot = readToFault(reader)
    if (isComplete(spot)) return { fixes, isJson: true, end: text.length }

    const fix = fixOfCharacter(spot) ?? fixOfComma(spot)
    if (!fix) return { fixes: withoutDoubtful(fixes, spot), isJson: false, end: spot.start }

    fixes.push(fix)
    if (fix.token) take(reader, fix.token)
    else reader.at = fix.end
  }
}

function fixOfComma(spot: Spot): SyntaxFix | undefined {
  const fault = findCommaFault(spot)
  const edit = fault && editOfComma(spot, fault)
  if (!edit) return undefined

  const { kind, start, end, last } = spot
  if (fault.code === 'json.comma-missing') {
    const comma = { start: last.end, end: last.end }
    const isBeforeOpening = kind === '{' || kind === '['
    return {
      edits: [edit],
      end: last.end,
      token: { kind: ',', ...comma },
      needsBrackets: isBeforeOpening,
    }
  }

  const isBeforeBracket = kind === '}' || kind === ']'
  if (!isBeforeBracket) return { edits: [edit], end, needsBrackets: true }
  if (isBeforeInnerLine(spot)) return undefined

  return { edits: [edit], end, token: { kind, start, end }, needsBrackets: !isAligned(spot) }
}

const REST_OF_LINE = /[^\r\n]*/y

/** What may come after a bracket that is alone in its line. */
const COMMA_OR_NOTHING = /^,?[ \t]*$/

/**
 * Whether the bracket at a place is alone in its line, as far indented as the line of its start, and
 * further than that of the bracket around it. Then its author closed this object or list, and no other.
 */
function isAligned({ text, layout, start, end, open }: Spot): boolean {
  const inner = open.at(-1)
  const outer = open.at(-2)
  const isAlone =
    beginsLine(layout, start) && COMMA_OR_NOTHING.test(matchAt(REST_OF_LINE, text, end))
  if (!inner || !outer || !isAlone) return false

  const indentation = indentationAt(layout, start)
  const isAsItsStart = indentation === indentationAt(layout, inner.start)
  return isAsItsStart && indentation > indentationAt(layout, outer.start)
}

/**
 * Whether a bracket begins its line, and the line after it is as far indented as the item before it. Then it
 * may hold the item that the comma between them announces: somebody moved it out, or the bracket in.
 */
function isBeforeInnerLine({ text, layout, start, end, beforeLast }: Spot): boolean {
  if (!beginsLine(layout, start)) return false

  const next = startOfNext(text, end)
  const indentation = indentationAt(layout, next)
  const isInner = indentation > indentationAt(layout, start)
  return (
    isInner && beginsLine(layout, next) && indentation === indentationAt(layout, beforeLast.start)
  )
}

/** Returns the place of the next token that isn't a comma. */
function startOfNext(text: string, from: number): number {
  const next = rangeOfNext(text, from)
  return text[next.start] === ',' ? rangeOfNext(text, next.end).start : next.start
}

/**
 * Leaves out the fixes that a fault without a fix may have caused:
 *
 * - Those in its line. If a quote is missing there, what was read before may be part of a text.
 * - Those right before it. The bracket in `"a": 1, }name": 2` stands for a quote.
 * - Those that need brackets, if these don't match behind it, or if it is a token in the wrong place:
 *   then a bracket before it may be wrong. A comma that is missing is missing all the same.
 */
function withoutDoubtful(fixes: readonly SyntaxFix[], spot: Spot): readonly SyntaxFix[] {
  const { layout, kind, start, last } = spot
  const areBracketsRight = kind === undefined && doBracketsMatch(spot)

  return fixes.filter((fix) => {
    const isApart = fix.end < last.end && !isOneLine(layout, fix.end, start)
    return isApart && (areBracketsRight || !fix.needsBrackets)
  })
}

const OPENING: Record<string, string> = { '}': '{', ']': '[' }

/** Whether the brackets from a place to the end close those that are open there. */
function doBracketsMatch({ text, start, open }: Spot): boolean {
  const opening: string[] = open.map(({ kind }) => kind)
  let at = afterOddQuote(text, start)

  while (at < text.length && opening.length > 0) {
    const next = rangeOfNext(text, at)
    const token = text.slice(next.start, next.end)
    at = next.end

    if (token === '{' || token === '[') opening.push(token)
    const isClosing = token === '}' || token === ']'
    if (isClosing && opening.pop() !== OPENING[token]) return false
  }
  return opening.length === 0 && text.slice(at).trim() === ''
}

/**
 * Returns a place behind the next quote of a line, if their number is odd. Then another is missing, so
 * that text and brackets would change places: `name": [1], "tags": []`.
 */
function afterOddQuote(text: string, start: number): number {
  const quotes = quotesOfLine(text, start)
  const [first] = quotes
  return first !== undefined && quotes.length % 2 === 1 ? first + 1 : start
}
