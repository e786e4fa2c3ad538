/**
 * The schema check; the only module that imports ajv. It compiles a schema to the code of a
 * function that returns the violations of a parsed batch.
 */

import { createRequire } from 'node:module'
import { compileFunction } from 'node:vm'
import type { Ajv, AnySchemaObject, ErrorObject, ValidateFunction } from 'ajv'
import { remarkOn } from '../../text/lookalikes.ts'
import { nearest, show } from '../../text/wording.ts'
import type { TextSchema } from '../mend.ts'
import {
  formatPointer,
  type Pointer,
  parsePointer,
  type SchemaCheck,
  type Violation,
} from '../violation.ts'
import { explain } from './explain.ts'
import { findRepeated, helpers, replaceKeywords, requireFor } from './keywords.ts'
import { alternativesOf, describe, hasContent } from './sentences.ts'
import { renameKey } from './shapes.ts'
import { withDiscriminators } from './unions.ts'

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
  replaceKeywords(ajv)
  // The first is VS Code's own: editors and build-data show the author the same sentence. For the
  // second, see `references.ts`.
  ajv.addVocabulary(['patternErrorMessage', 'pagePath'])
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) {
    throw new Error(`it must be an object, but is ${show(schema)}`)
  }
  const { $schema = DRAFT } = schema as AnySchemaObject
  if ($schema !== DRAFT) {
    throw new Error(`at /$schema it must be ${show(DRAFT)}, but is ${show($schema)}`)
  }
  if (!ajv.validateSchema(schema as AnySchemaObject)) {
    const [violation] = reduce(ajv.errors ?? []).flatMap(toViolations)
    throw new Error(`at ${formatPointer(violation?.pointer ?? [])} it ${violation?.message}`)
  }
  const validate = compileBy(ajv, schema)
  if (validate([{}]))
    throw new Error('it accepts a batch of one empty record, so it checks nothing')
  // ajv collects the errors of records with concat. In a batch of only faulty records, that would
  // copy every error once for each record after it.
  const append =
    'const append = (all, more) => { for (const one of more) all.push(one); return all }'
  const code = standaloneCode(ajv, validate)
  return `${append}\n${code.replace(/vErrors\.concat\((\w+\.errors)\)/g, 'append(vErrors, $1)')}\n`
}

const DRAFT = 'https://json-schema.org/draft/2020-12/schema'

const QUOTED = ['$id', '$anchor', '$ref', 'pattern', 'format']

function compileBy(ajv: Ajv, schema: object): ValidateFunction {
  for (const { at, key, value } of membersOf(schema)) {
    const { minItems, maxItems } = Object(value)
    // ajv and the type generator refuse these without saying where.
    if (key === 'enum' && Object(value).length === 0) throw new Error(`at ${at} it must have items`)
    if (minItems > maxItems) throw new Error(`at ${at} its "maxItems" is less than its "minItems"`)
  }
  try {
    return ajv.compile(withDiscriminators(schema) as AnySchemaObject)
  } catch (error) {
    if (error instanceof RangeError) throw new Error('a "$ref" in it refers to itself')
    const words = (error as Error).message
      .replace(/^strict mode: /, '')
      .replace(/( ignored)? in schema at path ".*"$| from id .*$| at "#.*" \(\w+\)$/, '')
    // ajv quotes the keyword or value that its message is about.
    const place = [...membersOf(schema)].find(({ key, value }) =>
      QUOTED.includes(key) ? words.includes(String(value)) : words.includes(`"${key}"`),
    )
    throw new Error(place ? `at ${place.at}: ${words}` : words)
  }
}

type Member = { at: string; key: string; value: unknown }

function* membersOf(node: object, way = ''): Generator<Member> {
  for (const [key, value] of Object.entries(node)) {
    const at = way + formatPointer([key])
    yield { at, key, value }
    if (typeof value === 'object' && value !== null) yield* membersOf(value, at)
  }
}

/** @param code what `compileSchema` returned, now or in an earlier build */
export function loadCheck(code: string): SchemaCheck {
  let validate: ValidateFunction | undefined
  return (batch) => {
    // Compiled on first use: it would be the largest part of a small build without problems.
    validate ??= load(code)
    if (validate(batch)) return []
    const violations = reduce(validate.errors ?? []).flatMap(toViolations)
    // A pattern and a format beside it have one sentence.
    const said = new Set<string>()
    return violations.filter(({ pointer, message }) => {
      const text = `${formatPointer(pointer)} ${message}`
      return !said.has(text) && said.add(text)
    })
  }
}

function load(code: string): ValidateFunction {
  const module: { exports: unknown } = { exports: {} }
  const run = compileFunction(code, ['module', 'require', 'helpers'])
  run(module, requireFor, helpers)
  return module.exports as ValidateFunction
}

/**
 * Reduces ajv's errors to those that an author can act on: one error per fault.
 *
 * - The errors of the branches of anyOf and oneOf come before the error of the keyword itself. Only
 *   those of the branch that was meant are kept. Of contains, only its own error is kept; of if and
 *   propertyNames, only those before it.
 * - The error of a discriminator is that of its key.
 * - A misspelled key is both unknown and missing. The unknown key is kept, as it has a position.
 * - All missing keys of an object are one error.
 * - A value that is none of those listed is also of the wrong type.
 */
