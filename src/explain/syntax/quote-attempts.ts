/** Changes of quotes, of signs beside them, and of words outside of them that may repair a text. */
import { type Range, textFault } from '../../page/fault.ts'
import { closingOf } from './bracket-attempts.ts'
import { isOneLine, lineOf } from './layout.ts'
import { type Attempt, rangeOfNext, type Spot } from './tokens.ts'

/** Returns what may repair the quotes at a place, the likeliest first. */
export function* attemptsAtQuotes(spot: Spot): Generator<Attempt> {
  yield* attemptsWithComma(spot)
  yield* attemptsInText(spot)
  yield* attemptsAtQuotedBracket(spot)
  yield* attemptsAtUnclosed(spot)
  yield* attemptsBeforeQuote(spot)
  yield* attemptsWithout(spot)
}

/**
 * The quote of a text is missing at a place.
 *
 * @param before the sign or word that follows; '' at the end of a line
 */
function missingQuote(at: number, before: string): Attempt {
  return {
    edits: [{ start: at, end: at, text: '"' }],
    fault: textFault('json.quote-missing', { start: at, end: at + before.length }, { before }),
  }
}

/** A comma at the end of a text, before the next line: `"type": "link,"`. */
function* attemptsWithComma({ text, layout, start, last, due }: Spot): Generator<Attempt> {
  const isInside = text[last.start] === '"' && text.startsWith(',"', last.end - 2)
  if (!isInside || !due.includes(',') || isOneLine(layout, last.end, start)) return

  const comma = last.end - 2
  const edits = [{ start: comma, end: last.end, text: '",' }]
  yield { edits, fault: textFault('json.comma-inside', { start: comma, end: comma + 1 }) }
}

/** A quote, and what may be a key, up to a colon: the `"tags:` of `"tags: ["`. */
const KEY_AND_COLON = /^"[^":,[\]{}\\]+:/

/** Returns where the quote of a key is missing in what was read as a longer text. */
function endOfKey(token: string): number | undefined {
  const [key] = KEY_AND_COLON.exec(token) ?? []
  return key?.slice(0, -1).trimEnd().length
}

/** A text that has taken in what comes after it: `"tags: ["` before `Open"`. */
function* attemptsInText({ text, last }: Spot): Generator<Attempt> {
  if (text[last.start] !== '"') return

  const end = endOfKey(text.slice(last.start, last.end))
  if (end !== undefined) yield missingQuote(last.start + end, ':')
}

/** A list or an object in quotes: `"["a", "b"]"`, `""[1]""`. */
function* attemptsAtQuotedBracket({ text, start, last, found }: Spot): Generator<Attempt> {
  const token = text.slice(last.start, last.end)
  const isOutside = token === '""' && last.end === start && (found === '[' || found === '{')
  if (isOutside) {
    const end = closingOf(text, start)
    if (end === undefined || !text.startsWith('""', end + 1)) return

    const edits = [
      { start: last.start, end: last.end, text: '' },
      { start: end + 1, end: end + 3, text: '' },
    ]
    yield { edits, fault: textFault('json.quoted-bracket', last, { bracket: found }) }
  }

  const isInside = token === '"["' || token === '"{"'
  if (!isInside) return

  const bracket = token.charAt(1)
  const closing = text.indexOf(bracket === '[' ? ']"' : '}"', start)
  if (closing < 0) return
  const edits = [
    { start: last.start, end: last.end, text: `${bracket}"` },
    { start: closing + 1, end: closing + 2, text: '' },
  ]
  yield { edits, fault: textFault('json.quoted-bracket', last, { bracket }) }
}

/** What may come after a text: `],`, white space. */
const AFTER_TEXT = /[\s,\]}]/

/** Returns where the signs begin at the end of a line, such as the `],` of `"North],`, and the first of them. */
function signsAtEnd(line: string): { start: number; first: string } {
  let start = line.length
  while (AFTER_TEXT.test(line.charAt(start - 1))) start--

  const first = line.slice(start).trimStart().charAt(0)
  return { start: first === '' ? start : line.indexOf(first, start), first }
}

/** The rest of a text in later lines, up to its quote. */
const REST_OF_TEXT = /^[^"\\]*(?:\\[\s\S][^"\\]*)*"/

/** A text without its end in the line. */
function* attemptsAtUnclosed(spot: Spot): Generator<Attempt> {
  const { text, layout, start, end, kind, found, due } = spot
  if (kind || found !== '"') return

  const token = text.slice(start, end)
  const keyEnd = due.includes('key') ? endOfKey(token) : undefined
  if (keyEnd !== undefined) yield missingQuote(start + keyEnd, ':')

  const signs = signsAtEnd(token)
  const at = start + signs.start
  if (signs.start > 2 && token.startsWith('\\"', signs.start - 2)) {
    const edits = [{ start: at - 2, end: at - 1, text: '' }]
    yield { edits, fault: textFault('json.escaped-quote', { start: at - 2, end: at }) }
  }
  if (signs.start > 1) yield missingQuote(at, signs.first)

  const [rest] = REST_OF_TEXT.exec(text.slice(end)) ?? []
  if (rest === undefined) return
  const edits = [{ start: end, end: end + rest.length, text: '"' }]
  const facts = { line: lineOf(layout, end + rest.length), isAtEnd: rest.trim() === '"' }
  yield { edits, fault: textFault('json.line-break', { start: end, end: end + 1 }, facts) }
}

/** What comes before the last quote of a text without its first, as in `#F5F5F5",`. */
const UP_TO_LAST_QUOTE = /^[^"\n\r]+"\s*(?:[,:\]}]|$)/

function* attemptsBeforeQuote({ rest, found, start, due, kind }: Spot): Generator<Attempt> {
  const isTextDue = due.includes('key') || due.includes('value')
  if (kind || !isTextDue || !UP_TO_LAST_QUOTE.test(rest)) return
  yield missingQuote(start, found)
}

/** A sign in the place of a colon or a comma, such as `=` and `;`. */
const SIGN = /^[.;=]$/

/** The words of a line up to a quote or bracket: `GNU nano 8.4`, or the `json` of `json{`. */
const WORDS = /^[^\n\r"{}[\]]+/

/** What isn't a part of JSON: a sign alone, words in a line, or words behind the end. */
function* attemptsWithout(spot: Spot): Generator<Attempt> {
  const { text, rest, found, start, kind, due } = spot
  if (kind || found === '' || found === '"') return

  const meant = due.includes(':') ? ':' : ','
  const end = start + found.length
  const next = text.charAt(rangeOfNext(text, end).start)
  if (SIGN.test(found) && due.includes(meant) && !/[\]}]|^$/.test(next)) {
    const facts = { character: found, meant, others: 0 }
    const fault = textFault('json.lookalike', { start, end }, facts)
    yield { edits: [{ start, end, text: meant }], fault }
  }

  yield without(text, { start, end })
  const [words = ''] = WORDS.exec(rest) ?? []
  if (words !== '') yield without(text, { start, end: start + words.trimEnd().length })
  if (due.length === 0) yield without(text, { start, end: text.trimEnd().length })
}

function without(text: string, range: Range): Attempt {
  const edits = [{ ...range, text: '' }]
  const [line = ''] = text.slice(range.start, range.end).split('\n')
  return { edits, fault: textFault('json.stray', range, { text: line.trim() }) }
}
