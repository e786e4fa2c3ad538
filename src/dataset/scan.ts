/**
 * The clever room: reads a batch without making strings or objects of it.
 *
 * `JSON.parse`, the schema check and `JSON.stringify` cost most of a plain build, to find out that
 * nearly every record is valid and stands in its batch as it will stand in the dataset, but for
 * white space. So the grammar made of the schema (see grammar.ts) runs over the bytes. A record
 * that it accepts is valid, in UTF-8, repeats no key, and its normal form is its own bytes.
 * A record that it does not accept is not wrong for that: it is doubtful, and `validateRecord`
 * judges it as the plain version would. Where even that is doubtful, such as in a batch with a
 * syntax error, the whole batch goes to the plain version, `validate`.
 *
 * So what is decided here must be right only when it says yes. The plain version is the oracle:
 * a test compares both on hostile batches, byte for byte and problem for problem.
 */
import { constants, isUtf8 } from 'node:buffer'
import type { Grammar } from './grammar.ts'
import { rulesForBytes } from './rules.ts'

/** A pattern that reads a longer text may end in an error; the plain version tells it. */
const LONGEST_RECORD = 2 ** 20

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const NULL = 0x6e
const FALSE = 0x66

/** Scans one batch after another by the same grammar. What it says of one holds until the next. */
export class Scanner {
  readonly #grammar: Grammar
  /** The keys of the members of a record, in order. */
  readonly keys: string[]
  /** Which member is the path, and which the form; -1 where there is none. */
  readonly path: number
  readonly form: number
  /** The keys as JSON, and as what stands before their values in the normal form. */
  readonly #keys: Buffer[]
  readonly #beforeValues: Buffer[]
  readonly #keepsRules: ReturnType<typeof rulesForBytes>
  /** The next state by row plus class of the byte: its row, and in the low byte its loop. */
  readonly #next: Int32Array
  /** For each loop and byte, whether it goes on: 256 bytes a loop. */
  readonly #loops: Uint8Array
  readonly #firsts: number[]

  /** How many records the batch has. */
  records = 0
  /** The positions of the doubtful ones, in order. */
  doubtful: number[] = []
  /** For each record: its start and end, then the start and end of each value. */
  #places = new Int32Array(1024)
  readonly #stride: number

  constructor(grammar: Grammar) {
    this.#grammar = grammar
    const { members, automaton } = grammar
    this.keys = members.map(({ key }) => key)
    this.path = this.keys.indexOf('path')
    this.form = this.keys.indexOf('form')
    this.#keys = this.keys.map((key) => Buffer.from(JSON.stringify(key)))
    this.#beforeValues = this.keys.map((key) => Buffer.from(`,${JSON.stringify(key)}:`))
    this.#keepsRules = rulesForBytes(this.keys)
    this.#stride = 2 + 2 * members.length
    const { next, loops, rowOf } = layOut(automaton)
    this.#next = next
    this.#loops = loops
    this.#firsts = members.map(({ start }) => rowOf(start))
  }

  /** Where a record begins in the bytes. */
  start(record: number): number {
    return this.#places[record * this.#stride] as number
  }

  end(record: number): number {
    return this.#places[record * this.#stride + 1] as number
  }

  /** Where the value of a member begins, or -1 where the record has no such member. */
  valueStart(record: number, member: number): number {
    return this.#places[record * this.#stride + 2 + 2 * member] as number
  }

  valueEnd(record: number, member: number): number {
    return this.#places[record * this.#stride + 3 + 2 * member] as number
  }

  /** @returns whether the bytes are an array of JSON values; false is no verdict */
  scan(bytes: Buffer): boolean {
    this.records = 0
    this.doubtful = []
    if (bytes.length > constants.MAX_STRING_LENGTH || !isUtf8(bytes)) return false
    let at = skipSpace(bytes, 0)
    if (bytes[at] !== OPEN_ARRAY) return false
    at = skipSpace(bytes, at + 1)
    if (bytes[at] === CLOSE_ARRAY) return skipSpace(bytes, at + 1) === bytes.length
    for (;;) {
      const place = this.#place(this.records)
      const start = at
      at = this.#record(bytes, start, place)
      if (
        at < 0 ||
        at - start > LONGEST_RECORD ||
        !this.#keepsRules(bytes, this.#places, place + 2)
      ) {
        at = skipValue(bytes, start)
        this.doubtful.push(this.records)
      }
      this.#places[place] = start
      this.#places[place + 1] = at
      this.records++
      at = skipSpace(bytes, at)
      if (bytes[at] === CLOSE_ARRAY) return skipSpace(bytes, at + 1) === bytes.length
      if (bytes[at] !== COMMA) return false
      at = skipSpace(bytes, at + 1)
    }
  }