function reduce(errors: ErrorObject[]): ErrorObject[] {
  const kept: ErrorObject[] = []
  for (const error of errors) {
    const { keyword } = error
    if (keyword === 'if' || keyword === 'propertyNames') continue
    if (keyword === 'discriminator') {
      kept.push(errorOfTag(error))
      continue
    }
    if (!['anyOf', 'oneOf', 'contains'].includes(keyword)) {
      kept.push(error)
      continue
    }
    let first = kept.length
    while (first > 0 && isInBranch(kept[first - 1] as ErrorObject, error)) first--
    const branches = kept.splice(first)
    for (const meant of keyword === 'contains' ? [error] : meantBranch(error, branches)) {
      kept.push(meant)
    }
  }

  const misspelt = new Map(kept.map((error) => [meantKey(error), error]))
  const lists = kept.filter((error) => error.keyword !== 'type' && alternativesOf(error))
  const listed = new Set(lists.map(({ instancePath }) => instancePath))
  const first = new Map<string, ErrorObject>()
  return kept.filter((error) => {
    const { keyword, instancePath, params } = error
    if (keyword === 'type') return !listed.has(instancePath)
    if (keyword !== 'required' && keyword !== 'enum') return true
    const key: string | undefined = params.missingProperty
    const unknown = key === undefined ? undefined : misspelt.get(`${instancePath}/${key}`)
    const id = `${instancePath} ${JSON.stringify(params.allowedValues)}`
    const same = unknown ?? first.get(id)
    if (same) same.params.isBesideUnchecked ||= params.isBesideUnchecked
    else first.set(id, error)
    if (key === undefined || unknown) return !same
    const missing = new Set<string>((same ?? error).params.missing).add(key)
    ;(same ?? error).params.missing = [...missing]
    return !same
  })
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
  const { instancePath, data, schema, params } = error
  const { tag, tagValue } = params
  const { tags } = schema as { tags: string[] }
  const isBesideUnchecked = Object.keys(data as object).some((key) => key !== tag)
  if (!Object.hasOwn(data as object, tag)) {
    return { ...error, keyword: 'required', params: { missingProperty: tag, isBesideUnchecked } }
  }
  return {
    ...{ ...error, keyword: 'enum', instancePath: instancePath + formatPointer([tag]) },
    ...{ data: tagValue, schema: tags, parentSchema: { enum: tags } },
    params: { allowedValues: tags, isBesideUnchecked },
  }
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
  return [{ ...union, params: { alternatives } }]
}

/** Returns the key that the schema does not have, or undefined. */
function unknownKey({ params }: ErrorObject): string | undefined {
  return params.additionalProperty ?? params.unevaluatedProperty
}

/** Returns the pointer of the known key that an unknown one seems to mean. */
function meantKey(error: ErrorObject): string | undefined {
  const unknown = unknownKey(error)
  if (unknown === undefined) return undefined
  const known = Object.keys(error.parentSchema?.properties ?? {})
  const close = nearest(
    unknown,
    known.filter((key) => !Object.hasOwn(error.data as object, key)),
  )
  return close && `${error.instancePath}/${close}`
}

function toViolations(error: ErrorObject): Violation[] {
  const pointer = parsePointer(error.instancePath)
  const unknown = unknownKey(error)
  if (unknown !== undefined) return [refuseKey(error, unknown, pointer)]
  if (error.keyword === 'uniqueItems') return refuseRepeated(error.data as unknown[], pointer)
  const general = describe(error)
  if (error.propertyName !== undefined) {
    const message = `the name of this key ${general}`
    return [{ pointer: [...pointer, error.propertyName], at: 'key', message }]
  }
  const at = `${error.instancePath.replace(/\/\d+(?=\/|$)/g, '/#')} ${error.keyword}`
  const explanations = explain(at, error.data, general, error.parentSchema as TextSchema)
  const all = explanations.length > 0 ? explanations : [{ message: general }]
  const isOfKinds = /Of$/.test(error.keyword) && !error.params.passingSchemas
  const isUnchecked = (isOfKinds || alternativesOf(error)) && hasContent(error.data)
  return all.map((explanation: Omit<Violation, 'pointer' | 'at'>) => {
    const remark = remarkOnUnchecked(
      Boolean(isUnchecked && !explanation.meant),
      error.params.isBesideUnchecked,
    )
    return { pointer, at: 'value', ...explanation, message: explanation.message + remark }
  })
}

/** Announces what a run could not check: what is in the value that is refused, or beside it. */
function remarkOnUnchecked(isInside: boolean, isBeside = false): string {
  const places = [...(isInside ? ['in'] : []), ...(isBeside ? ['beside'] : [])]
  return places.length === 0 ? '' : ` (what is ${places.join(' and ')} it was not checked)`
}

function refuseKey(error: ErrorObject, key: string, pointer: Pointer): Violation {
  const place = { pointer: [...pointer, key], at: 'key' as const }
  const meant = meantKey(error)?.slice(error.instancePath.length + 1)
  if (meant !== undefined) {
    const hasOthers = Object.keys(error.data as object).length > 1
    const remark = remarkOnUnchecked(false, error.params.isBesideUnchecked && hasOthers)
    const message = `unknown key ${show(key)}; did you mean ${show(meant)}?${remarkOn(key)}${remark}`
    return { ...place, message, meant: renameKey(key, meant) }
  }
  const known = Object.keys(error.parentSchema?.properties ?? {}).map(show)
  const keys = Object.keys(error.data as object)
  const side = keys.at(-1) === key ? 'before' : 'after'
  const what = keys.length === 1 ? 'it and its value' : `it, its value and the comma ${side} it`
  const here =
    known.length === 0 || error.keyword !== 'additionalProperties'
      ? ''
      : `; known here: ${known.join(', ')}`
  return { ...place, message: `unknown key ${show(key)}; remove ${what}${here}` }
}

/** Each item that is the same as an earlier one. */
function refuseRepeated(items: readonly unknown[], pointer: Pointer): Violation[] {
  return findRepeated(items).map(({ item, earlier }) => {
    const message = `must differ from item ${earlier} (the first is item 0), but is ${show(items[item])} too`
    return { pointer: [...pointer, item], at: 'value', message }
  })
}
