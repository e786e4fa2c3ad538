/** Which files are schemas, and for which files they are meant by their names. Pure. */
import { asObject, isObject, isPlainObject } from '../../text/as-object.ts'
import { folderOf, stemOf } from './paths.ts'

export interface SchemaFile {
  name: string
  /** Its `$id`, without a fragment. */
  id: string | undefined
  /** What it's named after: "country" for `countries.schema.json`, "" for `schema.json`. */
  subject: string
  /** The files whose path it has, in a folder of schemas. */
  mirror: RegExp | undefined
  /** The folder that it's for: `data/` for `data/schemas/country.json`. */
  place: string
  /** The folder within a folder of schemas that it's in: `v2/` for `schemas/v2/country.json`. */
  inner: string
}

/** Keywords of which a schema has at least one. */
const KEYWORDS = ['properties', 'items', 'definitions', '$defs', 'anyOf', 'oneOf', 'allOf', 'enum']
const MORE_KEYWORDS = ['patternProperties', 'additionalProperties', 'propertyNames', 'required']

/** Names of schemas, such as `country.schema.json` or `schemas/country.json`. */
const NAMED_SCHEMA = /schemas?(?:[^/]*|\/.*)\.(?:json|ya?ml)$/i

/** Whether a file is a JSON Schema: it says so, or is named so and has nothing else in it. */
export function isSchema(name: string, value: unknown): boolean {
  const object = asObject(value)
  const { $schema, $ref, type } = object
  if (typeof $schema === 'string' && isMetaSchema($schema)) return true
  if (!NAMED_SCHEMA.test(name)) return false
  if (!isPlainObject(value)) return value === undefined

  const isEmpty = Object.keys(value).length === 0
  const hasKeyword = [...KEYWORDS, ...MORE_KEYWORDS].some((keyword) => isObject(object[keyword]))
  return isEmpty || hasKeyword || typeof $ref === 'string' || TYPES.includes(String(type))
}

const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']

function isMetaSchema(address: string): boolean {
  return address.includes('json-schema.org/')
}

export function toSchemaFile(name: string, value: unknown): SchemaFile {
  const { $id, id } = asObject(value)
  const address = $id ?? id
  return {
    name,
    id: typeof address === 'string' ? withoutFragment(address) : undefined,
    subject: subjectOf(name),
    mirror: mirrorOf(name),
    place: folderOf(name).replace(SCHEMA_FOLDER, ''),
    inner: SCHEMA_FOLDER.exec(folderOf(name))?.[1] ?? '',
  }
}

/** A folder that holds schemas for what lies beside it, such as `data/schemas/`. */
const SCHEMA_FOLDER = /(?<=^|\/)[._]?(?:json[-_]?)?schemas?\/((?:.*\/)?)$/i

function withoutFragment(address: string): string {
  return address.replace(/#.*$/, '')
}

/** The word "schema" within a name: `.schema`, `schema_`, `json-schema`. */
const SCHEMA_WORD = /(?:^|[-_.])(?:json[-_]?)?schemas?(?=$|[-_.])/gi

/** The word "Schema" at the end of a name in camel case: `countrySchema`. */
const SCHEMA_END = /(?<=[a-z])Schema$/

/** The version at the end of a name: `-v1`, `-1.0.0`. */
const VERSION_END = /[-_.](?:v\d+(?:\.\d+)*|\d+(?:\.\d+)+)$/

/** Returns what a file is about by its name: "country" for `data/countries.json`. */
export function subjectOf(name: string): string {
  return normalize(withoutSchema(stemOf(name).replace(VERSION_END, '')))
}

function withoutSchema(stem: string): string {
  return stem.replace(SCHEMA_WORD, '').replace(SCHEMA_END, '')
}

/** Makes one of the ways in which a name is written: `Generic_Words` and `genericWord` are one. */
export function normalize(name: string): string {
  return singular(name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''))
}

function singular(word: string): string {
  if (/[^aeiou]ies$/.test(word)) return `${word.slice(0, -3)}y`
  if (/(?:ss|x|ch|sh)es$/.test(word)) return word.slice(0, -2)
  return /[^su]s$/.test(word) ? word.slice(0, -1) : word
}

/** Names that don't say what something is about. */
const GENERAL = ['', 'list', 'data', 'file', 'record', 'item', 'entry', 'main', 'index', 'all']

export function isGeneral(subject: string): boolean {
  return GENERAL.includes(subject)
}

/** Whether a schema is named after something, and lies beside it, in a folder above, or in `schemas/` there. */
export function isNamedAfter(schema: SchemaFile, subject: string, folder: string): boolean {
  return schema.subject === subject && !isGeneral(subject) && folder.startsWith(schema.place)
}

/** What a file says in `$schema` leads to a schema: its `$id`, its path, or the end of its address. */
export function isMeantBy(address: string, file: string, schema: SchemaFile): boolean {
  const wanted = withoutFragment(address)
  return isNamedExactly(wanted, file, schema) || wanted.endsWith(`/${schema.name}`)
}

/** Whether the schema is meant by its path or its `$id`, which `{ named: … }` needs. */
export function isNamedExactly(address: string, file: string, schema: SchemaFile): boolean {
  const wanted = withoutFragment(address)
  return schema.id === wanted || schema.name === resolve(folderOf(file), wanted)
}

/** Follows a way such as `../schemas/app.json` from a folder. */
function resolve(folder: string, way: string): string {
  const steps: string[] = []
  for (const step of `${folder}${way}`.split('/')) {
    if (step === '..') steps.pop()
    else if (step !== '.' && step !== '') steps.push(step)
  }
  return steps.join('/')
}

/** A folder of schemas within a path. */
const SCHEMA_STEP = /^[._]?(?:json[-_]?)?schemas?$/i

/** What stands for any name in a mirrored path: `$id`, `{id}`, `[id]`, `:id`, `_id`, `*`. */
const PLACEHOLDER = /^(?:\$.+|\{.+\}|\[.+\]|:.+|_.+|\*)$/

/** Any name, of a folder or of a file. */
const ANY_STEP = '[^/]+'

/**
 * Returns the pattern of the files whose path a schema has, in a folder of schemas. For example,
 * `data/schema/tram/$id/index.json` is for `data/api/tram/3/index.json`.
 */
function mirrorOf(name: string): RegExp | undefined {
  const steps = folderOf(name).split('/').slice(0, -1)
  const at = steps.findIndex((step) => SCHEMA_STEP.test(step))
  const mirrored = steps.slice(at + 1)
  if (at < 0 || mirrored.length === 0) return undefined

  const outer = steps.slice(0, at).map((step) => `${escapeText(step)}/`)
  const folders = mirrored.map((step) => (PLACEHOLDER.test(step) ? ANY_STEP : escapeText(step)))
  const file = `${escapeText(withoutSchema(stemOf(name)))}\\.\\w+`
  // In the place of the folder of schemas may be one of the data.
  return new RegExp(`^${outer.join('')}(?:${ANY_STEP}/)?${[...folders, file].join('/')}$`)
}

function escapeText(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
