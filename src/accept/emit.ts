/** Writes items as bytes: as the dataset will have them. Pure. */
import type { Collection } from '../collections/collection.ts'
import { DATASET } from '../dataset/format.ts'
import type { Identity } from '../page/facts.ts'
import { type Fault, fault } from '../page/fault.ts'
import { reasonOf } from '../text/thrown.ts'
import type { Item } from './items.ts'

/** What is written of the valid records of a batch, in order: one array for each fact, because there may be millions. */
export interface Items {
  ids: string[]
  /** The position of the record of each item in the batch. */
  indexes: number[]
  /** What each is about, if the owner says it. */
  identities: Identity[]
  /** The key of each record in the object that it is in; undefined for one in a list. */
  keys: (string | undefined)[]
  hasForm: boolean[]
  /** Where each item begins and ends in the bytes. */
  starts: number[]
  ends: number[]
  /** The items as `JSON.stringify` writes them, in UTF-8, with `DATASET.between` between them. */
  bytes: Buffer
  /** Whether each item comes after its id, because a function returns that. */
  isNamed: boolean
}

const BETWEEN = Buffer.from(DATASET.between)

/** What is known of an item besides. */
interface Facts {
  index: number
  id: string
  key: string | undefined
  identity: Identity | undefined
}

/**
 * Writes the items of a batch, one by one. Each is written as soon as it's made, before the owner may
 * change something that is in it, too.
 */
export class ItemEmitter {
  readonly #items: Omit<Items, 'bytes' | 'isNamed'> = {
    ids: [],
    indexes: [],
    identities: [],
    keys: [],
    hasForm: [],
    starts: [],
    ends: [],
  }
  readonly #isNamed: boolean
  #bytes: Buffer
  #end = 0

  /**
   * @param size of the batch in bytes; its items are seldom longer
   * @param records how many it has
   */
  constructor(
    { id }: Pick<Collection, 'id'>,
    { size, records }: { size: number; records: number },
  ) {
    this.#isNamed = !('key' in id)
    this.#bytes = Buffer.allocUnsafeSlow(size + records * BETWEEN.length)
  }

  /**
   * Adds an item.
   *
   * @returns why it can't be written, as a fault of the record
   */
  add(item: Item, { index, id, key, identity }: Facts): Fault | undefined {
    let text: string
    try {
      text = JSON.stringify(item)
    } catch (error) {
      return fault('record.not-json', [], { reason: reasonOf(error) })
    }

    const items = this.#items
    items.ids.push(id)
    items.indexes.push(index)
    if (identity !== undefined) items.identities.push(identity)
    items.keys.push(key)
    items.hasForm.push(Boolean(item.form))
    items.starts.push(this.#write(this.#isNamed ? nameBefore(id) + text : text))
    items.ends.push(this.#end)
    return undefined
  }

  /** Everything that was added. */
  items(): Items {
    const bytes = this.#bytes.subarray(0, this.#end)
    return { ...this.#items, bytes, isNamed: this.#isNamed }
  }

  /** @returns where the text begins */
  #write(text: string): number {
    const start = this.#end === 0 ? 0 : this.#end + BETWEEN.length

    // In UTF-8, no code unit needs more than three bytes. To count them takes time for each page.
    const most = start + 3 * text.length
    if (most > this.#bytes.length && start + Buffer.byteLength(text) > this.#bytes.length)
      this.#bytes = Buffer.concat([this.#bytes], 2 * most)

    // The first item is written over these bytes at once.
    this.#bytes.set(BETWEEN, this.#end)
    this.#end = start + this.#bytes.write(text, start)
    return start
  }
}

/** What is written before an item whose id a function returns, because it may not be in the item: `"PE": `. */
function nameBefore(id: string): string {
  return `${JSON.stringify(id)}: `
}

/** How many bytes come before an item: those of its id, or none. */
export function lengthBefore(id: string, { isNamed }: Pick<Items, 'isNamed'>): number {
  return isNamed ? Buffer.byteLength(nameBefore(id)) : 0
}
