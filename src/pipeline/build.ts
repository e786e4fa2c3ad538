/**
 * The whole build: read the batches, validate them, claim their paths, stop if there are problems,
 * publish. `batch` and `dataset`, which it calls for that, never touch the disk.
 */
import os from 'node:os'
import type { OpenBatch } from '../batch/open.ts'
import {
  fileProblem,
  isRefusal,
  NOT_READ,
  type Problem,
  SHOWN_PER_BATCH,
} from '../batch/problem.ts'
import { locateViolations, type Pages } from '../batch/read.ts'
import { loadCheck } from '../batch/schema/schema.ts'
import { fault } from '../batch/sentences.ts'
import type { BatchEntry } from '../dataset/output.ts'
import { compareBatches, type Duplicate, KeptPaths } from '../dataset/precedence.ts'
import { onDisk, toBuildError } from '../machine/errors.ts'
import { groupBy } from '../machine/group-by.ts'
import type { Content } from '../page/content.ts'
import { parsePointer, type Violation } from '../page/violation.ts'
import type { Cache } from './cache/cache.ts'
import { LinkCheck } from './links.ts'
import { DatasetWriter, type Published } from './output/dataset-writer.ts'
import type { Drop } from './output/kept-pages.ts'
import { type Read, readBatches } from './reader.ts'
import { readSchema, type SchemaFiles } from './schema-files.ts'
import type { Listed, Shard, Source } from './source.ts'

/** In bytes: smaller deliveries are read as fast as they could be remembered. */
const LARGE = 64_000_000

export interface BuildOptions {
  source: Source
  /** The schema file. */
  schema: string
  content: Content
  /** The digest of its file, if it is not in `src`: see `Cache`. */
  contentDigest?: string
  /** The dataset folder. */
  out: string
  /** Whether a conflicting duplicate is a problem. */
  isStrict?: boolean
  /** Whether to leave out the records that the schema, a rule or `page` refuses. */
  isSkipping?: boolean
  /** Whether to only compare, and write nothing. */
  isCheck?: boolean
  /** For how many problems per batch to keep the surrounding lines; 20 by default. */
  frames?: number
  /** The size in bytes from which on batches are remembered; only tests change it. */
  largeFrom?: number
  /** Takes only its batches. */
  shard?: Shard
  /** Stops the build between two batches: it throws the signal's reason, and writes nothing. */
  signal?: AbortSignal
}

export type Result<T> = { warnings: Problem[] } & (
  | { ok: false; problems: Problem[]; batches: BatchEntry[] }
  | ({ ok: true } & T)
)

/** The result of a build, with the duplicates even if there are problems. */
export type BuildResult = Result<Published> & { duplicates: readonly Duplicate[] }

/** Where the pages go; usually a `DatasetWriter`. */
interface Destination<T> {
  /** Of earlier builds. */
  readonly cache: Cache
  /** @returns the records that lost their paths */
  claim(batch: string, pages: Pages): Drop[]
  /** Returns what was published before, and its lost text, if nothing is new. */
  findCurrent?(
    schema: SchemaFiles,
    source: Source,
    batches: Listed[],
    signal?: AbortSignal,
  ): Promise<(T & { lost: readonly Problem[] }) | undefined>
  /** Whether no page is left of those that were published before. */
  isEmptied?(): boolean
  publish(
    batches: BatchEntry[],
    schema: SchemaFiles,
    leftOut: readonly Problem[],
    lost: readonly Problem[],
    signal?: AbortSignal,
  ): Promise<T>
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
  const keptPaths = new KeptPaths()
  const across = { links: new LinkCheck(keptPaths), values: new Map() }
  const open = (size: number, isLarge: boolean) =>
    new DatasetWriter(out, isCheck, keptPaths, size, isLarge, options.contentDigest ?? '')
  const result = await buildInto(options, doing, open, across)
  return { ...result, duplicates: result.ok ? result.manifest.duplicates : keptPaths.duplicates }
}

/**
 * Builds into any destination.
 *
 * @param doing the operation, for system errors; see `onDisk`
 * @param open creates the destination; gets the size of all batches in bytes, whether they are
 *   remembered, and those of all shards, in order
 * @param across what is checked across all batches; without it, nothing is
 */
