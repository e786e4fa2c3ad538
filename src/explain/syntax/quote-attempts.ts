/** Changes of quotes, of signs beside them, and of words outside of them that may repair a text. */

import { type Fault, textFault } from '../../fault/fault.ts'
import type { Edit } from '../../text/range.ts'
import {
  type Attempt,
  isJson,
  matchAt,
  quotesOfLine,
  rangeOfNext,
  type Spot,
  type Token,
} from './tokens.ts'

/** Returns what may repair the quotes at a place, the likeliest first. */
export function* attemptsAtQuotes(spot: Spot): Generator<Attempt> {
  yield* attemptsInText(spot)
  yield* attemptsWithQuotes(spot)
  yield* attemptsAtUnclosed(spot)
  yield* attemptsBeforeQuote(spot)
  yield* attemptsAtSign(spot)
  yield* attemptsWithoutWords(spot)
}

/**
 * The quote of a text is missing at a place; or it's there, but a backslash makes it a part of the text.
 *
 * @param before the sign or word that follows; '' at the end of a line
 */
function missingQuote(text: string, at: number, before: string): Attempt {
  if (text.startsWith('\\"', at - 2)) return escapedQuote(at - 2)

  return {
    edits: [{ start: at, end: at, text: '"' }],
    fault: textFault('json.quote-missing', { start: at, end: at + before.length }, { before }),
  }
}

/** What comes after the quote of a text: `,`, `:`, a bracket, the end of the line. */
const QUOTE_AT_END = /"[ \t]*(?:[,:\]}\r\n]|$)/y

/** How many quotes of a line are tried as the end of a text. */
const MOST_ENDS = 8

/** A text with quotes in it, up to one of the next quotes: `"Look under "Sailors," please"`. */
function* attemptsWithQuotes(spot: Spot): Generator<Attempt> {
  const { text } = spot
  const last = textBefore(spot)
  if (text[last.start] !== '"' || !goesOnAsText(spot)) return

  const isEmpty = last.end - last.start === 2
  const edits: Edit[] = [{ start: last.end - 1, end: last.end - 1, text: '\\' }]

  for (const quote of quotesOfLine(text, last.end).slice(0, MOST_ENDS)) {
    const isEnd = matchAt(QUOTE_AT_END, text, quote) !== ''
    const isOneTooMany = isEmpty && edits.length === 1
    if (isEnd && !isOneTooMany) yield { edits: [...edits], fault: quoteInText(spot) }

    edits.push({ start: quote, end: quote, text: '\\' })
  }
}

/** The text before a place; in an object, it may have a comma after it: `"a": "Say yes", then go."`. */
function textBefore({ last, beforeLast, open }: Spot): Token {
  return last.kind === ',' && open.at(-1)?.kind === '{' ? beforeLast : last
}

/** Whether no value, nor a key with its value, comes after a text: `"https"://`, `"He said "no`. */
export function goesOnAsText({ text, found, kind, start, end, last }: Spot): boolean {
  const isStuck = kind === 'value' && last.end === start
  if (found !== ':') return found !== '"' && (kind === undefined || isStuck)

  const after = rangeOfNext(text, end)
  const value = text.slice(after.start, after.end)
  if (value === '{' || value === '[') return false
  return !isJson(value) || text[after.end] === '"'
}

/** A quote in a text that JSON takes for its end. */
export function quoteInText(spot: Spot): Fault {
  const { text, start, found } = spot
  const last = textBefore(spot)
  const inside = text.slice(last.start + 1, last.end - 1)
  const next = text.slice(last.end, start + found.length).trim()
  return textFault('json.quote', { start: last.end - 1, end: last.end }, { text: inside, next })
}

/** A quote, and what may be a key, up to a colon: the `"tags:` of `"tags: ["`. */
const KEY_AND_COLON = /^"[^":,[\]{}\\]+:/

