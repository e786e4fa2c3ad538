/** Changes of brackets, colons and commas that may repair a text. */

import { type Fault, textFault } from '../../fault/fault.ts'
import type { Edit, Range } from '../../text/range.ts'
import { isOneLine, lineOf } from './layout.ts'
import { type Attempt, type OpenBracket, rangeOfNext, type Spot, type Token } from './tokens.ts'

const CLOSING = { '{': '}', '[': ']' } as const

/** Returns what may repair the brackets, colons and commas at a place, the likeliest first. */
export function* attemptsAtBrackets(spot: Spot): Generator<Attempt> {
  const { found, due, open } = spot
  if (due.length === 0) yield* attemptsAfterEnd(spot)

  const inner = open.at(-1)
  if (inner) yield* attemptsInside(spot, inner)

  const isBracket = ['{', '}', '[', ']'].includes(found)
  if (isBracket && due.length > 0) yield removal(spot)
}

/** @param inner the object or list that the place is in */
function* attemptsInside(spot: Spot, inner: OpenBracket): Generator<Attempt> {
  const { found, due } = spot
  if (found === ':' && inner.kind === '{') yield* attemptsAtSecondKey(spot)
  if (found === ':' && inner.kind === '[') yield* attemptsAtKeyInList(spot, inner)
  if (due.includes(':')) yield* attemptsAfterKey(spot, inner)
  if (found === '{') yield* attemptsAtObject(spot, inner)
  if (['}', ']', ')'].includes(found)) yield* attemptsAtClosing(spot, inner)
  if (found === ':' && due.includes(',')) yield* attemptsAtColonForComma(spot)
}

/** A bracket is missing that closes the innermost object or list: after a token, or before a comma. */
function missingClosing({ text, layout }: Spot, inner: OpenBracket, after: Token): Attempt {
  const bracket = CLOSING[inner.kind]
  const start = after.kind === ',' ? text.slice(0, after.start).trimEnd().length : after.end
  const place = { start, end: start }
  const facts = { bracket, line: lineOf(layout, inner.start) }
  return {
    edits: [{ ...place, text: bracket }],
    fault: textFault('json.bracket-missing', place, facts),
  }
}

/** A brace is missing before a key. */
function missingOpening(key: Range, text: string): Attempt {
  const before = text.slice(key.start, key.end)
  return {
    edits: [{ start: key.start, end: key.start, text: '{' }],
    fault: textFault('json.opening-missing', key, { bracket: '{', before }),
  }
}

/** The bracket at the place is one too many. */
function removal({ text, start, end, found }: Spot): Attempt {
  const next = rangeOfNext(text, end)
  const isCommaAfter = text[next.start] === ','
  return {
    edits: [{ start, end: isCommaAfter ? next.end : end, text: '' }],
    fault: textFault('json.bracket-extra', { start, end }, { bracket: found, partner: undefined }),
  }
}

/** An object is a list, or the other way round: both of its brackets are of the wrong kind. */
function otherBrackets(inner: OpenBracket, closing: number): Edit[] {
  const [opening, end] = inner.kind === '{' ? ['[', ']'] : ['{', '}']
  return [
    { start: inner.start, end: inner.end, text: opening },
    { start: closing, end: closing + 1, text: end },
  ]
}

/** A bracket that closes a list where an object is open, or the other way round. */
function* attemptsAtClosing(spot: Spot, inner: OpenBracket): Generator<Attempt> {
  const { start, end, found, layout, last } = spot
  const bracket = CLOSING[inner.kind]
  if (found === bracket) return

  yield missingClosing(spot, inner, last)
  const line = lineOf(layout, inner.start)
  yield {
    edits: [{ start, end, text: bracket }],
    fault: textFault('json.bracket-wrong', { start, end }, { bracket, line }),
  }
}

