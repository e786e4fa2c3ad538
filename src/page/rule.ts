/** What a rule is: a check of one page that JSON Schema cannot express, and the keys that it reads. */
import type { Violation } from './violation.ts'

/** The values that rules read. Another schema may leave out keys, or allow other types. */
export interface CheckedPage {
  path: string
  title: string
  contentHtml: string
  form: { fields: readonly { name: string }[] } | null
  createdAt: string
  updatedAt: string
}

export interface Rule {
  /** The rule is called only if these have the types above. */
  reads: readonly (keyof CheckedPage)[]
  /**
   * Keys that are not in `reads` may be missing. The name of this function is the code of what it
   * finds: problems of one code at one place of many records are shown as one.
   */
  check(page: CheckedPage): Fault[]
}

/** What a rule finds: where, from the page, and what must be there and what is. */
export type Fault = Pick<Violation, 'pointer' | 'message'> & Partial<Violation>

/** Another schema may allow types that no page of this project has. The rules skip such values. */
export function hasKind(key: keyof CheckedPage, value: unknown): boolean {
  if (key !== 'form') return typeof value === 'string'
  if (value === null) return true
  const { fields } = Object(value) as Record<string, unknown>
  return Array.isArray(fields) && fields.every((field) => typeof field?.name === 'string')
}
