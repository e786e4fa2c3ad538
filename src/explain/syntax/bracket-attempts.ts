/** Changes of brackets, colons and commas that may repair a text. */
import { type Edit, type Fault, type Range, textFault } from '../../page/fault.ts'
import { toAscii } from '../../text/lookalikes.ts'
import { isOneLine, lineOf } from './layout.ts'
import { type Attempt, firstKeyAt, type OpenBracket, rangeOfNext, type Spot } from './tokens.ts'

const CLOSING = { '{': '}', '[': ']' } as const

/** A text that may be a key: a word without spaces, such as `discord`. */
const WORD = /^"[\p{L}_$][\p{L}\p{N}_$-]*"$/u

/** Returns what may repair the brackets, colons and commas at a place, the likeliest first. */
export function* attemptsAtBrackets(spot: Spot): Generator<Attempt> {
  const { found, due, open } = spot
  if (due.length === 0) yield* attemptsAfterEnd(spot)

  const inner = open.at(-1)
  if (inner) yield* attemptsInside(spot, inner)

  const isBracket = found !== '' && '{}[]'.includes(found)
  if (isBracket && due.length > 0) yield removal(spot)
}

/** @param inner the object or list that the place is in */
function* attemptsInside(spot: Spot, inner: OpenBracket): Generator<Attempt> {
  const { found, due } = spot
  if (found === ':') yield* attemptsAtColon(spot, inner)
  if (due.includes(':')) yield* attemptsAfterKey(spot, inner)
  if (found === '{') yield* attemptsAtObject(spot, inner)
  if (found === '}' || found === ']') yield* attemptsAtClosing(spot, inner)
  yield* attemptsAtComma(spot, inner)
}

/** The end of the latest token that isn't a comma: there, a bracket is missing, which replaces the comma. */
function insertionOf(spot: Spot, bracket: string): Edit {
  const { last, beforeLast } = spot
  return last.kind === ','
    ? { start: beforeLast.end, end: last.end, text: bracket }
    : { start: last.end, end: last.end, text: bracket }
}

/** A bracket is missing that closes the innermost object or list. */
function missingClosing(spot: Spot, inner: OpenBracket, after = ''): Attempt {
  const bracket = CLOSING[inner.kind]
  const edit = insertionOf(spot, bracket + after)
  const line = lineOf(spot.layout, inner.start)
  const place = { start: edit.start, end: edit.start }
  return { edits: [edit], fault: textFault('json.bracket-missing', place, { bracket, line }) }
}

function missingOpening(bracket: '{' | '[', before: Range, text: string): Attempt {
  const place = { start: before.start, end: before.start }
  const shown = text.slice(before.start, before.end)
  return {
    edits: [{ ...place, text: bracket }],
    fault: textFault('json.opening-missing', before, { bracket, before: shown }),
  }
}

/** The bracket at the place is too many. */
function removal({ text, start, end, found }: Spot): Attempt {
  const next = rangeOfNext(text, end)
  const isCommaAfter = text[next.start] === ','
  return {
    edits: [{ start, end: isCommaAfter ? next.end : end, text: '' }],
    fault: textFault('json.bracket-extra', { start, end }, { bracket: found, partner: undefined }),
  }
}

/** A comma of another alphabet, with one of JSON behind it, where a bracket must stand: `[1 ，,`. */
function* attemptsAtComma(spot: Spot, inner: OpenBracket): Generator<Attempt> {
  const { text, layout, start, end, found } = spot
  if (found === ',' || toAscii(found) !== ',' || text[end] !== ',') return

  const bracket = CLOSING[inner.kind]
  const facts = { bracket, line: lineOf(layout, inner.start) }
  yield {
    edits: [{ start, end, text: bracket }],
    fault: textFault('json.bracket-missing', { start, end }, facts),
  }
}

