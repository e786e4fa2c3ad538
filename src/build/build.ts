/**
 * The whole build: read the batches, accept or refuse them, let their pages claim their paths, stop if
 * there are problems, publish. `accept`, `explain` and `dataset`, which it calls, never touch the disk.
 */
import os from 'node:os'
import { accept, type Reading } from '../accept/accept.ts'
import { EXCLUDES_NOTHING, isRefusal, UNCHECKED } from '../accept/codes.ts'
import type { BatchEntry } from '../dataset/format.ts'
import { compareBatches, type Duplicate, KeptIds } from '../dataset/precedence.ts'
import type { Problem } from '../explain/explain.ts'
import type { Words } from '../explain/words.ts'
import { BuildError, onDisk, toBuildError } from '../machine/errors.ts'
import { groupBy } from '../machine/group-by.ts'
import { fault } from '../page/fault.ts'
import { SHOWN_PER_BATCH } from '../page/shown.ts'
import { Cache } from './disk/cache.ts'
import { Explainer, type ExplainRoom, type FileFault } from './explainer.ts'
import { duplicateRulesOf } from './output/dataset-items.ts'
import { type DatasetOptions, DatasetWriter, type Published } from './output/dataset-writer.ts'
import type { Output } from './output/output.ts'
import { type ReadBatch, readAgain, readBatches } from './read-batches.ts'
import { readSchema, type Schema } from './read-schema.ts'
import { readTypes } from './read-types.ts'
import { RecordPlaces } from './record-type.ts'
import type { Delivery } from './source.ts'

/** From this size on, in bytes, a delivery is remembered: a smaller one is read again as fast. */
const LARGE = 64_000_000

export interface BuildOptions extends DatasetOptions {
  /** The schema file. */
  schema: string
  words: Words
  /** Whether to leave out the records that the schema, a rule or `page` refuses. */
  isSkipping?: boolean
  /** For how many problems per batch to keep the surrounding lines; 20 by default. */
  frames?: number
  /** The size in bytes from which on batches are remembered; only tests change it. */
  largeFrom?: number
  /** Loads what explains faults, if there are any. */
  loadExplain?: () => Promise<ExplainRoom>
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

  const { isStrict = false, collection } = options
  const keptIds = new KeptIds({ ...duplicateRulesOf(collection), isStrict })
  const open = (delivery: Delivery, isLarge: boolean) => {
    return new DatasetWriter(options, keptIds, delivery, isLarge)
  }
  const result = await buildInto(options, doing, open)

  // A dataset that is current already wasn't built, so its paths weren't claimed.
  const duplicates = result.ok ? result.manifest.duplicates : keptIds.duplicates
  return { ...result, duplicates }
}

/**
 * Builds a dataset, or the records for an engine.
 *
 * @param doing the operation, for system errors; see `onDisk`
 * @param open creates the output of a delivery, whose batches are in the order of precedence
 */
export async function buildInto<T>(
  options: BuildOptions,
  doing: string,
  open: (delivery: Delivery, isLarge: boolean) => Output<T>,
): Promise<Result<T>> {
  const { source, largeFrom = LARGE } = options
  const delivery = await source.list()
  delivery.all.sort((a, b) => compareBatches(a.name, b.name))
  const isLarge = delivery.size >= largeFrom

  const output = onDisk(doing, () => open(delivery, isLarge))
  try {
    return await new Build(options, delivery, isLarge, output).run()
  } catch (error) {
    throw toBuildError(doing, error)
  } finally {
    output.discard()
  }
}

const loadExplainRoom = () => import('../explain/explain.ts')

/** One build, from the schema to the published files. */
class Build<T> {
  readonly #options: BuildOptions
  readonly #delivery: Delivery
  readonly #isLarge: boolean
  readonly #output: Output<T>
  readonly #cache: Cache
  readonly #loadExplain: () => Promise<ExplainRoom>

  readonly #places = new RecordPlaces()

  /** What was read so far. */
  readonly #batches: BatchEntry[] = []
  readonly #problems: Problem[] = []
  readonly #warnings: Problem[] = []
  /** What isn't about the batches: the files beside them, and the schema. */
  readonly #unread: Problem[] = []
  /** What refuses the records that are left out. */
  readonly #refusals: Problem[] = []

