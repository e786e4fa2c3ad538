/** Compiles the schema and generates its types, or reuses those of the last build. */
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { findSyntaxError } from '../batch/json/syntax.ts'
import { compileSchema } from '../batch/schema/schema.ts'
import { emitTypes, FILES, readHead } from '../dataset/output.ts'
import { BuildError, onDisk } from '../machine/errors.ts'
import { readStart } from '../machine/files.ts'
import { formatPointer } from '../page/violation.ts'
import { sha256Of } from '../text/digest.ts'
import { show } from '../text/wording.ts'
import type { Cache } from './cache/cache.ts'
import { forGenerator } from './generator-schema.ts'

export interface SchemaFiles {
  sha256: string
  /** The code of the check, for `loadCheck`. */
  check: string
  /** The declaration of the dataset's type; undefined if it cannot be generated or reused. */
  types: string | undefined
}

/**
 * Reads the schema, compiles it and generates its types. Reuses what the last build created from
 * the same schema with the same code.
 *
 * @param file the schema
 * @param out the folder of the last build
 * @param cache of that build
 * @param isMade whether `content.ts` makes pages of the records, so that their types differ
 * @throws BuildError if there is no such file or it is not such a schema
 */
export async function readSchema(
  file: string,
  out: string,
  cache: Cache,
  isMade: boolean,
): Promise<SchemaFiles> {
  const text = onDisk(`read the schema ${file} (--schema names another)`, () =>
    fs.readFileSync(file, 'utf8'),
  )
  const sha256 = sha256Of(text)
  try {
    const schema = parse(text)
    const check = cache.get<string>('check', sha256) ?? cache.add('check', sha256, compile(schema))
    const types = await typesOf(schema, sha256, out, cache, isMade)
    return { sha256, check, types }
  } catch (error) {
    throw new BuildError(`the schema ${file} cannot be used: ${(error as Error).message}`)
  }
}

/** Compiles a schema, and names the place of a fault for which ajv quotes only a keyword or value. */
function compile(schema: object): string {
  const { $schema = DRAFT } = Object(schema)
  if ($schema !== DRAFT)
    throw new Error(`at /$schema it must be ${show(DRAFT)}, but is ${show($schema)}`)
  for (const { at, value } of membersOf(Object(schema))) {
    const { minItems, maxItems } = Object(value)
    // The type generator refuses these without saying where.
    if (minItems > maxItems) throw new Error(`at ${at} its "maxItems" is less than its "minItems"`)
  }
  try {
    return compileSchema(schema)
  } catch (error) {
    const { message } = error as Error
    const place = [...membersOf(Object(schema))].find(({ key, value }) =>
      message.includes(QUOTED[key]?.(value) ?? `"${key}"`),
    )
    throw message.startsWith('at /') || !place ? error : new Error(`at ${place.at}: ${message}`)
  }
}

const DRAFT = 'https://json-schema.org/draft/2020-12/schema'

/** How ajv quotes the value of a keyword, if it does not quote the keyword. */
const QUOTED: Record<string, (value: unknown) => string> = {
  $ref: (value) => `reference ${value} `,
  pattern: (value) => `/${value}/`,
  format: (value) => `"${value}"`,
}

function* membersOf(
  node: object,
  way = '',
): Generator<{ at: string; key: string; value: unknown }> {
  for (const [key, value] of Object.entries(node)) {
    const at = way + formatPointer([key])
    yield { at, key, value }
    if (typeof value === 'object' && value !== null) yield* membersOf(value, at)
  }
}

function parse(text: string) {
  try {
    return JSON.parse(text)
  } catch {
    const fault = findSyntaxError(text)
    const before = text.slice(0, fault.range?.start).split('\n')
    const place = `line ${before.length}, column ${(before.at(-1) as string).length + 1}`
    throw new Error(`${place}: ${fault.message}`)
  }
}

/** A development dependency: `npm ci --omit=dev` leaves it out. */
export const GENERATOR = 'json-schema-to-typescript'

/**
 * Generates the types, or reuses them. If no generator is installed, returns those of the last build
 * if they are of the same schema and nobody changed them, or undefined.
 */
async function typesOf(
  schema: object,
  sha256: string,
  out: string,
  cache: Cache,
  isMade: boolean,
): Promise<string | undefined> {
  const version = installedVersion()
  if (version === undefined) {
    const existing = readStart(path.join(out, FILES.types))
    const { schema, types } = readHead(readStart(path.join(out, FILES.manifest)))
    const isSame = schema?.sha256 === sha256 && types?.sha256 === sha256Of(existing)
    return isSame ? existing : undefined
  }
  const made = isMade ? '; pages by content.ts' : ''
  const madeOf = `Schema: sha256 ${sha256}; ${GENERATOR} ${version}${made}`
  return (
    cache.get<string>('types', madeOf) ??
    cache.add('types', madeOf, await generateTypes(schema, madeOf, isMade))
  )
}

const require = createRequire(import.meta.url)

/** The version of the generator; undefined if it is not installed. */
function installedVersion(): string | undefined {
  try {
    return require(`${GENERATOR}/package.json`).version
  } catch {
    return undefined
  }
}

async function generateTypes(schema: object, madeOf: string, isMade: boolean): Promise<string> {
  const { compile } = await import('json-schema-to-typescript')
  const hasRecord = JSON.stringify(schema).includes('"title":"Delivered"')
  // One record a file: the batch is a record.
  const isRecord = /^(?:Delivered|Page)$/.test(Object(schema).title)
  const root = isRecord ? 'Delivered' : 'Batch'
  const types = await compile({ ...forGenerator(schema), title: root }, root, {
    bannerComment: '',
    // A build reads nothing but its own files.
    $refOptions: { resolve: { external: false } },
    // A tuple for every length that minItems and maxItems allow helps nobody.
    ignoreMinAndMaxItems: true,
    // A schema may call a record a page, which is what becomes of it.
    customName: ({ title, $id }, key) => {
      if (!/^page$/i.test(title ?? $id ?? key ?? '')) return undefined
      return hasRecord ? 'Page1' : 'Delivered'
    },
  })
  if (isRecord) return emitTypes(madeOf, `${types}\nexport type Batch = Delivered`, isMade)
  if (/^export (?:interface|type) Delivered\b/m.test(types)) return emitTypes(madeOf, types, isMade)
  if (/^export interface Batch\b/m.test(types)) throw new Error(NO_RECORD)
  return emitTypes(madeOf, `${types}\nexport type Delivered = Batch[number]`, isMade)
}

const NO_RECORD =
  'it does not say what a record is; write "title": "Delivered" beside the "type": "object" of one'
