/** Writes pages as bytes: as the dataset will have them. Pure. */
import { DATASET } from '../dataset/format.ts'
import type { Identity } from '../page/facts.ts'
import { type Fault, fault } from '../page/fault.ts'
import type { Page } from '../page/page.ts'
import { reasonOf } from '../text/thrown.ts'

/** The valid records of a batch, in order: one array for each fact, because there may be millions. */
export interface Pages {
  paths: string[]
  /** The position of the record of each page in the batch. */
  indexes: number[]
  /** What each is about, if `content.ts` says it. */
  identities: Identity[]
  /** The key of each record in the object that it is in; undefined for one in a list. */
  keys: (string | undefined)[]
  hasForm: boolean[]
  /** Where each page begins and ends in the bytes. */
  starts: number[]
  ends: number[]
  /** The pages as `JSON.stringify` writes them, in UTF-8, with `DATASET.between` between them. */
  bytes: Buffer
}

const BETWEEN = Buffer.from(DATASET.between)

/**
 * Writes the pages of a batch, one by one. Each is written as soon as it's made, before `content.ts`
 * may change something that is in it, too.
 */
export class PageEmitter {
  readonly #pages: Omit<Pages, 'bytes'> = {
    paths: [],
    indexes: [],
    identities: [],
    keys: [],
    hasForm: [],
    starts: [],
    ends: [],
  }
  #bytes: Buffer
  #end = 0

  /**
   * @param size of the batch in bytes; its pages are seldom longer
   * @param records how many it has
   */
  constructor(size: number, records: number) {
    this.#bytes = Buffer.allocUnsafeSlow(size + records * BETWEEN.length)
  }

  /**
   * Adds a page.
   *
   * @param record its position, its key in an object, and what it is about
   * @returns why it can't be written, as a fault of the record
   */
  add(
    page: Page,
    record: { index: number; key: string | undefined; identity: Identity | undefined },
  ): Fault | undefined {
    let text: string
    try {
      text = JSON.stringify(page)
    } catch (error) {
      return fault('record.not-json', [], { reason: reasonOf(error) })
    }

    const { paths, indexes, identities, keys, hasForm, starts, ends } = this.#pages
    paths.push(page.path)
    indexes.push(record.index)
    if (record.identity !== undefined) identities.push(record.identity)
    keys.push(record.key)
    hasForm.push(Boolean(page.form))
    starts.push(this.#write(text))
    ends.push(this.#end)
    return undefined
  }

  /** Everything that was added. */
  pages(): Pages {
    return { ...this.#pages, bytes: this.#bytes.subarray(0, this.#end) }
  }

  /** @returns where the text begins */
  #write(text: string): number {
    const start = this.#end === 0 ? 0 : this.#end + BETWEEN.length

    // In UTF-8, no code unit needs more than three bytes. To count them takes time for each page.
    const most = start + 3 * text.length
    if (most > this.#bytes.length && start + Buffer.byteLength(text) > this.#bytes.length)
      this.#bytes = Buffer.concat([this.#bytes], 2 * most)

    // The first page is written over these bytes at once.
    this.#bytes.set(BETWEEN, this.#end)
    this.#end = start + this.#bytes.write(text, start)
    return start
  }
}
