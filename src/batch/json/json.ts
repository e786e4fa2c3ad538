/**
 * Finds positions in a JSON text (RFC 8259): the offset of a pointer, the first syntax error.
 * `JSON.parse` parses every batch; `scan` walks only those that have a problem. Nothing here
 * recurses, so deep nesting cannot overflow the stack.
 */
import { cut, show } from '../../text/wording.ts'
import { faultAt, type Pointer, type Range, type Violation } from '../violation.ts'
import { hintAt, hintOfFile } from './hints.ts'

// 1. Finding values in a valid text ---------------------------------------------------------------

interface Step {
  /** Where the value was last found, and the key that leads to it. */
  value?: Range
  key?: Range | undefined
  next: Map<string, Step>
}

/**
 * Finds the positions of the given pointers in one pass over the text.
 *
 * @param text valid JSON, that is, one that `JSON.parse` accepts
 * @param targets what to find: the value at a pointer, or the key that leads to it; `within` is
 *   the part of a string that is meant, as offsets into the parsed value
 * @returns one range per target, in the same order. The range of a string, number or literal is all
 *   of it, that of an object or array its opening bracket. A pointer that does not exist gets the
 *   range of its deepest existing ancestor. If an object repeats a key, the last one counts, as in
 *   `JSON.parse`.
 */
export function locate(
  text: string,
  targets: readonly { pointer: Pointer; at: 'key' | 'value'; within?: Range }[],
): Range[] {
  const root: Step = { next: new Map() }
  for (const { pointer } of targets) {
    let step = root
    for (const key of pointer) {
      const next: Step = step.next.get(String(key)) ?? { next: new Map() }
      step.next.set(String(key), next)
      step = next
    }
  }

  /** What to find in each object and list, by where it opens. */
  const wanted = new Map<number, Step>()
  scan(text, (at, range, open) => {
    const step = open ? wanted.get(open.start)?.next.get(String(open.step)) : root
    if (step) step[at] = range
    if (step && at === 'value') wanted.set(range.start, step)
  })
  return targets.map(({ pointer, at, within }) => {
    const place = deepest(root, pointer, at)
    return within && text[place.start] === '"' ? partOf(text, place, within) : place
  })
}

/** Returns the range of a part of a string, by its offsets in the value, escaped or not. */
export function partOf(text: string, { start }: Range, within: Range): Range {
  const from = skipUnits(text, start + 1, within.start)
  return { start: from, end: skipUnits(text, from, within.end - within.start) }
}

/** @returns the offset after the given number of UTF-16 code units of a string, escaped or not */
function skipUnits(text: string, at: number, units: number): number {
  for (let unit = 0; unit < units; unit++) {
    if (text[at] !== '\\') at++
    else at += text[at + 1] === 'u' ? 6 : 2
  }
  return at
}

function deepest(root: Step, pointer: Pointer, at: 'key' | 'value'): Range {
  let step = root
  let place = root.value as Range
  for (const [depth, key] of pointer.entries()) {
    step = step.next.get(String(key)) as Step
    // A value that begins before its parent belongs to an earlier value of a repeated key.
    if (!step.value || step.value.start < place.start) return place
    const isLast = depth === pointer.length - 1
    place = (isLast && step[at]) || step.value
  }
  return place
}

function skipSpace(text: string, at: number): number {
  for (;;) {
    const code = text.charCodeAt(at)
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at
    at++
  }
}

/** @returns the offset after the closing quote of the string that opens at `at` */
export function skipString(text: string, at: number): number {
  for (let quote = at + 1; ; quote++) {
    quote = text.indexOf('"', quote)
    let backslashes = 0
    while (text[quote - 1 - backslashes] === '\\') backslashes++
    if (backslashes % 2 === 0) return quote + 1
  }
}

// 2. Walking through a text -----------------------------------------------------------------------

/**
 * Returns the first place where a text breaks the grammar of RFC 8259, or undefined if it is valid.
 * It agrees with `JSON.parse`, whose own messages on Node 20 name no position.
 */
