/** Which schemas are meant for which files, by what files say in `$schema` and by names. Pure. */
import { asObject, isObject } from '../../text/as-object.ts'
import { baseName, folderOf } from './patterns.ts'
import type { SurveyedFile } from './shapes.ts'

export interface SchemaFile extends SurveyedFile {
  /** Its `$id`, without a fragment. */
  id: string | undefined
  /** What it's named after: "country" for `countries.schema.json`, "" for `schema.json`. */
  subject: string
}

/** Keywords of a schema that hold an object or a list. */
const KEYWORDS = ['properties', 'items', 'definitions', '$defs', 'anyOf', 'oneOf', 'allOf']
const RARE_KEYWORDS = ['patternProperties', 'additionalProperties', 'prefixItems', 'propertyNames']

/** Names of schemas, such as `country.schema.json` or `schemas/country.json`. */
const NAMED_SCHEMA = /schemas?(?:[^/]*|\/.*)\.json$/i

/** Whether a file is a JSON Schema: it says so, or is named so and has a keyword of one. */
export function isSchemaFile({ name, value }: SurveyedFile): boolean {
  const object = asObject(value)
  const { $schema, $ref } = object
  if (typeof $schema === 'string' && isMetaSchema($schema)) return true

  const hasKeyword = [...KEYWORDS, ...RARE_KEYWORDS].some((keyword) => isObject(object[keyword]))
  return NAMED_SCHEMA.test(name) && (hasKeyword || typeof $ref === 'string')
}

function isMetaSchema(address: string): boolean {
  return address.includes('json-schema.org/')
}

export function toSchemaFile({ name, value }: SurveyedFile): SchemaFile {
  const { $id, id } = asObject(value)
  const address = typeof $id === 'string' ? $id : id
  return {
    name,
    value,
    id: typeof address === 'string' ? withoutFragment(address) : undefined,
    subject: subjectOf(name),
  }
}

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
  const stem = baseName(name).replace(/\.\w+$/, '')
  return normalize(stem.replace(VERSION_END, '').replace(SCHEMA_WORD, '').replace(SCHEMA_END, ''))
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

/** Names of schemas that don't say what they are about. */
const GENERAL = ['', 'list', 'data', 'file', 'record', 'item', 'entry', 'main', 'index', 'all']

/**
 * Finds the schema that a file names in `$schema`: as `check` finds it, or by an address that ends like
 * its path.
 */
export function schemaNamedBy(
  file: SurveyedFile,
  schemas: readonly SchemaFile[],
): SchemaFile | undefined {
  const address = nameOfSchema(file.value)
  if (address === undefined) return undefined

  const exact = schemas.find((schema) => isNamedExactly(schema, file))
  if (exact) return exact

  const endings = schemas.filter((schema) => address.endsWith(`/${schema.name}`))
  const [longest] = endings.sort((a, b) => b.name.length - a.name.length)
  return longest
}

/** Whether a file names a schema by its path or its `$id`, which `{ named: … }` needs. */
export function isNamedExactly(schema: SchemaFile, { name, value }: SurveyedFile): boolean {
  const address = nameOfSchema(value)
  if (address === undefined) return false
  return schema.id === address || schema.name === resolve(folderOf(name), address)
}

/** Returns what a file says in `$schema`, without a fragment. */
function nameOfSchema(value: unknown): string | undefined {
  if (Array.isArray(value)) return undefined

  const { $schema } = asObject(value)
  const isName = typeof $schema === 'string' && $schema !== '' && !isMetaSchema($schema)
  return isName ? withoutFragment($schema) : undefined
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

/** How the name of a schema is related to that of a file, the closest first. */
const RELATIONS = ['beside', 'same name', 'folder', 'outer folder'] as const

export type Relation = (typeof RELATIONS)[number]

/** Returns how a schema is related to a file: `schemas/x.json` to `x.json`, or to the folder `x/`. */
export function relationOf(schema: SchemaFile, file: string): Relation | undefined {
  const { subject } = schema
  if (subject === '') return undefined

  const folder = folderOf(file)
  if (subject === subjectOf(file)) return folderOf(schema.name) === folder ? 'beside' : 'same name'

  const folders = folder.split('/').slice(0, -1).map(normalize)
  const isFolder = folders.at(-1) === subject
  if (isFolder) return 'folder'
  return folders.includes(subject) ? 'outer folder' : undefined
}

/** Returns the schemas whose names are related to that of a file, the closest first. */
export function relatedSchemas(file: string, schemas: readonly SchemaFile[]): SchemaFile[] {
  const related = schemas.flatMap((schema) => {
    const relation = relationOf(schema, file)
    return relation === undefined ? [] : [{ schema, relation }]
  })
  related.sort((a, b) => {
    const byRelation = RELATIONS.indexOf(a.relation) - RELATIONS.indexOf(b.relation)
    return byRelation || sharedLength(b.schema.name, file) - sharedLength(a.schema.name, file)
  })
  return related.map(({ schema }) => schema)
}

/** Counts the characters that two names begin with. */
function sharedLength(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}

/** Whether a schema doesn't say what it's about, and lies where it may be about a file. */
export function isGeneralSchemaFor(schema: SchemaFile, file: string): boolean {
  if (!GENERAL.includes(schema.subject)) return false

  const folder = folderOf(schema.name).replace(SCHEMA_FOLDER, '')
  return file.startsWith(folder)
}

/** A folder that holds schemas for what lies beside it, such as `data/schemas/`. */
const SCHEMA_FOLDER = /(?<=^|\/)\.?(?:json[-_]?)?schemas?\/$/i
