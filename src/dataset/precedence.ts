/**
 * Precedence: the first batch to claim a path keeps it. Batches are in the natural order of their
 * names, records in the order of their batch. Locale, clock, modification time and the order in which
 * reads finish never matter. A page is written as soon as it claims its path, so another rule within a
 * batch, such as "the last wins", also changes `src/build/output/dataset-pages.ts`.
 */
import { isDeepStrictEqual } from 'node:util'
import { BuildError } from '../machine/errors.ts'
import { asObject } from '../text/as-object.ts'
import { compareNaturally } from '../text/natural-order.ts'
import { formatNumber } from '../text/wording.ts'

/** Where a record came from: the name of its batch, and its position there, from 0. */
export interface Provenance {
  batch: string
  index: number
  /** The line it begins on, from 1; set only on request. */
  line?: number
}

/** A record that lost its path to an earlier one. */
interface Dropped extends Provenance {
  kind: 'identical' | 'conflicting'
  /** The keys whose values differ from the kept record's. */
  fields: readonly string[]
}

/** A path that was claimed more than once. */
export interface Duplicate {
  path: string
  kept: Provenance
  dropped: Dropped[]
}

/**
 * Decides which of two batches comes first, by their names relative to the batch folder, with `/` as
 * the separator, in form NFC. Never by the order of a locale: who wins a path must not depend on the machine.
 */
export const compareBatches: (a: string, b: string) => number = compareNaturally

/** The most entries that a Map of V8 can have. */
const MOST_PAGES = 2 ** 24

/**
 * The paths claimed so far, each with the record that keeps it. Records must claim in the order of
 * precedence. Pages are counted in the order in which they claim: the number of a page is its place.
 */
export class KeptPaths {
  readonly #pages = new Map<string, number>()
  // Indexed by page number. There may be millions of pages, so there is no object per page.
  readonly #batches: string[] = []
  readonly #indexes: number[] = []
  readonly #identities: (string | number)[] = []
  readonly #duplicates = new Map<number, Duplicate>()

  /** How many pages are kept. */
  get kept(): number {
    return this.#batches.length
  }

  /** The paths claimed more than once, in the order in which they were claimed again. */
  get duplicates(): Duplicate[] {
    return [...this.#duplicates.values()]
  }

  /**
   * Lets a record claim its path.
   *
   * @param identity what the record is about; passed for all records or for none
   * @returns the number of the page that keeps the path; undefined if the record itself keeps it
   * @throws BuildError if there are more paths than a Map can hold
   */
  claim(
    path: string,
    batch: string,
    index: number,
    identity?: string | number,
  ): number | undefined {
    const earlierPage = this.#pages.get(path)
    if (earlierPage !== undefined) return earlierPage

    const page = this.#batches.length
    if (page === MOST_PAGES) {
      throw new BuildError(
        `more than ${formatNumber(page)} pages are too many for one build; see "Beyond one machine" in src/build/README.md`,
      )
    }

    this.#pages.set(path, page)
    this.#batches.push(batch)
    this.#indexes.push(index)
    if (identity !== undefined) this.#identities.push(identity)
    return undefined
  }

  /** The kept pages, in the order in which they were claimed. */
  *pages(): Generator<Provenance & { path: string }> {
    for (const [path, page] of this.#pages) yield { path, ...this.provenance(page) }
  }

  /** Whether a page has claimed a path so far. */
  has(path: string): boolean {
    return this.#pages.has(path)
  }

  /** What a kept page is about; undefined if no record says it. */
  identity(page: number): string | number | undefined {
    return this.#identities[page]
  }

  /** Where a kept page came from. */
  provenance(page: number): Provenance {
    return { batch: this.#batches[page] as string, index: this.#indexes[page] as number }
  }

  /**
   * Records that a record lost its path to a page.
   *
   * @param fields the keys in which it differs from the page; empty when it is identical
   */
  drop(page: number, path: string, { batch, index }: Provenance, fields: readonly string[]): void {
    const kind = fields.length === 0 ? 'identical' : 'conflicting'
    const dropped: Dropped = { batch, index, kind, fields }

    const duplicate = this.#duplicates.get(page)
    if (duplicate) {
      duplicate.dropped.push(dropped)
      return
    }

    const kept = this.provenance(page)
    this.#duplicates.set(page, { path, kept, dropped: [dropped] })
  }
}

/** Returns the keys whose values differ: first those of the kept page, in its order. */
export function differingFields(kept: object, dropped: object): string[] {
  const keptValues = asObject(kept)
  const droppedValues = asObject(dropped)

  const keys = new Set([...Object.keys(kept), ...Object.keys(dropped)])
  return [...keys].filter((key) => !isEqual(keptValues[key], droppedValues[key]))
}

/** Most values are strings. For those, the general comparison takes ten times as long. */
function isEqual(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === 'object' && isDeepStrictEqual(a, b))
}
