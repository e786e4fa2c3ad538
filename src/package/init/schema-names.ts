/** Which files are schemas, and for which files they are meant by their names. Pure. */
import { posix } from 'node:path'
import { asObject, isPlainObject } from '../../text/as-object.ts'
import { baseName, folderOf, stemOf } from './paths.ts'

export interface SchemaFile {
  name: string
  /** Its `$id`, without a fragment. */
  id: string | undefined
  /** What it's named after, as it's written: "countries" for `countries.schema.json`. */
  word: string
  /** The same in the singular: "country" for `countries.schema.json`, "" for `schema.json`. */
  subject: string
  /** The folder that it's for: `data/` for `data/schemas/country.json`. */
  place: string
  /** The folder within a folder of schemas that it's in: `v2/` for `schemas/v2/country.json`. */
  inner: string
  /** Whether it's in a folder of schemas. */
  isInFolder: boolean
  /** The schemas that it refers to, as its `$ref` name them, without fragments. */
  references: readonly string[]
}

/** Keywords of which a schema that doesn't say so has one. */
const KEYWORDS = ['properties', 'patternProperties', 'additionalProperties', 'required', 'items']
const MORE_KEYWORDS = ['definitions', '$defs', 'anyOf', 'oneOf', 'allOf', 'enum', '$ref']

/** Names of schemas, such as `country.schema.json` or `schemas/country.json`. */
const NAMED_SCHEMA = /schemas?(?:[^/]*|\/.*)\.(?:json|ya?ml)$/i

/** Whether a file is a JSON Schema: it says so, or is named so and has its keywords, nothing, or can't be read. */
export function isSchema(name: string, value: unknown): boolean {
  const object = asObject(value)
  const { $schema, type } = object
  if (typeof $schema === 'string' && $schema.includes('json-schema.org/')) return true
  if (!NAMED_SCHEMA.test(name)) return false

  if (!isPlainObject(value)) return value === undefined

  const keywords = [...KEYWORDS, ...MORE_KEYWORDS]
  const hasKeyword = keywords.some((keyword) => Object.hasOwn(object, keyword))
  return hasKeyword || Object.keys(object).length === 0 || TYPES.includes(String(type))
}

const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']

export function toSchemaFile(name: string, value: unknown): SchemaFile {
  const { $id, id } = asObject(value)
  const address = $id ?? id
  return {
    name,
    id: typeof address === 'string' ? withoutFragment(address) : undefined,
    word: withoutSchema(stemOf(name)).toLowerCase(),
    subject: subjectOf(name),
    place: folderOf(name).replace(SCHEMA_FOLDER, ''),
    inner: SCHEMA_FOLDER.exec(folderOf(name))?.[1] ?? '',
    isInFolder: SCHEMA_FOLDER.test(folderOf(name)),
    references: referencesIn(value),
  }
}

function referencesIn(value: unknown): string[] {
  const { $ref } = asObject(value)
  const here = typeof $ref === 'string' ? [withoutFragment($ref)] : []
  return [...here, ...Object.values(asObject(value)).flatMap(referencesIn)].filter(
    (way) => way !== '',
  )
}

/** Whether another schema refers to a schema, by its name or its `$id`. */
export function isReferredTo({ name, id }: SchemaFile, schemas: readonly SchemaFile[]): boolean {
  const references = schemas.flatMap((schema) => (schema.name === name ? [] : schema.references))
  return references.some((way) => way === id || baseName(way) === baseName(name))
}

/** A folder that holds schemas for what lies beside it, such as `data/schemas/`. */
const SCHEMA_FOLDER = /(?<=^|\/)[._]?(?:json[-_]?)?schemas?\/((?:.*\/)?)$/i

function withoutFragment(address: string): string {
  return address.replace(/#.*$/, '')
}

/** The word "schema" within a name: `.schema`, `schema_`, `json-schema`. */
const SCHEMA_WORD = /(?:^|[-_.])(?:json[-_]?)?schemas?(?=$|[-_.])/gi

/** The version at the end of a name: `-v1`, `-1.0.0`. */
const VERSION_END = /[-_.](?:v\d+(?:\.\d+)*|\d+(?:\.\d+)+)$/

/** Returns what a file is about by its name: "country" for `data/countries.json`. */
export function subjectOf(name: string): string {
  return normalize(withoutSchema(stemOf(name).replace(VERSION_END, '')))
}

function withoutSchema(stem: string): string {
  return stem.replace(SCHEMA_WORD, '')
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
const GENERAL = ['', 'list', 'data', 'file', 'record', 'entry', 'main', 'index', 'all']

export function isGeneral(subject: string): boolean {
  return GENERAL.includes(subject)
}

/** Whether a schema is named after something, and lies beside it, in a folder above, or in `schemas/` there. */
export function isNamedAfter(schema: SchemaFile, subject: string, folder: string): boolean {
  return schema.subject === subject && !isGeneral(subject) && folder.startsWith(schema.place)
}

/** Finds the schema that a file names by its path, or by its `$id`, as `{ named: … }` does. */
export function schemaNamed(address: string, file: string, schemas: readonly SchemaFile[]) {
  const wanted = withoutFragment(address)
  // No way leads out of the repository.
  const place = posix.join('/', folderOf(file), wanted).slice(1)
  return schemas.find(({ id, name }) => id === wanted || name === place)
}

/** What stands for any name in a mirrored path: `$id`, `{id}`, `[id]`, `:id`, `_id`, `*`. */
const PLACEHOLDER = /^(?:\$.+|\{.+\}|\[.+\]|:.+|_.+|\*)$/

/**
 * Whether a file has the path that a schema has in a folder of schemas: `data/schema/tram/$id/index.json`
 * is for `data/api/tram/3/index.json`. In the place of the folder of schemas may be one of the data.
 */
export function isMirrored({ name, place, inner }: SchemaFile, file: string): boolean {
  if (inner === '' || !file.startsWith(place)) return false

  const wanted = `${inner}${withoutSchema(stemOf(name))}`.split('/')
  const steps = `${folderOf(file)}${stemOf(file)}`.slice(place.length).split('/')
  const within = steps.length > wanted.length ? steps.slice(1) : steps
  const isSame = (step: string, at: number) =>
    PLACEHOLDER.test(String(wanted[at])) || step === wanted[at]
  return within.length === wanted.length && within.every(isSame)
}
