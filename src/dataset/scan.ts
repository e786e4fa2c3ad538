/**
 * The clever module: reads a batch without making strings or objects of it.
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
import { Allocator, PADDING } from './allocator.ts'
import type { Grammar } from './grammar.ts'
import { type PathExports, type PathSet, ProgramPathSet } from './path-set.ts'
import { RULE_NAMES } from './rule-programs.ts'
import { rulesForBytes } from './rules.ts'

/** A pattern that reads a longer text may end in an error; the plain version tells it. */
const LONGEST_RECORD = 2 ** 20

const QUOTE = 0x22
const NULL = 0x6e
const FALSE = 0x66

/** What the program exports; see scan-program.ts. */
type Exports = {
  scan(start: number, end: number, span: number, spansEnd: number): number
  write(span: number, to: number): number
  compare(a: number, aEnd: number, b: number, bEnd: number): number
} & Record<Global, WebAssembly.Global> &
  PathExports

type Global =
  | 'classes'
  | 'next'
  | 'loops'
  | 'members'
  | 'membersEnd'
  | 'rules'
  | 'rulesEnd'
  | 'stride'
  | 'longest'

/** From where to where a batch stands in the memory of the program, and room for its spans. */
export interface ScanTask {
  start: number
  end: number
  span: number
  spansEnd: number
}

/** Scans one batch after another by the same grammar. What it says of one holds until the next. */
export class Scanner {
  readonly #exports: Exports
  /** What another thread needs to carry out a `ScanTask`. */
  readonly program: {
    module: WebAssembly.Module
    memory: WebAssembly.Memory
    globals: Record<Global, number>
  }
  /** The keys of the members of a record, in order. */
  readonly keys: string[]
  /** Which member is the path, and which the form; -1 where there is none. */
  readonly path: number
  readonly form: number

  /** How many records the batch has. */
  records = 0
  /** The positions of the doubtful ones, in order. */
  doubtful: number[] = []

  readonly #allocator: Allocator
  /** The whole memory, as numbers of four bytes. */
  #numbers = new Int32Array()
  /** Where the batch starts, and the spans: lists of numbers, as many as the stride. */
  #start = 0
  #firstSpan = 0
  readonly #stride: number
  /** Than how many bytes no record that the grammar accepts is shorter. */
  readonly #shortest: number
  /** By what `compare` says, the keys that it means. */
  readonly #keysOf = new Map<number, string[]>()
  /** Memory for a batch that comes from elsewhere, and for two records. */
  #own: Buffer | undefined
  readonly #one: Buffer
  readonly #other: Buffer

  /**
   * @throws RangeError where there is too little memory
   * @throws WebAssembly.CompileError where the processor lacks what the program needs
   */
  constructor(grammar: Grammar, allocator = new Allocator()) {
    const { members, automaton, program } = grammar
    this.keys = members.map(({ key }) => key)
    this.path = this.keys.indexOf('path')
    this.form = this.keys.indexOf('form')
    this.#stride = 2 + 2 * members.length
    // With its quotes, a colon, a comma and the shortest of all values.
    const lengths = members.map(({ key, isRequired }) => (isRequired ? key.length + 6 : 0))
    this.#shortest = lengths.reduce((sum, length) => sum + length)
    this.#allocator = allocator
    const allocate = (bytes: number): Buffer => {
      const block = allocator.tryAllocate(bytes)
      if (!block) throw new RangeError('there is too little memory for a grammar')
      return block
    }
    const put = (bytes: Uint8Array): number => {
      const block = allocate(bytes.length)
      block.set(bytes)
      return block.byteOffset
    }
    this.#one = allocate(LONGEST_RECORD)
    this.#other = allocate(LONGEST_RECORD)
    const { next, loops, rowOf } = layOut(automaton)
    const keys = this.keys.map((key) => Buffer.from(`,${JSON.stringify(key)}:`))
    const list = members.flatMap(({ start, isRequired }, index) => {
      const key = keys[index] as Buffer
      return [put(key), key.length, rowOf(start), isRequired ? 1 : 0]
    })
    const membersAt = put(toBytes(Int32Array.from(list)))
    const rules = rulesForBytes(this.keys).flatMap(({ program, members }) => {
      return [RULE_NAMES.indexOf(program), ...members.map((member) => 4 * (2 + 2 * member))]
    })
    const rulesAt = put(toBytes(Int32Array.from(rules)))
    const globals = {
      classes: put(automaton.classes),
      next: put(toBytes(next)),
      loops: put(loops),
      members: membersAt,
      membersEnd: membersAt + 4 * list.length,
      rules: rulesAt,
      rulesEnd: rulesAt + 4 * rules.length,
      stride: 4 * this.#stride,
      longest: LONGEST_RECORD,
    }
    const { memory } = allocator
    this.program = { module: new WebAssembly.Module(program), memory, globals }
    const { exports } = new WebAssembly.Instance(this.program.module, { allocator: { memory } })
    this.#exports = exports as Exports
    for (const [name, value] of Object.entries(globals)) {
      this.#exports[name as Global].value = value
    }
  }

