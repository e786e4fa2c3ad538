/** Finds out by the indentation where a bracket is missing: JSON itself only shows it much later. */
import type { Range } from '../../text/range.ts'
import { beginsLine, indentationAt, type Layout } from './layout.ts'
import { rangeOfNext } from './tokens.ts'

export interface MissingBracket {
  /** The bracket that is missing, and the place where it must come. */
  bracket: '}' | ']'
  at: number
  /** Where the object or list begins that it closes. */
  opening: number
}

interface OpenBracket {
  sign: '{' | '['
  start: number
  /** Of its line. */
  indentation: number
  /** Whether something in it begins a line that is further indented. */
  isIndented: boolean
}

const CLOSING = { '{': '}', '[': ']' } as const

/**
 * Finds the first object or list that its author has closed, by the indentation, though its bracket is
 * missing.
 *
 * @param from where the value begins
 * @param to where it can't go on
 */
export function findMissingBracket(
  layout: Layout,
  from: number,
  to: number,
): MissingBracket | undefined {
  const open: OpenBracket[] = []
  let lastEnd = from

  for (const token of tokensIn(layout.text, from, to)) {
    const inner = open.at(-1)
    if (inner && beginsLine(layout, token.start)) {
      const line: Line = { token: token.sign, indentation: indentationAt(layout, token.start) }
      // A bracket in the right place may only be of the wrong kind.
      const isWrongKind = token.start === to && mayClose(line, inner)
      if (isWrongKind) return undefined
      if (inner.isIndented && isOutside(line, open))
        return { bracket: CLOSING[inner.sign], at: lastEnd, opening: inner.start }

      inner.isIndented ||= line.indentation > inner.indentation
    }

    countBracket(open, layout, token.sign, token.start)
    // A comma comes after the bracket.
    if (token.sign !== ',') lastEnd = token.end
  }
  return undefined
}

/** The first token of a line, and how far it is indented. */
interface Line {
  token: string
  indentation: number
}

interface TokenText extends Range {
  sign: string
}

/** The tokens up to a place, whether or not they may stand where they are. */
function* tokensIn(text: string, from: number, to: number): Generator<TokenText> {
  let at = from
  for (;;) {
    const { start, end } = rangeOfNext(text, at)
    if (start === end || start > to) return

    yield { start, end, sign: text.slice(start, end) }
    at = end
  }
}

function mayClose({ token, indentation }: Line, inner: OpenBracket): boolean {
  return isClosing(token) && indentation === inner.indentation
}

function isClosing(token: string): boolean {
  return token === '}' || token === ']'
}

function countBracket(open: OpenBracket[], layout: Layout, token: string, start: number): void {
  if (token === '{' || token === '[')
    open.push({ sign: token, start, indentation: indentationAt(layout, start), isIndented: false })
  if (isClosing(token)) open.pop()
}

/** Whether a line is indented as what is outside of the innermost object or list. */
function isOutside(line: Line, open: readonly OpenBracket[]): boolean {
  const inner = open.at(-1)
  if (!inner || line.indentation > inner.indentation) return false
  if (line.token !== CLOSING[inner.sign]) return true
  return closesOuter(open, line.token, line.indentation)
}

/** Whether a bracket that could close the innermost object or list is indented as that of an outer one. */
function closesOuter(open: readonly OpenBracket[], token: string, indentation: number): boolean {
  const inner = open.at(-1)
  if (!inner || indentation === inner.indentation) return false

  return open.slice(0, -1).some((outer) => {
    return CLOSING[outer.sign] === token && outer.indentation === indentation
  })
}
