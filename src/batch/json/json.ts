/**
 * Finds positions in a JSON text (RFC 8259): the offset of a pointer, the first syntax error, what
 * would be lost. `JSON.parse` parses every batch; `scan` walks only those that have a problem.
 * Nothing here recurses, so deep nesting cannot overflow the stack.
 */
import { faultAt, type Pointer, type Range, type Violation } from '../violation.ts'
import { whyLost } from './decimal.ts'
import { hintAfterEnd, hintAt, hintOfFile, hintOfQuote, hintOfWord } from './hints.ts'

export const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
export const COLON = 0x3a
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

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

  scan(text, { root })
  return targets.map(({ pointer, at, within }) => {
    const place = deepest(root, pointer, at)
    if (!within || text.charCodeAt(place.start) !== QUOTE) return place
    const start = skipUnits(text, place.start + 1, within.start)
    return { start, end: skipUnits(text, start, within.end - within.start) }
  })
}

/** @returns the offset after the given number of UTF-16 code units of a string, escaped or not */
function skipUnits(text: string, at: number, units: number): number {
  for (let unit = 0; unit < units; unit++) {
    if (text.charCodeAt(at) !== BACKSLASH) at++
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
    place = (isLast && at === 'key' && step.key) || step.value
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
    while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return quote + 1
  }
}

// 2. The first syntax error -----------------------------------------------------------------------

/**
 * Returns the first place where a text breaks the grammar of RFC 8259, or undefined if it is valid.
 * It agrees with `JSON.parse`, whose own messages on Node 20 name no position.
 */
export function findSyntaxError(text: string): Violation | undefined {
  const fault = scan(text, { remembersKeys: true })
  return fault && (hintOfFile(text) ?? fault)
}

interface Open {
  start: number
  kind: 'object' | 'array'
  keys: Set<string | number>
  /** The key or position of the current value, and the range of the key. */
  step: string | number
  key?: Range
  /** The targets in it. */
  wanted: Step | undefined
}

interface Visitor {
  /** The targets. */
  root?: Step
  /** Whether to know the keys of each object, for messages. */
  remembersKeys?: boolean
  /** Where to add repeated keys, and numbers that would not survive. */
  losses?: Violation[]
}

/** Of losses more than so many levels deep, only the first is added: their pointers are that long. */
const DEEPEST = 1_000
const REPEATS =
  'must not repeat a key; rename one, or remove the one whose value is not meant (it is lost; the first was not checked)'