  /** Makes an empty set of paths, and forgets the one that it has made before. */
  makePathSet(): PathSet {
    return new ProgramPathSet(this.#exports, this.#allocator)
  }

  /** Where a record begins in the bytes. */
  start(record: number): number {
    return this.#spanAt(record, 0)
  }

  end(record: number): number {
    return this.#spanAt(record, 1)
  }

  /** Where the value of a member begins; negative where the record has no such member. */
  valueStart(record: number, member: number): number {
    return this.#spanAt(record, 2 + 2 * member)
  }

  valueEnd(record: number, member: number): number {
    return this.#spanAt(record, 3 + 2 * member)
  }

  #spanAt(record: number, number: number): number {
    const at = this.#firstSpan + record * this.#stride + number
    return (this.#numbers[at] as number) - this.#start
  }

  /**
   * Allocates memory for a batch of so many bytes, from where it is scanned without being copied,
   * and for the spans of its records: of as many as the grammar can accept.
   *
   * @returns nothing when the memory is full
   */
  tryAllocateBatch(bytes: number): Buffer | undefined {
    const spans = Math.ceil(bytes / this.#shortest + 16) * this.#stride * 4
    return this.#allocator.tryAllocate(bytes + PADDING + spans)?.subarray(0, bytes)
  }

  /**
   * Scans a batch, unless that has been done elsewhere.
   *
   * @param outcome what the task for these bytes came to, where it has been carried out
   * @returns whether the bytes are an array of JSON values; false is no verdict
   */
  scan(bytes: Buffer, outcome?: number): boolean {
    this.records = 0
    this.doubtful = []
    if (bytes.length > constants.MAX_STRING_LENGTH) return false
    const task = this.toTask(bytes) ?? this.toTask(this.#copy(bytes))
    if (!task) return false
    const { start, end, span, spansEnd } = task
    const records = outcome ?? this.#exports.scan(start, end, span, spansEnd)
    if (records < 0) return false
    if (this.#numbers.buffer !== this.#allocator.memory.buffer) {
      this.#numbers = new Int32Array(this.#allocator.memory.buffer)
    }
    this.#start = start
    this.#firstSpan = span / 4
    this.records = records
    this.#findDoubtful()
    // What the grammar accepts is in UTF-8.
    return this.doubtful.length === 0 || isUtf8(bytes)
  }

  /** What there is to do for a batch; nothing where it stands elsewhere. */
  toTask(bytes: Buffer | undefined): ScanTask | undefined {
    const spansEnd = bytes && this.#allocator.endOf(bytes)
    if (!bytes || spansEnd === undefined) return undefined
    const start = bytes.byteOffset
    const end = start + bytes.length
    const span = Math.ceil((end + PADDING) / PADDING) * PADDING
    new Uint8Array(this.#allocator.memory.buffer, end, span - end).fill(0)
    return { start, end, span, spansEnd }
  }

  /** @returns the batch in the memory; nothing when that is full */
  #copy(bytes: Buffer): Buffer | undefined {
    if (!this.#own || this.#own.length < bytes.length) {
      if (this.#own) this.#allocator.free(this.#own)
      this.#own = this.tryAllocateBatch(bytes.length)
    }
    if (this.#own) bytes.copy(this.#own)
    return this.#own?.subarray(0, bytes.length)
  }

  #findDoubtful(): void {
    const spans = this.#numbers
    for (let record = 0, at = this.#firstSpan; record < this.records; record++) {
      const end = spans[at + 1] as number
      if (end < 0) {
        spans[at + 1] = -end
        this.doubtful.push(record)
      }
      at += this.#stride
    }
  }

  /**
   * The keys in which two records in normal form differ, each from its start to before its end.
   *
   * @returns first the keys of the one, in its order, the same list for the same keys; nothing where
   *   bytes do not tell
   */
  differingFields(
    one: Buffer,
    oneStart: number,
    oneEnd: number,
    other: Buffer,
    otherStart: number,
    otherEnd: number,
  ): string[] | undefined {
    const [length, otherLength] = [oneEnd - oneStart, otherEnd - otherStart]
    if (Math.max(length, otherLength) > LONGEST_RECORD) return undefined
    if (this.keys.length > MOST_COMPARED) return undefined
    const a = this.#find(one, oneStart, oneEnd, this.#one)
    const b = this.#find(other, otherStart, otherEnd, this.#other)
    const verdicts = this.#exports.compare(a, a + length, b, b + otherLength)
    if (verdicts < 0) return undefined
    let keys = this.#keysOf.get(verdicts)
    if (!keys) {
      const keysWith = (verdict: number) =>
        this.keys.filter((_, member) => ((verdicts >> (2 * member)) & 3) === verdict)
      keys = [...keysWith(IN_BOTH_OR_FIRST), ...keysWith(IN_OTHER)]
      this.#keysOf.set(verdicts, keys)
    }
    return keys
  }

  /** Where bytes are in the memory of the program, into which they are copied where need be. */
  #find(bytes: Buffer, start: number, end: number, block: Buffer): number {
    if (this.#allocator.endOf(bytes) !== undefined) return bytes.byteOffset + start
    bytes.copy(block, 0, start, end)
    return block.byteOffset
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
    const span = (this.#firstSpan + record * this.#stride) * 4
    if (this.#allocator.endOf(target) !== undefined) {
      return this.#exports.write(span, target.byteOffset + at) - target.byteOffset
    }
    const to = this.#one.byteOffset
    return at + this.#one.copy(target, at, 0, this.#exports.write(span, to) - to)
  }
}

/** What `compare` says of a member that differs. */
const IN_BOTH_OR_FIRST = 1
const IN_OTHER = 2
/** As many members as there is room for in one number. */
const MOST_COMPARED = 15

function toBytes({ buffer }: Int32Array<ArrayBuffer>): Uint8Array {
  return new Uint8Array(buffer)
}

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
