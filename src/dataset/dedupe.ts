/**
 * Hides the precedence rule: the first batch to claim a path keeps it. Batches are in the natural
 * order of their names, records in the order of their batch. Locale, clock, modification time and
 * the order in which reads finish have no say.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Page } from '../generated/dataset.json'
import { Column } from './column.ts'
import { type PathSet, PlainPathSet } from './path-set.ts'

/** Where a record came from: its batch and its position there, from 0. */
interface Provenance {
  batch: string
  index: number
}

/** A record that lost its path to an earlier one. */
interface Dropped extends Provenance {
  kind: 'identical' | 'conflicting'
  /** The keys whose values differ from the kept record's. */
  fields: string[]
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

/**
 * The paths claimed so far. Records must be claimed in the order of precedence.
 *
 * There may be millions, so all is kept in flat arrays: a Map of a string and an object for each
 * path would take four times the memory, and the time of the garbage collector.
 */
export class Claims {
  readonly #paths: PathSet
  // By kept page:
  readonly #batch = new Column()
  readonly #index = new Column()
  /** Its place among the duplicates, plus 1. */
  readonly #duplicate = new Column()
  // By duplicate: the page, and the first and the last of its drops.
  readonly #page = new Column()
  readonly #first = new Column()
  readonly #last = new Column()
  // By drop, in the order in which they were recorded; 0 as the next one is the end.
  readonly #droppedBatch = new Column()
  readonly #droppedIndex = new Column()
  readonly #droppedFields = new Column()
  readonly #next = new Column()
  #conflicting = 0
  /** Lists of fields are few; a drop has the number of its own. */
  readonly #lists: string[][] = [[]]
  readonly #listNumbers = new Map([['', 0]])
  /** What is known of the very lists that were given, for most come again. */
  readonly #numbers = new WeakMap<string[], number>()

  constructor(paths: PathSet = new PlainPathSet()) {
    this.#paths = paths
  }

  /** How many pages are kept. */
  get kept(): number {
    return this.#paths.size
  }

  /** How many records lost their path, and how many of these differ from the page. */
  get dropped(): number {
    return this.#next.length
  }

  get conflicting(): number {
    return this.#conflicting
  }

  /**
   * Claims a path, given by its bytes.
   *
   * @param batch, index the batch's place in the order of precedence, and the record's in its batch
   * @returns the number of the page that keeps the path; it is what `kept` was before when the
   *   record itself does
   */
  claim(bytes: Buffer, start: number, end: number, batch: number, index: number): number {
    const page = this.#paths.add(bytes, start, end)
    if (page === this.#batch.length) {
      this.#batch.push(batch)
      this.#index.push(index)
      this.#duplicate.push(0)
    }
    return page
  }

  /** Where a kept page came from; its batch by number. */
  provenance(page: number): { batch: number; index: number } {
    return { batch: this.#batch.at(page), index: this.#index.at(page) }
  }

  /**
   * Records that a record lost its path to a page.
   *
   * @returns the number of the drop, for `setFields`
   */
  drop(page: number, batch: number, index: number): number {
    const drop = this.#next.length
    this.#droppedBatch.push(batch)
    this.#droppedIndex.push(index)
    this.#droppedFields.push(0)
    this.#next.push(0)
    const duplicate = this.#duplicate.at(page) - 1
    if (duplicate >= 0) {
      this.#next.set(this.#last.at(duplicate), drop)
      this.#last.set(duplicate, drop)
      return drop
    }
    this.#page.push(page)
    this.#first.push(drop)
    this.#last.push(drop)
    this.#duplicate.set(page, this.#page.length)
    return drop
  }

  /** Records, once, in which fields a dropped record differs from the page; in none unless said. */
  setFields(drop: number, fields: string[]): void {
    if (fields.length > 0) this.#conflicting++
    this.#droppedFields.set(drop, this.#numberOf(fields))
  }

  #numberOf(fields: string[]): number {
    const known = this.#numbers.get(fields)
    if (known !== undefined) return known
    // Separated by what no key that can be written holds alone.
    const key = fields.join('\ud800')
    let number = this.#listNumbers.get(key)
    if (number === undefined) {
      number = this.#lists.push(fields) - 1
      this.#listNumbers.set(key, number)
    }
    this.#numbers.set(fields, number)
    return number
  }

  /**
   * The paths claimed more than once, in the order in which they were claimed again. Made as they
   * are asked for, each time anew.
   *
   * @param batches the names of the batches, in the order of precedence
   */
  duplicates(batches: readonly string[]): Iterable<Duplicate> {
    // No generator: V8 hardly optimizes the body of one, and there may be millions.
    const iterate = (next = 0): Iterator<Duplicate> => ({
      next: () =>
        next < this.#page.length
          ? { done: false, value: this.#duplicateAt(next++, batches) }
          : { done: true, value: undefined },
    })
    return { [Symbol.iterator]: () => iterate() }
  }

  #duplicateAt(duplicate: number, batches: readonly string[]): Duplicate {
    const page = this.#page.at(duplicate)
    const dropped: Dropped[] = []
    let drop = this.#first.at(duplicate)
    do {
      const fields = this.#lists[this.#droppedFields.at(drop)] as string[]
      dropped.push({
        batch: batches[this.#droppedBatch.at(drop)] as string,
        index: this.#droppedIndex.at(drop),
        kind: fields.length === 0 ? 'identical' : 'conflicting',
        fields,
      })
      drop = this.#next.at(drop)
    } while (drop !== 0)
    const kept = { batch: batches[this.#batch.at(page)] as string, index: this.#index.at(page) }
    return { path: this.#paths.get(page), kept, dropped }
  }
}

/** The keys whose values differ: first those of the kept page, in its order. */
export function differingFields(kept: Page, dropped: Page): string[] {
  const keys = new Set([...Object.keys(kept), ...Object.keys(dropped)]) as Set<keyof Page>
  return [...keys].filter((key) => !isDeepStrictEqual(kept[key], dropped[key]))
}