  /**
   * The keys in which two records in normal form differ, each from its start to before its end.
   *
   * @returns first the keys of the one, in its order; nothing where bytes do not tell
   */
  differingFields(
    one: Buffer,
    oneStart: number,
    oneEnd: number,
    other: Buffer,
    otherStart: number,
    otherEnd: number,
  ): string[] | undefined {
    const differing: string[] = []
    let added: string[] | undefined
    let a = oneStart
    let b = otherStart
    for (let member = 0; member < this.keys.length; member++) {
      const key = this.keys[member] as string
      const before = this.#beforeValues[member] as Buffer
      // What stands before a member is a comma, or the bracket of the record.
      const inOne = isAt(one, a + 1, before, 1)
      const inOther = isAt(other, b + 1, before, 1)
      if (inOne) a += before.length
      if (inOther) b += before.length
      if (inOne && inOther) {
        const length = skipValue(one, a) - a
        if (isEqual(one, a, other, b, length)) {
          a += length
          b += length
          continue
        }
        // Equal objects may have their keys in another order.
        if (opens(one, a) && opens(other, b)) return undefined
      }
      if (inOne) {
        differing.push(key)
        a = skipValue(one, a)
      } else if (inOther) {
        added ??= []
        added.push(key)
      }
      if (inOther) b = skipValue(other, b)
    }
    const isWhole = (bytes: Buffer, at: number, end: number) =>
      bytes[at] === CLOSE_OBJECT && at + 1 === end
    if (!isWhole(one, a, oneEnd) || !isWhole(other, b, otherEnd)) return undefined
    return added ? differing.concat(added) : differing
  }

  /** Whether the value that begins at an offset is truthy, as `JSON.parse` would make it. */
  isTruthy(bytes: Buffer, at: number): boolean {
    const first = bytes[at]
    if (first === QUOTE) return bytes[at + 1] !== QUOTE
    return first !== NULL && first !== FALSE
  }

  /**
   * Writes a record that is not doubtful in its normal form.
   *
   * @returns the offset after it in the target
   */
  write(bytes: Buffer, record: number, target: Buffer, at: number): number {
    const place = record * this.#stride + 2
    const places = this.#places
    let out = at
    for (let member = 0; member < this.#beforeValues.length; member++) {
      const before = this.#beforeValues[member] as Buffer
      const start = places[place + 2 * member] as number
      if (start < 0) continue
      for (let index = 0; index < before.length; index++) {
        target[out + index] = before[index] as number
      }
      out += before.length
      out = copyValue(bytes, start, places[place + 2 * member + 1] as number, target, out)
    }
    // Where the comma before the first member stands; a record without members has none.
    if (out === at) out++
    target[at] = OPEN_OBJECT
    target[out] = CLOSE_OBJECT
    return out + 1
  }

  #place(record: number): number {
    const place = record * this.#stride
    if (place + this.#stride > this.#places.length) {
      const larger = new Int32Array(Math.max(this.#places.length * 2, place + this.#stride))
      larger.set(this.#places)
      this.#places = larger
    }
    return place
  }

  /** @returns the offset after the record, or -1 where the grammar does not accept it */
  #record(bytes: Uint8Array, start: number, place: number): number {
    if (bytes[start] !== OPEN_OBJECT) return -1
    const { members } = this.#grammar
    const places = this.#places
    let at = skipSpace(bytes, start + 1)
    let isOver = bytes[at] === CLOSE_OBJECT
    for (let member = 0; member < members.length; member++) {
      const value = place + 2 + 2 * member
      const key = this.#keys[member] as Uint8Array
      if (isOver || !isAt(bytes, at, key)) {
        if (members[member]?.isRequired) return -1
        places[value] = -1
        places[value + 1] = -1
        continue
      }
      at = skipSpace(bytes, at + key.length)
      if (bytes[at] !== COLON) return -1
      at = skipSpace(bytes, at + 1)
      places[value] = at
      at = this.#value(bytes, at, this.#firsts[member] as number)
      if (at < 0) return -1
      places[value + 1] = at
      at = skipSpace(bytes, at)
      if (bytes[at] === COMMA) at = skipSpace(bytes, at + 1)
      else if (bytes[at] === CLOSE_OBJECT) isOver = true
      else return -1
    }
    return isOver ? at + 1 : -1
  }

  #value(bytes: Uint8Array, start: number, first: number): number {
    const next = this.#next
    const loops = this.#loops
    const classes = this.#grammar.automaton.classes
    const end = bytes.length
    let state = first
    let at = start
    while (at < end) {
      const loop = (state & 0xff) << 8
      // Most bytes of a text lead back to where it stands: no need to ask the table.
      if (loop !== 0) {
        while (at < end && loops[loop + (bytes[at] as number)] !== 0) at++
        if (at === end) break
      }
      state = next[(state >>> 8) + (classes[bytes[at] as number] as number)] as number
      if (state === DEAD) return -1
      at++
      if (state === ACCEPTS) return at
    }
    return -1
  }
}