/** An object in one where a key or a comma must come: the outer one isn't closed, or a brace is too many. */
function* attemptsAtObject(spot: Spot, inner: OpenBracket): Generator<Attempt> {
  const { text, start, end, found, layout, last, due, open } = spot
  const isInList = inner.kind === '{' && open.at(-2)?.kind === '['
  if (isInList && due.includes(',')) yield missingClosing(spot, inner, last)
  if (!due.includes('key')) return

  if (last.kind !== '{') yield missingClosing(spot, inner, last)

  const partner = closingOf(text, start)
  if (partner === undefined) return

  const facts = { bracket: found, partner: lineOf(layout, partner) }
  yield {
    edits: [
      { start, end, text: '' },
      { start: partner, end: partner + 1, text: '' },
    ],
    fault: textFault('json.bracket-extra', { start, end }, facts),
  }
}

/** A key where a value must come lacks the brace of its object: `"set": "include": [1]`. */
function* attemptsAtSecondKey({ text, last, beforeLast }: Spot): Generator<Attempt> {
  const isText = text[last.start] === '"'
  if (isText && beforeLast.kind === ':') yield missingOpening(last, text)
}

/** A key in a list: a brace is missing before it, or the list is an object. */
function* attemptsAtKeyInList(spot: Spot, inner: OpenBracket): Generator<Attempt> {
  const { text, layout, last, beforeLast } = spot
  const isText = text[last.start] === '"'
  if (!isText) return

  yield missingOpening(last, text)
  if (beforeLast.kind === ',') yield missingClosing(spot, inner, beforeLast)

  const closing = closingOf(text, inner.start)
  const isFirst = beforeLast.kind === '['
  if (!isFirst || closing === undefined) return

  const line = lineOf(layout, closing)
  yield {
    edits: otherBrackets(inner, closing),
    fault: textFault('json.keys-in-list', inner, { line }),
  }
}

/** A colon in the place of a comma: `"a": 1: "b": 2`. The only pair of a list may be that of an object. */
function* attemptsAtColonForComma(spot: Spot): Generator<Attempt> {
  const { text, layout, start, end, last, beforeLast } = spot
  const value = rangeOfNext(text, end)
  const isOnlyPair = beforeLast.kind === '[' && text[rangeOfNext(text, value.end).start] === ']'
  if (isOnlyPair && text[last.start] === '"') return

  // A key in a new line isn't the value of the one before it.
  if (beforeLast.kind === ':' && !isOneLine(layout, beforeLast.end, last.start)) return

  const facts = { character: ':', meant: ',', others: 0 }
  yield {
    edits: [{ start, end, text: ',' }],
    fault: textFault('json.lookalike', { start, end }, facts),
  }
}

/** Anything but a colon after a key. */
function* attemptsAfterKey(spot: Spot, inner: OpenBracket): Generator<Attempt> {
  const { found, kind, beforeLast } = spot

  const isFirst = beforeLast.kind === '{'
  const isAlone = found === ',' || found === '}'
  if (isFirst && isAlone) yield* attemptsAtValueInObject(spot, inner)
  if (found === ',') yield* attemptsAtCommaAfterKey(spot)

  const isValue = kind === 'value' || found === '{' || found === '['
  if (isValue || found === '"') yield missingColon(spot)
}

/** A value without a key is the first in an object: the object is a list. */
function* attemptsAtValueInObject(spot: Spot, inner: OpenBracket): Generator<Attempt> {
  const { text, layout, found } = spot
  const closing = closingOf(text, inner.start)
  if (closing === undefined) return

  const facts = { line: lineOf(layout, closing), isSingle: found === '}' }
  yield {
    edits: otherBrackets(inner, closing),
    fault: textFault('json.object-for-list', inner, facts),
  }
}

/** What can't be the start of a value: a sign, or the end of the file. */
const NO_VALUE = /^[,:\]}]|^$/

