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

/**
 * The files of each draft as ajv has them: one, or its vocabularies. Their names are written out, so that a
 * bundler finds them. ajv has no draft-04; `adapt` adds what it lacks.
 */
const FILES: Record<Draft, () => Node[]> = {
  '04': () => [require('ajv/dist/refs/json-schema-draft-07.json')],
  '06': () => [require('ajv/dist/refs/json-schema-draft-06.json')],
  '07': () => [require('ajv/dist/refs/json-schema-draft-07.json')],
  '2019-09': () => [
    require('ajv/dist/refs/json-schema-2019-09/schema.json'),
    require('ajv/dist/refs/json-schema-2019-09/meta/core.json'),
    require('ajv/dist/refs/json-schema-2019-09/meta/applicator.json'),
    require('ajv/dist/refs/json-schema-2019-09/meta/validation.json'),
    require('ajv/dist/refs/json-schema-2019-09/meta/meta-data.json'),
    require('ajv/dist/refs/json-schema-2019-09/meta/format.json'),
    require('ajv/dist/refs/json-schema-2019-09/meta/content.json'),
  ],
  '2020-12': () => [
    require('ajv/dist/refs/json-schema-2020-12/schema.json'),
    require('ajv/dist/refs/json-schema-2020-12/meta/core.json'),
    require('ajv/dist/refs/json-schema-2020-12/meta/applicator.json'),
    require('ajv/dist/refs/json-schema-2020-12/meta/unevaluated.json'),
    require('ajv/dist/refs/json-schema-2020-12/meta/validation.json'),
    require('ajv/dist/refs/json-schema-2020-12/meta/meta-data.json'),
    require('ajv/dist/refs/json-schema-2020-12/meta/format-annotation.json'),
    require('ajv/dist/refs/json-schema-2020-12/meta/content.json'),
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
  const files = structuredClone(FILES[draft === 'unknown' ? '2020-12' : draft]())
  const [first = {}, ...vocabularies] = files
  return vocabularies.length === 0 ? first : joined(files)
}

/** For example `meta/core` in the reference `meta/core#/$defs/anchor`. */
const VOCABULARY = /^meta\/\w+/

/**
 * Joins the vocabularies of a draft into one schema. They refer to the whole by `$dynamicRef` or
 * `$recursiveRef`, which is then the root.
 */
function joined(files: readonly Node[]): Node {
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
    else if (typeof node.$ref === 'string') node.$ref = node.$ref.replace(VOCABULARY, '')

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

  // Any address will do: `vet.ts` checks which draft it names.
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
