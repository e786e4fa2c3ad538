/** Characters that JSON does not have outside of texts, and which fix of them is certain. */

import type { JsonToken } from '../../fault/facts.ts'
import { toAscii } from '../../text/lookalikes.ts'
import type { Range } from '../../text/range.ts'
import { matchAt, type Spot, type SyntaxFix, type Token } from './tokens.ts'

/** White space that JSON does not know, or nothing to see at all. */
export const ODD = /[\p{Z}\p{Cc}\p{Cf}\p{DI}]/uy

/** Spaces in a line, at least one of which JSON does not know: no-break spaces, marks of direction. */
const SPACES = /(?:[^\S\r\n]|\p{Cf})+/uy

/**
 * What is in quotes of other alphabets, with an apostrophe or without, before what follows a text. For
 * example `“Zoë’s”` before a comma, `„name"` before a colon.
 */
const QUOTED =
  /[“”„‟«»‘’‚‛′＂](?:[^"\n\r\\“”„‟«»‘’‚‛′＂]|(?<=\p{L})’(?=\p{L}))*["“”„‟«»‘’‚‛′＂](?=[ \t]*(?:[,:\]}\r\n]|$))/uy

/**
 * A text in its line whose end is a quote of another alphabet, with the signs after it. For example
 * `"North”,`. After another such quote, it may be the end of a quotation.
 */
const UNCLOSED = /"[^"\n\r“”„‟«»]*[“”„‟«»](?=[\s,:\]}]*(?:[\r\n]|$))/y

/** Returns the quotes at a place that are those of another alphabet. */
export function findQuoted({ text, start, due }: Spot): Range | undefined {
  if (!due.includes('key') && !due.includes('value')) return undefined
  const { length } = matchAt(QUOTED, text, start)
  return length === 0 ? undefined : { start, end: start + length }
}

/** Returns a text from its quote to one of another alphabet, where nothing else can be its end. */
export function findUnclosed({ text, start, kind }: Spot): Range | undefined {
  if (kind) return undefined
  const { length } = matchAt(UNCLOSED, text, start)
  return length === 0 ? undefined : { start, end: start + length }
}

/** Returns the fix of the character at a place, if that is certain. */
export function fixOfCharacter(spot: Spot): SyntaxFix | undefined {
  return fixOfSpaces(spot) ?? fixOfQuotes(spot) ?? fixOfEnd(spot) ?? fixOfSign(spot)
}

function fixOfSpaces({ text, start }: Spot): SyntaxFix | undefined {
  const spaces = matchAt(SPACES, text, start)
  if (spaces === '') return undefined

  const end = start + spaces.length
  const plain = spaces.replace(/\p{Cf}/gu, '').replace(/[^\t]/g, ' ')
  return { edits: [{ start, end, text: plain }], end }
}

function fixOfQuotes(spot: Spot): SyntaxFix | undefined {
  const quoted = findQuoted(spot)
  if (!quoted) return undefined

  const { text, due } = spot
  const { start, end } = quoted
  const opening = { start, end: start + 1, text: '"' }
  const closing = { start: end - 1, end, text: '"' }
  const isKey = due.includes('key')
  const token: Token = { kind: isKey ? 'key' : 'value', start, end }
  const fix = { edits: [opening], end, token }
  if (text[closing.start] !== '"') return { ...fix, edits: [opening, closing] }

  // The first sign may be part of a text, and the quote before it be missing: "’tis", "« Back".
  const isQuote = /[“”„‟＂]/.test(text.charAt(start))
  return isQuote ? fix : undefined
}

function fixOfEnd(spot: Spot): SyntaxFix | undefined {
  const unclosed = findUnclosed(spot)
  if (!unclosed) return undefined

  // The last quote may be part of the text, and the one after it be missing: "More »".
  const { text, due } = spot
  const { start, end } = unclosed
  const kind = due.find((kind) => kind === 'key' || kind === 'value')
  const isEnd = /\S[“”„‟]$/.test(text.slice(end - 2, end))
  if (!kind || !isEnd) return undefined

  const edits = [{ start: end - 1, end, text: '"' }]
  return { edits, end, token: { kind, start, end } }
}

/** For example `，` where a comma must come. */
function fixOfSign({ start, found, due }: Spot): SyntaxFix | undefined {
  const end = start + found.length
  const meant = toAscii(found)
  const kind = due.find((kind): kind is JsonToken => kind === meant)
  if (!kind || kind === found) return undefined

  return { edits: [{ start, end, text: kind }], end, token: { kind, start, end } }
}
