/**
 * Hides the precedence rule: the first batch to claim a path keeps it. Batches are in the natural
 * order of their names, records in the order of their batch. Locale, clock, modification time and
 * the order in which reads finish have no say.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Page } from '../generated/dataset.json'

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
  readonly #paths = new PathSet()
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
  claim(bytes: Uint8Array, start: number, end: number, batch: number, index: number): number {
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
    // Separated by what no key that can be written holds alone.
    const key = fields.join('\ud800')
    let number = this.#listNumbers.get(key)
    if (number === undefined) {
      number = this.#lists.push(fields) - 1
      this.#listNumbers.set(key, number)
    }
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

/** Whole numbers from 0 to 2^32 - 1, in a list that grows. */
class Column {
  length = 0
  #numbers = new Uint32Array(64)

  at(index: number): number {
    return this.#numbers[index] as number
  }

  set(index: number, value: number): void {
    this.#numbers[index] = value
  }

  push(value: number): void {
    if (this.length === this.#numbers.length) {
      const larger = new Uint32Array(this.length * 2)
      larger.set(this.#numbers)
      this.#numbers = larger
    }
    this.#numbers[this.length++] = value
  }
}

const BLOCK = 2 ** 20

/**
 * Strings of bytes, numbered in the order in which they were added: a hash table with open
 * addressing (Knuth, volume 3, section 6.4). Hashes find, but bytes decide: no two paths are ever
 * taken for one.
 */
class PathSet {
  size = 0
  /** The number of a path plus 1, or 0 where there is none. */
  #slots = new Uint32Array(1024)
  readonly #hashes = new Column()
  readonly #starts = new Column()
  readonly #lengths = new Column()
  readonly #blocks: Buffer[] = [Buffer.allocUnsafe(BLOCK)]
  /** The number of the block of each path. */
  readonly #block = new Column()
  #free = 0

  /** @returns the number of the path; the present `size` where it is new */
  add(bytes: Uint8Array, start: number, end: number): number {
    const hash = hashOf(bytes, start, end)
    const mask = this.#slots.length - 1
    let slot = hash & mask
    for (; ; slot = (slot + 1) & mask) {
      const number = (this.#slots[slot] as number) - 1
      if (number < 0) break
      if (this.#hashes.at(number) === hash && this.#isEqual(number, bytes, start, end)) {
        return number
      }
    }
    this.#slots[slot] = this.#store(hash, bytes, start, end) + 1
    if (this.size * 2 > this.#slots.length) this.#grow()
    return this.size - 1
  }

  get(number: number): string {
    const start = this.#starts.at(number)
    const block = this.#blocks[this.#block.at(number)] as Buffer
    const text = block.toString('utf8', start, start + this.#lengths.at(number))
    return text.includes('\\') ? JSON.parse(`"${text}"`) : text
  }

  #isEqual(number: number, bytes: Uint8Array, start: number, end: number): boolean {
    if (this.#lengths.at(number) !== end - start) return false
    const block = this.#blocks[this.#block.at(number)] as Buffer
    const first = this.#starts.at(number) - start
    for (let at = start; at < end; at++) if (block[first + at] !== bytes[at]) return false
    return true
  }

  #store(hash: number, bytes: Uint8Array, start: number, end: number): number {
    const length = end - start
    if (this.#free + length > (this.#blocks.at(-1) as Buffer).length) {
      this.#blocks.push(Buffer.allocUnsafe(Math.max(BLOCK, length)))
      this.#free = 0
    }
    const block = this.#blocks.at(-1) as Buffer
    for (let at = 0; at < length; at++) block[this.#free + at] = bytes[start + at] as number
    this.#hashes.push(hash)
    this.#block.push(this.#blocks.length - 1)
    this.#starts.push(this.#free)
    this.#lengths.push(length)
    this.#free += length
    return this.size++
  }

  #grow(): void {
    const slots = new Uint32Array(this.#slots.length * 2)
    const mask = slots.length - 1
    for (let number = 0; number < this.size; number++) {
      let slot = this.#hashes.at(number) & mask
      while (slots[slot] !== 0) slot = (slot + 1) & mask
      slots[slot] = number + 1
    }
    this.#slots = slots
  }
}

/** FNV-1a, with the finalizer of MurmurHash3, for its low bits alone choose a slot. */
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5
  for (let at = start; at < end; at++) {
    hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** The keys whose values differ: first those of the kept page, in its order. */
export function differingFields(kept: Page, dropped: Page): string[] {
  const keys = new Set([...Object.keys(kept), ...Object.keys(dropped)]) as Set<keyof Page>
  return [...keys].filter((key) => !isDeepStrictEqual(kept[key], dropped[key]))
}
