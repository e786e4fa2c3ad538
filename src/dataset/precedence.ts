/**
 * Precedence: the first batch to claim an id keeps it. Batches are in the natural order of their
 * names, records in the order of their batch. Locale, clock, modification time and the order in which
 * reads finish never matter. This is also the only place that decides what becomes of the others.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Identity, OtherRecord } from '../fault/facts.ts'
import { type Fault, fault } from '../fault/fault.ts'
import { BuildError } from '../machine/errors.ts'
import { asObject } from '../text/as-object.ts'
import { compareNaturally, sortNaturally } from '../text/natural-order.ts'
import { formatNumber } from '../text/wording.ts'

/** Where a record came from. */
export interface Provenance extends OtherRecord {
  /** The line it begins on, from 1; set only on request. */
  line?: number
}

/** A record that lost its id to an earlier one. */
interface Dropped extends Provenance {
  kind: 'identical' | 'conflicting'
  /** The keys whose values differ from the kept record's. */
  fields: readonly string[]
}

/** An id that was claimed more than once. */
export interface Duplicate {
  id: string
  kept: Provenance
  dropped: Dropped[]
}

/** An item that claims its id. */
export interface Claimant {
  id: string
  /** The position of its record in the batch. */
  index: number
  /** Its identity; undefined if there is none. */
  identity: Identity | undefined
  /** The key of its record in the object that it is in; undefined for one in a list. */
  key: string | undefined
  /** Whether something refuses its record: then its identity may be unknown. */
  isRefused?: boolean
}

/** An item whose id an earlier one keeps. */
export interface Loser<Item extends Claimant> {
  item: Item
  /** The number of the item that keeps the id. */
  winner: number
  /** Why the two may not have one id, as a fault of the item; undefined if this one is dropped. */
  refusal: Fault | undefined
}

/** What may happen to a record if another one keeps its id. */
export interface DuplicateRules {
  /** Whether any second record of an id is a problem, or is dropped. */
  duplicates: 'drop' | 'refuse'
  /** Whether a record that is dropped must be identical to the one that keeps the id. */
  isStrict?: boolean
  /** The key of the items that has their ids; undefined if the ids aren't in them. */
  key: string | undefined
  /** Whether ids are made of the keys of an object: two keys that become one are a mistake then. */
  areMade?: boolean
}

/**
 * Decides which of two batches comes first, by their names relative to the batch folder, with `/` as
 * the separator, in form NFC. Never by the order of a locale: who wins an id must not depend on the machine.
 */
export const compareBatches: (a: string, b: string) => number = compareNaturally

/** Returns the names of batches in the order of `compareBatches`. */
export const sortBatches: (names: Iterable<string>) => string[] = sortNaturally

/** The most entries that a Map of V8 can have. */
const MOST_ITEMS = 2 ** 24

/**
 * The ids claimed so far, each with the record that keeps it. Records must claim in the order of
 * precedence. Items are counted in the order in which they claim: the number of an item is its place.
 */
export class KeptIds {
  readonly #rules: DuplicateRules
  readonly #items = new Map<string, number>()
  // Indexed by item number. There may be millions of items, so there is no object per item.
  readonly #batches: string[] = []
  readonly #indexes: number[] = []
  readonly #identities: Identity[] = []
  readonly #refused = new Set<number>()
  readonly #duplicates = new Map<number, Duplicate>()

  constructor(rules: DuplicateRules) {
    this.#rules = rules
  }

  /** How many items are kept. */
  get kept(): number {
    return this.#batches.length
  }

