/**
 * The build as a sentence: read the batches, validate them, claim their paths, stop if there are
 * problems, publish. The disk is touched in the modules beside this one, nowhere else.
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
  /** The file of the schema. */
  schema: string
  /** The folder of the dataset. */
  out: string
  /** Whether a conflicting duplicate is a problem. */
  isStrict?: boolean
  /** Whether to compare only, and write nothing. */
  isCheck?: boolean
  /** Whether pages claim their paths even after a problem, for a report of what they would give. */
  claimsAll?: boolean
  /** Of how many problems of a batch the lines around them are kept; 20 unless said. */
  frames?: number
  /** Of every `of` batches, in the order of precedence, only the one at `number`, from 1. */
  shard?: { number: number; of: number }
  /** Ends the build between two batches. It throws the reason then, and nothing is written. */
  signal?: AbortSignal
  /** Called with a sentence about what does not change the result. */
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

/** With the claims of the batches: after a problem, of those up to it, or with `claimsAll` of all. */
export type BuildResult = Result<Published> & { claims: Claims }

/** What becomes of the pages; `Draft` is the usual one. */
interface Destination<T = unknown> {
  claim(page: ReadPage, batch: string): Drop | undefined
  publish(batches: BatchEntry[], schema: SchemaFiles, signal?: AbortSignal): Promise<T>
  discard(): void
}

/**
 * Builds the dataset. With a problem in any batch nothing is written.
 *
 * @throws BuildError when the command line or the machine is at fault; nothing is written then
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
 * Builds something else of the pages.
 *
 * @param doing what is done, for errors of the system
 * @param open gets the names of the batches of all shards, in order
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
      // With a problem nothing is written, but all conflicts are reported.
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

/** The batches, in order, with their SHA-256; the next one is read while one is worked on. */
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

/** Computed by a thread of Node's own, while this one is busy. */
async function sha256Of(bytes: Buffer): Promise<string> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', bytes as BufferSource)).toString('hex')
}

/** Lets the pages of a batch claim their paths. @returns those that another page has otherwise */
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

/** The problems of a batch, to which conflicts belong when the build is strict. */
function withConflicts({ problems, locate }: ReadResult, conflicts: Conflict[]): Problem[] {
  if (conflicts.length === 0) return problems
  const violations = conflicts.map(({ index, kept, fields }) => {
    const message =
      `record ${kept.index} of ${kept.batch} has this path already, with another ` +
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
