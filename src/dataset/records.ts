/**
 * What a batch becomes for the build: its valid records, each as the bytes that the dataset is to
 * hold, and its problems. Chooses between the two ways to get there (see scan.ts).
 */
import type { Page } from '../generated/dataset.json'
import { Allocator } from './allocator.ts'
import { differingFields } from './dedupe.ts'
import type { Grammar } from './grammar.ts'
import { locate, type Range } from './json.ts'
import { type PathSet, PlainPathSet } from './path-set.ts'
import { type Finding, fileProblem, LINES_BEFORE, type Problem, toProblems } from './problem.ts'
import { Scanner, type ScanTask } from './scan.ts'
import type { Judge, SchemaCheck, Violation } from './schema.ts'
import { type ValidatedBatch, validate, validateRecord } from './validate.ts'

/** The valid records of a batch, one after another. What it says holds until `next`. */
export interface Records {
  /** How many records the batch holds, valid or not; 0 when it is no array. */
  records: number
  problems: Problem[]
  /** Makes problems of violations that show only beside other batches. */
  locate(violations: readonly Violation[]): Problem[]
  /** Goes to the next valid record, the first at first. */
  next(): boolean
  /** The position of the record in its batch. */
  index: number
  hasForm: boolean
  /** The bytes of its path, as a JSON string without its quotes. */
  pathBytes: Buffer
  pathStart: number
  pathEnd: number
  /** At most how many bytes `write` writes. */
  size: number
  /** Writes the record as the dataset is to hold it. @returns the offset after it */
  write(target: Buffer, at: number): number
}

/** Reads one batch after another. */
export class RecordReader {
  readonly #check: SchemaCheck
  readonly #frames: number
  readonly #scanner: Scanner | undefined
  /** Of the memory in which what is read and written stands best. */
  readonly allocator: Allocator

  /** @param frames of how many problems of a batch the lines around them are kept */
  constructor({ check, grammar }: Judge, frames: number, allocator = new Allocator()) {
    this.#check = check
    this.#frames = frames
    this.allocator = allocator
    this.#scanner = grammar && makeScanner(grammar, allocator)
  }

  /** Allocates memory for a batch of so many bytes; to be freed when it is done with. */
  allocateBatch(bytes: number): Buffer {
    return this.#scanner?.tryAllocateBatch(bytes) ?? this.allocator.allocate(bytes)
  }

  /** Makes the set of the paths that the batches to be read claim. */
  makePathSet(): PathSet {
    return this.#scanner?.makePathSet() ?? new PlainPathSet()
  }

  /** What another thread needs to scan batches, where that is done at all. */
  get program(): Scanner['program'] | undefined {
    return this.#scanner?.program
  }

  /** What such a thread is to do for a batch, where it stands in the shared memory. */
  toScanTask(bytes: Buffer): ScanTask | undefined {
    return this.#scanner?.toTask(bytes)
  }

