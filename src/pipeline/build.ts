/**
 * The build as a sentence: read the batches, validate them, dedupe by path, stop if there are
 * problems, emit. The disk is touched here and in the modules beside this one, nowhere else.
 */
import { createHash } from 'node:crypto'
import { Claims, compareBatches, type Lost } from '../dataset/dedupe.ts'
import {
  type BatchEntry,
  emitDataset,
  emitManifest,
  FILES,
  type Manifest,
  makeManifest,
} from '../dataset/emit.ts'
import { fileProblem, type Problem, SHOWN_PER_BATCH } from '../dataset/problem.ts'
import type { SchemaCheck, Violation } from '../dataset/schema.ts'
import { type ValidatedBatch, validate } from '../dataset/validate.ts'
import type { Page } from '../generated/dataset.json'
import { describeSystemError, onDisk } from './errors.ts'
import { FileSet } from './publish.ts'
import { readSchema, type SchemaFiles } from './schema-files.ts'
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
  const schema = await readSchema(options.schema, options.out)
  const claims = new Claims()
  const batches: BatchEntry[] = []
  const problems: Problem[] = []

  for await (const batch of readBatches(options.source)) {
    const { entry, problems: found } = judge(batch, schema.check, claims, options)
    batches.push(entry)
    for (const problem of found) problems.push(problem)
  }
  if (problems.length > 0) return { ok: false, problems, batches: batches.length }
  return { ok: true, ...emit(claims, batches, schema, options) }
}

interface ReadBatch {
  name: string
  content: Uint8Array | { unreadable: string }
}

const READ_AHEAD = 2

/** The batches in the order of precedence; the next ones are read while one is worked on. */
async function* readBatches(source: Source): AsyncGenerator<ReadBatch> {
  const read = async (name: string): Promise<ReadBatch> => {
    try {
      return { name, content: await source.read(name) }
    } catch (error) {
      return { name, content: { unreadable: describeSystemError(error) } }
    }
  }
  const names = (await source.list()).sort(compareBatches)
  const reads: Promise<ReadBatch>[] = []
  for (const index of names.keys()) {
    const ahead = names.slice(index + reads.length, index + 1 + READ_AHEAD)
    reads.push(...ahead.map(read))
    yield await (reads.shift() as Promise<ReadBatch>)
  }
}

/** Validates one batch and lets its valid records claim their paths. */
function judge(
  { name, content }: ReadBatch,
  check: SchemaCheck,
  claims: Claims,
  { isStrict = false, frames = SHOWN_PER_BATCH }: BuildOptions,
): { entry: BatchEntry; problems: Problem[] } {
  if ('unreadable' in content) {
    const problem = fileProblem(name, `the file cannot be read: ${content.unreadable}`)
    return {
      entry: { file: name, sha256: '', records: 0, kept: 0, dropped: 0 },
      problems: [problem],
    }
  }

  const { records, pages, problems, locate } = validateOrTell(name, content, check, frames)
  const conflicts: Violation[] = []
  let dropped = 0
  for (const { page, index } of pages) {
    const lost = claims.claim(page, { batch: name, index })
    if (!lost) continue
    dropped++
    if (lost.kind === 'conflicting') conflicts.push(toViolation(lost))
  }
  if (isStrict) for (const problem of locate(conflicts)) problems.push(problem)
  problems.sort((a, b) => a.line - b.line || a.column - b.column)
  const kept = pages.length - dropped
  return { entry: { file: name, sha256: sha256(content), records, kept, dropped }, problems }
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

function toViolation({ index, fields, kept }: Lost): Violation {
  const message =
    `must not claim the path of ${kept.batch} record ${kept.index} with another ` +
    `${fields.join(', ')} (--strict)`
  return { pointer: [index], at: 'value', message }
}

/** Writes the dataset, its types and its manifest, all or none of them. */
function emit(
  claims: Claims,
  batches: BatchEntry[],
  schema: SchemaFiles,
  { out, isCheck = false }: BuildOptions,
): { manifest: Manifest; wasCurrent: boolean } {
  return onDisk(`write ${out} (it is as it was before)`, () => {
    const set = new FileSet(out, isCheck)
    try {
      const tally = { count: 0, withForms: 0 }
      const dataset = set.write(FILES.dataset, emitDataset(counted(claims.pages(), tally)))
      for (const [name, text] of Object.entries(schema.files)) set.write(name, [text])
      const manifest = makeManifest(
        {
          dataset: { file: FILES.dataset, ...dataset },
          schema: { sha256: schema.sha256 },
          batches,
          duplicates: claims.duplicates(),
        },
        tally,
      )
      set.write(FILES.manifest, emitManifest(manifest))
      return { manifest, wasCurrent: isCheck ? set.isCurrent() : !set.commit() }
    } finally {
      set.discard()
    }
  })
}

function* counted(pages: Iterable<Page>, tally: { count: number; withForms: number }) {
  for (const page of pages) {
    tally.count++
    if (page.form) tally.withForms++
    yield page
  }
}

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}