/** Walks through the whole text by the grammar, with an explicit stack. */
export function scan(text: string, visitor: Visitor): Violation | undefined {
  const { root, losses, remembersKeys = losses !== undefined } = visitor
  const stack: Open[] = []
  let isTooDeep = false
  const addLoss = (at: 'key' | 'value', range: Range, message: string) => {
    if (isTooDeep) return
    isTooDeep = stack.length > DEEPEST
    losses?.push({ pointer: stack.map(({ step }) => step), at, range, message })
  }
  let due: 'value' | 'key' | 'next' = 'value'
  let at = skipSpace(text, 0)
  /** The offset after what was read last. */
  let end = 0
  /** Where the last text began, and the last object or array that ended. */
  let string = 0
  let closed: Open | undefined

  for (;;) {
    const open = stack.at(-1)
    const code = text.charCodeAt(at)
    const close = open?.kind === 'object' ? CLOSE_OBJECT : CLOSE_ARRAY

    if (open && code === close && (due === 'next' || end === open.start + 1)) {
      closed = stack.pop()
      at++
      due = 'next'
    } else if (open && due === 'key') {
      if (code !== QUOTE) return noKey(text, string, at, open)
      const keyEnd = scanString(text, at)
      if (typeof keyEnd !== 'number') return keyEnd
      // Most keys of a large batch do not lead to a target.
      if (open.wanted || remembersKeys) open.step = JSON.parse(text.slice(at, keyEnd)) as string
      open.key = { start: at, end: keyEnd }
      if (losses && open.keys.has(open.step)) addLoss('key', open.key, REPEATS)
      open.keys.add(open.step)
      at = skipSpace(text, keyEnd)
      if (text.charCodeAt(at) !== COLON) return noColon(text, open.key, at, open)
      at++
      due = 'value'
    } else if (due === 'value') {
      const opens = code === OPEN_OBJECT || code === OPEN_ARRAY
      const scanScalar = code === QUOTE ? scanString : scanWord
      const after = opens ? at + 1 : scanScalar(text, at, open)
      if (typeof after !== 'number') return after
      const isNumber = losses && /[-\d]/.test(text[at] as string)
      const why = isNumber ? whyLost(text.slice(at, after)) : undefined
      if (why !== undefined) addLoss('value', { start: at, end: after }, why)
      const wanted = open ? open.wanted?.next.get(String(open.step)) : root
      if (wanted) Object.assign(wanted, { value: { start: at, end: after }, key: open?.key })
      const kind = code === OPEN_OBJECT ? 'object' : 'array'
      if (code === QUOTE) string = at
      if (opens) stack.push({ start: at, kind, keys: new Set(), step: 0, wanted })
      due = !opens ? 'next' : kind === 'object' ? 'key' : 'value'
      at = after
    } else if (!open) {
      if (at === text.length) return undefined
      return faultAt(at, at + 1, hintAfterEnd(text, at))
    } else {
      if (code === COLON && text.charCodeAt(end - 1) === QUOTE) {
        return keyOutside(text, { start: string, end }, closed)
      }
      if (code !== COMMA) return missingComma(text, string, end, at, open)
      const following = skipSpace(text, at + 1)
      if (text.charCodeAt(following) === close) {
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

/** Returns the fault where a key must begin, and none does. */
function noKey(text: string, string: number, at: number, open: Open): Violation {
  const before = text.slice(0, at).trimEnd().length - 1
  if (text.charCodeAt(at) === OPEN_OBJECT && text.charCodeAt(before) === COMMA) {
    return faultAt(before, before, `} ${ENDS_OBJECT}`)
  }
  return (
    strayQuote(text, string, text.slice(0, before).trimEnd().length, at) ??
    unexpected(text, at, 'a key in double quotes', open)
  )
}

const ENDS_OBJECT = 'must come here, to end this object before the next one'

function noColon(text: string, { start, end }: Range, at: number, open: Open): Violation {
  const [, name] = /^"([^":\\]+):\s*"$/.exec(text.slice(start, end)) ?? []
  if (name === undefined) return unexpected(text, at, 'the ":" after the key', open)
  const place = start + 1 + name.length
  return faultAt(place, place, 'a " must come here, to end the key')
}

/** Returns the fault where a key is in a list, or is the value of another key. */
function keyOutside(text: string, key: Range, closed: Open | undefined): Violation {
  const name: string = JSON.parse(text.slice(key.start, key.end))
  const brace = text.slice(0, key.start).replace(/\s*,\s*$/, '').length - 1
  if (text.charCodeAt(brace) === CLOSE_OBJECT && closed?.keys.size && !closed.keys.has(name)) {
    const message = `this } ends the object before its key ${JSON.stringify(name)}; remove it`
    return faultAt(brace, brace + 1, message)
  }
  return faultAt(key.start, key.end, 'a { must come before this key')
}

/** Returns the fault if a string seems to go on after the quote that ended it. */
function strayQuote(text: string, string: number, end: number, at: number): Violation | undefined {
  const isText = /^"[ \t,]*[\p{L}\p{N}.<>!?()]/u.test(text.slice(end - 1, at + 1))
  if (!isText && !ATTRIBUTE.test(text.slice(end - 3, at + 1))) return undefined
  const isCurly = /“[^“”]*$/.test(text.slice(string, end))
  const message = isCurly
    ? 'this quote ends the string; write ” to match the “ before it, or \\"'
    : 'this quote ends the string; a double quote within a text is written \\"'
  return faultAt(end - 1, end, message)
}

/** The quote before the value of an attribute, such as `="/` or `=""`. */
const ATTRIBUTE = /^[\w-]="["/#]$/

/**
 * Returns the fault where a value is followed by something other than a comma.
 *
 * @param string where the last string begins
 * @param end where the value ends
 * @param at where the text after it begins
 */
function missingComma(
  text: string,
  string: number,
  end: number,
  at: number,
  open: Open,
): Violation {
  const due = `a "," or the end of the ${open.kind}`
  const other = hintAt(text, at, due)
  const stray = other ? undefined : strayQuote(text, string, end, at)
  VALUE.lastIndex = at
  const isValue = VALUE.test(text)
  if (stray && (end === at || !isValue)) return stray
  if (!isValue) return unexpected(text, at, due, open)
  KEY.lastIndex = at
  const [, key] = KEY.exec(text) ?? []
  const message =
    open.kind === 'object' && text.charCodeAt(at) === OPEN_OBJECT
      ? `}, ${ENDS_OBJECT}`
      : key !== undefined && open.keys.has(key)
        ? '}, { must come here, between this object and the next'
        : 'a comma must come here, between this value and the next'
  return faultAt(end, end, message)
}

const KEY = /"([^"\\\n]*)"\s*:/y
const VALUE = /["[{]|-?\d|(?:true|false|null)\b/y

/** The last alternative accepts an escape that the end of the file cuts off. */
const ESCAPE = /["\\/bfnrt]|u[0-9a-fA-F]{4}|(?:u[0-9a-fA-F]{0,3})?$/y

function refuseEscape(text: string, at: number): Violation {
  const found = String.fromCodePoint(text.codePointAt(at + 1) ?? 0)
  const instead = /[ux]/i.test(found) ? 'the character itself' : 'a backslash as \\\\'
  const what = /\w/.test(found) ? `write ${instead}` : 'remove this backslash'
  return faultAt(at, at + 1 + found.length, `JSON has no escape \\${found}; ${what}`)
}

/** @returns the offset after the string that opens at `start`, or its fault */
function scanString(text: string, start: number): number | Violation {
  for (let at = start + 1; ; ) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at + 1
    if (code === BACKSLASH) {
      ESCAPE.lastIndex = at + 1
      if (!ESCAPE.test(text)) {
        return refuseEscape(text, at)
      }
      at = ESCAPE.lastIndex
    } else if (code >= 0x20) {
      at++
    } else if (Number.isNaN(code)) {
      return faultAt(start, at, 'the file ends inside this string')
    } else if (code === 0x0a || code === 0x0d) {
      const message = 'this string does not end on its line (a line break in it is written "\\n")'
      return hintOfQuote(text, start, at) ?? faultAt(start, at, message)
    } else {
      const written = JSON.stringify(String.fromCharCode(code))
      const name = code === 0x09 ? 'a tab in a text' : 'a control character'
      return faultAt(at, at + 1, `${name} must be written ${written}`)
    }
  }
}

const LITERAL_OR_NUMBER =
  /(?:true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)(?![-+.\w])/y
const WORD = /[-+.\w$]+/y

/** @returns the offset after the literal or number that begins at `at`, or its fault */
function scanWord(text: string, at: number, open: Open | undefined): number | Violation {
  LITERAL_OR_NUMBER.lastIndex = at
  if (LITERAL_OR_NUMBER.test(text)) return LITERAL_OR_NUMBER.lastIndex
  WORD.lastIndex = at
  const [word] = WORD.exec(text) ?? []
  if (word === undefined) return unexpected(text, at, 'a value', open)
  return faultAt(
    at,
    at + word.length,
    hintOfWord(word, text.slice(at + word.length, at + word.length + 2)),
  )
}

function unexpected(text: string, at: number, due: string, open: Open | undefined): Violation {
  const opens = open ? ` (the ${open.kind} opens at line ${lineAt(text, open.start)})` : ''
  if (at >= text.length) {
    return faultAt(at, at, `the file ends here, where ${due} must come${opens}`)
  }
  const character = String.fromCodePoint(text.codePointAt(at) as number)
  const shown = character === '"' ? `'"'` : JSON.stringify(character)
  const isOtherEnd = due.startsWith('a ","') && ']}'.includes(character)
  const general = `unexpected ${shown}; ${due} must come here${isOtherEnd ? opens : ''}`
  const message = hintAt(text, at, due) ?? general
  return faultAt(at, at + character.length, message)
}

function lineAt(text: string, offset: number): number {
  return 1 + (text.slice(0, offset).match(/\r\n?|\n/g) ?? []).length
}
