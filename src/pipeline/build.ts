/**
 * The whole build: read the batches, validate them, claim their paths, stop if there are problems,
 * publish. Only the modules next to this one access the disk.
 */
import os from 'node:os'
import { Claims, compareBatches } from '../dataset/dedupe.ts'
import { type BatchEntry, FILES } from '../dataset/emit.ts'
import { fileProblem, type Problem, SHOWN_PER_BATCH } from '../dataset/problem.ts'
import type { ReadPage, ReadResult } from '../dataset/validate.ts'
import { Draft, type Drop, type Published } from './draft.ts'
import { describeSystemError, onDisk, toBuildError } from './errors.ts'
import { chooseReader } from './reader.ts'
import { GENERATOR, readSchema, type SchemaFiles } from './schema-files.ts'
import type { Source } from './source.ts'

const NO_TYPES = `${FILES.types} is not written: ${GENERATOR}, a development dependency, is not installed`

export interface BuildOptions {
  source: Source
  /** The schema file. */
  schema: string
  /** The dataset folder. */
  out: string
  /** Whether a conflicting duplicate is a problem. */
  isStrict?: boolean
  /** Whether to only compare, and write nothing. */
  isCheck?: boolean
  /** Whether pages claim their paths even after a problem, so that a report can show the result. */
  claimsAll?: boolean
  /** For how many problems per batch to keep the surrounding lines; 20 by default. */
  frames?: number
  /** Takes only the batch at `number`, from 1, of every `of` batches in the order of precedence. */
  shard?: { number: number; of: number }
  /** Stops the build between two batches: it throws the signal's reason, and writes nothing. */
  signal?: AbortSignal
  /** Called with a message that does not affect the result. */
  onNotice?(notice: string): void
  /** Called after every batch. */
  onProgress?(progress: Progress): void
}

/** How far a build has come. */
export interface Progress {
  /** How many batches are done, and how many there are. */
  batches: number
  of: number
  /** How many records they had. */
  records: number
}

export type Result<T> =
  | { ok: false; problems: Problem[]; batches: BatchEntry[] }
  | ({ ok: true } & T)

/** With all claims; after a problem, only those before it, unless `isStrict` or `claimsAll`. */
export type BuildResult = Result<Published> & { claims: Claims }

/** Where the pages go; usually a `Draft`. */
interface Destination<T = unknown> {
  claim(page: ReadPage, batch: string): Drop | undefined
  publish(batches: BatchEntry[], schema: SchemaFiles, signal?: AbortSignal): Promise<T>
  discard(): void
}

/**
 * Builds the dataset. Writes nothing if any batch has a problem.
 *
 * @throws BuildError if the command line or the machine is at fault; nothing is written then
 */
export async function build(options: BuildOptions): Promise<BuildResult> {
  const { out, isCheck = false } = options
  const doing = isCheck
    ? `compare in the temporary folder ${os.tmpdir()}`
    : `write ${out} (it is as it was before)`
  const claims = new Claims()
  const result = await buildInto(options, doing, () => new Draft(out, isCheck, claims))
  if (result.ok && !result.manifest.types) options.onNotice?.(NO_TYPES)
  return { ...result, claims }
}

/**
 * Builds into any destination.
 *
 * @param doing the operation, for system errors; see `onDisk`
 * @param open creates the destination; gets the names of the batches of all shards, in order
 */
export async function buildInto<T>(
  options: BuildOptions,
  doing: string,
  open: (names: string[]) => Destination<T>,
): Promise<Result<T>> {
  const { source, isStrict = false, claimsAll = false, frames = SHOWN_PER_BATCH } = options
  const { number, of } = options.shard ?? { number: 1, of: 1 }
  const schema = await readSchema(options.schema, options.out)
  const all = (await source.list()).sort((a, b) => compareBatches(a.name, b.name))
  const delivered = all.filter((_, rank) => rank % of === number - 1)
  const size = delivered.reduce((sum, { size }) => sum + size, 0)
  const { read, notice } = await chooseReader(schema, size, frames)
  if (notice) options.onNotice?.(notice)
  const draft = onDisk(doing, () => open(all.map(({ name }) => name)))
  const problems: Problem[] = []
  const batches: BatchEntry[] = []
  let records = 0
  try {
    for await (const { name, bytes, sha256 } of batchesOf(source, delivered)) {
      options.signal?.throwIfAborted()
      const batch = bytes instanceof Error ? unreadable(name, bytes) : read(name, bytes)
      const entry = { file: name, sha256, records: batch.records, kept: 0, dropped: 0 }
      batches.push(entry)
      records += batch.records
      // After a problem nothing is written, but strict builds and reports need all conflicts.
      const isWanted = isStrict || claimsAll || problems.length + batch.problems.length === 0
      const conflicts = isWanted ? claim(batch.pages, draft, entry) : []
      const found = isStrict ? withConflicts(batch, conflicts) : batch.problems
      for (const problem of found) problems.push(problem)
      options.onProgress?.({ batches: batches.length, of: delivered.length, records })
    }
    options.signal?.throwIfAborted()
    if (problems.length > 0) return { ok: false, problems, batches }
    return { ok: true, ...(await draft.publish(batches, schema, options.signal)) }
  } catch (error) {
    throw toBuildError(doing, error)
  } finally {
    draft.discard()
  }
}

/** Yields the batches in order, with their SHA-256. Reads the next one while one is processed. */
export async function* batchesOf(source: Source, delivered: readonly { name: string }[]) {
  const read = async (name: string) => {
    try {
      const bytes = await source.read(name)
      return { name, bytes, sha256: await sha256Of(bytes) }
    } catch (error) {
      return { name, bytes: error as Error, sha256: '' }
    }
  }
  let ahead: ReturnType<typeof read> | undefined
  for (const [index, { name }] of delivered.entries()) {
    const present = ahead ?? read(name)
    const next = delivered[index + 1]
    ahead = next && read(next.name)
    yield await present
  }
}

/** Computed by a thread of Node's pool while this one is busy. */
async function sha256Of(bytes: Buffer): Promise<string> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', bytes as BufferSource)).toString('hex')
}

/** Lets the pages of a batch claim their paths. @returns those that conflict with a kept page */
function claim(pages: Iterable<ReadPage>, draft: Destination, entry: BatchEntry): Conflict[] {
  const conflicts: Conflict[] = []
  for (const page of pages) {
    const drop = draft.claim(page, entry.file)
    if (drop) entry.dropped++
    else entry.kept++
    if (drop && drop.fields.length > 0) conflicts.push({ index: page.index, ...drop })
  }
  return conflicts
}

interface Conflict extends Drop {
  index: number
}

/** The problems of a batch in a strict build: conflicts are among them. */
function withConflicts({ problems, locate }: ReadResult, conflicts: Conflict[]): Problem[] {
  if (conflicts.length === 0) return problems
  const violations = conflicts.map(({ index, kept, fields }) => {
    const message =
      `record ${kept.index} of ${kept.batch} already has this path, with another ` +
      `${fields.join(', ')} (--strict)`
    return { pointer: [index, 'path'], at: 'value' as const, message }
  })
  return [...problems, ...locate(violations)].sort((a, b) => {
    return a.line - b.line || a.column - b.column
  })
}

function unreadable(name: string, error: Error): ReadResult {
  const message = `the file cannot be read: ${describeSystemError(error)}`
  return { records: 0, problems: [fileProblem(name, message)], pages: [], locate: () => [] }
}