  constructor(options: BuildOptions, delivery: Delivery, isLarge: boolean, output: Output<T>) {
    this.#options = options
    this.#delivery = delivery
    this.#isLarge = isLarge
    this.#output = output
    this.#cache = output.cache ?? new Cache(options.out, { digestContent: options.digestContent })
    this.#loadExplain = options.loadExplain ?? loadExplainRoom
  }

  async run(): Promise<Result<T>> {
    const { collection, words, signal, frames = SHOWN_PER_BATCH } = this.#options
    const schema = await this.#readSchema()
    this.#unread.push(...schema.warnings)
    const reading: Reading = { schemas: { kind: 'file', schema }, collection }
    const explaining = { ...reading, words, frames }
    const explainer = new Explainer(this.#loadExplain, explaining, (name) => this.#readAgain(name))
    await this.#noteUnreadFiles(explainer)

    const current = await this.#findCurrent(schema)
    if (current) return { ok: true, ...current, warnings: [...this.#unread, ...current.warnings] }

    for await (const batch of this.#readBatches(schema, reading)) {
      signal?.throwIfAborted()
      await this.#claim(await this.#decide(batch, reading, explainer), explainer)
    }

    signal?.throwIfAborted()
    await this.#noteLateFaults(explainer)

    return this.#refuseOrPublish(schema, explainer)
  }

  #readSchema(): Promise<Schema> {
    return readSchema(this.#options.schema, this.#cache, this.#loadExplain)
  }

  /** Notes the files that are not read. */
  async #noteUnreadFiles(explainer: Explainer): Promise<void> {
    const { missed, others, unmatched } = this.#delivery
    const { isStrict = false } = this.#options
    this.#problems.push(...(await explainer.explainFiles(missed)))

    const useless = unmatched.map((file) => ({ file, fault: fault(EXCLUDES_NOTHING, []) }))
    this.#unread.push(...(await explainer.explainFiles(useless)))

    const list = isStrict ? this.#problems : this.#unread
    list.push(...(await explainer.explainFiles(others)))
  }

  /** Of a large delivery: returns what was published before, if nothing is new. */
  async #findCurrent(schema: Schema) {
    const mayBeCurrent = this.#isLarge && !this.#options.isStrict && this.#problems.length === 0
    return mayBeCurrent ? this.#output.findCurrent?.(schema) : undefined
  }

  /** Reads the batches of this shard, in the order of precedence. */
  #readBatches(schema: Schema, reading: Reading): AsyncGenerator<ReadBatch> {
    const { source, shard = { number: 1, of: 1 } } = this.#options
    const batches = this.#delivery.all.filter((_, rank) => rank % shard.of === shard.number - 1)
    return readBatches(source, batches, schema, reading, this.#isLarge ? this.#cache : undefined)
  }

  /**
   * Finds the records to leave out of a batch, if the schema doesn't say which ones it refuses: those
   * that its problems name.
   */
  async #decide(batch: ReadBatch, reading: Reading, explainer: Explainer): Promise<ReadBatch> {
    const { isSkipping = false } = this.#options
    if (!isSkipping || !batch.isUndecided) return batch

    const problems = await explainer.explain(batch, batch.faults)
    const refused = new Set(problems.flatMap(({ record }) => record ?? []))
    return { ...batch, ...accept(batch, reading, refused) }
  }

  /** Lets the pages of a batch claim their paths, and notes what is wrong with it. */
  async #claim(batch: ReadBatch, explainer: Explainer): Promise<void> {
    const { isStrict = false, isSkipping = false } = this.#options

    const canLeaveOut = isSkipping && !batch.hasFaultOutside
    const isAllLeftOut =
      canLeaveOut && batch.faults.every(({ code }) => isRefusal({ code, record: 0 }))
    // A record that is left out isn't published, so what leads to it is a problem of its own.
    const nothingRefused = { refusedIds: [], refusedIdentities: [] }
    const claiming = isAllLeftOut ? { ...batch, ...nothingRefused } : batch
    const { faults: lateFaults, ...counts } = this.#output.claim(claiming)
    this.#batches.push(entryOf(batch, counts))
    this.#places.add(batch.places, batch.faults.length === 0)

