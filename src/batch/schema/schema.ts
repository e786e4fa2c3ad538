/**
 * The schema check; the only module that imports ajv. It compiles a schema to the code of a
 * function that returns the violations of a parsed batch.
 */
import { createRequire } from 'node:module'
import { compileFunction } from 'node:vm'
import type { Ajv, AnySchemaObject, ErrorObject, ValidateFunction } from 'ajv'
import { formatPointer, parsePointer, type SchemaCheck } from '../../page/violation.ts'
import { show } from '../../text/wording.ts'
import { fault } from '../sentences.ts'
import { explain, ofValue, type SchemaFacts } from './explain.ts'
import { addKeywords, createHelpers, requireFor } from './keywords.ts'
import { createKnownKeys, valueAt } from './known.ts'
import { reduce } from './reduce.ts'
import { ANNOTATIONS, placeOf, vetSchema } from './vet.ts'

// Modules that most builds do not need are loaded on demand.
const require = createRequire(import.meta.url)

/**
 * Compiles a schema ahead of time, since loading ajv takes longer than checking a small batch.
 *
 * @param schema JSON Schema 2020-12 of a whole batch
 * @returns code for `loadCheck`
 * @throws Error with a message of one line if the schema is not valid or refuses nothing
 */
export function compileSchema(schema: object): string {
  const { Ajv2020 } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js')
  const { default: addFormats } = require('ajv-formats') as typeof import('ajv-formats')
  const { default: standaloneCode } =
    require('ajv/dist/standalone') as typeof import('ajv/dist/standalone/index.js')
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    allowUnionTypes: true,
    // It would print a warning about a limit beside a $ref.
    strictTypes: false,
    strictTuples: false,
    // A key such as "constructor" exists only in a record that has it, not in every object.
    ownProperties: true,
    discriminator: true,
    code: { source: true, lines: true },
  })
  addFormats(ajv)
  addKeywords(ajv)
  ajv.addVocabulary(ANNOTATIONS)
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) {
    throw new Error(`it must be an object, but is ${show(schema)}`)
  }
  if (!ajv.validateSchema(schema as AnySchemaObject)) {
    const [error] = reduce(ajv.errors ?? [], () => false)
    const [violation] = error ? ofValue(error, parsePointer(error.instancePath)) : []
    throw new Error(`at ${formatPointer(violation?.pointer ?? [])} it ${violation?.message}`)
  }
  const named = structuredClone(schema) as AnySchemaObject
  vetSchema(named, ajv)
  nameKinds(named, named)
  const validate = compile(ajv, named)
  if (accepts(validate, [{}]))
    throw new Error('it accepts a batch of one empty record, so it checks nothing')
  if ([null, 0, [], {}].every((value) => accepts(validate, value)))
    throw new Error('it accepts null, 0, [] and {}, so it checks nothing')
  const code = standaloneCode(ajv, validate).replace(CONCAT, 'append(vErrors, $1)')
  return `${APPEND}\n${code}\nmodule.exports.root = ${JSON.stringify(named)}\n`
}

/** How ajv adds the errors of a schema that another one refers to. */
const CONCAT = /vErrors === null \? (\w+\.errors) : vErrors\.concat\(\1\)/g
/**
 * Instead, each error remembers these calls. And concat, in a batch of only faulty records, would
 * copy every error once for each record after it.
 */
const APPEND = `const append = (all, more) => {
  const call = {}
  for (const one of more) one.calls = [call, ...(one.calls ?? [])]
  if (all === null) return more
  for (const one of more) all.push(one)
  return all
}`

function compile(ajv: Ajv, schema: AnySchemaObject): ValidateFunction {
  try {
    return ajv.compile(schema)
  } catch (error) {
    if (error instanceof RangeError) throw new Error(ENDLESS)
    const { message, missingRef = '' } = error as Error & { missingRef?: string }
    const place = placeOf(schema, missingRef)
    throw new Error(`${place === undefined ? '' : `at ${place}/$ref: `}${message}`)
  }
}

function accepts(validate: ValidateFunction, value: unknown): boolean {
  try {
    return validate(value)
  } catch (error) {
    throw error instanceof RangeError ? new Error(ENDLESS) : error
  }
}

const ENDLESS = 'a reference in it leads back to itself'

/** Adds to each discriminator the values that it would accept: ajv's error shows only itself. */
function nameKinds(node: AnySchemaObject, schema: object, at = ''): void {
  for (const [key, inner] of Object.entries(node))
    if (Object(inner) === inner) nameKinds(inner, schema, at + formatPointer([key]))
  const { discriminator, oneOf, type } = node
  if (!discriminator || !Array.isArray(oneOf)) return
  // ajv would accept everything that is no object.
  if (type !== 'object')
    throw new Error(`at ${at}/discriminator: beside it must be "type": "object"`)
  const tags = oneOf.flatMap((kind) => {
    const place = parsePointer(String(kind.$ref ?? '').slice(1))
    const { properties } = Object(kind.$ref ? valueAt(schema, place) : kind)
    const tag = properties?.[discriminator.propertyName]
    return tag?.enum ?? tag?.const
  })
  if (!tags.includes(undefined)) discriminator.tags = tags
}

/** @param code what `compileSchema` returned, now or in an earlier build */
export function loadCheck(code: string): SchemaCheck {
  let facts: SchemaFacts | undefined
  const helpers = createHelpers()
  return (batch) => {
    // Compiled on first use: it would be the largest part of a small build without problems.
    facts ??= compileCode(code, helpers)
    helpers.references.length = 0
    helpers.uniques.length = 0
    let errors: readonly ErrorObject[]
    try {
      errors = facts.errorsOf(batch)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      // V8's regular expressions fail on a text of 8.4 million characters.
      const why = hasLongText(batch) ? 'schema.long-text' : 'schema.endless'
      return { references: [], uniques: [], violations: [fault(why, [])] }
    }
    const found = { references: [...helpers.references], uniques: [...helpers.uniques] }
    return { ...found, violations: errors.length > 0 ? explain(batch, errors, facts) : [] }
  }
}

/** The function of a compiled schema, and what it knows. */
function compileCode(code: string, helpers: object) {
  const module: { exports: unknown } = { exports: {} }
  const run = compileFunction(code, ['module', 'require', 'helpers'])
  run(module, requireFor, helpers)
  const validate = module.exports as ValidateFunction & { root: object }
  const errorsOf = (batch: unknown) => (validate(batch) ? [] : (validate.errors ?? []))
  return { errorsOf, knownKeys: createKnownKeys(validate.root) }
}

function hasLongText(value: unknown): boolean {
  if (typeof value === 'string') return value.length > LONG
  return Object.values(Object(value)).some(hasLongText)
}

/** In characters. */
const LONG = 1_000_000
