/**
 * Lets items claim their ids, and writes those that are kept straight to a file: memory holds the
 * claimed ids, but no items.
 */
import { type Items, lengthBefore } from '../../accept/emit.ts'
import type { Collection } from '../../collections/collection.ts'
import { DATASET } from '../../dataset/format.ts'
import {
  differingFields,
  type KeptIds,
  type Loser,
  type Provenance,
} from '../../dataset/precedence.ts'
import type { Digest, GrowingFile } from '../../machine/growing-file.ts'
import { type Fault, fault, parsePointer } from '../../page/fault.ts'
import type { ReadBatch } from '../read-batches.ts'

const BETWEEN = Buffer.from(DATASET.between)

export interface Claimed {
  /** The positions of the records that are dropped, because an earlier one keeps their path. */
  dropped: Set<number>
  /** The positions of the records that may not have the path of an earlier one. */
  refused: Set<number>
  /** The faults of records that only show beside other records. */
  faults: Fault[]
}

/** The items of a dataset that is being written. */
export class DatasetItems {
  readonly #file: GrowingFile
  readonly #keptIds: KeptIds
  /** Whether the dataset is an object of items by their ids, because these may not be in the items. */
  readonly #isNamed: boolean
  /** The offset of each kept page in the file. */
  readonly #offsets: number[] = []
  /** The values that only one page may have, each with where it was found first. */
  readonly #uniques = new Map<string, Provenance>()
  #withForms = 0

  /**
   * @param file of the dataset; still empty
   * @param keptIds where the pages claim their paths; still empty
   */
  constructor(file: GrowingFile, { id }: Collection, keptIds: KeptIds) {
    this.#file = file
    this.#isNamed = !('key' in id)
    this.#keptIds = keptIds
  }

  /**
   * Lets the pages of a batch claim their paths, and writes those that keep them.
   *
   * @param batch batches come in the order of precedence
   */
  claim(batch: ReadBatch): Claimed {
    const losers = this.#keptIds.claim(batch.name, batch.items)
    this.#writeOthers(batch.items, losers)

    const dropped = new Set<number>()
    const refused = new Set<number>()
    const faults: Fault[] = []
    for (const loser of losers) {
      const index = batch.items.indexes[loser.at] as number
      if (loser.refusal) refused.add(index)
      else dropped.add(index)

      const refusal = loser.refusal ?? this.#drop(batch, loser)
      if (refusal) faults.push({ ...refusal, page: index })
    }

    const isUnpublished = (index: number) => dropped.has(index) || refused.has(index)
    const shared = this.#findShared(batch, isUnpublished)
    return { dropped, refused, faults: [...faults, ...shared] }
  }

  /** What is before the first item and after the last. */
  get #brackets() {
    return this.#isNamed ? DATASET.byId : DATASET.list
  }

  /** Completes the dataset. */
  seal(): Digest & { withForms: number } {
    const { empty, end: last } = this.#brackets
    const end = this.#offsets.length === 0 ? empty : last
    this.#file.add(Buffer.from(end))
    return { ...this.#file.seal(), withForms: this.#withForms }
  }

  /** Writes the pages that keep their paths: those between the ones that don't. */
  #writeOthers(items: Items, losers: readonly Loser[]): void {
    let runStart = 0
    for (const { at } of losers) {
      this.#write(items, runStart, at)
      runStart = at + 1
    }
    this.#write(items, runStart, items.ids.length)
  }

  /** Writes pages from one position to before another; `BETWEEN` is between them already. */
  #write({ starts, ends, bytes, hasForm }: Items, first: number, end: number): void {
    if (first === end) return

    this.#file.add(this.#file.size === 0 ? Buffer.from(this.#brackets.start) : BETWEEN)
    const start = starts[first] as number
    const moved = this.#file.size - start
    for (let at = first; at < end; at++) {
      this.#offsets.push((starts[at] as number) + moved)
      if (hasForm[at]) this.#withForms++
    }
    this.#file.add(bytes.subarray(start, ends[end - 1]))
  }

  /** The bytes of a kept page. */
  #read(page: number): Buffer {
    const start = this.#offsets[page] as number
    const next = this.#offsets[page + 1]
    const end = next === undefined ? this.#file.size : next - BETWEEN.length
    return this.#file.read(start, end - start)
  }

  /** Drops a page whose path an earlier one keeps. @returns why it may not be dropped */
  #drop({ name: batch, items }: ReadBatch, { at, winner }: Loser): Fault | undefined {
    const id = items.ids[at] as string
    const index = items.indexes[at] as number
    const item = items.bytes.subarray(items.starts[at], items.ends[at])
    const fields = this.#differingFields(id, this.#read(winner), item)
    return this.#keptIds.drop(winner, id, { batch, index }, fields)
  }

  /** @param id of both; the bytes begin with it if it may not be in the item */
  #differingFields(id: string, kept: Buffer, dropped: Buffer): string[] {
    if (kept.equals(dropped)) return []

    const start = lengthBefore(id, { isNamed: this.#isNamed })
    const [keptItem, droppedItem] = [kept, dropped].map((bytes) =>
      JSON.parse(bytes.toString('utf8', start)),
    )
    return differingFields(keptItem, droppedItem)
  }

  /** Finds values that an earlier item has, too, under the same mark of the schema. */
  #findShared(
    { name: batch, uniques }: ReadBatch,
    isUnpublished: (index: number) => boolean,
  ): Fault[] {
    const faults: Fault[] = []
    for (const { index, place, value, schema } of uniques) {
      if (isUnpublished(index)) continue

      const markAndValue = `${schema} ${JSON.stringify(value)}`
      const first = this.#uniques.get(markAndValue)
      if (!first) {
        this.#uniques.set(markAndValue, { batch, index })
        continue
      }

      const isSameRecord = first.batch === batch && first.index === index
      if (!isSameRecord)
        faults.push(fault('schema.unique', parsePointer(place), { value, other: first }))
    }
    return faults
  }
}

/** Says what becomes of a second record of an id, and where an id is in an item. */
export function duplicateRulesOf({ duplicates, id, pages }: Collection) {
  const key = 'key' in id ? id.key : undefined
  return { duplicates, key, areMade: pages !== undefined }
}
