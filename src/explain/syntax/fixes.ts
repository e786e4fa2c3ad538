/**
 * Finds the fixes of punctuation that are certain: of commas, and of characters of other alphabets.
 *
 * A text is read once. Where something is wrong, reading goes on as if it was fixed. At the end of the
 * text, all these fixes were right. But where something is wrong that has no fix, that may be the cause
 * of what was wrong before it, so some of the fixes are left out again.
 */
import { fixOfCharacter, hasQuoteInText } from './characters.ts'
import { editOfComma, findCommaFault, mayBeOneValue } from './commas.ts'
import { isOneLine } from './layout.ts'
import {
  isComplete,
  matchAt,
  type OpenBracket,
  rangeOfNext,
  readToFault,
  type Spot,
  type SyntaxFix,
  startReading,
  take,
} from './tokens.ts'

interface FoundFixes {
  fixes: readonly SyntaxFix[]
  /** Whether the text is JSON with them. */
  isJson: boolean
  /** How far the text can be read with them. */
  end: number
}

interface PlacedFix extends SyntaxFix {
  /** Where the token ends at which the fault was noticed. */
  noticed: number
  /** The brackets that are open there. */
  open: readonly OpenBracket[]
}

/**
 * Finds all fixes that are certain, in the order of the text.
 *
 * @param from where the value begins
 */
export function findFixes(text: string, from = 0): FoundFixes {
  const reader = startReading(text, from)
  const fixes: PlacedFix[] = []
  let quoteInText: boolean | undefined
  const isQuoteInText = () => {
    quoteInText ??= hasQuoteInText(text.slice(from))
    return quoteInText
  }

  for (;;) {
    const spot = readToFault(reader)
    if (isComplete(spot)) return { fixes, isJson: true, end: text.length }

    const fix = fixOfCharacter(spot, isQuoteInText) ?? fixOfComma(spot)
    if (!fix) return { fixes: withoutDoubtful(fixes, spot), isJson: false, end: spot.start }

    fixes.push({ ...fix, noticed: Math.max(spot.end, fix.end), open: [...spot.open] })
    if (fix.token) take(reader, fix.token)
    else reader.at = fix.end
  }
}

function fixOfComma(spot: Spot): SyntaxFix | undefined {
  const fault = findCommaFault(spot)
  const edit = fault && editOfComma(spot, fault)
  if (!edit) return undefined

  const { kind, start, end, last } = spot
  const fix = { edits: [edit], end, needsBrackets: true }
  if (fault.code === 'json.comma-missing')
    return { ...fix, end: last.end, token: { kind: ',', start: last.end, end: last.end } }

  const isBeforeBracket = kind === '}' || kind === ']'
  return isBeforeBracket ? { ...fix, token: { kind, start, end } } : fix
}

/**
 * Leaves out the fixes that may come from a fault which nobody can fix:
 *
 * - Those in its line. If a quote is missing there, what was read before may be part of a text.
 * - Those right before it. The bracket in `"a": 1, }name": 2` stands for a quote.
 * - Those of commas, if brackets do not match behind it, or if it is a token in the wrong place. Then
 *   a bracket before it may be wrong, unless it is known to be right.
 */
function withoutDoubtful(fixes: readonly PlacedFix[], spot: Spot): readonly PlacedFix[] {
  const { layout, kind, start, last } = spot
  const isSettled = ({ noticed, open }: PlacedFix) => open.some(({ settled }) => noticed <= settled)
  if (fixes.every(isSettled)) return fixes

  // After a key, only its colon or its value is missing.
  const isOfKey = last.kind === 'key' || last.kind === ':'
  const isOfValue = kind === 'value' && mayBeOneValue(spot)
  const isMisplaced = kind !== undefined && !isOfKey && !isOfValue
  const areBracketsRight = !isMisplaced && doBracketsMatch(spot)

  return fixes.filter((fix) => {
    if (isSettled(fix)) return true
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
    if ((token === '}' || token === ']') && opening.pop() !== OPENING[token]) return false
  }
  return opening.length === 0 && text.slice(at).trim() === ''
}

const REST_OF_LINE = /[^\r\n]*/y

/** A quote; or an escape such as `\"`, which is none. */
const QUOTE = /"|\\./g

/**
 * Returns a place behind the next quote of a line, if their number is odd. Then another is missing, so
 * that text and brackets would change places: `name": [1], "tags": []`.
 */
function afterOddQuote(text: string, start: number): number {
  const line = matchAt(REST_OF_LINE, text, start)
  const quotes = Array.from(line.matchAll(QUOTE)).filter(([match]) => match === '"')
  const [first] = quotes
  return first && quotes.length % 2 === 1 ? start + first.index + 1 : start
}
