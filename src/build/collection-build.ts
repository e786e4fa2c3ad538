/** Builds one collection: reads its batches, lets their items claim their ids, and notes what's wrong. */
import type { Reading } from '../accept/accept.ts'
import { EXCLUDES_NOTHING, FAILED, isRefusal, NO_PATH, NOT_CHECKED } from '../accept/codes.ts'
import { declaresPath } from '../accept/declared-path.ts'
import { KeySearch } from '../accept/near-keys.ts'
import type { BatchEntry } from '../dataset/format.ts'
import { compareBatches } from '../dataset/precedence.ts'
import type { Problem } from '../explain/explain.ts'
import { BuildError } from '../machine/errors.ts'
import { groupBy } from '../machine/group-by.ts'
import { type Fault, type FileFault, fault, type Pointer } from '../page/fault.ts'
import { SHOWN_PER_BATCH } from '../page/shown.ts'
import type { Cache } from './disk/cache.ts'
import { Explainer } from './explainer.ts'
import type { BuildOptions } from './options.ts'
import type { Built, CollectionOutput, Refusal } from './output/output.ts'
import { acceptBatch, type ReadBatch, readAgain, readBatch } from './read-batch.ts'
import { SchemaReader } from './read-schema.ts'
import { readSchemas, type Schemas } from './read-schemas.ts'
import { readTypes } from './read-types.ts'
import { RecordPlaces } from './record-type.ts'
import type { CollectionSource } from './source.ts'

const loadExplainRoom = () => import('../explain/explain.ts')

export class CollectionBuild {
  readonly name: string
  readonly schemas: Schemas
  readonly problems: Problem[] = []
  /** What isn't about the batches: the files beside them, and the schema. */
  readonly unread: Problem[] = []

  readonly #source: CollectionSource
  readonly #options: BuildOptions
  readonly #output: CollectionOutput
  readonly #reading: Reading
  readonly #explainer: Explainer
  readonly #places = new RecordPlaces()
  /** The place of a record in its file. */
  #placeOfRecord: Pointer = [0]
  readonly #keys = new KeySearch()
  /** Whether some record has what they are sorted by. */
  #isSortable = false
  /** The first record of the first file in which none has it. */
  #unsortable: FileFault | undefined
  /** What was read so far. */
  readonly #batches: BatchEntry[] = []
  readonly #warnings: Problem[] = []
  /** The files on which we have failed. */
  readonly #failed = new Set<string>()
  /** What refuses the records that are left out. */
  readonly #refusals: Refusal[] = []

