/** Makes the pages of a batch's records, as `content.ts` says. Pure. */
import { BuildError } from '../machine/errors.ts'
import type { Content } from '../page/content.ts'
import type { Delivered } from '../page/delivered.ts'
import type { Identity } from '../page/facts.ts'
import type { Fault } from '../page/fault.ts'
import type { Page } from '../page/page.ts'
import { asObject } from '../text/as-object.ts'
import { callContent, takeIdentity, takePage } from './content-calls.ts'
import type { ParsedBatch } from './parse-batch.ts'

/** The pages of one batch. A page is made when it's asked for, and is the same one each time. */
export class PageMaker {
  /** What each record is about, if `content.ts` says it; by the positions of the records. */
  readonly identities: Identity[] = []
  readonly #batch: ParsedBatch
  readonly #content: Content
  readonly #pages: (Page | undefined)[]

  constructor(batch: ParsedBatch, content: Content) {
    this.#batch = batch
    this.#content = content
    // Without `page`, the record is the page.
    this.#pages = content.page ? [] : (batch.records.all as Page[]).slice()
  }

  /**
   * Makes the page of a record, and asks what the record is about.
   *
   * @param index the position of the record, which the schema accepts
   * @returns why that can't be, as a fault of the record
   */
  make(index: number): Fault | undefined {
    const record = this.#batch.records.all[index] as Delivered
    return this.#makePage(index, record) ?? this.#makeIdentity(index, record)
  }

  #makePage(index: number, record: Delivered): Fault | undefined {
    const { page } = this.#content
    if (!page) return undefined

    const where = { key: this.#batch.records.keyOf(index), file: this.#batch.name }
    const outcome = callContent('page', () => takePage(page(record, where)))
    if (outcome.fault) return outcome.fault

    this.#pages[index] = withRemainingKeys(outcome.value, record)
    return undefined
  }

  #makeIdentity(index: number, record: Delivered): Fault | undefined {
    const { identity } = this.#content
    if (!identity) return undefined

    const taken = callContent('identity', () => takeIdentity(identity(record)))
    if (taken.fault) return taken.fault

    this.identities[index] = taken.value
    return undefined
  }

  /**
   * The page of a record that the schema and `content.ts` accept.
   *
   * @throws BuildError if `content.ts` has made it before, and now doesn't
   */
  pageOf(index: number): Page {
    const refusal = this.#pages[index] ? undefined : this.make(index)
    if (refusal) {
      throw new BuildError(
        `${this.#batch.name}, record ${index}, is read a second time, and now content.ts makes no page of it. The same record must always become the same page.`,
      )
    }
    return this.#pages[index] as Page
  }

  /** The path of a page that was made, or of a record that is its page; null if there is none. */
  pathOf(index: number): string | null {
    const { path } = asObject(this.#pages[index])
    return typeof path === 'string' ? path : null
  }
}

/** Adds to what `page` has made the keys of the record that the site doesn't know. */
function withRemainingKeys(page: Page, record: unknown): Page {
  const { path, title, contentHtml, form, language, updatedAt, ...remaining } = asObject(record)

  // The first time for the order of the keys, the second time because what `page` makes wins.
  return { ...page, ...remaining, ...page }
}
