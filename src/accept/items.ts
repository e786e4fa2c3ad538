/** Makes the items of a batch: its records or, on a site, the pages that they become. Pure. */
import type { Collection } from '../collections/collection.ts'
import type { Identity, Standing } from '../fault/facts.ts'
import type { Fault } from '../fault/fault.ts'
import { BuildError } from '../machine/errors.ts'
import type { Where } from '../page/content.ts'
import { callIdentity, idUnder, whyWithoutId } from './ids.ts'
import { makePage } from './pages.ts'
import type { ParsedBatch } from './parse-batch.ts'

/** What becomes of a record: the record itself, or a page. */
export type Item = Record<string, unknown>

/** An item as the dataset will have it. */
export interface WrittenItem {
  id: string
  /** The position of its record in the batch. */
  index: number
  /** Its identity, if the owner defines one. */
  identity: Identity | undefined
  /** The key of its record in the object that it is in; undefined for one in a list. */
  key: string | undefined
  hasForm: boolean
  /** As `JSON.stringify` writes it, in UTF-8: outside of V8's heap, which a large batch would fill. */
  json: Buffer
}

/** A record that something refuses. */
export interface RefusedRecord {
  /** Its position in the batch. */
  index: number
  /** Undefined if it isn't known: the record may be meant to have any id. */
  id: string | undefined
  /** Its identity; undefined if the owner doesn't define one, or if it's unknown. */
  identity: Identity | undefined
  key: string | undefined
  standing: Standing
}

/** The items of one batch. An item is made when it's asked for, and is the same one each time. */
export class ItemMaker {
  readonly #batch: ParsedBatch
  readonly #collection: Collection
  readonly #items: (Item | undefined)[]
  /** The ids that a function has returned. */
  readonly #ids: (string | undefined)[] = []
  readonly #identities: (Identity | undefined)[] = []

  constructor(batch: ParsedBatch, collection: Collection) {
    this.#batch = batch
    this.#collection = collection
    // Without `page`, the record is the item.
    this.#items = collection.pages?.page ? [] : (batch.records.all as Item[]).slice()
  }

  /** Where a record is, for the functions of the owner. */
  whereOf(index: number): Where {
    const { name, records } = this.#batch
    const file = name.slice(this.#collection.hiddenPrefix.length)
    return { file, key: records.keyOf(index), index }
  }

  /**
   * Makes the item of a record, and asks for its id and its identity.
   *
   * @param index the position of the record, which the schema accepts
   * @returns a fault of the record if that fails
   */
  make(index: number): Fault | undefined {
    const { id, identity, pages } = this.#collection
    const record = this.#batch.records.all[index]
    const where = this.whereOf(index)

    // First, because references to a record whose page is refused are checked by its identity.
    const about = identity && callIdentity('identity', identity, record, where)
    this.#identities[index] = about?.value

    if (pages?.page) {
      const page = makePage(record, pages.page, where)
      if (page.fault) return page.fault
      this.#items[index] = page.value
    }

    if ('call' in id) {
      const returned = callIdentity('id', id.call, record, where)
      if (returned.fault) return returned.fault
      this.#ids[index] = String(returned.value)
    }
    return about?.fault
  }

  /**
   * The item of a record that the schema and the owner accept.
   *
   * @throws BuildError if the owner has made it before, and now doesn't
   */
  itemOf(index: number): Item {
    const isMade = this.#items[index] !== undefined && this.idOf(index) !== null
    const refusal = isMade ? undefined : this.make(index)
    if (refusal) {
      throw new BuildError(
        `Your functions accepted record ${index + 1} of ${this.#batch.name}, and now refuse it. For the same record, they must always return the same.`,
      )
    }
    return this.#items[index] as Item
  }

  /** The id of an item that was made, or of a record that is its item; null if it has none. */
  idOf(index: number): string | null {
    const { id } = this.#collection
    if ('call' in id) return this.#ids[index] ?? null
    return idUnder(id.key, this.#items[index], this.#collection)
  }

  /** The item of a record; undefined if it wasn't made, for example because the schema refuses the record. */
  madeItem(index: number): Item | undefined {
    return this.#items[index]
  }

  /**
   * The id of a record that something refuses. A function is tried on it, and may throw.
   *
   * @returns undefined if it isn't known: the record has none, or what is there can't be one
   */
  refusedIdOf(index: number): string | undefined {
    const { id } = this.#collection
    // Only `page` could tell.
    if (this.#items[index] === undefined) return undefined

    const known = this.idOf(index)
    if (known !== null) return known
    if ('key' in id) return undefined

    const record = this.#batch.records.all[index]
    const returned = callIdentity('id', id.call, record, this.whereOf(index))
    if (returned.fault) return undefined

    this.#ids[index] = String(returned.value)
    return this.#ids[index]
  }

  /** The identity of a record that was made; undefined if the owner doesn't define one. */
  identityOf(index: number): Identity | undefined {
    return this.#identities[index]
  }

  /** Returns why a record that was made has no id, as a fault of its item. */
  whyWithoutId(index: number): Fault | undefined {
    const { id } = this.#collection
    if ('call' in id || this.idOf(index) !== null) return undefined
    return whyWithoutId(id.key, this.#items[index], this.#collection)
  }
}
