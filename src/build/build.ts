/**
 * The whole build: read the batches, validate them, claim their paths, stop if there are problems,
 * publish. `batch` and `dataset`, which it calls for that, never touch the disk.
 */
import os from 'node:os'
import { openBatch } from '../accept/open.ts'
import type { BatchEntry } from '../dataset/format.ts'
import { compareBatches, type Duplicate, KeptPaths } from '../dataset/precedence.ts'
import {
  fileProblem,
  isRefusal,
  type Problem,
  SHOWN_PER_BATCH,
  toProblems,
  UNCHECKED,
} from '../explain/problem.ts'
import { fault } from '../explain/sentences.ts'
import { LOST_CODE } from '../formats/losses.ts'
import { onDisk, toBuildError } from '../machine/errors.ts'
import { groupBy } from '../machine/group-by.ts'
import type { Content } from '../page/content.ts'
import { openCache } from './disk/cache.ts'
import { type DatasetOptions, type Published, writeDataset } from './output/dataset-writer.ts'
import type { Destination } from './output/destination.ts'
import { type ReadBatch, readBatches } from './read-batches.ts'
import { readSchema } from './read-schema.ts'
import type { Delivery } from './source.ts'

/** From this size on, in bytes, a delivery is remembered: a smaller one is read again as fast. */
const LARGE = 64_000_000

export interface BuildOptions extends DatasetOptions {
  /** The schema file. */
  schema: string
  content: Content
  /** Whether to leave out the records that the schema, a rule or `page` refuses. */
  isSkipping?: boolean
  /** For how many problems per batch to keep the surrounding lines; 20 by default. */
  frames?: number
  /** The size in bytes from which on batches are remembered; only tests change it. */
  largeFrom?: number
  /** The part to build: the batch at `number`, from 1, of every `of` in the order of precedence. */
  shard?: { number: number; of: number }
}

export type Result<T> = { warnings: Problem[] } & (
  | { ok: false; problems: Problem[]; batches: BatchEntry[] }
  | ({ ok: true } & T)
)

/** The result of a build, with the duplicates even if there are problems. */
export type BuildResult = Result<Published> & { duplicates: readonly Duplicate[] }

/**
 * Builds the dataset. Writes nothing if any batch has a problem.
 *
 * @throws BuildError if the command line or the machine is at fault; nothing is written then
 */
export async function build(options: BuildOptions): Promise<BuildResult> {
  const doing = options.isCheck
    ? `compare in the temporary folder ${os.tmpdir()}`
    : `write ${options.out} (it is as it was before)`
  const keptPaths = new KeptPaths()
  const open = (delivery: Delivery, isLarge: boolean) =>
    writeDataset(options, keptPaths, delivery, isLarge)
  const result = await buildInto(options, doing, open)
  return { ...result, duplicates: result.ok ? result.manifest.duplicates : keptPaths.duplicates }
}

/**
 * Builds into any destination.
 *
 * @param doing the operation, for system errors; see `onDisk`
 * @param open creates the destination of a delivery, in the order of precedence
 */
export async function buildInto<T>(
  options: BuildOptions,
  doing: string,
  open: (delivery: Delivery, isLarge: boolean) => Destination<T>,
): Promise<Result<T>> {
  const { source, content, digestContent, isStrict = false, isSkipping = false, signal } = options
  const { frames = SHOWN_PER_BATCH, largeFrom = LARGE, shard = { number: 1, of: 1 } } = options
  const delivery = await source.list()
  const { all, missed, others } = delivery
  all.sort((a, b) => compareBatches(a.name, b.name))
  const delivered = all.filter((_, rank) => rank % shard.of === shard.number - 1)
  const isLarge = delivery.size >= largeFrom
  const destination = onDisk(doing, () => open(delivery, isLarge))
  const { cache = openCache(options.out, { digestContent }) } = destination
  const unread = isStrict ? [] : others
  const refused = isStrict ? [...missed, ...others] : missed
  const found: Problem[] = []
  const batches: BatchEntry[] = []
  const isLeftOut = (problem: Problem) => isSkipping && isRefusal(problem)
  try {
    const schema = await readSchema(options.schema, cache, content.page !== undefined)
    if (isLarge && !isStrict && missed.length === 0) {
      const current = await destination.findCurrent?.(schema)
      if (current) return { ok: true, ...current, warnings: [...unread, ...current.warnings] }
    }
    const known = isLarge ? cache : undefined
    const reading = { check: schema.check, content, frames }
    for await (const batch of readBatches(source, delivered, schema, reading, known)) {
      signal?.throwIfAborted()
      // The records that are left out are no pages, so a link to one is a problem of its own.
      const isSkipped = batch.problems.every(isLeftOut)
      const { dropped, faults } = destination.claim(isSkipped ? { ...batch, refused: [] } : batch)
      batches.push(entryOf(batch, dropped))
      for (const each of [...batch.problems, ...batch.lost]) found.push(each)
      if (faults.length === 0) continue
      const open = openBatch(batch.name, batch.bytes, content)
      const violations = faults.map((place) => place(open))
      for (const each of toProblems(open, violations, frames)) found.push(each)
    }
    signal?.throwIfAborted()
    const nowhere = await destination.links?.findProblems(source, batches, reading)
    for (const each of nowhere ?? []) found.push(each)
    const isNothingLeft = batches.every(({ kept }) => kept === 0)
    const isWarning = (problem: Problem) => {
      const { code } = problem
      if (code === LOST_CODE) return !isStrict
      return code === UNCHECKED || (isLeftOut(problem) && !isNothingLeft)
    }
    const warnings = found.filter(isWarning)
    const problems = [...refused, ...found.filter((each) => !isWarning(each))]
    const isEmptied = problems.length === 0 && destination.isEmptied?.()
    for (const { file } of isEmptied ? batches : []) {
      problems.push(fileProblem(file, fault('dataset.emptied', [], options.out)))
    }
    if (problems.length > 0) {
      const others = warnings.filter((each) => !isRefusal(each))
      return { ok: false, problems: inOrder(problems), warnings: [...unread, ...others], batches }
    }
    const published = await destination.publish(batches, schema, warnings)
    return { ok: true, warnings: [...unread, ...warnings], ...published }
  } catch (error) {
    throw toBuildError(doing, error)
  } finally {
    destination.discard()
  }
}

function entryOf({ name, sha256, records, pages }: ReadBatch, dropped: number): BatchEntry {
  const valid = pages.paths.length
  return {
    file: name,
    sha256,
    records,
    kept: valid - dropped,
    dropped,
    refused: records - valid,
  }
}

/** Sorts problems into the order of the batches, and of their texts. */
function inOrder(problems: readonly Problem[]): Problem[] {
  const byBatch = groupBy(problems, ({ batch }) => batch)
  const names = [...byBatch.keys()].sort(compareBatches)
  const inText = (a: Problem, b: Problem) => a.line - b.line || a.column - b.column
  return names.flatMap((name) => byBatch.get(name)?.sort(inText) ?? [])
}