/** A bracket that closes a list where an object is open, or the other way round. */
function* attemptsAtClosing(spot: Spot, inner: OpenBracket): Generator<Attempt> {
  const { start, end, found, layout } = spot
  const bracket = CLOSING[inner.kind]
  if (found === bracket) return

  yield missingClosing(spot, inner)
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
  if (isInList && due.includes(',')) yield missingClosing(spot, inner, ',')
  if (!due.includes('key')) return

  if (last.kind !== '{') yield missingClosing(spot, inner, ',')
  const firstKey = firstKeyAt(text, start)
  const isNextRecord = isInList && firstKey !== '' && firstKey === firstKeyAt(text, inner.start)
  if (isNextRecord) return

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

/** A colon behind a text that isn't a key. */
function* attemptsAtColon(spot: Spot, inner: OpenBracket): Generator<Attempt> {
  const { text, layout, start, end, last, beforeLast } = spot
  if (last.kind === ':') {
    const fault = textFault('json.colon-for-comma', { start, end }, { isBeforeComma: true })
    yield { edits: [{ start, end, text: '' }], fault }
  }
  if (text[last.start] !== '"') return

  if (inner.kind === '{') {
    // `"set": "include": [1]` lacks a brace, if it isn't one key twice.
    const key = text.slice(inner.item, inner.item + (last.end - last.start))
    const isTwice = key === text.slice(last.start, last.end)
    const next = rangeOfNext(text, end)
    const isComma = text[next.start] === ','
    if (isComma || !isOneLine(layout, end, next.start)) {
      const fault = textFault('json.colon-for-comma', { start, end }, { isBeforeComma: isComma })
      yield { edits: [{ start, end, text: isComma ? '' : ',' }], fault }
    }
    if (beforeLast.kind === ':' && !isTwice) yield missingOpening('{', last, text)
    return
  }

  yield missingOpening('{', last, text)

  // A list with keys but without the braces of its object.
  const closing = closingOf(text, inner.start)
  if (closing === undefined || beforeLast.kind !== '[') return
  yield {
    edits: [
      { start: inner.start, end: inner.end, text: '{' },
      { start: closing, end: closing + 1, text: '}' },
    ],
    fault: textFault('json.keys-in-list', inner, { line: lineOf(layout, closing) }),
  }
}

/** What isn't a colon, behind a key. */
function* attemptsAfterKey(spot: Spot, inner: OpenBracket): Generator<Attempt> {
  const { text, layout, start, end, found, kind, last, beforeLast } = spot
  const key = text.slice(last.start, last.end)

  const isFirst = beforeLast.kind === '{'
  const closing = closingOf(text, inner.start)
  if (isFirst && closing !== undefined && (found === ',' || found === '}'))
    yield {
      edits: [
        { start: inner.start, end: inner.end, text: '[' },
        { start: closing, end: closing + 1, text: ']' },
      ],
      fault: textFault('json.object-for-list', inner, {
        line: lineOf(layout, closing),
        isSingle: found === '}',
      }),
    }

  const next = rangeOfNext(text, end)
  const isBeforeValue =
    /[^,:\]}]/.test(text.charAt(next.start)) && isOneLine(layout, end, next.start)
  const isKey = WORD.test(key) && !isOneLine(layout, beforeLast.start, last.start)
  if (found === ',' && isBeforeValue && isKey)
    yield {
      edits: [{ start, end, text: ':' }],
      fault: textFault('json.comma-for-colon', { start, end }),
    }

  const isValue = kind === 'value' || found === '{' || found === '['
  const place = { start: last.end, end: last.end }
  if (isValue && key.endsWith(':"')) {
    const colon = { start: last.end - 2, end: last.end }
    const fault = textFault('json.colon-inside', { start: colon.start, end: colon.start + 1 })
    yield { edits: [{ ...colon, text: '":' }], fault }
  }
  if (isValue || found === '"')
    yield {
      edits: [{ ...place, text: ':' }],
      fault: textFault('json.colon-missing', place, { key: JSON.parse(key) }),
    }
}

/** More text behind the value of the file. */
function* attemptsAfterEnd(spot: Spot): Generator<Attempt> {
  const { text, layout, start, end, found, last } = spot
  const next = found === ',' ? rangeOfNext(text, end) : { start, end }
  const isKey = text[next.start] === '"' && isBeforeColon(text, next)

  if (last.kind === ']' && text[next.start] === '{') {
    const facts = {
      bracket: ']',
      line: lineOf(layout, text.search(/\S/)),
      hasComma: found === ',',
    } as const
    const edits = [{ start: last.start, end: next.start, text: ',' }]
    yield { edits, fault: textFault('json.closed-too-early', last, facts) }
  }

  if (last.kind === '}' && isKey) {
    const opening = lineOf(layout, text.search(/\S/))
    const edits = [{ start: last.start, end: next.start, text: ',' }]
    const facts = { bracket: '}', line: opening, hasComma: found === ',' } as const
    yield { edits, fault: textFault('json.closed-too-early', last, facts) }
  }

  // One object a line is JSON Lines, or a list without its brackets.
  const isOneObjectALine = isOneLine(layout, text.search(/\S/), last.end)
  if (last.kind === '}' && text[next.start] === '{' && !isOneObjectALine) {
    const edits = [{ start: last.start, end: next.end, text: ',' }]
    yield { edits, fault: textFault('json.two-objects', next) }
  }

  if (found === ':' && text[last.start] === '"') {
    const edits = [{ start: last.start, end: last.start, text: '{' }]
    const facts = { bracket: '{', before: undefined } as const
    const closed = [...edits, { start: text.length, end: text.length, text: '}' }]
    const fault = textFault('json.opening-missing', last, facts)
    yield { edits, fault }
    yield { edits: closed, fault }
  }
}

function isBeforeColon(text: string, { end }: Range): boolean {
  return text[rangeOfNext(text, end).start] === ':'
}

/** Returns where the object or list ends that begins at a place, whatever kind of bracket that is. */
export function closingOf(text: string, opening: number): number | undefined {
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

/** Of how many brackets a sentence can say that they are missing. */
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
