/**
 * The build as a sentence: read the batches, validate them, claim their paths, stop if there are
 * problems, publish. The disk is touched in the modules beside this one, nowhere else.
 */
import os from 'node:os'
import { compareBatches } from '../dataset/dedupe.ts'
import type { BatchEntry } from '../dataset/emit.ts'
import { fileProblem, type Problem, SHOWN_PER_BATCH } from '../dataset/problem.ts'
import type { Violation } from '../dataset/schema.ts'
import { plainReader, type ReadResult } from '../dataset/validate.ts'
import { Draft, type Drop, type Published } from './draft.ts'
import { describeSystemError, onDisk, toBuildError } from './errors.ts'
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
  /** Ends the build between two batches. It throws the reason then, and nothing is written. */
  signal?: AbortSignal
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

export type BuildResult =
  | { ok: false; problems: Problem[] /** How many batches were read. */; batches: number }
  | ({ ok: true } & Published)

/**
 * Builds the dataset. With a problem in any batch nothing is written.
 *
 * @throws BuildError when the command line or the machine is at fault; nothing is written then
 */
export async function build(options: BuildOptions): Promise<BuildResult> {
  const { source, out, isStrict = false, isCheck = false, frames = SHOWN_PER_BATCH } = options
  const schema = await readSchema(options.schema, out)
  const delivered = (await source.list()).sort((a, b) => compareBatches(a.name, b.name))
  const read = plainReader(schema.check, frames)
  const doing = isCheck
    ? `compare in the temporary folder ${os.tmpdir()}`
    : `write ${out} (it is as it was before)`
  const draft = onDisk(doing, () => new Draft(out, isCheck))
  const problems: Problem[] = []
  const batches: BatchEntry[] = []
  let records = 0
  try {
    for await (const { name, bytes, sha256 } of batchesOf(source, delivered)) {
      options.signal?.throwIfAborted()
      const batch = bytes instanceof Error ? unreadable(name, bytes) : read(name, bytes)
      const found = batch.problems
      const entry = { file: name, sha256, records: batch.records, kept: 0, dropped: 0 }
      const conflicts: Violation[] = []
      const isHopeless = problems.length + found.length > 0 && !isStrict
      for (const page of isHopeless ? [] : batch.pages) {
        const drop = draft.claim(page, name)
        if (drop) entry.dropped++
        else entry.kept++
        if (isStrict && drop && drop.fields.length > 0)
          conflicts.push(toViolation(page.index, drop))
      }
      for (const problem of inOrder(found, batch.locate(conflicts))) problems.push(problem)
      batches.push(entry)
      records += batch.records
      options.onProgress?.({ batches: batches.length, of: delivered.length, records })
    }
    options.signal?.throwIfAborted()
    if (problems.length > 0) return { ok: false, problems, batches: batches.length }
    return { ok: true, ...(await draft.publish(batches, schema, options.signal)) }
  } catch (error) {
    throw toBuildError(doing, error)
  } finally {
    draft.discard()
  }
}

/** From how many bytes in all it is faster to load the scanner. */
export const LARGE = 16_000_000

/** How many batches are read before they are needed. */
const READ_AHEAD = 3

/** The batches, in order, with their SHA-256; the next ones are read while one is worked on. */
async function* batchesOf(source: Source, delivered: readonly { name: string }[]) {
  const read = async (name: string) => {
    try {
      const bytes = await source.read(name)
      return { name, bytes, sha256: await sha256Of(bytes) }
    } catch (error) {
      return { name, bytes: error as Error, sha256: '' }
    }
  }
  const reads: ReturnType<typeof read>[] = []
  for (const { name } of delivered) {
    reads.push(read(name))
    if (reads.length > READ_AHEAD) yield await (reads.shift() as (typeof reads)[0])
  }
  for (const last of reads) yield await last
}

/** In another thread of Node's, because digests take as long as all else with small records. */
async function sha256Of(bytes: Buffer): Promise<string> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', bytes as BufferSource)).toString('hex')
}

function unreadable(name: string, error: Error): ReadResult {
  const message = `the file cannot be read: ${describeSystemError(error)}`
  return { records: 0, problems: [fileProblem(name, message)], pages: [], locate: () => [] }
}

function inOrder(found: Problem[], further: Problem[]): Problem[] {
  if (further.length === 0) return found
  return [...found, ...further].sort((a, b) => a.line - b.line || a.column - b.column)
}

function toViolation(index: number, { kept, fields }: Drop): Violation {
  const message =
    `must not claim the path of ${kept.batch} record ${kept.index} with another ` +
    `${fields.join(', ')} (--strict)`
  return { pointer: [index], at: 'value', message }
}
