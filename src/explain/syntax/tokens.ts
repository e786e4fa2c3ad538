/** Reads a JSON text token by token, up to the first one that may not stand where it is. */

import type { JsonToken } from '../../fault/facts.ts'
import type { Fault } from '../../fault/fault.ts'
import type { Edit, Range } from '../../text/range.ts'
import { type Layout, layoutOf } from './layout.ts'

export interface Token extends Range {
  /** Undefined at the start, and for what is not a token of JSON. */
  kind?: JsonToken | undefined
}

/** A bracket that is open. */
export interface OpenBracket extends Token {
  kind: '{' | '['
  /** Where its latest item begins; in an object, its latest key. */
  item: number
}

/** How far a text has been read. */
export interface Reader {
  readonly text: string
  readonly layout: Layout
  /** Where to look for the next token. */
  at: number
  /** The last token, and the one before it. */
  last: Token
  beforeLast: Token
  open: OpenBracket[]
}

/** The first token that may not stand where it is, what must come there, and what is before it. */
export interface Spot extends Token {
  text: string
  layout: Layout
  /** What must come there. */
  due: readonly JsonToken[]
  /** The brackets that are open there. */
  open: readonly OpenBracket[]
  /** What follows, and the word or character that it begins with; both are empty at the end. */
  rest: string
  found: string
  /** The token before it, and the one before that. */
  last: Token
  beforeLast: Token
}

/** The fix of one fault. */
export interface SyntaxFix {
  edits: readonly Edit[]
  /** Where the part of the text ends that it was judged by. */
  end: number
  /** The token that is there then; none if something was only removed. */
  token?: Token
}

/** What an author may have meant: the edits that make it, and the fault that says what was wrong. */
export interface Attempt {
  edits: readonly Edit[]
  fault: Fault
}

const SIGNS: readonly JsonToken[] = ['{', '}', '[', ']', ':', ',']

/**
 * White space, and what may be a token: a text, even without its end, a word or a character. For
 * example ` "name"`, ` "name` at the end of a line, `-1.5`, `{`.
 */
const TOKEN = /[ \t\n\r]*("[^\n\r]*?"(?<=[^\\](?:\\\\)*")|"[^\n\r]*|[-+.\w]+|[\s\S]|$)/y

/** For example `Straße`, `2025-08-28`, `$ref`. */
const WORD = /[-+.$\w\p{L}\p{M}\p{N}]+/uy

/** Returns the match of a sticky expression at a place of a text, or ''. */
export function matchAt(expression: RegExp, text: string, at: number): string {
  expression.lastIndex = at
  const [match = ''] = expression.exec(text) ?? []
  return match
}

/** Returns the range of what may be a token: the first after white space, empty at the end. */
export function rangeOfNext(text: string, at: number): Range {
  TOKEN.lastIndex = at
  const [match = '', token = ''] = TOKEN.exec(text) ?? []
  const end = at + match.length
  return { start: end - token.length, end }
}

/** A quote, or an escape such as `\"`, which isn't one. */
const QUOTE = /"|\\./g

const REST_OF_LINE = /[^\r\n]*/y

/** Returns where the quotes are from a place to the end of its line. */
export function quotesOfLine(text: string, from: number): number[] {
  const matches = Array.from(matchAt(REST_OF_LINE, text, from).matchAll(QUOTE))
  return matches.filter(([match]) => match === '"').map(({ index }) => from + index)
}

/** Whether a text is JSON. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** @param from where the value begins */
export function startReading(text: string, from: number): Reader {
  const nothing = { start: from, end: from }
  return { text, layout: layoutOf(text), at: from, last: nothing, beforeLast: nothing, open: [] }
}

/** Reads on to the first token that may not stand where it is, or to the end. */
export function readToFault(reader: Reader): Spot {
  const { text, layout, open } = reader

  for (;;) {
    const { start, end } = rangeOfNext(text, reader.at)
    const due = dueAfter(reader.last.kind, open.at(-1)?.kind)
    const kind = kindOf(text.slice(start, end), due)

    const isOpening = kind === '{' || kind === '['
    if (!kind || !due.includes(isOpening ? 'value' : kind)) {
      const rest = text.slice(start)
      const [character = ''] = rest
      const found = matchAt(WORD, text, start) || character
      const { last, beforeLast } = reader
      return { text, layout, start, end, kind, rest, found, last, beforeLast, due, open }
    }

    take(reader, { kind, start, end })
  }
}

/** Whether a text is read to its end, and nothing is wrong. */
export function isComplete({ found, due }: Spot): boolean {
  return found === '' && due.length === 0
}

/** Takes a token as the next one, whatever stands in the text. */
export function take(reader: Reader, token: Token): void {
  const { kind, start, end } = token
  const container = reader.open.at(-1)

  const isItem = kind === 'value' || kind === '{' || kind === '['
  if (container && (container.kind === '[' ? isItem : kind === 'key')) container.item = start

  if (kind === '{' || kind === '[') reader.open.push({ kind, start, end, item: start })
  if (kind === '}' || kind === ']') reader.open.pop()

  reader.beforeLast = reader.last
  reader.last = token
  reader.at = end
}

function kindOf(token: string, due: readonly JsonToken[]): JsonToken | undefined {
  const sign = SIGNS.find((sign) => sign === token)
  if (sign) return sign
  if (!isJson(token)) return undefined
  return due.includes('key') && token.startsWith('"') ? 'key' : 'value'
}

/** What may come after a token; nothing after the value of the file. */
function dueAfter(last: JsonToken | undefined, open: JsonToken | undefined): JsonToken[] {
  if (last === 'key') return [':']
  if (last === undefined || last === ':') return ['value']

  const item = open === '{' ? 'key' : 'value'
  const closing = open === '{' ? '}' : ']'
  if (last === ',') return [item]
  if (last === '{' || last === '[') return [item, closing]
  return open ? [',', closing] : []
}