    const warnings = isStrict ? batch.warnings : []
    const faults = [...batch.faults, ...warnings, ...lateFaults]
    for (const problem of await explainer.explain(batch, faults)) {
      const list = canLeaveOut && isRefusal(problem) ? this.#refusals : this.#problems
      list.push(problem)
    }

    if (isStrict) return
    const explained = await explainer.explain(batch, batch.warnings)
    for (const warning of explained) this.#warnings.push(warning)
  }

  /** Notes what only shows once every batch was claimed, such as links that lead nowhere. */
  async #noteLateFaults(explainer: Explainer): Promise<void> {
    const lateFaults = this.#output.findFaults?.() ?? []
    const unchecked = lateFaults.filter(({ fault }) => UNCHECKED.includes(fault.code))
    this.#warnings.push(...(await explainer.explainFiles(unchecked)))

    const checked = lateFaults.filter(({ fault }) => !UNCHECKED.includes(fault.code))
    for (const [name, fileFaults] of groupBy(checked, ({ file }) => file)) {
      const bytes = await this.#readAgain(name)
      const faults = fileFaults.map(({ fault }) => fault)
      const problems = await explainer.explain({ name, bytes }, faults)
      for (const problem of problems) this.#problems.push(problem)
    }
  }

  /** @throws BuildError if the batch has changed since it was read */
  async #readAgain(name: string): Promise<Buffer> {
    const entry = this.#batches.find(({ file }) => file === name)
    const bytes = entry && (await readAgain(this.#options.source, entry))
    if (bytes) return bytes

    throw new BuildError(`${name} has changed while the batches were read; run the command again`)
  }

  async #refuseOrPublish(schema: Schema, explainer: Explainer): Promise<Result<T>> {
    // If nothing but refused records is there, leaving them out would leave nothing.
    const isNothingLeft = this.#batches.every(({ kept }) => kept === 0)
    if (isNothingLeft) this.#problems.push(...this.#refusals.splice(0))

    const isEmptied = this.#problems.length === 0 && this.#output.isEmptied?.()
    if (isEmptied) this.#problems.push(...(await explainer.explainFiles(this.#emptied())))

    if (this.#problems.length > 0) {
      const warnings = [...this.#unread, ...this.#warnings]
      await this.#keepTypes(schema)
      return { ok: false, problems: inOrder(this.#problems), warnings, batches: this.#batches }
    }

    const warnings = [...this.#warnings, ...this.#refusals]
    const types = () => this.#readTypes(schema)
    const published = await this.#output.publish(this.#batches, schema, warnings, types)
    return { ok: true, warnings: [...this.#unread, ...warnings], ...published }
  }

  async #keepTypes(schema: Schema): Promise<void> {
    try {
      await this.#output.keepTypes?.(await this.#readTypes(schema))
    } catch {
      // The problems are what matters now. A build without any reports why there are no types.
    }
  }

  #readTypes(schema: Schema): Promise<string> {
    return readTypes(schema, this.#places, this.#options.collection, this.#cache)
  }

  /** No batch has a page any more. */
  #emptied(): FileFault[] {
    const emptied = fault('dataset.emptied', [], { folder: this.#options.out })
    return this.#batches.map(({ file }) => ({ file, fault: emptied }))
  }
}

/** @param counts how many of the valid records are dropped, or refused beside other records */
function entryOf(
  { name, sha256, records, items }: ReadBatch,
  counts: { dropped: number; refused: number },
): BatchEntry {
  const kept = items.ids.length - counts.dropped - counts.refused
  const { dropped } = counts
  return { file: name, sha256, records, kept, dropped, refused: records - kept - dropped }
}

/** Sorts problems into the order of the batches, and of their texts. */
function inOrder(problems: readonly Problem[]): Problem[] {
  const problemsByBatch = groupBy(problems, ({ batch }) => batch)
  const names = [...problemsByBatch.keys()].sort(compareBatches)
  return names.flatMap((name) => problemsByBatch.get(name)?.sort(compareInText) ?? [])
}

function compareInText(a: Problem, b: Problem): number {
  return a.line - b.line || a.column - b.column
}