export function findSyntaxError(text: string): Violation | undefined {
  const fault = scan(text)
  return fault && (hintOfFile(text) ?? fault)
}

/** An object or a list that is not yet closed. */
export interface Open {
  start: number
  kind: 'object' | 'array'
  /** The key or position of the current value. */
  step: string | number
}

/** Called at each key and value; the range of an object or a list is its opening bracket. */
type Visit = (
  at: 'key' | 'value',
  range: Range,
  open: Open | undefined,
  stack: readonly Open[],
) => void

/** Walks through a text by the grammar, with an explicit stack. Returns its first fault. */
export function scan(text: string, visit?: Visit): Violation | undefined {
  const stack: Open[] = []
  let due: 'value' | 'key' | 'next' = 'value'
  let at = skipSpace(text, 0)
  /** The offset after what was read last. */
  let end = 0

  for (;;) {
    const open = stack.at(-1)
    const character = text[at]
    const close = open?.kind === 'object' ? '}' : ']'

    if (open && character === close && (due === 'next' || end === open.start + 1)) {
      stack.pop()
      at++
      due = 'next'
    } else if (open && due === 'key') {
      const keyEnd = character === '"' ? scanString(text, at) : noKey(text, at, open)
      if (typeof keyEnd !== 'number') return keyEnd
      open.step = JSON.parse(text.slice(at, keyEnd)) as string
      visit?.('key', { start: at, end: keyEnd }, open, stack)
      at = skipSpace(text, keyEnd)
      if (text[at] !== ':') {
        return unexpected(text, at, `the ":" after the key ${show(open.step)}`, open)
      }
      at++
      due = 'value'
    } else if (due === 'value') {
      const opens = character === '{' || character === '['
      const scanScalar = character === '"' ? scanString : scanWord
      const after = opens ? at + 1 : scanScalar(text, at, open)
      if (typeof after !== 'number') return after
      visit?.('value', { start: at, end: after }, open, stack)
      const kind = character === '{' ? 'object' : 'array'
      if (opens) stack.push({ start: at, kind, step: 0 })
      due = !opens ? 'next' : kind === 'object' ? 'key' : 'value'
      at = after
    } else if (!open) {
      return at === text.length ? undefined : faultAt(at, at + 1, AFTER_END)
    } else if (character !== ',') {
      return noComma(text, end, at, open)
    } else {
      const following = skipSpace(text, at + 1)
      if (text[following] === close) {
        const last = open.kind === 'object' ? 'member of an object' : 'item of an array'
        return faultAt(at, at + 1, `no comma may follow the last ${last}`)
      }
      if (open.kind === 'array') open.step = (open.step as number) + 1
      due = open.kind === 'array' ? 'value' : 'key'
      at = following
    }
    end = at
    at = skipSpace(text, at)
  }
}

/** @returns the offset after the string that opens at `start`, or its fault */
function scanString(text: string, start: number): number | Violation {
  for (let at = start + 1; ; ) {
    const code = text.charCodeAt(at)
    if (code === 0x22) return at + 1
    if (code === 0x5c) {
      ESCAPE.lastIndex = at + 1
      if (!ESCAPE.test(text)) return faultAt(at, at + 2, NO_ESCAPE)
      at = ESCAPE.lastIndex
    } else if (code >= 0x20) {
      at++
    } else if (Number.isNaN(code)) {
      return faultAt(start, at, 'the file ends inside this string')
    } else if (code === 0x0a || code === 0x0d) {
      return faultAt(start, at, NO_END)
    } else {
      const written = JSON.stringify(String.fromCharCode(code))
      return faultAt(at, at + 1, `this control character must be written ${written} in a text`)
    }
  }
}