export async function buildInto<T>(
  options: BuildOptions,
  doing: string,
  open: (size: number, isLarge: boolean, all: Listed[]) => Destination<T>,
  across?: { links: LinkCheck; values: Uniques },
): Promise<Result<T>> {
  const { source, content, isStrict = false, isSkipping = false } = options
  const { frames = SHOWN_PER_BATCH } = options
  const { number, of } = options.shard ?? { number: 1, of: 1 }
  const listed = (await source.list()).sort((a, b) => compareBatches(a.name, b.name))
  const all = listed.filter(({ unread }) => unread === undefined)
  const delivered = all.filter((_, rank) => rank % of === number - 1)
  const size = all.reduce((sum, { size }) => sum + size, 0)
  const isLarge = size >= (options.largeFrom ?? LARGE)
  const draft = onDisk(doing, () => open(size, isLarge, all))
  const problems: Problem[] = []
  const warnings: Problem[] = []
  for (const { name, unread, isMissed } of listed) {
    if (unread === undefined) continue
    const what = name.endsWith('/') ? 'folder' : 'file'
    const problem = fileProblem(name, NOT_READ, `this ${what} is not read (${unread})`, unread)
    if (isStrict || isMissed) problems.push(problem)
    else warnings.push(problem)
  }
  const countUnread = warnings.length
  const leftOut: Problem[] = []
  const batches: BatchEntry[] = []
  try {
    const schema = await readSchema(options.schema, draft.cache, content.page !== undefined)
    if (!isStrict && problems.length === 0) {
      const current = await draft.findCurrent?.(schema, source, delivered, options.signal)
      if (current) return { ok: true, ...current, warnings: [...warnings, ...current.lost] }
    }
    const cache = isLarge ? draft.cache : undefined
    const reading = { check: loadCheck(schema.check), content }
    for await (const batch of readBatches(source, delivered, schema, reading, frames, cache)) {
      options.signal?.throwIfAborted()
      const drops = draft.claim(batch.name, batch.pages)
      const dropped = new Set(drops.map(({ index }) => index))
      const { name: file, sha256, records } = batch
      const refused = records - batch.pages.paths.length
      const kept = batch.pages.paths.length - drops.length
      batches.push({ file, sha256, records, kept, dropped: drops.length, refused })
      const isLeftOut = (problem: Problem) => isSkipping && isRefusal(problem)
      // The records that are left out are no pages, so a link to one is a problem of its own.
      const known = batch.problems.every(isLeftOut) ? { ...batch, refused: [] } : batch
      across?.links.add(known, dropped)
      for (const each of batch.problems) (isLeftOut(each) ? leftOut : problems).push(each)
      for (const each of batch.lost) (isStrict ? problems : warnings).push(each)
      const claims = findRefusedClaims(drops, isStrict)
      const shared = across ? findShared(batch, dropped, across.values) : []
      if (claims.length + shared.length === 0) continue
      const find = ({ inFile, pageOf }: OpenBatch) =>
        [...claims, ...shared].map(({ index, isOfPage, ...each }) => {
          const page = pageOf(index)
          return isOfPage ? inFile(index, page, each) : each
        })
      for (const each of locateViolations(file, batch.bytes, content, frames, find))
        problems.push(each)
    }
    options.signal?.throwIfAborted()
    const nowhere = await across?.links.findProblems(source, batches, reading, frames)
    for (const problem of nowhere ?? []) problems.push(problem)
    const isNothingLeft = leftOut.length > 0 && batches.every(({ kept }) => kept === 0)
    if (isNothingLeft) for (const each of leftOut) problems.push(each)
    if (problems.length > 0) return { ok: false, problems: inOrder(problems), warnings, batches }
    if (draft.isEmptied?.()) {
      const message = `no page is left: no batch has one, but the last dataset has some; if that is meant, remove the folder ${options.out}`
      const emptied = batches.map(({ file }) => fileProblem(file, 'dataset.emptied', message))
      return { ok: false, problems: emptied, warnings, batches }
    }
    const lost = warnings.slice(countUnread)
    for (const each of leftOut) warnings.push(each)
    const published = await draft.publish(batches, schema, leftOut, lost, options.signal)
    return { ok: true, warnings, ...published }
  } catch (error) {
    throw toBuildError(doing, error)
  } finally {
    draft.discard()
  }
}

/** What a comparison with other records finds. */
interface RecordFault extends Violation {
  index: number
  /** Whether the pointer is relative to the page, not to the batch. */
  isOfPage: boolean
}

/** What is wrong with records that lost their paths: they are about something else, or differ. */
function findRefusedClaims(drops: readonly Drop[], isStrict: boolean): RecordFault[] {
  return drops.flatMap(({ index, kept, fields, identities }) => {
    const place = `record ${kept.index} of ${kept.batch}`
    const of = { index, isOfPage: true }
    if (identities) {
      const { own, kept: other } = identities
      return [{ ...of, ...fault('path.two-records', ['path'], own, other, place) }]
    }
    if (!isStrict || fields.length === 0) return []
    return [{ ...of, ...fault('path.conflict', ['path'], fields, place) }]
  })
}

/** The values that only one kept page may have, each with where it was found first. */
type Uniques = Map<string, { batch: string; index: number; place: string }>

/** Finds values of kept pages that another one has, too. Only values of one mark are compared. */
function findShared(
  { name: batch, uniques }: Read,
  dropped: ReadonlySet<number>,
  values: Uniques,
): RecordFault[] {
  const kept = uniques.filter(({ index }) => !dropped.has(index))
  return kept.flatMap(({ index, place, value, schema }) => {
    const key = `${schema} ${JSON.stringify(value)}`
    const first = values.get(key)
    if (!first) values.set(key, { batch, index, place })
    if (!first || (first.batch === batch && first.index === index)) return []
    const shared = fault('schema.unique', parsePointer(place), value, first.batch, first.place)
    return [{ index, isOfPage: false, ...shared }]
  })
}

/** Sorts problems into the order of the batches, and of their texts. */
function inOrder(problems: readonly Problem[]): Problem[] {
  const byBatch = groupBy(problems, ({ batch }) => batch)
  const names = [...byBatch.keys()].sort(compareBatches)
  const inText = (a: Problem, b: Problem) => a.line - b.line || a.column - b.column
  return names.flatMap((name) => byBatch.get(name)?.sort(inText) ?? [])
}
