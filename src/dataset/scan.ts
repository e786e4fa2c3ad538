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
/** How many zeros stand after a text at least, and after a copy that may write past its end. */
const SLACK = 64

const QUOTE = 0x22
const NULL = 0x6e
const FALSE = 0x66

/** What the program exports; see scan-program.ts. */
type Program = {
  memory: WebAssembly.Memory
  scan(start: number, end: number, place: number): number
  write(place: number, to: number): number
  compare(a: number, aEnd: number, b: number, bEnd: number, to: number): number
} & Record<'classes' | 'next' | 'loops' | 'members' | 'membersEnd', WebAssembly.Global> &
  Record<'stride' | 'longest', WebAssembly.Global>

/** Scans one batch after another by the same grammar. What it says of one holds until the next. */
export class Scanner {
  readonly #program: Program
  /** The keys of the members of a record, in order. */
  readonly keys: string[]
  /** Which member is the path, and which the form; -1 where there is none. */
  readonly path: number
  readonly form: number
  readonly #keepsRules: ReturnType<typeof rulesForBytes>

  /** How many records the batch has. */
  records = 0
  /** The positions of the doubtful ones, in order. */
  doubtful: number[] = []

  // The memory of the program: the tables, room for two records, the batch, its places. Offsets are
  // in bytes, but for those of places, which are in numbers of four.
  #memory: Buffer
  #places: Int32Array
  readonly #verdicts: number
  readonly #records: [number, number]
  readonly #batch: number
  #firstPlace = 0
  readonly #stride: number

  constructor(grammar: Grammar) {
    const { members, automaton, program } = grammar
    this.keys = members.map(({ key }) => key)
    this.path = this.keys.indexOf('path')
    this.form = this.keys.indexOf('form')
    this.#keepsRules = rulesForBytes(this.keys)
    this.#stride = 2 + 2 * members.length

    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(program))
    this.#program = exports as Program
    const { next, loops, rowOf } = layOut(automaton)
    const keys = members.map(({ key }) => Buffer.from(`,${JSON.stringify(key)}:`))
    let free = SLACK
    const allot = (length: number) => {
      const at = free
      free += Math.ceil((length + SLACK) / SLACK) * SLACK
      return at
    }
    const tables = {
      classes: allot(automaton.classes.length),
      next: allot(next.byteLength),
      loops: allot(loops.length),
      members: allot(members.length * 16),
    }
    const keysAt = keys.map(({ length }) => allot(length))
    this.#verdicts = allot(members.length)
    this.#records = [allot(LONGEST_RECORD + SLACK), allot(LONGEST_RECORD + SLACK)]
    this.#batch = free

