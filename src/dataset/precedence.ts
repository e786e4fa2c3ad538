/**
 * Precedence: the first batch to claim a path keeps it. Batches are in the natural order of their
 * names, records in the order of their batch. Locale, clock, modification time and the order in which
 * reads finish never matter. This is also the only place that decides what becomes of the others.
 */
import { isDeepStrictEqual } from 'node:util'
import { BuildError } from '../machine/errors.ts'
import { type Fault, fault } from '../page/fault.ts'
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

/** The pages of one batch that claim their paths, in order: one array for each fact. */
export interface Claimants {
  paths: readonly string[]
  /** The position of the record of each page in the batch. */
  indexes: readonly number[]
  /** What each is about; empty if nothing says it. */
  identities: readonly (string | number)[]
  /** The key of each record in the object that it is in; undefined for one in a list. */
  keys: readonly (string | undefined)[]
}

/** A page whose path an earlier one keeps. */
export interface Loser {
  /** Its position among the pages of its batch. */
  at: number
  /** The number of the page that keeps the path. */
  winner: number
  /** Why the two may not have one path, as a fault of the page; undefined if this one is dropped. */
  refusal: Fault | undefined
}

/** What may become of a record whose path another record keeps. */
export interface DuplicateRules {
  /** Whether any second record of a path is a problem, or is dropped; 'drop' by default. */
  duplicates?: 'drop' | 'refuse' | undefined
  /** Whether a record that is dropped must be identical to the one that keeps the path. */
  isStrict?: boolean
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
  readonly #rules: DuplicateRules
  readonly #pages = new Map<string, number>()
  // Indexed by page number. There may be millions of pages, so there is no object per page.
  readonly #batches: string[] = []
  readonly #indexes: number[] = []
  readonly #identities: (string | number)[] = []
  readonly #duplicates = new Map<number, Duplicate>()

  constructor(rules: DuplicateRules = {}) {
    this.#rules = rules
  }

  /** How many pages are kept. */
  get kept(): number {
    return this.#batches.length
  }

  /** The paths claimed more than once, in the order in which they were claimed again. */
  get duplicates(): Duplicate[] {
    return [...this.#duplicates.values()]
  }

  /**
   * Lets the pages of a batch claim their paths.
   *
   * @returns those whose paths an earlier page keeps, in order
   * @throws BuildError if there are more paths than a Map can hold
   */
  claim(batch: string, claimants: Claimants): Loser[] {
    const { paths, indexes, identities, keys } = claimants
    const losers: Loser[] = []
    const firstPage = this.kept
    /** The keys of this batch's pages that are kept. */
    const keptKeys: (string | undefined)[] = []

    for (const [at, path] of paths.entries()) {
      const winner = this.#pages.get(path)
      if (winner === undefined) {
        this.#keep(path, batch, indexes[at] as number, identities[at])
        keptKeys.push(keys[at])
        continue
      }

      const otherKey = keptKeys[winner - firstPage]
      losers.push({ at, winner, refusal: this.#refusalOf(claimants, at, winner, otherKey) })
    }
    return losers
  }

  #keep(path: string, batch: string, index: number, identity: string | number | undefined): void {
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
  }

  /**
   * Returns why a page may not have the path of an earlier one.
   *
   * @param otherKey the key of the other record; undefined if it's in a list or in another batch
   */
  #refusalOf(
    { identities, keys }: Claimants,
    at: number,
    winner: number,
    otherKey: string | undefined,
  ): Fault | undefined {
    const other = this.provenance(winner)
    const identity = identities[at]
    const otherIdentity = this.#identities[winner]
    if (identity !== otherIdentity) {
      const place = `record ${other.index} of ${other.batch}`
      return fault('path.two-records', ['path'], { identity, otherIdentity, place })
    }

    const key = keys[at]
    const areTwoKeys = key !== undefined && otherKey !== undefined && key !== otherKey
    if (areTwoKeys && identity === undefined)
      return fault('path.two-keys', ['path'], { key, otherKey, other: other.index })

    if (this.#rules.duplicates !== 'refuse') return undefined
    return fault('path.refused', ['path'], { other })
  }

  /** The kept pages, in the order in which they were claimed. */
  *pages(): Generator<Provenance & { path: string }> {
    for (const [path, page] of this.#pages) yield { path, ...this.provenance(page) }
  }

  /** Whether a page has claimed a path so far. */
  has(path: string): boolean {
    return this.#pages.has(path)
  }

  /** Where a kept page came from. */
  provenance(page: number): Provenance {
    return { batch: this.#batches[page] as string, index: this.#indexes[page] as number }
  }

  /**
   * Records that a record lost its path to a page.
   *
   * @param fields the keys in which it differs from the page; empty when it is identical
   * @returns why it may not be dropped, as a fault of the page
   */
  drop(
    page: number,
    path: string,
    { batch, index }: Provenance,
    fields: readonly string[],
  ): Fault | undefined {
    const kind = fields.length === 0 ? 'identical' : 'conflicting'
    const dropped: Dropped = { batch, index, kind, fields }
    const kept = this.provenance(page)

    const duplicate = this.#duplicates.get(page)
    if (duplicate) duplicate.dropped.push(dropped)
    else this.#duplicates.set(page, { path, kept, dropped: [dropped] })

    if (!this.#rules.isStrict || kind === 'identical') return undefined
    const place = `record ${kept.index} of ${kept.batch}`
    return fault('path.conflict', ['path'], { fields, place })
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