/** Returns where the quote of a key is missing in what was read as a longer text. */
function endOfKey(token: string): number | undefined {
  const [key] = KEY_AND_COLON.exec(token) ?? []
  if (key === undefined) return undefined

  const name = key.slice(0, -1)
  return name.trimEnd().length
}

/** A text that has taken in what comes after it: `"tags: ["` before `Open"`, `"North, "` before `South"`. */
function* attemptsInText({ text, last }: Spot): Generator<Attempt> {
  const token = text.slice(last.start, last.end)
  const keyEnd = endOfKey(token)
  if (keyEnd !== undefined) yield missingQuote(text, last.start + keyEnd, ':')

  const comma = token.search(COMMA_AT_END)
  if (comma > 0) yield missingQuote(text, last.start + comma, ',')
}

/** The comma of `"North, "` before `South"`. */
const COMMA_AT_END = /,[ \t]*"$/

/** What may come after a text: `],`, white space. */
const AFTER_TEXT = /[\s,\]}]/

/** Returns where the signs begin at the end of a line, such as the `],` of `"North],`, and the first of them. */
function signsAtEnd(line: string): { start: number; first: string } {
  let start = line.length
  while (AFTER_TEXT.test(line.charAt(start - 1))) start--

  const signs = line.slice(start).trimStart()
  if (signs === '') return { start, first: '' }
  return { start: line.indexOf(signs, start), first: signs.charAt(0) }
}

/** A text without its end in the line. */
function* attemptsAtUnclosed(spot: Spot): Generator<Attempt> {
  const { text, start, end, kind, found, due } = spot
  if (kind || found !== '"') return

  const token = text.slice(start, end)
  if (due.includes('key')) {
    const keyEnd = endOfKey(token)
    if (keyEnd !== undefined) yield missingQuote(text, start + keyEnd, ':')
  }

  const signs = signsAtEnd(token)
  const textEnd = start + signs.start
  if (signs.start > 1) yield missingQuote(text, textEnd, signs.first)
}

/** The backslash at a place makes the quote after it a part of the text. */
function escapedQuote(at: number): Attempt {
  return {
    edits: [{ start: at, end: at + 1, text: '' }],
    fault: textFault('json.escaped-quote', { start: at, end: at + 2 }),
  }
}

/** What comes before the last quote of a text without its first, as in `#F5F5F5",`. */
const UP_TO_LAST_QUOTE = /^[^"\n\r]+"\s*(?:[,:\]}]|$)/

/** A text without its first quote. */
function* attemptsBeforeQuote({ text, rest, found, start, due, kind }: Spot): Generator<Attempt> {
  const isTextDue = due.includes('key') || due.includes('value')
  if (kind || !isTextDue) return
  if (UP_TO_LAST_QUOTE.test(rest)) yield missingQuote(text, start, found)
}

/** A sign in the place of a colon or a comma, such as `=` and `;`. */
const SIGN = /^[.;=]$/

function* attemptsAtSign({ found, start, due }: Spot): Generator<Attempt> {
  const meant = due.includes(':') ? ':' : ','
  if (!SIGN.test(found) || !due.includes(meant)) return

  const end = start + found.length
  const facts = { character: found, meant, others: 0 }
  yield {
    edits: [{ start, end, text: meant }],
    fault: textFault('json.lookalike', { start, end }, facts),
  }
}

/** The words of a line up to a quote or bracket: `GNU nano 8.4`, or the `json` of `json{`. */
const WORDS = /^[^\n\r"{}[\]]+/

/** The white space and signs at the end of words: the `: ` of `s: {`. They belong to what follows. */
const SIGNS_AT_END = /[\s,:]+$/

/** Words that aren't a part of JSON. */
function* attemptsWithoutWords({ rest, start, kind }: Spot): Generator<Attempt> {
  const [match = ''] = WORDS.exec(rest) ?? []
  if (kind || match === '') return

  const words = match.replace(SIGNS_AT_END, '')
  if (words === '') return

  const range = { start, end: start + words.length }
  yield {
    edits: [{ ...range, text: '' }],
    fault: textFault('json.stray', range, { text: words }),
  }
}
