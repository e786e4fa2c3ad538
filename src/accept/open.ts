/** A parsed file as `content.ts` says: its records, and the page that each becomes. Pure. */

import { fault } from '../explain/sentences.ts'
import { parseBatch } from '../formats/parse.ts'
import type { Delivered } from '../generated/dataset.json'
import { BuildError } from '../machine/errors.ts'
import type { Content } from '../page/content.ts'
import type { Violation } from '../page/fault.ts'
import type { Page } from '../page/page.ts'
import { asObject } from '../text/as-object.ts'
import { callContent, takeIdentity, takePage } from './content-calls.ts'
import { findRecords } from './records.ts'

export type OpenBatch = ReturnType<typeof openBatch>

export function openBatch(name: string, bytes: Buffer, content: Content) {
  const parsed = parseBatch(name, bytes)
  const records = findRecords(parsed.value, content.records)
  const pages = content.page ? [] : (records.all as Page[])
  const identities: (string | number)[] = []

  /** Makes the page of a record, and says what it is about. @returns why that cannot be */
  function make(index: number): Violation | undefined {
    const record = records.all[index] as Delivered

    if (content.page) {
      const key = records.pointerTo(index).at(-1)
      const where = { key: typeof key === 'string' ? key : undefined, file: name }
      const page = callContent('page', () => takePage(content.page?.(record, where)))
      if (page.fault) return page.fault

      pages[index] = join(page.value, record)
    }

    if (content.identity) {
      const identity = callContent('identity', () => takeIdentity(content.identity?.(record)))
      if (identity.fault) return identity.fault

      identities[index] = identity.value
    }

    return undefined
  }

  return {
    name,
    parsed,
    records,
    /** What each page is about, if `content.ts` says it. */
    identities,
    make,
    /**
     * The page of a valid record: the same one each time.
     *
     * @throws BuildError if `content.ts` has made it before, and now does not
     */
    pageOf(index: number): Page {
      const fault = pages[index] ? undefined : make(index)
      if (fault)
        throw new BuildError(
          `${name}, record ${index}, is read a second time, and now ${fault.message}; the same record must always become the same page`,
        )
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

/** A page of what `page` has made, which comes first and wins, and of what else the record has. */
function join(made: Page, record: unknown): Page {
  const { path, title, contentHtml, form, language, updatedAt, ...rest } = asObject(record)
  return { ...made, ...rest, ...made }
}
