/**
 * What a schema must be, by its draft: the standard's schemas of schemas, with our own keywords. They are
 * plain schemas in our form, so that a schema is checked and explained like any other file. Pure.
 */
import { createRequire } from 'node:module'
import { asObject } from '../text/as-object.ts'
import type { Draft, DraftOrUnknown } from './drafts.ts'
import { type Node, schemasIn } from './schemas-in.ts'
import { upgradeAlone } from './upgrade.ts'

// Loaded on demand: a schema that was compiled before isn't checked again.
const require = createRequire(import.meta.url)

const VOCABULARIES: Partial<Record<Draft, readonly string[]>> = {
  '2019-09': ['core', 'applicator', 'validation', 'meta-data', 'format', 'content'],
  '2020-12': [
    ...['core', 'applicator', 'unevaluated', 'validation', 'meta-data', 'format-annotation'],
    'content',
  ],
}

const metaSchemas = new Map<DraftOrUnknown, Node>()

/** Returns what a schema of a draft must be; always the same object. */
export function metaSchemaOf(draft: DraftOrUnknown): Node {
  const earlier = metaSchemas.get(draft)
  if (earlier) return earlier

  const metaSchema = upgradeAlone(adapt(standardMetaSchema(draft), draft)).schema
  metaSchemas.set(draft, metaSchema)
  return metaSchema
}

/** Returns the standard's schema of schemas. */
export function standardMetaSchema(draft: DraftOrUnknown): Node {
  const vocabularies = VOCABULARIES[draft === 'unknown' ? '2020-12' : draft]
  if (vocabularies) return joined(draft === 'unknown' ? '2020-12' : draft, vocabularies)

  // ajv has no draft-04; `adapt` adds what it lacks.
  const file = `ajv/dist/refs/json-schema-draft-${draft === '06' ? '06' : '07'}.json`
  return structuredClone(require(file))
}

/**
 * Joins the vocabularies of a draft into one schema. They refer to the whole by `$dynamicRef` or
 * `$recursiveRef`, which is then the root.
 */
function joined(draft: string, vocabularies: readonly string[]): Node {
  const folder = `ajv/dist/refs/json-schema-${draft}`
  const names = ['schema', ...vocabularies.map((name) => `meta/${name}`)]
  const files: Node[] = names.map((name) => structuredClone(require(`${folder}/${name}.json`)))

  const properties: Node = {}
  const $defs: Node = {}
  for (const file of files) {
    Object.assign(properties, file.properties)
    Object.assign($defs, file.$defs)
  }

  const whole = { type: ['object', 'boolean'], properties, $defs }
  for (const [, node] of schemasIn(whole)) {
    const isWhole = node.$dynamicRef !== undefined || node.$recursiveRef !== undefined
    if (isWhole) node.$ref = '#'
    else if (typeof node.$ref === 'string') node.$ref = node.$ref.replace(/^meta\/\w+/, '')
    delete node.$dynamicRef
    delete node.$recursiveRef
  }
  return whole
}

/** Adds what we read beyond a draft, and leaves out what `vet.ts` explains better. */
function adapt(metaSchema: Node, draft: DraftOrUnknown): Node {
  const properties = asObject(metaSchema.properties)
  const schema = { $ref: '#' }
  const mark = { type: 'boolean' }

  properties.pagePath = mark
  properties.unique = mark
  properties.nullable = mark
  properties.patternErrorMessage = { type: 'string' }
  properties.pattern = { type: 'string' }
  delete asObject(properties.patternProperties).propertyNames
  // Any address will do, and `vet.ts` says of which drafts.
  properties.$schema = { type: 'string' }

  if (asObject(properties.$id).pattern !== undefined) {
    const demand = 'must be an address without a fragment; the name of a place is an "$anchor"'
    properties.$id = { ...asObject(properties.$id), patternErrorMessage: demand }
  }
  if (draft === '04') {
    const exclusive = { type: ['boolean', 'number'] }
    Object.assign(properties, { exclusiveMinimum: exclusive, exclusiveMaximum: exclusive })
    properties.id = { type: 'string' }
  }
  if (draft === 'unknown') {
    const list = { type: 'array', minItems: 1, items: schema }
    properties.items = { anyOf: [schema, list] }
    properties.additionalItems = schema
    // An anchor of older drafts, such as "#name".
    properties.$id = { type: 'string' }
  }
  return metaSchema
}
