/** The dataset of one collection, while it's written. */
import fs from 'node:fs'
import type { Collection } from '../../collections/collection.ts'
import { DATASET } from '../../dataset/format.ts'
import { KeptIds } from '../../dataset/precedence.ts'
import { readStart } from '../../machine/files.ts'
import { type Digest, GrowingFile } from '../../machine/growing-file.ts'
import type { FileFault } from '../explainer.ts'
import { LinkCheck } from '../link-check.ts'
import type { ReadBatch } from '../read-batches.ts'
import type { ReferenceCheck } from '../reference-check.ts'
import { findSameFiles } from '../same-files.ts'
import { DatasetItems, duplicateRulesOf } from './dataset-items.ts'
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
  readonly #before: string
  readonly #file: GrowingFile
  readonly #items: DatasetItems
  readonly #links: LinkCheck
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
    this.#file = new GrowingFile(file)
    this.#items = new DatasetItems(this.#file, collection, this.keptIds)
    this.#links = new LinkCheck(this.keptIds)
    this.#references = references
  }

  claim(batch: ReadBatch) {
    const { dropped, refused, faults } = this.#items.claim(batch)
    this.#links.add(batch, (index) => dropped.has(index) || refused.has(index))
    this.#references.add(this.collection.name, batch, refused)
    return { dropped: dropped.size, refused: refused.size, faults }
  }

  findFaults(): FileFault[] {
    return [...this.#links.findFaults(), ...findSameFiles(this.keptIds, this.collection)]
  }

  isEmptied(): boolean {
    const hadItems = this.sizeBefore() > DATASET.list.empty.length
    return hadItems && this.keptIds.kept === 0
  }

  /** Completes the dataset. */
  seal(): Digest & { withForms: number } {
    return this.#items.seal()
  }

  /** The size of the dataset in place, in bytes; 0 if there is none. */
  sizeBefore(): number {
    return fs.statSync(this.#before, { throwIfNoEntry: false })?.size ?? 0
  }

  textBefore(): string {
    return readStart(this.#before)
  }

  /** The whole dataset as it was sealed. */
  text(): string {
    return this.#file.read(0, this.#file.size).toString()
  }

  close(): void {
    this.#file.close()
  }
}