  /**
   * @param batch the name of the batch, as problems are to give it
   * @param outcome what the task for these bytes came to, where it has been carried out
   * @returns what holds until the next batch is read
   */
  read(batch: string, bytes: Buffer, outcome?: number): Records {
    const doubts = this.#scanner?.scan(bytes, outcome)
      ? this.#judgeDoubtful(this.#scanner, bytes)
      : undefined
    return this.#scanner && doubts
      ? new ScannedRecords(batch, bytes, this.#scanner, doubts, this.#frames)
      : new PlainRecords(validateOrTell(batch, bytes, this.#check, this.#frames))
  }

  /** @returns what became of each doubtful record, in order; nothing when the batch is doubtful */
  #judgeDoubtful(scanner: Scanner, bytes: Buffer): Doubt[] | undefined {
    const doubts: Doubt[] = []
    for (const index of scanner.doubtful) {
      const text = bytes.toString('utf8', scanner.start(index), scanner.end(index))
      try {
        const judged = validateRecord(text, index, this.#check)
        if (!judged) return undefined
        doubts.push({ index, ...judged })
      } catch (error) {
        if (error instanceof RangeError) return undefined
        throw error
      }
    }
    return doubts
  }

  /**
   * The keys in which a record differs from a kept one, first those of the kept one; both as
   * `write` writes them, from their start to before their end.
   */
  differingFields(
    kept: Buffer,
    keptStart: number,
    keptEnd: number,
    dropped: Buffer,
    start: number,
    end: number,
  ): string[] {
    return (
      this.#scanner?.differingFields(kept, keptStart, keptEnd, dropped, start, end) ??
      differingFields(
        JSON.parse(kept.toString('utf8', keptStart, keptEnd)),
        JSON.parse(dropped.toString('utf8', start, end)),
      )
    )
  }
}

/** @returns nothing where its tables have no room, or the processor not what the program needs */
function makeScanner(grammar: Grammar, allocator: Allocator): Scanner | undefined {
  try {
    return new Scanner(grammar, allocator)
  } catch (error) {
    if (error instanceof RangeError || error instanceof WebAssembly.CompileError) return undefined
    throw error
  }
}

/** V8's regular expressions give up on a text of about 10 MB; whoever wrote it should hear why. */
function validateOrTell(...batch: Parameters<typeof validate>): ValidatedBatch {
  try {
    return validate(...batch)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    const message = `the file has a text too long to be checked (${error.message}); shorten it`
    return { records: 0, pages: [], problems: [fileProblem(batch[0], message)], locate: () => [] }
  }
}

/** A doubtful record: the page that it is, or what is wrong, at which offset of its own text. */
type Doubt = { index: number } & ({ page: Page } | { findings: Finding[] })

/** The records of a batch that was scanned. */
class ScannedRecords implements Records {
  readonly records: number
  readonly problems: Problem[]
  index = -1
  hasForm = false
  pathBytes: Buffer
  pathStart = 0
  pathEnd = 0
  size = 0
  readonly #batch: string
  readonly #bytes: Buffer
  readonly #scanner: Scanner
  readonly #doubts: Doubt[]
  readonly #frames: number
  #nextDoubt = 0
  /** The present record, where it was doubtful. */
  #page: Buffer | undefined

  constructor(batch: string, bytes: Buffer, scanner: Scanner, doubts: Doubt[], frames: number) {
    this.records = scanner.records
    this.pathBytes = bytes
    this.#batch = batch
    this.#bytes = bytes
    this.#scanner = scanner
    this.#doubts = doubts
    this.#frames = frames
    this.problems = this.#toProblems(
      doubts.flatMap((doubt) => ('findings' in doubt ? doubt.findings : [])),
    )
  }

  next(): boolean {
    while (++this.index < this.records) {
      const doubt = this.#doubts[this.#nextDoubt]
      if (doubt?.index !== this.index) {
        this.#toScanned()
        return true
      }
      this.#nextDoubt++
      if ('page' in doubt) {
        this.#page = Buffer.from(JSON.stringify(doubt.page))
        Object.assign(this, describe(doubt.page, this.#page))
        return true
      }
    }
    return false
  }

  #toScanned(): void {
    const { index } = this
    const scanner = this.#scanner
    this.#page = undefined
    this.pathBytes = this.#bytes
    this.pathStart = scanner.valueStart(index, scanner.path) + 1
    this.pathEnd = scanner.valueEnd(index, scanner.path) - 1
    this.size = scanner.end(index) - scanner.start(index)
    const form = scanner.form < 0 ? -1 : scanner.valueStart(index, scanner.form)
    this.hasForm = form >= 0 && scanner.isTruthy(this.#bytes, form)
  }

  write(target: Buffer, at: number): number {
    return this.#page
      ? at + this.#page.copy(target, at)
      : this.#scanner.write(this.index, target, at)
  }

  locate(violations: readonly Violation[]): Problem[] {
    const findings = violations.map(({ pointer, message }) => {
      const record = Number(pointer[0])
      const text = this.#bytes.toString(
        'utf8',
        this.#scanner.start(record),
        this.#scanner.end(record),
      )
      const { path } = JSON.parse(text) as Page
      const [place] = locate(text, [{ pointer: pointer.slice(1), at: 'value' }])
      return { ...(place as Range), pointer, message, record, path }
    })
    return this.#toProblems(findings)
  }

  /** @param findings by record in order, with offsets from the beginning of the record */
  #toProblems(findings: readonly Finding[]): Problem[] {
    if (findings.length === 0) return []
    const bytes = this.#bytes
    // Only lines that are shown need be decoded; of all others Latin-1 shows at once where they end.
    // Joined at the end: V8 is slow to find the ends of lines in what `+=` has made.
    const parts: string[] = []
    let length = 0
    let decoded = 0
    const decode = (encoding: 'latin1' | 'utf8', to: number) => {
      const part = bytes.toString(encoding, decoded, to)
      parts.push(part)
      length += part.length
      decoded = to
    }
    // The last record, in bytes and in units of the text.
    let byte = 0
    let offset = 0
    const placed = findings.map((finding) => {
      const start = this.#scanner.start(finding.record as number)
      const end = this.#scanner.end(finding.record as number)
      if (start >= decoded) {
        const from = Math.max(decoded, startOfLine(bytes, start, LINES_BEFORE))
        decode('latin1', from)
        byte = from
        offset = length
      }
      if (end > decoded) decode('utf8', endOfLine(bytes, end))
      offset += bytes.toString('utf8', byte, start).length
      byte = start
      return { ...finding, start: finding.start + offset, end: finding.end + offset }
    })
    return toProblems(this.#batch, parts.join(''), placed, this.#frames)
  }
}

const LINE_FEED = 0x0a

/** Where the line begins that stands so many lines before the one of an offset. */
function startOfLine(bytes: Buffer, at: number, before: number): number {
  let start = at
  for (let line = 0; line <= before && start > 0; line++) {
    start = bytes.lastIndexOf(LINE_FEED, start - 1)
    if (start < 0) return 0
  }
  return start
}

function endOfLine(bytes: Buffer, at: number): number {
  const end = bytes.indexOf(LINE_FEED, at)
  return end < 0 ? bytes.length : end
}

/** The records of a batch that the plain version has validated. */
class PlainRecords implements Records {
  readonly records: number
  readonly problems: Problem[]
  readonly locate: Records['locate']
  index = -1
  hasForm = false
  pathBytes = NO_BYTES
  pathStart = 0
  pathEnd = 0
  size = 0
  readonly #pages: Iterator<{ index: number; page: Page }>
  #page = NO_BYTES

  constructor({ records, problems, locate, pages }: ValidatedBatch) {
    this.records = records
    this.problems = problems
    this.locate = locate
    this.#pages = pages[Symbol.iterator]()
  }

  next(): boolean {
    const { value, done } = this.#pages.next()
    if (done) return false
    this.index = value.index
    this.#page = Buffer.from(JSON.stringify(value.page))
    Object.assign(this, describe(value.page, this.#page))
    return true
  }

  write(target: Buffer, at: number): number {
    return at + this.#page.copy(target, at)
  }
}

const NO_BYTES = Buffer.alloc(0)

/** What `Records` says of a page of which there is an object. */
function describe({ path, form }: Page, { length }: Buffer) {
  const pathBytes = Buffer.from(JSON.stringify(path))
  const pathEnd = pathBytes.length - 1
  return { hasForm: Boolean(form), pathBytes, pathStart: 1, pathEnd, size: length }
}
