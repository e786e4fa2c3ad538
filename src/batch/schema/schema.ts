/**
 * The schema check; the only module that imports ajv. It compiles a schema to the code of a
 * function that returns the violations of a parsed batch.
 */
import { createRequire } from 'node:module'
import { compileFunction } from 'node:vm'
import type { Ajv, AnySchemaObject, ErrorObject, ValidateFunction } from 'ajv'
import { groupBy } from '../../machine/group-by.ts'
import {
  formatPointer,
  type Pointer,
  parsePointer,
  type SchemaCheck,
  type Violation,
  violation,
} from '../../page/violation.ts'
import { nearest } from '../../text/nearest.ts'
import { show } from '../../text/wording.ts'
import { addKeywords, createHelpers, findRepeated, requireFor } from './keywords.ts'
import { alternativesOf, describe, unknownKey } from './sentences.ts'

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
  // VS Code's own: editors and build-data show the author the same sentence.
  ajv.addVocabulary(['patternErrorMessage'])
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) {
    throw new Error(`it must be an object, but is ${show(schema)}`)
  }
  if (!ajv.validateSchema(schema as AnySchemaObject)) {
    const [violation] = reduce(ajv.errors ?? []).flatMap(toViolations)
    throw new Error(`at ${formatPointer(violation?.pointer ?? [])} it ${violation?.message}`)
  }
  const named = structuredClone(schema) as AnySchemaObject
  nameKinds(named, named)
  const validate = compile(ajv, named)
  if (validate([{}]))
    throw new Error('it accepts a batch of one empty record, so it checks nothing')
  // ajv collects the errors of records with concat. In a batch of only faulty records, that would
  // copy every error once for each record after it.
  const append =
    'const append = (all, more) => { for (const one of more) all.push(one); return all }'
  const code = standaloneCode(ajv, validate)
  return `${append}\n${code.replace(/vErrors\.concat\((\w+\.errors)\)/g, 'append(vErrors, $1)')}\n`
}

function compile(ajv: Ajv, schema: AnySchemaObject): ValidateFunction {
  try {
    return ajv.compile(schema)
  } catch (error) {
    if (error instanceof RangeError) throw new Error('a "$ref" in it refers to itself')
    throw new Error((error as Error).message.replace(/^strict mode: /, ''))
  }
}

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
  let validate: ValidateFunction | undefined
  const helpers = createHelpers()
  const findErrors = (value: unknown) => {
    // Compiled on first use: it would be the largest part of a small build without problems.
    if (!validate) {
      const module: { exports: unknown } = { exports: {} }
      const run = compileFunction(code, ['module', 'require', 'helpers'])
      run(module, requireFor, helpers)
      validate = module.exports as ValidateFunction
    }
    return validate(value) ? [] : reduce(validate.errors ?? [])
  }
  return (batch) => {
    helpers.references.length = 0
    helpers.uniques.length = 0
    const violations = findErrors(batch).flatMap(toViolations)
    return { references: [...helpers.references], uniques: [...helpers.uniques], violations }
  }
}

/**
 * Reduces ajv's errors to those that an author can act on: one error per fault.
 *
 * - The errors of the branches of anyOf and oneOf come before the error of the keyword itself. Only
 *   those of the branch that was meant are kept. Of contains, only its own error is kept; of if and
 *   propertyNames, only those before it.
 * - All missing keys of an object are one error.
 * - A value that is none of those listed is also of the wrong type.
 * - A pattern and a format beside it may have one sentence.
 */
function reduce(errors: ErrorObject[]): ErrorObject[] {
  const kept: ErrorObject[] = []
  for (const error of errors) {
    const { keyword } = error
    if (keyword === 'if' || keyword === 'propertyNames') continue
    if (['anyOf', 'oneOf', 'contains'].includes(keyword)) {
      let first = kept.length
      while (first > 0 && isInBranch(kept[first - 1] as ErrorObject, error)) first--
      const branches = kept.splice(first)
      kept.push(...(keyword === 'contains' ? [error] : meantBranch(error, branches)))
    } else kept.push(keyword === 'discriminator' ? errorOfTag(error) : error)
  }

  const placesOf = (all: readonly ErrorObject[]) => new Set(all.map((each) => each.instancePath))
  const listed = placesOf(kept.filter((each) => each.keyword !== 'type' && alternativesOf(each)))
  const unlike = placesOf(kept.filter(({ keyword }) => keyword === 'pattern'))
  const first = new Map<string, ErrorObject>()
  const reduced = kept.filter((error) => {
    const { keyword, instancePath, params, parentSchema } = error
    if (keyword === 'type') return !listed.has(instancePath)
    if (keyword === 'format') return !parentSchema?.patternErrorMessage || !unlike.has(instancePath)
    if (keyword !== 'required') return true
    const same = first.get(instancePath)
    const missing = new Set(same?.params.missing).add(params.missingProperty)
    ;(same ?? error).params.missing = [...missing]
    if (!same) first.set(instancePath, error)
    return !same
  })
  pairKeys(reduced, first)
  return reduced.filter(({ params }) => params.missing?.length !== 0)
}

