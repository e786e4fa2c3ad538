/** The dataset of one collection, while it's written. */
import fs from 'node:fs'
import path from 'node:path'
import type { WrittenItem } from '../../accept/items.ts'
import type { Collection } from '../../collections/collection.ts'
import {
  compareItems,
  findNewBatches,
  findNewWinners,
  type ItemChanges,
  LARGEST_COMPARED,
  type NewBatches,
  type NewWinner,
} from '../../dataset/changes.ts'
import {
  DATASET,
  type FileEntry,
  filesOf,
  type Manifest,
  type ManifestHead,
  makeManifest,
  markAlone,
} from '../../dataset/format.ts'
import {
  type Claimant,
  type Duplicate,
  type DuplicateRules,
  differingFields,
  KeptIds,
  type Loser,
} from '../../dataset/precedence.ts'
import type { Fault, FileFault } from '../../fault/fault.ts'
import { readStart } from '../../machine/files.ts'
import type { FileSet } from '../disk/file-set.ts'
import type { BuildOptions } from '../options.ts'
import type { ReadBatch } from '../read-batch.ts'
import { importTypesOf } from '../read-types.ts'
import type { ReferenceCheck } from '../reference-check.ts'
import { findSameFiles } from '../same-files.ts'
import { createUniqueCheck } from '../unique-check.ts'
import { DatasetFile } from './dataset-file.ts'
import type { Built, CollectionOutput } from './output.ts'

/** The published dataset of one collection. */
export interface Published {
  manifest: Manifest
  /** The names of the files of the build that weren't up to date. */
  outdated: readonly string[]
  /** Compared with the previous dataset; if that one or both are large, only whether it changed. */
  changes: ItemChanges | boolean
  /** The ids that another batch wins now, because a new one sorts before the one that had them. */
  newWinners: NewWinner[]
  /** The batches that the previous dataset was made without. */
  newBatches: NewBatches
}

/** The parts that all datasets of a build share. */
interface Shared {
  options: BuildOptions
  fileSet: FileSet
  references: ReferenceCheck
}

export class CollectionDataset implements CollectionOutput<Published> {
  readonly name: string
  readonly keptIds: KeptIds
  readonly file: DatasetFile
  /** Whether types were written that aren't in place. */
  hasNewTypes = false
  readonly #collection: Collection
  readonly #shared: Shared
  /** The key of an item that has its id; undefined if a function returns it. */
  readonly #key: string | undefined
  readonly #checkUniques = createUniqueCheck()
  /** How many of the kept items have a form. */
  #withForms = 0
  #manifest: Manifest | undefined
  /** The entry of this dataset in the manifest in place. */
  #headBefore: ManifestHead = {}
  /** The dataset in place; undefined if that one or the new one is too large to compare. */
  #textBefore: string | undefined

  constructor(collection: Collection, shared: Shared) {
    const { isStrict = false } = shared.options
    const rules = duplicateRulesOf(collection)
    const { dataset } = filesOf(collection.dataset)

    this.name = collection.name
    this.#collection = collection
    this.#shared = shared
    this.#key = rules.key
    this.keptIds = new KeptIds({ ...rules, isStrict })
    this.file = new DatasetFile(path.join(shared.fileSet.work, dataset), collection)
  }

  get duplicates(): readonly Duplicate[] {
    return this.keptIds.duplicates
  }

