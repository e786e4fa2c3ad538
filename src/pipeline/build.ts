/**
 * The build as a sentence: read the batches, validate them, dedupe by path, stop if there are
 * problems, emit. The disk is touched here and in the modules beside this one, nowhere else.
 */
import os from 'node:os'
import { Allocator } from '../dataset/allocator.ts'
import { compareBatches } from '../dataset/dedupe.ts'
import type { BatchEntry, Manifest } from '../dataset/emit.ts'
import { fileProblem, type Problem, SHOWN_PER_BATCH } from '../dataset/problem.ts'
import { RecordReader } from '../dataset/records.ts'
import type { Violation } from '../dataset/schema.ts'
import { Background, type OffloadedScan } from './background.ts'
import { type Conflict, Draft } from './draft.ts'
import { describeSystemError, toBuildError } from './errors.ts'
import { readSchema } from './schema-files.ts'
import type { Source } from './source.ts'

export interface BuildOptions {
  source: Source
  /** The file of the schema. */
  schema: string
  /** The folder of the dataset. */
  out: string
  /** Whether a conflicting duplicate is a problem. */
  isStrict?: boolean
  /** Whether to compare only, and write nothing. */
  isCheck?: boolean
  /** Of how many problems of a batch the lines around them are kept; 20 unless said. */
  frames?: number
  /**
   * Of the memory to work in. For one build after another it may be the same; what a manifest says of
   * duplicates stands in it, and holds until the next build.
   */
  allocator?: Allocator
  /** Ends the build between two batches; it throws the reason then, and nothing is written. */
  signal?: AbortSignal
  /** Is told of every batch that is done. */
  onProgress?(progress: Progress): void
}

/** How far a build has come. */
export interface Progress {
  /** How many batches are done, and how many there are. */
  batches: number
  of: number
  /** How many records and bytes they had. */
  records: number
  bytes: number
}

export type BuildResult =
  | { ok: false; problems: Problem[] /** How many were read. */; batches: number }
  | { ok: true; manifest: Manifest /** Whether it was there already. */; wasCurrent: boolean }

/**
 * Builds the dataset. With a problem in any batch nothing is written.
 *
 * @throws BuildError when the command line or the machine is at fault; nothing is written then
 */
export async function build(options: BuildOptions): Promise<BuildResult> {
  const { source, out, isStrict = false, isCheck = false, frames = SHOWN_PER_BATCH } = options
  const schema = await readSchema(options.schema, out)
  const { allocator = new Allocator() } = options
  allocator.reset()
  const reader = new RecordReader(schema.judge, frames, allocator)
  const batches: BatchEntry[] = []
  const digests: (Promise<string> | string)[] = []
  const problems: Problem[] = []
  const progress: Progress = { batches: 0, of: 0, records: 0, bytes: 0 }
  const doing = isCheck
    ? `compare in the temporary folder ${os.tmpdir()}`
    : `write ${out} (it is as it was before)`
  // Why nothing can be written: to be told when there is nothing for an author to mend.
  let failure: unknown
  const attempt = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work()
    } catch (error) {
      failure = toBuildError(doing, error)
    }
  }

  const background = new Background(reader)
  const draft = await attempt(() => Draft.begin(out, isCheck, reader, background))
  try {
    for await (const { name, content, scan, sha256, of } of readBatches(
      source,
      reader,
      background,
    )) {
      options.signal?.throwIfAborted()
      const entry: BatchEntry = { file: name, sha256: '', records: 0, kept: 0, dropped: 0 }
      const batch = batches.push(entry) - 1
      digests.push(sha256)
      if ('unreadable' in content) {
        problems.push(fileProblem(name, `the file cannot be read: ${content.unreadable}`))
        continue
      }
      const isScanned = scan !== undefined && !scan.takeBack()
      const records = reader.read(name, content, isScanned ? await scan.outcome : undefined)
      const found = records.problems
      const isHopeless = failure || (!isStrict && problems.length + found.length > 0)
      const claimed = isHopeless
        ? undefined
        : await attempt(async () => draft?.claim(records, batch, isStrict))
      if (isStrict && claimed) {
        const violations = claimed.conflicts.map((conflict) => toViolation(conflict, batches))
        for (const problem of records.locate(violations)) found.push(problem)
        found.sort((a, b) => a.line - b.line || a.column - b.column)
      }
      for (const problem of found) problems.push(problem)
      entry.records = records.records
      entry.kept = claimed?.kept ?? 0
      entry.dropped = claimed?.dropped ?? 0
      progress.batches = batches.length
      progress.of = of
      progress.records += records.records
      progress.bytes += content.length
      options.onProgress?.(progress)
    }
    options.signal?.throwIfAborted()
    if (problems.length > 0) return { ok: false, problems, batches: batches.length }
    for (const [batch, sha256] of digests.entries()) {
      ;(batches[batch] as BatchEntry).sha256 = await sha256
    }
    const published = failure
      ? undefined
      : await attempt(async () => draft?.publish(batches, schema))
    if (!published) throw failure
    return { ok: true, ...published }
  } finally {
    try {
      await draft?.discard()
    } finally {
      await background.close()
    }
  }
}

interface ReadBatch {
  name: string
  content: Buffer | { unreadable: string }
  /** Its scan, where the second thread does it. */
  scan?: OffloadedScan | undefined
  sha256: Promise<string> | string
  /** How many batches there are. */
  of: number
}

const READ_AHEAD = 3
/** How many batches may wait for the second thread when all else is done with them. */
const MOST_UNDIGESTED = 3

/** The batches in the order of precedence; the next ones are read while one is worked on. */
async function* readBatches(
  source: Source,
  reader: RecordReader,
  background: Background,
): AsyncGenerator<ReadBatch> {
  const names = (await source.list()).sort(compareBatches)
  const of = names.length
  const read = async (name: string): Promise<ReadBatch> => {
    let content: Buffer
    try {
      content = await source.read(name, (bytes) => reader.allocateBatch(bytes))
    } catch (error) {
      return { name, content: { unreadable: describeSystemError(error) }, sha256: '', of }
    }
    const scan = background.scan(content)
    return { name, content, scan, sha256: background.digest(content), of }
  }
  const reads: Promise<ReadBatch>[] = []
  /** When the second thread has done with those that are done with here. */
  const ends: Promise<void>[] = []
  try {
    for (const index of names.keys()) {
      const ahead = names.slice(index + reads.length, index + 1 + READ_AHEAD)
      reads.push(...ahead.map(read))
      const batch = await (reads.shift() as Promise<ReadBatch>)
      yield batch
      const { content, scan, sha256 } = batch
      if (!Buffer.isBuffer(content)) continue
      const free = () => reader.allocator.free(content)
      ends.push(Promise.all([scan?.outcome, sha256]).then(free, free))
      if (ends.length > MOST_UNDIGESTED) await ends.shift()
    }
  } finally {
    // What is being read must not arrive in memory that is used for something else.
    await Promise.allSettled(reads)
  }
}

function toViolation({ index, fields, kept }: Conflict, batches: BatchEntry[]): Violation {
  const message =
    `must not claim the path of ${batches[kept.batch]?.file} record ${kept.index} with another ` +
    `${fields.join(', ')} (--strict)`
  return { pointer: [index], at: 'value', message }
}
