/** The dataset of one collection, while it's written. */
import fs from 'node:fs'
import type { WrittenItem } from '../../accept/items.ts'
import type { Collection } from '../../collections/collection.ts'
import { DATASET } from '../../dataset/format.ts'
import {
  type DuplicateRules,
  differingFields,
  KeptIds,
  type Loser,
} from '../../dataset/precedence.ts'
import { readStart } from '../../machine/files.ts'
import type { Fault, FileFault } from '../../page/fault.ts'
import { LinkCheck } from '../link-check.ts'
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
  readonly #links: LinkCheck
  readonly #uniques = new UniqueCheck()
  readonly #references: ReferenceCheck

  constructor(
    collection: Collection,
    { file, before }: Files,
    references: ReferenceCheck,
    isStrict = false,
  ) {
    const rules = duplicateRulesOf(collection)
    this.collection = collection
    this.key = rules.key
    this.keptIds = new KeptIds({ ...rules, isStrict })
    this.#before = before
    this.file = new DatasetFile(file, collection)
    this.#links = new LinkCheck(this.keptIds)
    this.#references = references
  }

  claim(batch: ReadBatch) {
    const losers = this.keptIds.claim(batch.name, batch.items)
    this.#writeKept(batch.items, losers)

    const dropped = new Set<number>()
    const refused = new Set<number>()
    const faults: Fault[] = []
    for (const loser of losers) {
      const { index } = loser.item
      if (loser.refusal) {
        refused.add(index)
        faults.push({ ...loser.refusal, page: index })
        continue
      }

      dropped.add(index)
      const conflict = this.#drop(batch.name, loser)
      if (conflict) faults.push({ ...conflict, page: index })
    }

    const isUnpublished = (index: number) => dropped.has(index) || refused.has(index)
    faults.push(...this.#uniques.add(batch, isUnpublished))
    this.#links.add(batch, isUnpublished)
    this.#references.add(this.collection.name, batch, refused)
    return { dropped: dropped.size, refused: refused.size, faults }
  }

  /** Writes the items that keep their ids. */
  #writeKept(items: readonly WrittenItem[], losers: readonly Loser<WrittenItem>[]): void {
    const lost = new Set(losers.map(({ item }) => item))
    for (const item of items) {
      if (lost.has(item)) continue

      this.file.add(item.id, item.json)
      if (item.hasForm) this.withForms++
    }
  }

  /** Drops an item whose id an earlier one keeps. @returns why it may not be dropped */
  #drop(batch: string, { item, winner }: Loser<WrittenItem>): Fault | undefined {
    const { id, index, json } = item
    const kept = this.file.read(winner, id)
    const fields = kept.equals(json)
      ? []
      : differingFields(JSON.parse(kept.toString()), JSON.parse(json.toString()))
    return this.keptIds.drop(winner, id, { batch, index }, fields)
  }

  findFaults(): FileFault[] {
    return [...this.#links.findFaults(), ...findSameFiles(this.keptIds, this.collection)]
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

/** Says what becomes of a second record of an id, and where an id is in an item. */
export function duplicateRulesOf({ duplicates, id, pages }: Collection): DuplicateRules {
  const key = 'key' in id ? id.key : undefined
  return { duplicates, key, areMade: pages !== undefined }
}
