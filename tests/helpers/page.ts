import type { Page } from '../../scripts/samples/batches.ts'
import { accept, type Reading } from '../../src/accept/accept.ts'
import type { SchemaCheck } from '../../src/accept/check.ts'
import { compileSchema, loadCheck } from '../../src/accept/compile.ts'
import { collectionOfContent } from '../../src/collections/of-config.ts'
import { explain } from '../../src/explain/explain.ts'
import { explainSchema } from '../../src/explain/schema/explain-schema.ts'
import { sentenceOf } from '../../src/explain/sentences.ts'
import { PAGE_WORDS } from '../../src/explain/words.ts'
import type { Fault } from '../../src/fault/fault.ts'
import type { Content } from '../../src/page/content.ts'
import type { FieldDefinition, FormDefinition } from '../../src/page/form-fields.ts'
import { upgradeAlone } from '../../src/schema/upgrade.ts'
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

/** A schema, and the check that it was compiled to. */
export interface Compiled {
  schema: Record<string, unknown>
  check: SchemaCheck
}

/** Compiles the schema of a batch, as `build-data` does. */
export function compileCheck(of: object = schema): Compiled {
  if (of !== schema) return compiled(of)
  own ??= compiled(schema)
  return own
}

function compiled(of: object): Compiled {
  const { schema: upgraded } = upgradeAlone(of)
  return { schema: upgraded, check: loadCheck(compileSchema(upgraded)) }
}

let own: Compiled | undefined

/** A fault with its sentence. */
export type ExplainedFault = Fault & { message: string }

/** Returns what a schema refuses in a batch, explained. */
export function refusedBy({ schema, check }: Compiled, batch: unknown): ExplainedFault[] {
  const isRefused = check(batch).faults.length > 0
  const explained = explainSchema(batch, schema)
  if (isRefused !== explained.length > 0) throw new Error('what is refused must be explained')
  return explained.map((fault) => ({ ...fault, message: sentenceOf(fault) }))
}

/** How batches are read by a schema, for the pages of a site. */
export function readingOf({ schema, check }: Compiled, content: Content): Reading {
  const loaded = { root: schema, check }
  return {
    schemas: { kind: 'file', schema: loaded },
    collection: collectionOfContent(content, '.'),
  }
}

/**
 * Accepts or refuses a batch, and explains what is refused. What only a site needs is left out, unless
 * the content says so.
 */
export function read(
  name: string,
  bytes: Buffer,
  { schema, check }: Compiled,
  frames = 0,
  content: Content = plain,
) {
  const file = { name, bytes }
  const reading = readingOf({ schema, check }, { site: false, ...content })
  const { faults, warnings, ...accepted } = accept(file, reading)
  const explaining = { ...reading, words: PAGE_WORDS, frames }
  return {
    ...accepted,
    problems: explain(file, faults, explaining),
    lost: explain(file, warnings, explaining),
  }
}

/** Reads a batch, and parses its pages again. */
export function validate(
  name: string,
  bytes: Buffer,
  compiled: Compiled,
  frames: number,
  content: Content = plain,
) {
  const { items, ...rest } = read(name, bytes, compiled, frames, content)
  const parsed = items.map(({ index, json }) => ({
    index,
    page: JSON.parse(json.toString()) as Page,
  }))
  const locate = (faults: Fault[]) =>
    explain({ name, bytes }, faults, { ...readingOf(compiled, content), words: PAGE_WORDS, frames })
  return { ...rest, pages: parsed, locate }
}
