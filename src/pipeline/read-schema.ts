/** Compiles the schema and generates its types, or reuses those of the last build. */
import fs from 'node:fs'
import { findSyntaxError } from '../batch/json/syntax.ts'
import { compileSchema } from '../batch/schema/compile.ts'
import { schemasIn } from '../batch/schema/vet.ts'
import { emitTypes } from '../dataset/output.ts'
import { BuildError, onDisk } from '../machine/errors.ts'
import { asObject } from '../text/as-object.ts'
import { sha256Of } from '../text/digest.ts'
import { show } from '../text/wording.ts'
import type { Cache } from './disk/cache.ts'

export interface SchemaFiles {
  sha256: string
  /** The code of the check, for `loadCheck`. */
  check: string
  /** The declaration of the dataset's type. */
  types: string
}

/**
 * Reads the schema, compiles it and generates its types. Reuses what the last build created from
 * the same schema with the same code.
 *
 * @param file the schema
 * @param cache of the last build
 * @param isMade whether `content.ts` makes pages of the records, so that their types differ
 * @throws BuildError if there is no such file or it is not such a schema
 */
export async function readSchema(
  file: string,
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
    const madeOf = `Schema: sha256 ${sha256}${isMade ? '; pages by content.ts' : ''}`
    const types =
      cache.get<string>('types', madeOf) ??
      cache.add('types', madeOf, await generateTypes(schema, madeOf, isMade))
    return { sha256, check, types }
  } catch (error) {
    throw new BuildError(`the schema ${file} cannot be used: ${(error as Error).message}`)
  }
}

function parse(text: string): object {
  try {
    return JSON.parse(text, refuseAddress)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const fault = findSyntaxError(text)
    const before = text.slice(0, fault.range?.start).split('\n')
    const place = `line ${before.length}, column ${(before.at(-1) as string).length + 1}`
    throw new Error(`${place}: ${fault.message}`)
  }
}

/** The generator of types would fetch an address. */
function refuseAddress(key: string, value: unknown): unknown {
  if (key !== '$ref' || typeof value !== 'string' || value.startsWith('#')) return value
  throw new Error(`a "$ref" must be a place in it, such as "#/$defs/line", but is ${show(value)}`)
}

function compile(schema: object): string {
  const { $schema = DRAFT } = asObject(schema)
  if ($schema === DRAFT) return compileSchema(schema)
  throw new Error(`at /$schema it must be ${show(DRAFT)}, but is ${show($schema)}`)
}

const DRAFT = 'https://json-schema.org/draft/2020-12/schema'

async function generateTypes(schema: object, madeOf: string, isMade: boolean): Promise<string> {
  const { compile } = await import('json-schema-to-typescript').catch((error) => {
    if (!/MODULE_NOT_FOUND$/.test(error.code)) throw error
    throw new Error('its types need a development dependency that is not installed; run "npm ci"')
  })
  const hasRecord = JSON.stringify(schema).includes('"title":"Delivered"')
  // One record a file: the batch is a record.
  const isRecord = /^(?:Delivered|Page)$/.test(String(asObject(schema).title))
  const root = isRecord ? 'Delivered' : 'Batch'
  const types = await compile({ ...inItsWords(schema), title: root }, root, {
    bannerComment: '',
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

/** Says in other words what the generator takes no notice of: `prefixItems` and `$anchor`. */
function inItsWords(schema: object): object {
  const places = new Map<unknown, string>()
  for (const [at, { $anchor }] of schemasIn(schema))
    if ($anchor !== undefined) places.set(`#${$anchor}`, `#${encodeURI(at)}`)
  return JSON.parse(JSON.stringify(schema), (_, value) => {
    const { $ref, prefixItems, items = true } = asObject(value)
    if (places.has($ref)) return { ...value, $ref: places.get($ref) }
    if (!Array.isArray(prefixItems) || items === true) return value
    return { ...value, items: { anyOf: items === false ? prefixItems : [...prefixItems, items] } }
  })
}

const NO_RECORD =
  'it does not say what a record is; the schema of a record must have the title "Delivered", and not stand in "then" or "else"'
