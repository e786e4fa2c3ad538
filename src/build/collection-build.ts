/** Builds one collection: reads its batches, lets their items claim their ids, and notes what's wrong. */
import type { Reading } from '../accept/accept.ts'
import type { BatchEntry } from '../dataset/format.ts'
import { sortBatches } from '../dataset/precedence.ts'
import type { Problem } from '../explain/explain.ts'
import {
  EXCLUDES_NOTHING,
  FAILED,
  isRefusal,
  NEAR_KEY,
  NO_KEY_OF_IDS,
  NOT_CHECKED,
  OF_CONFIG,
  WITHOUT_ID,
} from '../fault/codes.ts'
import { type FileFault, fault } from '../fault/fault.ts'
import { BuildError } from '../machine/errors.ts'
import { groupBy } from '../machine/group-by.ts'
import { SHOWN_PER_BATCH } from '../page/shown.ts'
import { CollectionCheck } from './collection-check.ts'
import type { Cache } from './disk/cache.ts'
import { createExplainer, type Explainer } from './explainer.ts'
import type { BuildOptions } from './options.ts'
import type { Built, CollectionOutput, Refusal } from './output/output.ts'
import { acceptBatch, type ReadBatch, readAgain, readBatch } from './read-batch.ts'
import { createSchemaReader } from './read-schema.ts'
import { readSchemas, type Schemas } from './read-schemas.ts'
import { readTypes } from './read-types.ts'
import { RecordPlaces } from './record-type.ts'
import type { Result } from './result.ts'
import type { CollectionSource } from './source.ts'

const loadExplainRoom = () => import('../explain/explain.ts')

/** The only shard. */
const WHOLE = { number: 1, of: 1 }

export class CollectionBuild<T> {
  readonly name: string
  readonly schemas: Schemas
  problems: Problem[] = []
  /** Warnings that aren't about batches: unread files, and parts of the schema without effect. */
  readonly unread: Problem[] = []

  readonly #source: CollectionSource
  readonly #options: BuildOptions
  readonly #output: CollectionOutput<T>
  readonly #cache: Cache
  readonly #reading: Reading
  readonly #explainer: Explainer
  readonly #places = new RecordPlaces()
  readonly #check: CollectionCheck
  /** The batches read so far. */
  readonly #batches: BatchEntry[] = []
  readonly #warnings: Problem[] = []
  /** The files on which we have failed. */
  readonly #failed = new Set<string>()
  /** Why records are left out. */
  #refusals: Refusal[] = []

  private constructor(
    source: CollectionSource,
    options: BuildOptions,
    { output, cache, schemas }: { output: CollectionOutput<T>; cache: Cache; schemas: Schemas },
  ) {
    const { collection, words } = source
    const { frames = SHOWN_PER_BATCH, loadExplain = loadExplainRoom } = options
    this.name = collection.name
    this.schemas = schemas
    this.#source = source
    this.#options = options
    this.#output = output
    this.#cache = cache

    this.#reading = { schemas: schemas.choice, collection }
    this.#check = new CollectionCheck(this.#reading, this.#places)
    const explaining = { ...this.#reading, words, frames }
    this.#explainer = createExplainer(loadExplain, explaining, (name) => this.#readAgain(name))
  }

  /** Reads the schemas, and notes the files that are not read. */
  static async open<T>(
    source: CollectionSource,
    options: BuildOptions,
    output: CollectionOutput<T>,
    cache: Cache,
  ): Promise<CollectionBuild<T>> {
    const { loadExplain = loadExplainRoom } = options
    const reader = createSchemaReader(cache, loadExplain)
    const schemas = await readSchemas(source.collection.schema, reader)

    const collection = new CollectionBuild(source, options, { output, cache, schemas })
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
    const { source, delivery, words } = this.#source
    const { shard = WHOLE, onRead } = this.#options
    const batches = delivery.all.filter((_, rank) => rank % shard.of === shard.number - 1)

    for (const [at, name] of batches.entries()) {
      const batch = await readBatch(source, name, this.#reading)
      const decided = await this.#decide(batch)
      this.#check.add(decided)
      await this.#claim(decided)

      const { name: collection } = this
      onRead?.({ collection, file: words.file, read: at + 1, of: batches.length })
    }
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

  /** Adds a problem to a list. If we failed on a file, that's always a problem, and only one. */
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
    const { shard = WHOLE } = this.#options
    const sameFiles = this.#output.findFaults?.() ?? []
    const besideOthers = this.#check.findFaults(shard.of > 1)

    if (besideOthers.some(({ fault }) => fault.code === NO_KEY_OF_IDS)) this.#forgetMissingIds()

    const late = [...sameFiles, ...references, ...besideOthers]
    const isUnchecked = ({ fault }: FileFault) => NOT_CHECKED.includes(fault.code)
    this.#warnings.push(...(await this.#explainer.explainFiles(late.filter(isUnchecked))))

    const checked = late.filter((fileFault) => !isUnchecked(fileFault))
    const { config } = this.#source.words
    const isOfConfig = ({ fault }: FileFault) => OF_CONFIG.includes(fault.code)
    const ofConfig = checked.filter(isOfConfig).map(({ fault }) => ({ file: config, fault }))
    this.problems.push(...(await this.#explainer.explainFiles(ofConfig)))
    await this.#explainAgain(checked.filter((fileFault) => !isOfConfig(fileFault)))
  }

  /** If no record of the collection has an id, that is one problem instead of one for each. */
  #forgetMissingIds(): void {
    const isOther = ({ code }: Problem) => code !== WITHOUT_ID
    this.problems = this.problems.filter(isOther)
    this.#refusals = this.#refusals.filter(isOther)
  }

  /** Explains faults of batches that were read before, and adds them. */
  async #explainAgain(fileFaults: readonly FileFault[]): Promise<void> {
    const { isStrict = false } = this.#options

    for (const [name, faultsOfFile] of groupBy(fileFaults, ({ file }) => file)) {
      const bytes = await this.#readAgain(name)
      const faults = faultsOfFile.map(({ fault }) => fault)
      for (const problem of await this.#explainer.explain({ name, bytes }, faults)) {
        const isWarning = problem.code === NEAR_KEY && !isStrict
        this.#add(problem, isWarning ? this.#warnings : this.problems)
      }
    }
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

  /** The result if the build is refused. */
  refused(): Result<T> {
    return {
      ok: false,
      ...this.#report(),
      problems: inOrder(this.problems),
      batches: this.#batches,
    }
  }

  /** Completes what was written. */
  finish(): Promise<void> {
    return this.#output.finish(this.#built())
  }

  /** The result after `finish`. @param outdated the names of the files that weren't up to date */
  published(outdated: readonly string[]): Result<T> {
    return { ok: true, ...this.#report(), ...this.#output.published(outdated) }
  }

  async keepTypes(): Promise<void> {
    await this.#output.keepTypes?.(this.#built())
  }

  /** What is reported in any case, including why records are left out. */
  #report() {
    return {
      collection: this.#source,
      warnings: [...this.unread, ...this.#warnings, ...this.#refusals],
      duplicates: this.#output.duplicates,
    }
  }

  #built(): Built {
    const { collection } = this.#source
    return {
      schemas: this.schemas,
      batches: this.#batches,
      refusals: this.#refusals,
      makeTypes: () => readTypes(this.schemas, this.#places, collection, this.#cache),
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
  const names = sortBatches(problemsByBatch.keys())
  return names.flatMap((name) => problemsByBatch.get(name)?.sort(compareInText) ?? [])
}

function compareInText(a: Problem, b: Problem): number {
  return a.line - b.line || a.column - b.column
}
