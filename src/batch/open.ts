/** A parsed file as `content.ts` says: its records, and the page that each becomes. Pure. */
import type { Delivered } from '../generated/dataset.json'
import type { Content } from '../page/content.ts'
import type { Page, SitePage } from '../page/page.ts'
import type { Violation } from '../page/violation.ts'
import { asObject } from '../text/as-object.ts'
import { parseBatch } from './json/parse.ts'
import { findRecords } from './records.ts'
import { fault } from './sentences.ts'

export type OpenBatch = ReturnType<typeof openBatch>

export function openBatch(name: string, bytes: Buffer, content: Content) {
  const parsed = parseBatch(name, bytes)
  const records = findRecords(parsed.value, content.records)
  const pages = content.page ? [] : (records.all as Page[])
  const identities: (string | number)[] = []

  /** Makes the page of a record, and says what it is about. @returns why that cannot be */
  function make(index: number): Violation | undefined {
    const record = records.all[index] as Delivered
    let running = 'page'
    try {
      if (content.page) {
        const key = records.pointerTo(index).at(-1)
        const where = { key: typeof key === 'string' ? key : undefined, file: name }
        const made = content.page(record, where)
        const lacking = (['path', 'title', 'contentHtml'] as const).find((each) => {
          const text = asObject(made)[each]
          return typeof text !== 'string' || (each !== 'contentHtml' && text.trim() === '')
        })
        if (lacking) return fault('page.no-text', [], lacking, asObject(made)[lacking])
        const { path, title, contentHtml, form, language, updatedAt, ...rest }: Partial<SitePage> =
          asObject(record)
        // Twice: what is made comes first, and wins.
        pages[index] = { ...made, ...rest, ...made }
      }
      if (content.identity) {
        running = 'identity'
        const identity = content.identity(record)
        if (typeof identity !== 'string' && typeof identity !== 'number')
          return fault('page.no-identity', [], identity)
        identities[index] = identity
      }
      return undefined
    } catch (error) {
      return fault('content.fails', [], running, (error as Error).message)
    }
  }

  return {
    name,
    parsed,
    records,
    /** What each page is about, if `content.ts` says it. */
    identities,
    make,
    /** The page of a valid record: the same one each time. */
    pageOf(index: number): Page {
      if (!pages[index]) make(index)
      return pages[index] as Page
    },
    /** The path of a record, or of its page if one is made of it; null if that is not known. */
    pathOf(index: number): string | null {
      const { path } = asObject(pages[index])
      return typeof path === 'string' ? path : null
    },
    /**
     * Returns a violation by its place in the file. What `page` has made is nowhere in the file, so
     * it is shown at the record.
     *
     * @param subject the record, or its page: the pointer of the violation is relative to it
     */
    inFile(index: number, subject: unknown, violation: Violation): Violation {
      const [key] = violation.pointer
      const record = records.all[index]
      const isDelivered = key === undefined || asObject(subject)[key] === asObject(record)[key]
      const to = records.pointerTo(index)
      if (isDelivered) return { ...violation, pointer: [...to, ...violation.pointer] }
      const { within, instead, ...rest } = violation
      const { message } = fault('page.made', to, violation.message, String(key))
      return { ...rest, pointer: to, message }
    },
  }
}