    this.#memory = this.#grow(free)
    this.#places = new Int32Array(this.#memory.buffer)
    this.#memory.set(automaton.classes, tables.classes)
    this.#memory.set(loops, tables.loops)
    this.#places.set(next, tables.next / 4)
    for (const [index, { start, isRequired }] of members.entries()) {
      const [key, at] = [keys[index] as Buffer, keysAt[index] as number]
      this.#memory.set(key, at)
      const member = [at, key.length, rowOf(start), isRequired ? 1 : 0]
      this.#places.set(member, tables.members / 4 + 4 * index)
    }
    for (const [name, at] of Object.entries(tables)) {
      this.#program[name as keyof typeof tables].value = at
    }
    this.#program.membersEnd.value = tables.members + members.length * 16
    this.#program.stride.value = this.#stride * 4
    this.#program.longest.value = LONGEST_RECORD
  }

  /** @returns the memory, with so many bytes at least */
  #grow(bytes: number): Buffer {
    const { memory } = this.#program
    const missing = Math.ceil((bytes - memory.buffer.byteLength) / PAGE)
    if (missing > 0) memory.grow(missing)
    return Buffer.from(memory.buffer)
  }

  /** Where a record begins in the bytes. */
  start(record: number): number {
    return this.#place(record, 0)
  }

  end(record: number): number {
    return this.#place(record, 1)
  }

  /** Where the value of a member begins; negative where the record has no such member. */
  valueStart(record: number, member: number): number {
    return this.#place(record, 2 + 2 * member)
  }

  valueEnd(record: number, member: number): number {
    return this.#place(record, 3 + 2 * member)
  }

  #place(record: number, number: number): number {
    const at = this.#firstPlace + record * this.#stride + number
    return (this.#places[at] as number) - this.#batch
  }

  /** @returns whether the bytes are an array of JSON values; false is no verdict */
  scan(bytes: Buffer): boolean {
    this.records = 0
    this.doubtful = []
    if (bytes.length > constants.MAX_STRING_LENGTH) return false
    const start = this.#batch
    const end = start + bytes.length
    const place = Math.ceil((end + SLACK) / SLACK) * SLACK
    this.#memory = this.#grow(place)
    this.#memory.set(bytes, start)
    this.#memory.fill(0, end, place)
    this.#firstPlace = place / 4
    const records = this.#program.scan(start, end, place)
    // The places may have needed more memory.
    this.#memory = this.#grow(0)
    this.#places = new Int32Array(this.#memory.buffer)
    if (records < 0) return false
    this.records = records
    this.#findDoubtful()
    // What the grammar accepts is in UTF-8.
    return this.doubtful.length === 0 || isUtf8(bytes)
  }

  #findDoubtful(): void {
    const places = this.#places
    const keepsRules = this.#keepsRules
    for (let record = 0, at = this.#firstPlace; record < this.records; record++) {
      const end = places[at + 1] as number
      if (end < 0) places[at + 1] = -end
      if (end < 0 || !keepsRules(this.#memory, places, at + 2)) this.doubtful.push(record)
      at += this.#stride
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
    const [a, b] = this.#records
    const aEnd = a + oneEnd - oneStart
    const bEnd = b + otherEnd - otherStart
    if (Math.max(aEnd - a, bEnd - b) > LONGEST_RECORD) return undefined
    const memory = this.#memory
    one.copy(memory, a, oneStart, oneEnd)
    other.copy(memory, b, otherStart, otherEnd)
    // What an earlier record left must not seem to go on with this one.
    memory[aEnd] = 0
    memory[bEnd] = 0
    if (!this.#program.compare(a, aEnd, b, bEnd, this.#verdicts)) return undefined
    const differing: string[] = []
    const added: string[] = []
    for (const [member, key] of this.keys.entries()) {
      const verdict = memory[this.#verdicts + member]
      if (verdict === IN_BOTH_OR_FIRST) differing.push(key)
      else if (verdict === IN_OTHER) added.push(key)
    }
    return differing.concat(added)
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
  write(record: number, target: Buffer, at: number): number {
    const [to] = this.#records
    const end = this.#program.write((this.#firstPlace + record * this.#stride) * 4, to)
    return at + this.#memory.copy(target, at, to, end)
  }
}

/** What `compare` says of a member that differs. */
const IN_BOTH_OR_FIRST = 1
const IN_OTHER = 2

/** The unit of WebAssembly's memory, in bytes. */
const PAGE = 2 ** 16

const DEAD = -1
const ACCEPTS = -2
/** A state in which so many different bytes stay is one of a text, or of white space. */
const LEAST = 4

/**
 * Lays a table out for the program. A state is the offset of its row in `next`, and in the low byte
 * the number of its loop, or 0. The next state stands in the row, a number of four bytes for each
 * class; or that there is none, or that the value ends here, for no JSON value of the grammar is the
 * beginning of another (it has no numbers).
 *
 * Most bytes of a text lead back to the state where it stands. Which of them do, if they are ASCII,
 * is a loop: two tables of sixteen bytes, by the low and by the high half of a byte. It goes on
 * where both have a bit in common (Langdale and Lemire 2019, section 3.1.2).
 */
function layOut({ classes, width, next, accepts }: Grammar['automaton']) {
  const staysBy = (state: number, byte: number) =>
    next[state * width + (classes[byte] as number)] === state
  const ascii = Array.from({ length: 128 }, (_, byte) => byte)
  const hottest = Array.from(accepts, (_, state) => {
    return { state, bytes: state === 0 ? [] : ascii.filter((byte) => staysBy(state, byte)) }
  })
    .filter(({ bytes }) => bytes.length >= LEAST)
    .sort((a, b) => b.bytes.length - a.bytes.length)
    .slice(0, 255)

  const loopOf = new Uint8Array(accepts.length)
  const loops = new Uint8Array(32 * (hottest.length + 1))
  for (const [index, { state, bytes }] of hottest.entries()) {
    const loop = index + 1
    loopOf[state] = loop
    for (const byte of bytes) {
      const [low, high] = [byte & 0x0f, byte >> 4]
      loops[loop * 32 + low] = (loops[loop * 32 + low] as number) | (1 << high)
      loops[loop * 32 + 16 + high] = 1 << high
    }
  }
  const rowOf = (state: number) => state * width * 4 * 256 + (loopOf[state] as number)
  const laidOut = new Int32Array(next.length)
  for (let index = 0; index < next.length; index++) {
    const state = next[index] as number
    laidOut[index] = state === 0 ? DEAD : accepts[state] ? ACCEPTS : rowOf(state)
  }
  return { next: laidOut, loops, rowOf }
}
