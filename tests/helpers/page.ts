import type { Page } from '../../scripts/samples/batches.ts'
import { readBatch } from '../../src/accept/accept.ts'
import { openBatch } from '../../src/accept/open.ts'
import { compileSchema, loadCheck } from '../../src/accept/schema/compile.ts'
import { toProblems } from '../../src/explain/problem.ts'
import type { Content } from '../../src/page/content.ts'
import type { SchemaCheck, Violation } from '../../src/page/fault.ts'
import type { FieldDefinition, FormDefinition } from '../../src/page/form-fields.ts'
import schema from './batch.schema.json'
import { content as plain } from './content.ts'

/** Returns a valid page with a title that fits its path, except for the overrides. */
export function page(overrides: { [key in keyof Page]?: unknown } & { path?: string } = {}): Page {
  const { path = '/blog/029' } = overrides
  const [, category = '', id] = path.split('/')
  return {
    path,
    title: `${category.slice(0, 1).toUpperCase()}${category.slice(1)} Page ${id}`,
    contentHtml: '<p>Text.</p>',
    form: null,
    createdAt: '2025-08-28T10:15:00.000Z',
    updatedAt: '2025-08-28T10:17:30.000Z',
    ...(overrides as Partial<Page>),
  }
}

export const nameField: FieldDefinition = {
  name: 'name',
  label: 'Your Name',
  type: 'text',
  placeholder: 'Enter your name',
  required: true,
}

export const emailField: FieldDefinition = {
  name: 'email',
  label: 'Email Address',
  type: 'email',
  placeholder: 'you@example.com',
  required: true,
}

export const messageField: FieldDefinition = {
  name: 'message',
  label: 'Message',
  type: 'textarea',
  placeholder: 'Your message...',
  required: false,
}

/** Returns a form of one valid field, except for the overrides. */
export function formOf(overrides: object): FormDefinition {
  return { fields: [{ ...nameField, ...overrides }] }
}

/** Returns the object without one of its keys. */
export function without<T extends object>(object: T, key: string): T {
  return Object.fromEntries(Object.entries(object).filter(([each]) => each !== key)) as T
}

/** Compiles the schema of a batch to a check, as `build-data` does. */
export function compileCheck(of: object = schema): SchemaCheck {
  if (of !== schema) return loadCheck(compileSchema(of))
  own ??= loadCheck(compileSchema(schema))
  return own
}

let own: SchemaCheck | undefined

/** Returns what a schema refuses in a batch. */
export function refusedBy(check: SchemaCheck, batch: unknown): readonly Violation[] {
  return check(batch).violations
}

/** Reads a batch, and parses its pages again. */
export function validate(
  name: string,
  bytes: Buffer,
  check: SchemaCheck,
  frames: number,
  content: Content = plain,
) {
  const { pages, ...rest } = readBatch(name, bytes, { check, content, frames })
  const text = Buffer.from(pages.bytes)
  const parsed = pages.indexes.map((index, at) => {
    const json = text.toString('utf8', pages.starts[at], pages.ends[at])
    return { index, page: JSON.parse(json) as Page }
  })
  const locate = (violations: Violation[]) =>
    toProblems(openBatch(name, bytes, content), violations, frames)
  return { ...rest, pages: parsed, locate }
}