/** A comma between a key, the first in its object or in its line, and its value. */
function* attemptsAtCommaAfterKey(spot: Spot): Generator<Attempt> {
  const { text, layout, start, end, last, beforeLast } = spot
  const isFirst = beforeLast.kind === '{'
  const beginsLine = !isOneLine(layout, beforeLast.start, last.start)

  const next = rangeOfNext(text, end)
  const isBeforeValue =
    !NO_VALUE.test(text.charAt(next.start)) && isOneLine(layout, end, next.start)
  if (!isBeforeValue || !(isFirst || beginsLine)) return

  // `{ "a", "b" }` may be a list.
  const isOnlyPair = isFirst && text[rangeOfNext(text, next.end).start] === '}'
  yield {
    edits: [{ start, end, text: ':' }],
    fault: textFault(
      'json.comma-for-colon',
      { start, end },
      { mayBeList: isOnlyPair && !beginsLine },
    ),
  }
}

/** A colon is missing after a key, or is within its quotes: `"url:" "https://a.example"`. */
function missingColon({ text, last }: Spot): Attempt {
  const colon = last.end - 2
  if (text[colon] === ':') {
    return {
      edits: [{ start: colon, end: last.end, text: '":' }],
      fault: textFault('json.colon-inside', { start: colon, end: colon + 1 }),
    }
  }

  const place = { start: last.end, end: last.end }
  const key: string = JSON.parse(text.slice(last.start, last.end))
  return {
    edits: [{ ...place, text: ':' }],
    fault: textFault('json.colon-missing', place, { key }),
  }
}

/** More text behind the value of the file: its bracket came too early, or a second object follows. */
function* attemptsAfterEnd(spot: Spot): Generator<Attempt> {
  const { text, layout, start, end, found, last } = spot
  const hasComma = found === ','
  const next = hasComma ? rangeOfNext(text, end) : { start, end }
  const isObject = text[next.start] === '{'
  const isKey = text[next.start] === '"' && isBeforeColon(text, next)

  const fileStart = text.search(/\S/)
  const bracket = last.kind === ']' ? ']' : '}'
  const goesOn = bracket === ']' ? isObject : isKey
  if (last.kind === bracket && goesOn) {
    const facts = { bracket, line: lineOf(layout, fileStart), hasComma } as const
    yield {
      edits: [{ start: last.start, end: next.start, text: ',' }],
      fault: textFault('json.closed-too-early', last, facts),
    }
  }

  // One object a line is JSON Lines, or a list without its brackets.
  const isOneObjectALine = isOneLine(layout, fileStart, last.end)
  if (last.kind === '}' && isObject && !isOneObjectALine)
    yield {
      edits: [{ start: last.start, end: next.end, text: ',' }],
      fault: textFault('json.two-objects', next),
    }
}

function isBeforeColon(text: string, { end }: Range): boolean {
  return text[rangeOfNext(text, end).start] === ':'
}

/** Returns where the object or list ends that begins at a place, whatever kind of bracket that is. */
function closingOf(text: string, opening: number): number | undefined {
  let depth = 0
  let at = opening
  for (;;) {
    const { start, end } = rangeOfNext(text, at)
    if (start === end) return undefined

    const sign = text.slice(start, end)
    if (sign === '{' || sign === '[') depth++
    if (sign === '}' || sign === ']') depth--
    if (depth === 0) return start
    at = end
  }
}

/** The most missing brackets that a sentence names. */
const MOST_UNCLOSED = 4

/** Says which brackets are missing at the end of a text. */
export function explainEnd({ layout, open, last, start }: Spot): Fault | undefined {
  const isAfterItem = last.kind !== ':' && last.kind !== 'key' && last.kind !== ','
  if (open.length === 0 || open.length > MOST_UNCLOSED || !isAfterItem) return undefined

  const missing = open.toReversed().map((bracket) => {
    return { bracket: CLOSING[bracket.kind], line: lineOf(layout, bracket.start) }
  })
  return textFault('json.unclosed', { start, end: start }, { missing })
}
