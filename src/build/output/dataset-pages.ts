/**
 * Lets pages claim their paths, and writes those that are kept straight to a file: memory holds the
 * claimed paths, but no pages.
 */
import type { Pages } from '../../accept/emit.ts'
import { DATASET } from '../../dataset/format.ts'
import { differingFields, type KeptPaths, type Provenance } from '../../dataset/precedence.ts'
import type { Digest, GrowingFile } from '../../machine/growing-file.ts'
import { type Fault, fault, parsePointer } from '../../page/fault.ts'
import type { ReadBatch } from '../read-batches.ts'

const START = Buffer.from(DATASET.start)
const BETWEEN = Buffer.from(DATASET.between)

export interface Claimed {
  /** The positions of the records that lost their paths. */
  dropped: Set<number>
  /** The faults of records that only show beside other records. */
  faults: Fault[]
}

/** A page that lost its path. */
interface Loser {
  /** Its position among the pages of the batch. */
  at: number
  /** The number of the kept page. */
  winner: number
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
   * Lets the pages of a batch claim their paths. The first record to claim a path keeps it.
   *
   * @param batch batches come in the order of precedence
   * @param isStrict whether a record may not differ from the one that keeps its path
   */
  claim(batch: ReadBatch, isStrict = false): Claimed {
    const losers = this.#claimPaths(batch)

    const faults: Fault[] = []
    for (const loser of losers) {
      const refusal = this.#drop(batch, loser, isStrict)
      if (refusal) faults.push({ ...refusal, page: batch.pages.indexes[loser.at] as number })
    }

    const dropped = new Set(losers.map(({ at }) => batch.pages.indexes[at] as number))
    return { dropped, faults: [...faults, ...this.#findShared(batch, dropped)] }
  }

  /** Completes the dataset. */
  seal(): Digest & { withForms: number } {
    const end = this.#offsets.length === 0 ? DATASET.empty : DATASET.end
    this.#file.add(Buffer.from(end))
    return { ...this.#file.seal(), withForms: this.#withForms }
  }

  /** Writes the pages that keep their paths, in runs, and returns the others. */
  #claimPaths({ name, pages }: ReadBatch): Loser[] {
    const { paths, indexes, identities, hasForm } = pages
    const losers: Loser[] = []
    let runStart = 0

    for (const [at, path] of paths.entries()) {
      const index = indexes[at] as number
      const winner = this.#keptPaths.claim(path, name, index, identities[at])
      if (winner === undefined) {
        if (hasForm[at]) this.#withForms++
        continue
      }

      this.#write(pages, runStart, at)
      runStart = at + 1
      losers.push({ at, winner })
    }

    this.#write(pages, runStart, paths.length)
    return losers
  }

  /** Writes pages from one position to before another; `BETWEEN` is between them already. */
  #write({ starts, ends, bytes }: Pages, first: number, end: number): void {
    if (first === end) return

    this.#file.add(this.#file.size === 0 ? START : BETWEEN)
    const start = starts[first] as number
    const moved = this.#file.size - start
    for (let at = first; at < end; at++) this.#offsets.push((starts[at] as number) + moved)
    this.#file.add(bytes.subarray(start, ends[end - 1]))
  }

  /** The bytes of a kept page. */
  #read(page: number): Buffer {
    const start = this.#offsets[page] as number
    const next = this.#offsets[page + 1]
    const end = next === undefined ? this.#file.size : next - BETWEEN.length
    return this.#file.read(start, end - start)
  }

  /** Drops a record that lost its path, and returns a fault if it may not lose it. */
  #drop({ name: batch, pages }: ReadBatch, loser: Loser, isStrict: boolean): Fault | undefined {
    const { at, winner } = loser
    const path = pages.paths[at] as string
    const index = pages.indexes[at] as number
    const page = pages.bytes.subarray(pages.starts[at], pages.ends[at])
    const fields = differingFieldsOf(this.#read(winner), page)
    this.#keptPaths.drop(winner, path, { batch, index }, fields)

    const place = placeOf(this.#keptPaths.provenance(winner))
    const identity = pages.identities[at]
    const otherIdentity = this.#keptPaths.identity(winner)
    if (identity !== otherIdentity)
      return fault('path.two-records', ['path'], { identity, otherIdentity, place })

    const isConflict = fields.length > 0
    if (isStrict && isConflict) return fault('path.conflict', ['path'], { fields, place })
    return undefined
  }

  /** Finds values that an earlier page has, too, under the same mark of the schema. */
  #findShared({ name: batch, uniques }: ReadBatch, dropped: ReadonlySet<number>): Fault[] {
    const faults: Fault[] = []
    for (const { index, place, value, schema } of uniques) {
      if (dropped.has(index)) continue

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