  /** The ids claimed more than once, in the order in which they were claimed again. */
  get duplicates(): Duplicate[] {
    return [...this.#duplicates.values()]
  }

  /**
   * Lets the items of a batch claim their ids.
   *
   * @returns those whose ids an earlier item keeps, in order
   * @throws BuildError if there are more ids than a Map can hold
   */
  claim<Item extends Claimant>(batch: string, items: readonly Item[]): Loser<Item>[] {
    const losers: Loser<Item>[] = []
    const firstItem = this.kept
    /** The keys of this batch's items that are kept. */
    const keptKeys: (string | undefined)[] = []

    for (const item of items) {
      const winner = this.#items.get(item.id)
      if (winner === undefined) {
        this.#keep(batch, item)
        keptKeys.push(item.key)
        continue
      }

      const otherKey = keptKeys[winner - firstItem]
      losers.push({ item, winner, refusal: this.#refusalOf(item, winner, otherKey) })
    }
    return losers
  }

  #keep(batch: string, { id, index, identity, isRefused }: Claimant): void {
    const item = this.#batches.length
    if (item === MOST_ITEMS) {
      throw new BuildError(
        `more than ${formatNumber(item)} records are too many for one build; see "Beyond one machine" in src/build/README.md`,
      )
    }

    this.#items.set(id, item)
    this.#batches.push(batch)
    this.#indexes.push(index)
    if (identity !== undefined) this.#identities[item] = identity
    if (isRefused) this.#refused.add(item)
  }

  /**
   * Returns why an item may not have the id of an earlier one.
   *
   * @param otherKey the key of the other record; undefined if it's in a list or in another batch
   */
  #refusalOf(
    { identity, key, isRefused }: Claimant,
    winner: number,
    otherKey: string | undefined,
  ): Fault | undefined {
    const kept = this.provenance(winner)
    const otherIdentity = this.#identities[winner]
    const areKnown = !isRefused && !this.#refused.has(winner)
    if (areKnown && identity !== otherIdentity)
      return fault('path.two-records', this.#pointer, { identity, otherIdentity, other: kept })

    const areTwoKeys = key !== undefined && otherKey !== undefined && key !== otherKey
    if (this.#rules.areMade && areTwoKeys && identity === undefined)
      return fault('path.two-keys', this.#pointer, { key, otherKey, other: kept.index })

    if (this.#rules.duplicates !== 'refuse') return undefined
    return fault('path.refused', this.#pointer, { other: kept })
  }

  /** Where the id is in an item. */
  get #pointer(): string[] {
    const { key } = this.#rules
    return key === undefined ? [] : [key]
  }

  /** The kept items, in the order in which they were claimed. */
  *items(): Generator<Provenance & { id: string }> {
    for (const [id, item] of this.#items) yield { id, ...this.provenance(item) }
  }

  /** Whether an item has claimed an id so far. */
  has(id: string): boolean {
    return this.#items.has(id)
  }

  /** The record that has claimed an id so far. */
  keeper(id: string): Provenance | undefined {
    const item = this.#items.get(id)
    return item === undefined ? undefined : this.provenance(item)
  }

  /** Where a kept item came from. */
  provenance(item: number): Provenance {
    return { batch: this.#batches[item] as string, index: this.#indexes[item] as number }
  }

  /**
   * Records that a record lost its id to an item.
   *
   * @param fields the keys in which it differs from the item; empty when it is identical
   * @returns why it may not be dropped, as a fault of its item
   */
  drop(
    item: number,
    id: string,
    { batch, index }: Provenance,
    fields: readonly string[],
  ): Fault | undefined {
    const kind = fields.length === 0 ? 'identical' : 'conflicting'
    const dropped: Dropped = { batch, index, kind, fields }
    const kept = this.provenance(item)

    const duplicate = this.#duplicates.get(item)
    if (duplicate) duplicate.dropped.push(dropped)
    else this.#duplicates.set(item, { id, kept, dropped: [dropped] })

    if (!this.#rules.isStrict || kind === 'identical') return undefined
    return fault('path.conflict', this.#pointer, { fields, other: kept })
  }
}

/** Returns the keys whose values differ: first those of the kept item, in its order. */
export function differingFields(kept: unknown, dropped: unknown): string[] {
  const keptValues = asObject(kept)
  const droppedValues = asObject(dropped)

  const keys = new Set([...Object.keys(keptValues), ...Object.keys(droppedValues)])
  return [...keys].filter((key) => !isEqual(keptValues[key], droppedValues[key]))
}

/** Most values are strings. For those, the general comparison takes ten times as long. */
function isEqual(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === 'object' && isDeepStrictEqual(a, b))
}
