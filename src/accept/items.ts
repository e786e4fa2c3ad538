/** Makes what is written of a batch's records, as their collection says. Pure. */
import type { Collection } from '../collections/collection.ts'
import { BuildError } from '../machine/errors.ts'
import type { Where } from '../page/content.ts'
import type { Identity } from '../page/facts.ts'
import { type Fault, fault } from '../page/fault.ts'
import type { Page } from '../page/page.ts'
import { asObject } from '../text/as-object.ts'
import { callOwner, takeIdentity, takePage } from './owner-calls.ts'
import type { ParsedBatch } from './parse-batch.ts'

/** What is written of a record: the record itself, or the page that it becomes. */
export type Item = Record<string, unknown>

/** The items of one batch. An item is made when it's asked for, and is the same one each time. */
export class ItemMaker {
  /** What each record is about, if the collection says it; by the positions of the records. */
  readonly identities: Identity[] = []
  readonly #batch: ParsedBatch
  readonly #collection: Collection
  readonly #items: (Item | undefined)[]
  /** The ids that a function has returned. */
  readonly #ids: (string | undefined)[] = []

  constructor(batch: ParsedBatch, collection: Collection) {
    this.#batch = batch
    this.#collection = collection
    // Without `page`, the record is the item.
    this.#items = collection.pages?.page ? [] : (batch.records.all as Item[]).slice()
  }

  /** Where a record is, for the functions of the owner. */
  whereOf(index: number): Where {
    return { file: this.#batch.name, key: this.#batch.records.keyOf(index), index }
  }

  /**
   * Makes the item of a record, and asks for its id and what it is about.
   *
   * @param index the position of the record, which the schema accepts
   * @returns why that can't be, as a fault of the record
   */
  make(index: number): Fault | undefined {
    return this.#makePage(index) ?? this.#makeId(index) ?? this.#makeIdentity(index)
  }

  #makePage(index: number): Fault | undefined {
    const page = this.#collection.pages?.page
    if (!page) return undefined

    const record = this.#batch.records.all[index] as Parameters<typeof page>[0]
    const made = callOwner('page', () => takePage(page(record, this.whereOf(index))))
    if (made.fault) return made.fault

    this.#items[index] = withRemainingKeys(made.value, record)
    return undefined
  }

  #makeId(index: number): Fault | undefined {
    const { id } = this.#collection
    if ('key' in id) return undefined

    const record = this.#batch.records.all[index] as never
    const taken = callOwner('id', () => takeIdentity('id', id.call(record, this.whereOf(index))))
    if (taken.fault) return taken.fault

    this.#ids[index] = String(taken.value)
    return undefined
  }

  #makeIdentity(index: number): Fault | undefined {
    const { identity } = this.#collection
    if (!identity) return undefined

    const record = this.#batch.records.all[index] as never
    const where = this.whereOf(index)
    const taken = callOwner('identity', () => takeIdentity('identity', identity(record, where)))
    if (taken.fault) return taken.fault

    this.identities[index] = taken.value
    return undefined
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
        `${this.#batch.name}, record ${index}, is read a second time, and now content.ts makes no page of it. The same record must always become the same page.`,
      )
    }
    return this.#items[index] as Item
  }

  /** The id of an item that was made, or of a record that is its item; null if it has none. */
  idOf(index: number): string | null {
    const { id, pages } = this.#collection
    if (!('key' in id)) return this.#ids[index] ?? null

    const value = asObject(this.#items[index])[id.key]
    if (pages) return typeof value === 'string' ? value : null

    // Ids are compared as texts.
    const isId = typeof value === 'string' ? value !== '' : Number.isFinite(value)
    return isId ? String(value) : null
  }

  /** Returns why a record that was made has no id, as a fault of its item. */
  whyWithoutId(index: number): Fault | undefined {
    const { id, pages } = this.#collection
    if (!('key' in id) || this.idOf(index) !== null) return undefined
    if (pages) return fault('page.no-path', ['path'])

    const { key } = id
    const value = asObject(this.#items[index])[key]
    if (value === undefined) return fault('id.missing', [], { key })
    return fault('id.no-id', [key], { key, value })
  }
}

/** Adds to what `page` has made the keys of the record that the site doesn't know. */
function withRemainingKeys(page: Item & Page, record: unknown): Item {
  const { path, title, contentHtml, form, language, updatedAt, ...remaining } = asObject(record)

  // The first time for the order of the keys, the second time because what `page` makes wins.
  return { ...page, ...remaining, ...page }
}
