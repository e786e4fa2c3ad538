/** Finds out by the indentation where a bracket is missing: JSON itself only shows it much later. */
import { beginsLine, indentationAt } from './layout.ts'
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
  text: string,
  from: number,
  to: number,
): MissingBracket | undefined {
  const open: OpenBracket[] = []
  let lastEnd = from

  let next = rangeOfNext(text, from)
  while (next.start <= to && next.start < next.end) {
    const { start, end } = next
    const token = text.slice(start, end)
    const inner = open.at(-1)
    if (inner && beginsLine(text, start)) {
      const indentation = indentationAt(text, start)
      if (start === to && isOfWrongKind(inner, token, indentation)) return undefined
      if (inner.isIndented && isOutside(open, token, indentation))
        return { bracket: CLOSING[inner.sign], at: lastEnd, opening: inner.start }
      inner.isIndented ||= indentation > inner.indentation
    }

    countBracket(open, text, token, start)
    // A comma comes after the bracket.
    if (token !== ',') lastEnd = end
    next = rangeOfNext(text, end)
  }
  return undefined
}

/** Whether a token may be the bracket that closes an object or list, but of the wrong kind: it's in the right place. */
function isOfWrongKind(inner: OpenBracket, token: string, indentation: number): boolean {
  return isClosing(token) && indentation === inner.indentation
}

function isClosing(token: string): boolean {
  return token === '}' || token === ']'
}

function countBracket(open: OpenBracket[], text: string, token: string, start: number): void {
  if (token === '{' || token === '[')
    open.push({ sign: token, start, indentation: indentationAt(text, start), isIndented: false })
  if (isClosing(token)) open.pop()
}

/** Whether a token that begins a line is indented as what is outside of the innermost object or list. */
function isOutside(open: readonly OpenBracket[], token: string, indentation: number): boolean {
  const inner = open.at(-1)
  if (!inner || indentation > inner.indentation) return false
  if (token !== CLOSING[inner.sign]) return true
  return closesOuter(open, token, indentation)
}

/** Whether a bracket that could close the innermost object or list is indented as that of an outer one. */
function closesOuter(open: readonly OpenBracket[], token: string, indentation: number): boolean {
  const inner = open.at(-1)
  if (!inner || indentation === inner.indentation) return false

  return open.slice(0, -1).some((outer) => {
    return CLOSING[outer.sign] === token && outer.indentation === indentation
  })
}
