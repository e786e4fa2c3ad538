/** The dataset of one collection, while it's written. */
import fs from 'node:fs'
import type { WrittenItem } from '../../accept/items.ts'
import type { Collection } from '../../collections/collection.ts'
import { DATASET } from '../../dataset/format.ts'
import {
  type Claimant,
  type DuplicateRules,
  differingFields,
  type KeptIds,
  type Loser,
} from '../../dataset/precedence.ts'
import type { Fault, FileFault } from '../../fault/fault.ts'
import { readStart } from '../../machine/files.ts'
import type { ReadBatch } from '../read-batch.ts'
import type { ReferenceCheck } from '../reference-check.ts'
import { findSameFiles } from '../same-files.ts'
import { UniqueCheck } from '../unique-check.ts'
import { DatasetFile } from './dataset-file.ts'
import type { CollectionOutput } from './output.ts'

/** The files of a dataset: the one that is written, and the one that's in place. */
interface Files {
  file: string
  before: string
}

export class CollectionDataset implements CollectionOutput {
  readonly collection: Collection
  readonly keptIds: KeptIds
  /** The key of an item that has its id; undefined if a function returns it. */
  readonly key: string | undefined
  /** How many of the kept items have a form. */
  withForms = 0
  readonly file: DatasetFile
  readonly #before: string
  readonly #uniques = new UniqueCheck()
  readonly #references: ReferenceCheck

  constructor(
    { collection, keptIds }: { collection: Collection; keptIds: KeptIds },
    { file, before }: Files,
    references: ReferenceCheck,
  ) {
    this.collection = collection
    this.key = duplicateRulesOf(collection).key
    this.keptIds = keptIds
    this.#before = before
    this.file = new DatasetFile(file, collection)
    this.#references = references
  }

  claim(batch: ReadBatch) {
    const losers = this.keptIds.claim(batch.name, claimantsOf(batch, this.collection))
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
    faults.push(...this.#uniques.add(batch, unpublished))
    this.#references.add(this.collection.name, batch, unpublished)
    return { dropped: dropped.size, refused, faults }
  }

  /** Writes the items that keep their ids. */
  #writeKept(items: readonly WrittenItem[], losers: readonly Loser<Claimant>[]): void {
    const lost = new Set(losers.map(({ item }) => item))
    for (const item of items) {
      if (lost.has(item)) continue

      this.file.add(item.id, item.json)
      if (item.hasForm) this.withForms++
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
    if (this.collection.duplicates === 'refuse') return []

    const losers = refused.filter(({ id, index }) => {
      const keeper = id === undefined ? undefined : this.keptIds.keeper(id)
      return keeper !== undefined && (keeper.batch !== name || keeper.index < index)
    })
    return losers.map(({ index }) => index)
  }

  findFaults(): FileFault[] {
    return findSameFiles(this.keptIds, this.collection)
  }

  isEmptied(): boolean {
    const hadItems = this.sizeBefore() > DATASET.list.empty.length
    return hadItems && this.keptIds.kept === 0
  }

  /** The size of the dataset in place, in bytes; 0 if there is none. */
  sizeBefore(): number {
    return fs.statSync(this.#before, { throwIfNoEntry: false })?.size ?? 0
  }

  textBefore(): string {
    return readStart(this.#before)
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

/** Says what becomes of a second record of an id, and where an id is in an item. */
export function duplicateRulesOf({ duplicates, id, pages }: Collection): DuplicateRules {
  const key = 'key' in id ? id.key : undefined
  return { duplicates, key, areMade: pages !== undefined }
}