/** The last alternative accepts an escape that the end of the file cuts off. */
const ESCAPE = /["\\/bfnrt]|u[0-9a-fA-F]{4}|(?:u[0-9a-fA-F]{0,3})?$/y
const NO_ESCAPE =
  'JSON has no such escape; write a backslash as \\\\, and any other character as it is'
const NO_END =
  'this string does not end on its line; its last " is missing, or is another quote (a line break in it is written "\\n")'

const LITERAL_OR_NUMBER =
  /(?:true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)(?![-+.\w])/y
const WORD = /[-+.\w$]+/y
const NO_VALUE =
  'is not a JSON value; write texts and dates in double quotes, numbers as 29 or 0.5, yes and no as true and false, and nothing as null'
const LONGEST_WORD = 40

/** @returns the offset after the literal or number that begins at `at`, or its fault */
function scanWord(text: string, at: number, open: Open | undefined): number | Violation {
  LITERAL_OR_NUMBER.lastIndex = at
  if (LITERAL_OR_NUMBER.test(text)) return LITERAL_OR_NUMBER.lastIndex
  WORD.lastIndex = at
  const [word] = WORD.exec(text) ?? []
  if (word === undefined) return unexpected(text, at, 'a value', open)
  return faultAt(at, at + word.length, `${cut(word, LONGEST_WORD)} ${NO_VALUE}`)
}

// 3. Faults of the grammar ------------------------------------------------------------------------

function unexpected(text: string, at: number, due: string, open: Open | undefined): Violation {
  const opens = open && `the ${open.kind} opens at line ${lineAt(text, open.start)}`
  if (at >= text.length) {
    const where = opens ? ` (${opens})` : ''
    return faultAt(at, at, `the file ends here, where ${due} must come${where}`)
  }
  const character = String.fromCodePoint(text.codePointAt(at) as number)
  const shown = character === '"' ? `'"'` : JSON.stringify(character)
  const remark = hintAt(text, at) ?? opens
  const general = `unexpected ${shown}; ${due} must come here`
  return faultAt(at, at + character.length, remark ? `${general} (${remark})` : general)
}

function lineAt(text: string, offset: number): number {
  return 1 + (text.slice(0, offset).match(/\r\n?|\n/g) ?? []).length
}

function noKey(text: string, at: number, open: Open): Violation {
  const before = text.slice(open.start, at).replace(/\s*,\s*$/, '').length
  const due = 'a key in double quotes'
  return strayQuote(text, open.start + before) ?? unexpected(text, at, due, open)
}

/**
 * Returns the fault where a value is followed by something other than a comma.
 *
 * @param end where the value ends
 * @param at where the text after it begins
 */
function noComma(text: string, end: number, at: number, open: Open): Violation {
  VALUE.lastIndex = at
  const isNext = at > end && VALUE.test(text) && (open.kind === 'array' || text[at] === '"')
  if (isNext) return faultAt(end, end, 'a comma must come here, between this value and the next')
  if (text[at] === ':' && text[end - 1] === '"') return faultAt(at, at + 1, KEY_OUTSIDE)
  const due = `a "," or the end of the ${open.kind}`
  return strayQuote(text, end) ?? unexpected(text, at, due, open)
}

const VALUE = /["[{]|-?\d|(?:true|false|null)\b/y
const KEY_OUTSIDE =
  'the key before this is in no object; a { is missing before it, or a } before it is one too many'

/** Returns the fault if a string seems to go on, to a quote on the same line. */
function strayQuote(text: string, end: number): Violation | undefined {
  GOES_ON.lastIndex = end - 1
  const says = 'this quote ends the string; a double quote within a text is written \\"'
  return GOES_ON.test(text) ? faultAt(end - 1, end, says) : undefined
}

/** Words follow, or the quote is the first of an attribute, such as `="/` or `=""`. */
const GOES_ON = /"[ \t,]*[\p{L}\p{N}.<>!?()][^"\n]*"|(?<=[\w-]=)"["/#]/uy

const AFTER_END =
  'the JSON ends before this; all pages must be in one list, with one [ before the first and one ] after the last (move other text to another file)'