  /** The result; only after `finish`. */
  get manifest(): Manifest {
    if (!this.#manifest) throw new Error(`the dataset ${this.name} is not finished`)
    return this.#manifest
  }

  claim(batch: ReadBatch) {
    const losers = this.keptIds.claim(batch.name, claimantsOf(batch, this.#collection))
    this.#writeKept(batch.items, losers)

    const dropped = new Set<number>()
    let refused = 0
    const faults: Fault[] = []
    for (const { item, winner, refusal } of losers) {
      const { index } = item
      if (refusal) {
        faults.push({ ...refusal, page: index })
        if (isWritten(item)) refused++
      } else if (isWritten(item)) {
        dropped.add(index)
        const conflict = this.#drop(batch.name, item, winner)
        if (conflict) faults.push({ ...conflict, page: index })
      }
    }

    const unpublished = new Set([...dropped, ...this.#findLosers(batch)])
    faults.push(...this.#checkUniques(batch, unpublished))
    this.#shared.references.add(this.name, batch, unpublished)
    return { dropped: dropped.size, refused, faults }
  }

  /** Writes the items that keep their ids. */
  #writeKept(items: readonly WrittenItem[], losers: readonly Loser<Claimant>[]): void {
    const lost = new Set(losers.map(({ item }) => item))
    for (const item of items) {
      if (lost.has(item)) continue

      this.file.add(item.id, item.json)
      if (item.hasForm) this.#withForms++
    }
  }

  /** Drops an item whose id an earlier one keeps. @returns why it may not be dropped */
  #drop(batch: string, { id, index, json }: WrittenItem, winner: number): Fault | undefined {
    const kept = this.file.read(winner, id)
    const fields = kept.equals(json)
      ? []
      : differingFields(JSON.parse(kept.toString()), JSON.parse(json.toString()))
    return this.keptIds.drop(winner, id, { batch, index }, fields)
  }

  /** Finds the refused records that would be dropped if they were right: an earlier record keeps their id. */
  #findLosers({ name, refused }: ReadBatch): number[] {
    if (this.#collection.duplicates === 'refuse') return []

    const losers = refused.filter(({ id, index }) => {
      const keeper = id === undefined ? undefined : this.keptIds.keeper(id)
      return keeper !== undefined && (keeper.batch !== name || keeper.index < index)
    })
    return losers.map(({ index }) => index)
  }

  findFaults(): FileFault[] {
    return findSameFiles(this.keptIds, this.#collection)
  }

  isEmptied(): boolean {
    const hadItems = this.#sizeBefore() > DATASET.list.empty.length
    return hadItems && this.keptIds.kept === 0
  }

  async keepTypes(built: Built): Promise<void> {
    const { isCheck = false, hasTypes = true } = this.#shared.options
    if (isCheck || !hasTypes) return

    for (const { file, text } of await this.#makeTypes(built)) {
      const alone = markAlone(text)
      const current = readStart(this.#placeOf(file))
      if (current === text || current === alone) continue

      this.#shared.fileSet.write(file, [alone])
      this.hasNewTypes = true
    }
  }

  /** Completes the files, in the order in which they are put into place: that of `findForeign`. */
  async finish(built: Built): Promise<void> {
    const { options, fileSet } = this.#shared
    const { hasTypes = true } = options

    const madeTypes = hasTypes ? await this.#makeTypes(built) : []
    const [types, importTypes] = madeTypes.map(({ file, text }) => fileSet.write(file, [text]))

    const dataset = fileSet.add(filesOf(this.#collection.dataset).dataset, this.file.seal())
    this.#manifest = this.#manifestOf(built, { dataset, types, importTypes })

    const isLarge = Math.max(this.#sizeBefore(), dataset.bytes) > LARGEST_COMPARED
    if (!isLarge) this.#textBefore = readStart(this.#placeOf(dataset.file))
  }

  /** Makes the files of the types, in the order in which they are put into place. */
  async #makeTypes({ makeTypes }: Built): Promise<{ file: string; text: string }[]> {
    const { dataset, types, importTypes } = filesOf(this.#collection.dataset)
    return [
      { file: types, text: await makeTypes() },
      { file: importTypes, text: importTypesOf(this.#collection, dataset) },
    ]
  }

  #manifestOf(
    { schemas: { sha256 }, batches, refusals }: Built,
    files: Pick<Manifest, 'dataset' | 'types' | 'importTypes'>,
  ): Manifest {
    const refused = refusals.map(({ batch, record, pointer, code }) => {
      return { batch, index: record, pointer, code }
    })
    const { kept, duplicates } = this.keptIds
    const schema = sha256 === null ? null : { sha256 }
    const withForms = this.#collection.pages ? this.#withForms : undefined
    return makeManifest({ ...files, schema, batches, refused, duplicates }, { kept, withForms })
  }

  /** @param head the entry of this dataset in the manifest in place */
  noteHead(head: ManifestHead): void {
    this.#headBefore = head
  }

  /**
   * Returns the file that isn't what a build would write, if the types aren't known: the dataset, or the
   * types if only the schema has changed.
   *
   * @param differing the names of the files that differ
   */
  outdatedFile(differing: readonly string[]): string | undefined {
    const { dataset, schema } = this.manifest
    const isInManifest = this.#headBefore.dataset?.sha256 === dataset.sha256
    if (differing.includes(dataset.file) || !isInManifest) return dataset.file

    const isSameSchema = this.#headBefore.schema?.sha256 === schema?.sha256
    return isSameSchema ? undefined : filesOf(this.#collection.dataset).types
  }

  published(outdated: readonly string[]): Published {
    const { manifest } = this
    const { batches: batchesBefore = [] } = this.#headBefore
    return {
      manifest,
      outdated,
      changes: this.#findChanges(manifest.dataset, outdated),
      newWinners: findNewWinners(batchesBefore, manifest),
      newBatches: findNewBatches(batchesBefore, manifest.batches),
    }
  }

  #findChanges({ file }: FileEntry, outdated: readonly string[]): ItemChanges | boolean {
    const hasChanged = outdated.includes(file)
    if (!hasChanged || this.#textBefore === undefined) return hasChanged

    return compareItems(this.#textBefore, this.file.text(), this.#key)
  }

  /** The size of the dataset in place, in bytes; 0 if there is none. */
  #sizeBefore(): number {
    const file = this.#placeOf(filesOf(this.#collection.dataset).dataset)
    return fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0
  }

  #placeOf(file: string): string {
    return path.join(this.#shared.options.out, file)
  }
}

/**
 * Returns what claims the ids of a batch, in the order of the records. If no two records may have one
 * id, a refused record claims its own as well: a copy is a problem, whatever else is wrong with it.
 */
export function claimantsOf(
  { items, refused }: Pick<ReadBatch, 'items' | 'refused'>,
  { duplicates }: Collection,
): readonly (WrittenItem | Claimant)[] {
  if (duplicates !== 'refuse' || refused.length === 0) return items

  const claimants = refused.flatMap(({ id, ...record }) => {
    return id === undefined ? [] : [{ ...record, id, isRefused: true }]
  })
  return [...items, ...claimants].sort((a, b) => a.index - b.index)
}

/** Whether something that claims an id would be in the dataset. */
export function isWritten(claimant: WrittenItem | Claimant): claimant is WrittenItem {
  return 'json' in claimant
}

/** Returns what becomes of a second record with an id, and where an id is in an item. */
export function duplicateRulesOf({ duplicates, id, pages }: Collection): DuplicateRules {
  const key = 'key' in id ? id.key : undefined
  return { duplicates, key, areMade: pages !== undefined }
}