  private constructor(
    source: CollectionSource,
    options: BuildOptions,
    output: CollectionOutput,
    schemas: Schemas,
  ) {
    const { collection, words } = source
    const { frames = SHOWN_PER_BATCH, loadExplain = loadExplainRoom } = options
    this.name = collection.name
    this.schemas = schemas
    this.#source = source
    this.#options = options
    this.#output = output

    this.#reading = { schemas: schemas.choice, collection }
    const explaining = { ...this.#reading, words, frames }
    this.#explainer = new Explainer(loadExplain, explaining, (name) => this.#readAgain(name))
  }

  /** Reads the schemas, and notes the files that are not read. */
  static async open(
    source: CollectionSource,
    options: BuildOptions,
    output: CollectionOutput,
    cache: Cache,
  ): Promise<CollectionBuild> {
    const { loadExplain = loadExplainRoom } = options
    const reader = new SchemaReader(cache, loadExplain)
    const schemas = await readSchemas(source.collection.schema, reader)

    const collection = new CollectionBuild(source, options, output, schemas)
    collection.unread.push(...schemas.warnings)
    await collection.#noteUnreadFiles()
    return collection
  }

  async #noteUnreadFiles(): Promise<void> {
    const { missed, ignored, unmatched } = this.#source.delivery
    const { isStrict = false } = this.#options
    this.problems.push(...(await this.#explainer.explainFiles(missed)))

    const useless = unmatched.map((file) => ({ file, fault: fault(EXCLUDES_NOTHING, []) }))
    this.unread.push(...(await this.#explainer.explainFiles(useless)))

    const list = isStrict ? this.problems : this.unread
    list.push(...(await this.#explainer.explainFiles(ignored)))
  }

  /** Reads the batches of this shard, in the order of precedence. */
  async read(): Promise<void> {
    const { source, delivery } = this.#source
    const { shard = { number: 1, of: 1 } } = this.#options
    const batches = delivery.all.filter((_, rank) => rank % shard.of === shard.number - 1)

    for (const { name } of batches) {
      const batch = await readBatch(source, name, this.#reading)
      const decided = await this.#decide(batch)
      this.#compare(decided)
      await this.#claim(decided)
    }
  }

  /** Notes what is compared with other files, once all were read. */
  #compare({ name, accepted, sorting }: ReadBatch): void {
    if (accepted) this.#keys.add(name, accepted)

    if (sorting === true) this.#isSortable = true
    else if (sorting) this.#unsortable ??= { file: name, fault: sorting }
  }

  /**
   * Finds the records that the schema refuses, if it doesn't say which ones: those that its problems
   * name. What's wrong with the others shows only then.
   */
  async #decide(batch: ReadBatch): Promise<ReadBatch> {
    const { isSkipping = false } = this.#options
    const hasOthers = batch.records > 1
    if (!batch.isUndecided || !(hasOthers || isSkipping)) return batch

    const problems = await this.#explainer.explain(batch, batch.faults)
    const refused = new Set(problems.flatMap(({ record }) => record ?? []))
    return acceptBatch(batch, this.#reading, refused)
  }

  /** Lets the items of a batch claim their ids, and notes what is wrong with it. */
  async #claim(batch: ReadBatch): Promise<void> {
    const { isStrict = false, isSkipping = false } = this.#options
    const canLeaveOut = isSkipping && !batch.hasFaultOutside

    const claiming = canLeaveOut ? withoutRefused(batch) : batch
    const { faults: lateFaults, ...counts } = this.#output.claim(claiming)
    this.#batches.push(entryOf(batch, counts))
    this.#places.add(batch.places, batch.faults.length === 0)
    const [place = this.#placeOfRecord] = batch.places
    this.#placeOfRecord = place

    const warnings = isStrict ? batch.warnings : []
    const faults = [...batch.faults, ...warnings, ...lateFaults]
    for (const problem of await this.#explainer.explain(batch, faults)) {
      if (canLeaveOut && isRefusal(problem)) this.#refusals.push(problem)
      else this.#add(problem, this.problems)
    }

    if (isStrict) return
    const explained = await this.#explainer.explain(batch, batch.warnings)
    for (const warning of explained) this.#add(warning, this.#warnings)
  }

  /** Adds a problem to a list. That we have failed on a file is always a problem, and only one. */
  #add(problem: Problem, list: Problem[]): void {
    if (problem.code !== FAILED) {
      list.push(problem)
      return
    }

    const isNew = !this.#failed.has(problem.batch)
    this.#failed.add(problem.batch)
    if (isNew) this.problems.push(problem)
  }

  /**
   * Notes what only shows once every batch was claimed, such as links that lead nowhere.
   *
   * @param references those to records that are in no collection
   */
  async noteLateFaults(references: readonly FileFault[]): Promise<void> {
    const { isStrict = false } = this.#options
    const missing = references.filter(({ fault }) => !this.#isDeclaredPath(fault))
    const lateFaults = [...(this.#output.findFaults?.() ?? []), ...missing]
    const isWarning = ({ fault }: FileFault) => NOT_CHECKED.includes(fault.code)
    const unchecked = lateFaults.filter(isWarning)
    this.#warnings.push(...(await this.#explainer.explainFiles(unchecked)))

    const checked = lateFaults.filter((fileFault) => !isWarning(fileFault))
    if (this.#unsortable && !this.#isSortable) checked.push(this.#unsortable)
    await this.#explainAgain(checked, this.problems)
    await this.#explainAgain(this.#keys.findFaults(), isStrict ? this.problems : this.#warnings)
  }

  /** Explains faults of batches that were read before, and adds them to a list. */
  async #explainAgain(fileFaults: readonly FileFault[], list: Problem[]): Promise<void> {
    for (const [name, faultsOfFile] of groupBy(fileFaults, ({ file }) => file)) {
      const bytes = await this.#readAgain(name)
      const faults = faultsOfFile.map(({ fault }) => fault)
      const problems = await this.#explainer.explain({ name, bytes }, faults)
      for (const problem of problems) this.#add(problem, list)
    }
  }

  /** Whether a fault is about a path of references that no record has, but may have by the schema. */
  #isDeclaredPath({ code, facts }: Fault): boolean {
    const { references } = this.#source.collection
    if (code !== NO_PATH || !references || !('paths' in references)) return false

    const { steps = [] } = references.paths.find(({ path }) => path === facts.path) ?? {}
    return declaresPath(this.#reading.schemas, this.#placeOfRecord, steps)
  }

  /** @throws BuildError if the batch has changed since it was read */
  async #readAgain(name: string): Promise<Buffer> {
    const entry = this.#batches.find(({ file }) => file === name)
    const bytes = entry && (await readAgain(this.#source.source, entry))
    if (bytes) return bytes

    const { file } = this.#source.words
    const many = file === 'batch' ? 'batches' : 'files'
    throw new BuildError(`${name} has changed while the ${many} were read; run the command again`)
  }

  /** Refuses the build if it would leave nothing. */
  async refuseIfEmptied(): Promise<void> {
    // If nothing but refused records is there, leaving them out would leave nothing.
    const isNothingLeft = this.#batches.every(({ kept }) => kept === 0)
    if (isNothingLeft) this.problems.push(...this.#refusals.splice(0))

    const isEmptied = this.problems.length === 0 && this.#output.isEmptied?.()
    if (!isEmptied) return

    const emptied = fault('dataset.emptied', [], { folder: this.#options.out })
    const everyFile = this.#batches.map(({ file }) => ({ file, fault: emptied }))
    this.problems.push(...(await this.#explainer.explainFiles(everyFile)))
  }

  /** What is said of the collection if the build is refused. */
  refused(): { problems: Problem[]; warnings: Problem[]; batches: BatchEntry[] } {
    const problems = inOrder(this.problems)
    return { problems, warnings: this.allWarnings(), batches: this.#batches }
  }

  /** The warnings, and what refuses the records that are left out. */
  allWarnings(): Problem[] {
    return [...this.unread, ...this.#warnings, ...this.#refusals]
  }

  built(cache: Cache): Built {
    return {
      schemas: this.schemas,
      batches: this.#batches,
      refusals: this.#refusals,
      makeTypes: () => readTypes(this.schemas, this.#places, this.#source.collection, cache),
    }
  }
}

/**
 * Returns a batch as if its refused records weren't there. They are not published, so what leads to them
 * is a problem of its own, and what they refer to is none.
 */
function withoutRefused(batch: ReadBatch): ReadBatch {
  const refused = new Set(batch.refused.map(({ index }) => index))
  const isLeft = ({ index }: { index: number }) => !refused.has(index)
  return {
    ...batch,
    refused: [],
    references: batch.references.filter(isLeft),
    uniques: batch.uniques.filter(isLeft),
  }
}

/** @param counts how many of the valid records are dropped, or refused beside other records */
function entryOf(
  { name, sha256, records, items }: ReadBatch,
  counts: { dropped: number; refused: number },
): BatchEntry {
  const kept = items.length - counts.dropped - counts.refused
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
