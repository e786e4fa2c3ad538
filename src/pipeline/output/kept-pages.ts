/**
 * Lets pages claim their paths, and writes those that are kept straight to a file: memory holds the
 * claimed paths, but no pages.
 */
import type { Pages } from '../../batch/read.ts'
import { DATASET } from '../../dataset/format.ts'
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

/** The most entries that a Map of V8 can have. */
const MOST_PAGES = 2 ** 24

const START = Buffer.from(DATASET.start)
const BETWEEN = Buffer.from(DATASET.between)

export class KeptPages {
  readonly #file: GrowingFile
  readonly #keptPaths: KeptPaths
  /** The offset of each kept page in the file. */
  readonly #starts: number[] = []
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
    // Written together: a call for each page costs more than the page.
    const kept: Uint8Array[] = []
    let end = this.#file.size
    for (const [at, path] of paths.entries()) {
      const number = this.#keptPaths.kept
      if (number === MOST_PAGES && !this.#keptPaths.keeper(path)) {
        throw new BuildError(
          `more than ${formatNumber(number)} pages are too many for one build; see "Beyond one machine" in src/pipeline/README.md`,
        )
      }
      const winner = this.#keptPaths.claim(path, batch, indexes[at] as number, identities[at])
      if (winner !== number) {
        lost.push({ at, winner })
        continue
      }
      if (hasForm[at]) this.withForms++
      const separator = number === 0 ? START : BETWEEN
      const page = bytes.subarray(starts[at], ends[at])
      this.#starts.push(end + separator.length)
      end += separator.length + page.length
      kept.push(separator, page)
    }
    this.#file.add(Buffer.concat(kept))
    return lost.map(({ at, winner }) => {
      const index = indexes[at] as number
      const fields = differingFieldsOf(this.#read(winner), bytes.subarray(starts[at], ends[at]))
      this.#keptPaths.drop(winner, paths[at] as string, { batch, index }, fields)
      const drop = { index, kept: this.#keptPaths.provenance(winner), fields }
      const [own, kept] = [identities[at], this.#keptPaths.identity(winner)]
      if (own === undefined || kept === undefined || own === kept) return drop
      return { ...drop, identities: { own, kept } }
    })
  }

  /** The bytes of a kept page. */
  #read(number: number): Buffer {
    const start = this.#starts[number] as number
    const next = this.#starts[number + 1]
    const end = next === undefined ? this.#file.size : next - BETWEEN.length
    return this.#file.read(start, end - start)
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

function differingFieldsOf(kept: Buffer, dropped: Uint8Array): string[] {
  if (kept.equals(dropped)) return []
  return differingFields(JSON.parse(kept.toString()), JSON.parse(Buffer.from(dropped).toString()))
}
