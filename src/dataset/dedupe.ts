/**
 * Hides the precedence rule: the first batch to claim a path keeps it. Batches are in the natural
 * order of their names, records in the order of their batch. Locale, clock, modification time and
 * the order in which reads finish have no say.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Page } from '../generated/dataset.json'

/** Where a record came from: its batch and its position there, from 0. */
export interface Provenance {
  batch: string
  index: number
}

/** A record that lost its path to an earlier one. */
interface Dropped extends Provenance {
  kind: 'identical' | 'conflicting'
  /** The keys whose values differ from the kept record's. */
  fields: string[]
}

/** A record that has just lost its path, and the record that keeps it. */
export interface Lost extends Dropped {
  kept: Provenance
}

/** A path that was claimed more than once. */
export interface Duplicate {
  path: string
  kept: Provenance
  dropped: Dropped[]
}

/**
 * The order of batches: runs of digits compare by value, all else by code unit; names that are
 * equal so far (`batch-2`, `batch-02`) compare as a whole by code unit.
 *
 * @param a, b names relative to the batch folder, with `/` as the separator
 */
export function compareBatches(a: string, b: string): number {
  const left = a.match(TOKENS) ?? []
  const right = b.match(TOKENS) ?? []
  for (let at = 0; at < left.length && at < right.length; at++) {
    const order = compareTokens(left[at] as string, right[at] as string)
    if (order !== 0) return order
  }
  return left.length - right.length || compareCodeUnits(a, b)
}

/** A run of digits, or one code unit of anything else. */
const TOKENS = /[0-9]+|[\s\S]/g

function compareTokens(a: string, b: string): number {
  if (!/^[0-9]/.test(a) || !/^[0-9]/.test(b)) return compareCodeUnits(a, b)
  const left = a.replace(/^0+/, '')
  const right = b.replace(/^0+/, '')
  // Numbers of any length: without leading zeros the longer one is the larger.
  return left.length - right.length || compareCodeUnits(left, right)
}

// Code-unit order, not locale order: who wins a path must not depend on the machine.
function compareCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** The paths claimed so far. Records must be claimed in the order of precedence. */
export class Claims {
  readonly #kept = new Map<string, Provenance & { page: Page }>()
  readonly #duplicates = new Map<string, Duplicate>()

  /** @returns what became of the record: nothing when it is kept */
  claim(page: Page, { batch, index }: Provenance): Lost | undefined {
    const kept = this.#kept.get(page.path)
    if (!kept) {
      this.#kept.set(page.path, { batch, index, page })
      return undefined
    }
    const provenance = { batch: kept.batch, index: kept.index }
    const fields = differingFields(kept.page, page)
    const kind = fields.length === 0 ? 'identical' : 'conflicting'
    const dropped: Dropped = { batch, index, kind, fields }
    const duplicate = this.#duplicates.get(page.path)
    if (duplicate) duplicate.dropped.push(dropped)
    else {
      this.#duplicates.set(page.path, { path: page.path, kept: provenance, dropped: [dropped] })
    }
    return { ...dropped, kept: provenance }
  }

  /** The kept pages, in the order in which they were claimed. */
  *pages(): Generator<Page> {
    for (const { page } of this.#kept.values()) yield page
  }

  /** The paths claimed more than once, in the order in which they were claimed again. */
  duplicates(): Duplicate[] {
    return [...this.#duplicates.values()]
  }
}

function differingFields(kept: Page, dropped: Page): string[] {
  const keys = new Set([...Object.keys(kept), ...Object.keys(dropped)]) as Set<keyof Page>
  return [...keys].filter((key) => !isDeepStrictEqual(kept[key], dropped[key]))
}
