/** A parsed file as `content.ts` says: its records, and the page that each becomes. Pure. */
import type { Delivered } from '../generated/dataset.json'
import type { Content } from '../page/content.ts'
import type { Page, SitePage } from '../page/page.ts'
import type { Violation } from '../page/violation.ts'
import { asObject } from '../text/as-object.ts'
import type { ParsedBatch } from './json/parse.ts'
import { findRecords } from './records.ts'
import { fault } from './sentences.ts'

/** A function of `content.ts` fails on a record, or returns no page or no identity for it. */
export class UnmadeError extends Error {
  readonly fault: Violation

  constructor(fault: Violation) {
    super(fault.message)
    this.fault = fault
  }
}

export type OpenBatch = ReturnType<typeof openBatch>

export function openBatch(name: string, parsed: ParsedBatch, content: Content) {
  const records = findRecords(parsed.value, content.records)
  const made: Page[] = []
  return {
    name,
    parsed,
    records,
    /**
     * Returns the page that a record becomes: the same one each time.
     *
     * @throws {UnmadeError} if `page` fails or makes none
     */
    pageOf(index: number): Page {
      const record = records.all[index]
      if (!content.page) return record as Page
      made[index] ??= makePage(record as Delivered, content.page, {
        key: records.keyOf(index),
        file: name,
      })
      return made[index]
    },
    /**
     * Returns what a record is about, if `content.ts` says it.
     *
     * @throws {UnmadeError} if `identity` fails or says none
     */
    identityOf(index: number): string | number | undefined {
      if (!content.identity) return undefined
      const identity = run('identity', () => content.identity?.(records.all[index] as Delivered))
      if (typeof identity === 'string' || typeof identity === 'number') return identity
      throw new UnmadeError(fault('page.no-identity', [], identity))
    },
    /** The path of a record, or of its page if one is made of it; null if that is not known. */
    pathOf(index: number): string | null {
      const { path } = asObject(content.page ? made[index] : records.all[index])
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
      const { within, ...rest } = violation
      const { message } = fault('page.made', to, violation.message, String(key))
      return { ...rest, pointer: to, message }
    },
  }
}

/** The keys of a page that are always made. */
const TEXTS = ['path', 'title', 'contentHtml'] as const

type MakePage = NonNullable<Content['page']>

function makePage(record: Delivered, page: MakePage, where: Parameters<MakePage>[1]): Page {
  const made = run('page', () => page(record, where))
  for (const key of TEXTS) {
    const value = asObject(made)[key]
    if (typeof value === 'string' && (value !== '' || key !== 'path')) continue
    throw new UnmadeError(fault('page.no-text', [], key, value))
  }
  const { path, title, contentHtml, form, language, updatedAt, ...rest }: Partial<SitePage> =
    asObject(record)
  // Twice: what is made comes first, and wins.
  return { ...made, ...rest, ...made }
}

function run<T>(name: string, call: () => T): T {
  try {
    return call()
  } catch (error) {
    throw new UnmadeError(fault('content.fails', [], name, (error as Error).message))
  }
}
