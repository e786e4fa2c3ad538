/**
 * Finds the fixes of punctuation that are certain: of commas, and of characters of other alphabets.
 *
 * A text is read once. At a fault, reading goes on as if it were fixed. If the whole text is JSON then,
 * these fixes are certain. If there is a fault without a fix, none of them is: it may be the cause of those
 * before it, such as a bracket or a quote that is missing.
 */
import { fixOfCharacter } from './characters.ts'
import { editOfComma, findCommaFault } from './commas.ts'
import { beginsLine, indentationAt } from './layout.ts'
import {
  isComplete,
  rangeOfNext,
  readToFault,
  type Spot,
  type SyntaxFix,
  startReading,
  type Token,
  take,
} from './tokens.ts'

export interface FoundFixes {
  /** The fixes with which the whole text is JSON; none if it isn't. */
  fixes: readonly SyntaxFix[]
  isJson: boolean
  /** How far the text can be read with what may be fixed. */
  end: number
}

/**
 * Finds the fixes with which a text is JSON, in the order of the text.
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
    if (!fix) return { fixes: [], isJson: false, end: spot.start }

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
    const comma: Token = { kind: ',', start: last.end, end: last.end }
    return { edits: [edit], end: last.end, token: comma }
  }

  const isBeforeBracket = kind === '}' || kind === ']'
  if (!isBeforeBracket) return { edits: [edit], end }
  if (isBeforeInnerLine(spot)) return undefined

  return { edits: [edit], end, token: { kind, start, end } }
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
