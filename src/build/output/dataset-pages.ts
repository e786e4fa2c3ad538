/**
 * Lets pages claim their paths, and writes those that are kept straight to a file: memory holds the
 * claimed paths, but no pages.
 */
import type { Pages } from '../../accept/emit.ts'
import { DATASET } from '../../dataset/format.ts'
import {
  differingFields,
  type KeptPaths,
  type Loser,
  type Provenance,
} from '../../dataset/precedence.ts'
import type { Digest, GrowingFile } from '../../machine/growing-file.ts'
import { type Fault, fault, parsePointer } from '../../page/fault.ts'
import type { ReadBatch } from '../read-batches.ts'

const START = Buffer.from(DATASET.start)
const BETWEEN = Buffer.from(DATASET.between)

export interface Claimed {
  /** The positions of the records that are dropped, because an earlier one keeps their path. */
  dropped: Set<number>
  /** The positions of the records that may not have the path of an earlier one. */
  refused: Set<number>
  /** The faults of records that only show beside other records. */
  faults: Fault[]
}

/** The pages of the dataset that is being written. */
export class DatasetPages {
  readonly #file: GrowingFile
  readonly #keptPaths: KeptPaths
  /** The offset of each kept page in the file. */
  readonly #offsets: number[] = []
  /** The values that only one page may have, each with where it was found first. */
  readonly #uniques = new Map<string, Provenance>()
  #withForms = 0

  /**
   * @param file of the dataset; still empty
   * @param keptPaths where the pages claim their paths; still empty
   */
  constructor(file: GrowingFile, keptPaths: KeptPaths) {
    this.#file = file
    this.#keptPaths = keptPaths
  }

  /**
   * Lets the pages of a batch claim their paths, and writes those that keep them.
   *
   * @param batch batches come in the order of precedence
   */
  claim(batch: ReadBatch): Claimed {
    const losers = this.#keptPaths.claim(batch.name, batch.pages)
    this.#writeOthers(batch.pages, losers)

    const dropped = new Set<number>()
    const refused = new Set<number>()
    const faults: Fault[] = []
    for (const loser of losers) {
      const index = batch.pages.indexes[loser.at] as number
      if (loser.refusal) refused.add(index)
      else dropped.add(index)

      const refusal = loser.refusal ?? this.#drop(batch, loser)
      if (refusal) faults.push({ ...refusal, page: index })
    }

    const isUnpublished = (index: number) => dropped.has(index) || refused.has(index)
    const shared = this.#findShared(batch, isUnpublished)
    return { dropped, refused, faults: [...faults, ...shared] }
  }

  /** Completes the dataset. */
  seal(): Digest & { withForms: number } {
    const end = this.#offsets.length === 0 ? DATASET.empty : DATASET.end
    this.#file.add(Buffer.from(end))
    return { ...this.#file.seal(), withForms: this.#withForms }
  }

  /** Writes the pages that keep their paths: those between the ones that don't. */
  #writeOthers(pages: Pages, losers: readonly Loser[]): void {
    let runStart = 0
    for (const { at } of losers) {
      this.#write(pages, runStart, at)
      runStart = at + 1
    }
    this.#write(pages, runStart, pages.paths.length)
  }

  /** Writes pages from one position to before another; `BETWEEN` is between them already. */
  #write({ starts, ends, bytes, hasForm }: Pages, first: number, end: number): void {
    if (first === end) return

    this.#file.add(this.#file.size === 0 ? START : BETWEEN)
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
  #drop({ name: batch, pages }: ReadBatch, { at, winner }: Loser): Fault | undefined {
    const path = pages.paths[at] as string
    const index = pages.indexes[at] as number
    const page = pages.bytes.subarray(pages.starts[at], pages.ends[at])
    const fields = differingFieldsOf(this.#read(winner), page)
    return this.#keptPaths.drop(winner, path, { batch, index }, fields)
  }

  /** Finds values that an earlier page has, too, under the same mark of the schema. */
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
        faults.push(fault('schema.unique', parsePointer(place), { value, place: placeOf(first) }))
    }
    return faults
  }
}

function placeOf({ batch, index }: Provenance): string {
  return `record ${index} of ${batch}`
}

function differingFieldsOf(kept: Buffer, dropped: Buffer): string[] {
  if (kept.equals(dropped)) return []
  return differingFields(JSON.parse(kept.toString()), JSON.parse(dropped.toString()))
}
