/**
 * Lets pages claim their paths, and writes those that are kept straight to a file: memory holds the
 * claimed paths, but no pages.
 */
import type { Pages } from '../../batch/read.ts'
import { DATASET } from '../../dataset/output.ts'
import { differingFields, type KeptPaths, type Provenance } from '../../dataset/precedence.ts'
import { BuildError } from '../../machine/errors.ts'
import type { Digest, GrowingFile } from '../../machine/growing-file.ts'
import { formatNumber } from '../../text/wording.ts'

/** The outcome for a record that lost its path. */
export interface Drop {
  /** Its position in its batch. */
  index: number
  kept: Provenance
  /** The keys in which it differs from the kept page; empty when it is identical. */
  fields: readonly string[]
  /** What both are about, if that is not the same: they are no duplicates. */
  identities?: { own: string | number; kept: string | number }
}

/** A Map of V8 has no more entries. */
const MOST_PAGES = 2 ** 24

const START = Buffer.from(DATASET.start)
const BETWEEN = Buffer.from(DATASET.between)

export class KeptPages {
  readonly #file: GrowingFile
  readonly #keptPaths: KeptPaths
  /** The offset of each kept page in the file. */
  readonly #starts: number[] = []
  /** There are few distinct lists of fields; each is stored once. */
  readonly #fields = new Map<string, readonly string[]>()
  /** How many of the pages have a form. */
  withForms = 0

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
   * @param batch its name; batches come in the order of precedence
   * @returns the records that lost their paths
   */
  claim(batch: string, pages: Pages): Drop[] {
    const { paths, indexes, identities, hasForm, starts, ends, bytes } = pages
    const lost: { at: number; winner: number }[] = []
    let next = 0
    for (const [at, path] of paths.entries()) {
      const { kept } = this.#keptPaths
      if (kept === MOST_PAGES && !this.#keptPaths.keeper(path)) {
        throw new BuildError(
          `more than ${formatNumber(kept)} pages are too many for one build; see "Beyond one machine" in src/pipeline/README.md`,
        )
      }
      const winner = this.#keptPaths.claim(path, batch, indexes[at] as number, identities[at])
      if (winner === kept) {
        if (hasForm[at]) this.withForms++
      } else {
        this.#keep(pages, next, at)
        next = at + 1
        lost.push({ at, winner })
      }
    }
    this.#keep(pages, next, paths.length)
    const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    return lost.map(({ at, winner }) => {
      const index = indexes[at] as number
      const dropped = whole.subarray(starts[at], ends[at])
      const fields = this.#differingFields(this.#read(winner), dropped)
      this.#keptPaths.drop(winner, paths[at] as string, { batch, index }, fields)
      const drop = { index, kept: this.#keptPaths.provenance(winner), fields }
      const [own, kept] = [identities[at], this.#keptPaths.identity(winner)]
      if (own === undefined || kept === undefined || own === kept) return drop
      return { ...drop, identities: { own, kept } }
    })
  }

  /** Writes neighboring pages in one piece. */
  #keep({ starts, ends, bytes }: Pages, first: number, end: number): void {
    if (first === end) return
    this.#file.add(this.#starts.length === 0 ? START : BETWEEN)
    const start = starts[first] as number
    const moved = this.#file.size - start
    for (let at = first; at < end; at++) this.#starts.push((starts[at] as number) + moved)
    this.#file.add(bytes.subarray(start, ends[end - 1]))
  }

  /** The bytes of a kept page. */
  #read(number: number): Buffer {
    const start = this.#starts[number] as number
    const next = this.#starts[number + 1]
    const end = next === undefined ? this.#file.size : next - BETWEEN.length
    return this.#file.read(start, end - start)
  }

  #differingFields(kept: Buffer, dropped: Buffer): readonly string[] {
    if (kept.equals(dropped)) return []
    const fields = differingFields(JSON.parse(kept.toString()), JSON.parse(dropped.toString()))
    const key = JSON.stringify(fields)
    const known = this.#fields.get(key) ?? fields
    this.#fields.set(key, known)
    return known
  }

  /** Completes the dataset. */
  seal(): Digest {
    this.#file.add(Buffer.from(this.#starts.length === 0 ? DATASET.empty : DATASET.end))
    return this.#file.seal()
  }

  /** Returns the text of a sealed dataset. */
  text(): string {
    return this.#file.read(0, this.#file.size).toString()
  }

  close(): void {
    this.#file.close()
  }
}