/**
 * Tells each unknown key which missing one may be meant by it: the nearest, or the only one beside
 * the only unknown one. That is one fault.
 *
 * @param required the errors of missing keys, by the place of their object
 */
function pairKeys(errors: readonly ErrorObject[], required: Map<string, ErrorObject>): void {
  const unknown = errors.filter((error) => unknownKey(error) !== undefined)
  for (const [place, own] of groupBy(unknown, ({ instancePath }) => instancePath)) {
    const { params } = required.get(place) ?? {}
    for (const error of own) {
      const missing: string[] = params?.missing ?? []
      const isOnly = own.length === 1 && missing.length === 1
      const meant = isOnly ? missing[0] : nearest(unknownKey(error) as string, missing)
      if (!params || meant === undefined) continue
      error.params.meant = meant
      params.missing = missing.filter((key) => key !== meant)
    }
  }
}

function isInBranch(error: ErrorObject, union: ErrorObject): boolean {
  const isBelow = error.instancePath.startsWith(`${union.instancePath}/`)
  if (union.keyword === 'contains') {
    const { $ref = '?' } = union.schema as { $ref?: string }
    const isOf = (place: string) => error.schemaPath.startsWith(`${place}/`)
    return isBelow && (isOf(union.schemaPath) || isOf($ref))
  }
  const isWithin = isBelow || error.instancePath === union.instancePath
  // Keywords beside the union that were checked before it are not among its branches.
  return isWithin && error.parentSchema !== union.parentSchema
}

/** Returns the error of the key that tells branches apart: it is missing, or has another value. */
function errorOfTag(error: ErrorObject): ErrorObject {
  const { tag, tagValue } = error.params
  if (!Object.hasOwn(error.data as object, tag)) return { ...error, params: { missing: [tag] } }
  const instancePath = error.instancePath + formatPointer([tag])
  return { ...error, data: tagValue, instancePath, params: Object(error.schema) }
}

/** Returns the errors of the only branch that fits the type of the value, or that of the union. */
function meantBranch(union: ErrorObject, errors: ErrorObject[]): ErrorObject[] {
  // By branch: the error that says that the branch is for values of another kind.
  const mismatches = new Map<unknown, ErrorObject>()
  for (const error of errors) {
    if (error.instancePath !== union.instancePath || !alternativesOf(error)) continue
    if (error.keyword === 'type' && mismatches.has(error.parentSchema)) continue
    mismatches.set(error.parentSchema, error)
  }
  // If two branches fit, or errors come from several, it is unknown which was meant.
  const others = errors.filter((error) => !mismatches.has(error.parentSchema))
  const fitting = (union.schema as unknown[]).length - mismatches.size
  if (union.params.passingSchemas || (others.length > 0 && fitting !== 1)) return [union]
  if (others.length > 0) return others
  const alternatives = [...mismatches.values()].flatMap((error) => alternativesOf(error) ?? [])
  return [{ ...union, params: { alternatives: [...new Set(alternatives)] } }]
}

function toViolations(error: ErrorObject): Violation[] {
  const pointer = parsePointer(error.instancePath)
  const { data, keyword } = error
  const unknown = unknownKey(error)
  if (unknown !== undefined) return [refuseKey(error, unknown, pointer)]
  if (keyword === 'uniqueItems') return refuseRepeated(data as unknown[], pointer)
  const code = `schema.${CODES[keyword] ?? keyword.replace(/[A-Z]/g, (it) => `-${it.toLowerCase()}`)}`
  const says = describe(error)
  if (error.propertyName === undefined) return [violation(code, pointer, says)]
  const message = `the name of this key ${says}`
  return [{ ...violation(code, [...pointer, error.propertyName], message), at: 'key' }]
}

/** Codes that are no names of keywords. */
const CODES: Record<string, string> = { required: 'missing-key', 'false schema': 'not-allowed' }

function refuseKey(error: ErrorObject, key: string, pointer: Pointer): Violation {
  const { parentSchema, params } = error
  const known = Object.keys(parentSchema?.properties ?? {})
  const meant = nearest(key, known)
  let near = meant === undefined ? '' : `; ${show(meant)} is near`
  if (params.meant) near = `, and ${show(params.meant)} is missing: is it that?`
  const here = known.length === 0 ? '' : `; known here: ${known.map(show).join(', ')}`
  const message = `unknown key ${show(key)}${near || here}`
  return { ...violation('schema.unknown-key', [...pointer, key], message), at: 'key' }
}

/** Each item that is the same as an earlier one. */
function refuseRepeated(items: readonly unknown[], pointer: Pointer): Violation[] {
  return findRepeated(items).map(({ item, earlier }) => {
    const message = `must differ from item ${earlier} (the first is item 0), but is ${show(items[item])} too`
    return violation('schema.unique-items', [...pointer, item], message)
  })
}

function valueAt(value: unknown, pointer: Pointer): unknown {
  return pointer.reduce<unknown>((inner, step) => Object(inner)[step], value)
}