const DEAD = -1
/** A state in which so many different bytes stay is one of a text, or of white space. */
const LEAST = 4
const ACCEPTS = -2

/**
 * Lays a table out for the loop above. A value ends where the automaton accepts, for no JSON value
 * of the grammar is the beginning of another (it has no numbers).
 */
function layOut({ classes, width, next, accepts }: Grammar['automaton']) {
  const sizes = new Uint16Array(width)
  for (const each of classes) sizes[each] = (sizes[each] as number) + 1
  const stays = (state: number): number => {
    let bytes = 0
    for (let each = 0; each < width; each++) {
      if (next[state * width + each] === state) bytes += sizes[each] as number
    }
    return bytes
  }
  const hottest = Array.from(accepts, (_, state) => ({ state, bytes: state && stays(state) }))
    .filter(({ bytes }) => bytes >= LEAST)
    .sort((a, b) => b.bytes - a.bytes)
    .slice(0, 255)

  const loopOf = new Uint8Array(accepts.length)
  const loops = new Uint8Array(256 * (hottest.length + 1))
  for (const [index, { state }] of hottest.entries()) {
    const loop = index + 1
    loopOf[state] = loop
    for (let byte = 0; byte < 256; byte++) {
      const goesOn = next[state * width + (classes[byte] as number)] === state
      if (goesOn) loops[loop * 256 + byte] = 1
    }
  }
  const rowOf = (state: number) => state * width * 256 + (loopOf[state] as number)
  const laidOut = new Int32Array(next.length)
  for (let index = 0; index < next.length; index++) {
    const state = next[index] as number
    laidOut[index] = state === 0 ? DEAD : accepts[state] ? ACCEPTS : rowOf(state)
  }
  return { next: laidOut, loops, rowOf }
}

// The bytes of a JSON text -------------------------------------------------------------------------

function skipSpace(bytes: Uint8Array, start: number): number {
  const end = bytes.length
  let at = start
  while (at < end) {
    const byte = bytes[at] as number
    if (byte > 0x20 || (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09)) break
    at++
  }
  return at
}

/** @param from where in the word to begin */
function isAt(bytes: Uint8Array, at: number, word: Uint8Array, from = 0): boolean {
  if (at + word.length - from > bytes.length) return false
  for (let index = from; index < word.length; index++) {
    if (bytes[at + index - from] !== word[index]) return false
  }
  return true
}

/** Whether an array or an object begins at an offset. */
function opens(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === OPEN_OBJECT || bytes[at] === OPEN_ARRAY
}

/** Whether so many bytes of two buffers are equal. */
function isEqual(one: Buffer, a: number, other: Buffer, b: number, length: number): boolean {
  for (let at = 0; at < length; at++) if (one[a + at] !== other[b + at]) return false
  return true
}

/** @returns the offset after the closing quote of the string that opens at `start` */
function skipString(bytes: Uint8Array, start: number): number {
  let at = start + 1
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  return at + 1
}

/** @returns where the value ends that begins at `start`, if it is one: nothing is checked */
function skipValue(bytes: Uint8Array, start: number): number {
  let depth = 0
  for (let at = start; at < bytes.length; ) {
    const byte = bytes[at] as number
    const opens = byte === OPEN_OBJECT || byte === OPEN_ARRAY
    const closes = byte === CLOSE_OBJECT || byte === CLOSE_ARRAY
    if (depth === 0 && (closes || byte === COMMA || (byte <= 0x20 && skipSpace(bytes, at) > at))) {
      return at
    }
    if (opens) depth++
    else if (closes) depth--
    at = byte === QUOTE ? skipString(bytes, at) : at + 1
    if (depth === 0 && (closes || byte === QUOTE)) return at
  }
  return bytes.length
}

/**
 * Copies a value that the grammar accepts, in its normal form.
 *
 * @returns the offset after it in the target
 */
function copyValue(
  source: Buffer,
  start: number,
  end: number,
  target: Uint8Array,
  to: number,
): number {
  const opens = source[start] === OPEN_OBJECT || source[start] === OPEN_ARRAY
  if (!opens && end - start > 64) return to + source.copy(target, to, start, end)
  let at = start
  let out = to
  while (at < end) {
    const byte = source[at] as number
    if (opens && byte === QUOTE) {
      const after = skipString(source, at)
      while (at < after) target[out++] = source[at++] as number
    } else if (!opens || byte > 0x20) {
      target[out++] = byte
      at++
    } else at++
  }
  return out
}
