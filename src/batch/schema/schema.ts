/**
 * The schema check; the only module that imports ajv. It compiles a schema to the code of a
 * function that returns the violations of a parsed batch.
 */

import { createRequire } from 'node:module'
import { compileFunction } from 'node:vm'
import type { Ajv, AnySchemaObject, ErrorObject, ValidateFunction } from 'ajv'
import { remarkOn } from '../json/lookalikes.ts'
import { adviseInString, renameKey } from '../meant.ts'
import { formatPointer, type Pointer, type SchemaCheck, type Violation } from '../violation.ts'
import { formatNumber, nearest, plural, show } from '../wording.ts'
import { explain } from './explain.ts'

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
    // A key such as "constructor" exists only in a record that has it, not in every object.
    ownProperties: true,
    // 78.1 is a multiple of 0.01, although 78.1 / 0.01 is not a whole number in binary.
    multipleOfPrecision: 8,
    code: { source: true, lines: true },
  })
  addFormats(ajv)
  // VS Code's own keyword: editors and build-data show the author the same sentence.
  ajv.addVocabulary(['patternErrorMessage'])
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) {
    throw new Error(`it must be an object, but is ${show(schema)}`)
  }
  const { $schema = DRAFT } = schema as AnySchemaObject
  if ($schema !== DRAFT) {
    throw new Error(`at /$schema it must be ${show(DRAFT)}, but is ${show($schema)}`)
  }
  if (!ajv.validateSchema(schema as AnySchemaObject)) {
    const [violation] = reduce(ajv.errors ?? []).flatMap((error) => toViolations(error, null))
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
    return ajv.compile(schema as AnySchemaObject)
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

/** Identifies the compiler. Increase the number when the output of `compileSchema` changes. */
export const COMPILER = `ajv ${require('ajv/package.json').version}, form 9`

/** @param code what `compileSchema` returned, now or in an earlier build */
export function loadCheck(code: string): SchemaCheck {
  let validate: ValidateFunction | undefined
  return (batch) => {
    // Compiled on first use: it would be the largest part of a small build without problems.
    validate ??= load(code)
    if (validate(batch)) return []
    return reduce(validate.errors ?? []).flatMap((error) => toViolations(error, batch))
  }
}

function load(code: string): ValidateFunction {
  const module: { exports: unknown } = { exports: {} }
  compileFunction(code, ['module', 'exports', 'require'])(module, module.exports, require)
  return module.exports as ValidateFunction
}

/**
 * Reduces ajv's errors to those that an author can act on: one error per fault.
 *
 * - The errors of the branches of anyOf and oneOf come before the error of the keyword itself. Only
 *   those of the branch that was meant are kept.
 * - A misspelled key is both unknown and missing. The unknown key is kept, as it has a position.
 * - All missing keys of an object are one error.
 * - Of the rules that one value breaks, only the first is kept.
 */
function reduce(errors: ErrorObject[]): ErrorObject[] {
  const kept: ErrorObject[] = []
  for (const error of errors) {
    if (error.keyword !== 'anyOf' && error.keyword !== 'oneOf') {
      kept.push(error)
      continue
    }
    let first = kept.length
    while (first > 0 && isInBranch(kept[first - 1] as ErrorObject, error)) first--
    for (const meant of meantBranch(error, kept.splice(first))) kept.push(meant)
  }

  const misspelt = new Set(kept.flatMap((error) => meantKey(error) ?? []))
  const taken = new Set<string>()
  const missing = new Map<string, string[]>()
  return kept.filter((error) => {
    if (error.keyword === 'required') {
      const key: string = error.params.missingProperty
      const others = missing.get(error.instancePath) ?? []
      if (misspelt.has(`${error.instancePath}/${key}`)) return false
      missing.set(error.instancePath, others)
      error.params.missing = others
      return others.push(key) === 1
    }
    const place = `${error.instancePath}/${error.params.additionalProperty ?? ''}`
    if (taken.has(place)) return false
    taken.add(place)
    return true
  })
}

function isInBranch(error: ErrorObject, union: ErrorObject): boolean {
  const isWithin =
    error.instancePath === union.instancePath ||
    error.instancePath.startsWith(`${union.instancePath}/`)
  // Keywords beside the union that were checked before it are not among its branches.
  return isWithin && error.parentSchema !== union.parentSchema
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

/** Returns what a value may be instead, or undefined if the error does not list it all. */
function alternativesOf({ keyword, params }: ErrorObject): string[] | undefined {
  switch (keyword) {
    case 'type':
      return [params.type].flat().map(nameType)
    case 'const':
      return [show(params.allowedValue)]
    case 'enum':
      return params.allowedValues.map(show)
    default:
      return params.alternatives
  }
}

/** Returns the pointer of the known key that an unknown one seems to mean. */
function meantKey(error: ErrorObject): string | undefined {
  if (error.keyword !== 'additionalProperties') return undefined
  const known = Object.keys(error.parentSchema?.properties ?? {})
  const missing = known.filter((key) => !Object.hasOwn(error.data as object, key))
  const close = nearest(error.params.additionalProperty, missing)
  return close && `${error.instancePath}/${close}`
}

function toViolations(error: ErrorObject, batch: unknown): Violation[] {
  const pointer: Pointer = error.instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))

  if (error.keyword === 'additionalProperties') {
    const key: string = error.params.additionalProperty
    const meant = meantKey(error)?.slice(error.instancePath.length + 1)
    const known = Object.keys(error.parentSchema?.properties ?? {}).map(show)
    const tip = meant ? `did you mean ${show(meant)}?` : `known here: ${known.join(', ')}`
    const message = `unknown key ${show(key)}; ${tip}${meant ? remarkOn(key) : ''}`
    const shape = meant ? { meant: renameKey(key, meant) } : {}
    return [{ pointer: [...pointer, key], at: 'key', message, ...shape }]
  }
  const general = describe(error)
  const explanations = explain({
    at: `${error.instancePath.replace(/\/\d+(?=\/|$)/g, '/#')} ${error.keyword}`,
    value: error.data,
    record: (batch as unknown[] | null)?.[Number(pointer[0])],
    schema: error.parentSchema as { pattern?: string },
    general,
  })
  const all = explanations.length > 0 ? explanations : [{ message: general }]
  return all.map((explanation) => ({ pointer, at: 'value', ...explanation }))
}

const LIST = new Intl.ListFormat('en-GB')

const BOUNDS = {
  minimum: 'at least',
  maximum: 'at most',
  exclusiveMinimum: 'more than',
  exclusiveMaximum: 'less than',
}

function describe(error: ErrorObject): string {
  const { keyword, params, parentSchema, data } = error
  const found = `but is ${show(data)}`
  const alternatives = alternativesOf(error)
  switch (keyword) {
    case 'required':
      return `must have the key${params.missing.length > 1 ? 's' : ''} ${LIST.format(params.missing.map(show))}`
    case 'enum':
      return `must be one of ${params.allowedValues.map(show).join(', ')}, ${found}${remarkOn(String(data))}`
    case 'maxLength':
    case 'minLength': {
      const most = keyword === 'maxLength' ? 'most' : 'least'
      return `must have at ${most} ${plural(params.limit, 'character')}, but has ${formatNumber(Array.from(data as string).length)}`
    }
    case 'minItems':
      return `must have ${params.limit} or more items, ${found}`
    case 'maxItems':
      return `must have at most ${plural(params.limit, 'item')}, but has ${formatNumber((data as unknown[]).length)}`
    case 'minProperties':
    case 'maxProperties':
      return `must have at ${keyword === 'maxProperties' ? 'most' : 'least'} ${plural(params.limit, 'key')}, ${found}`
    case 'uniqueItems':
      return `must not have an item twice, but items ${params.j} and ${params.i} are the same (the first is item 0)`
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return `must be ${BOUNDS[keyword]} ${params.limit}, ${found}`
    case 'multipleOf':
      return `must be a multiple of ${params.multipleOf}, ${found}`
    case 'pattern':
      return `${parentSchema?.patternErrorMessage ?? `must match the pattern ${params.pattern} of the schema`}, ${found}`
    case 'format':
      return `${parentSchema?.patternErrorMessage ?? `must have the format "${params.format}"`}, ${found}`
    case 'oneOf':
    case 'anyOf': {
      if (alternatives) break
      const kinds = (error.schema as unknown[]).length
      const exactly = keyword === 'oneOf' ? 'exactly ' : ''
      return `must match ${exactly}one of the ${kinds} kinds that the schema allows, ${found}`
    }
  }
  const must = alternatives ? `must be ${alternatives.join(' or ')}` : error.message
  const advice = alternatives && adviseInString(data)
  if (advice) return `${must}; ${advice}`
  const kind = data === 'true' || data === 'false' ? nameType('boolean') : data
  const isQuoted = data !== null && alternatives?.includes(kind as string)
  const tip = isQuoted ? `; write ${data} without quotes` : ''
  return `${must}, ${found}${tip}`
}

function nameType(type: string): string {
  if (type === 'null') return 'null'
  if (type === 'boolean') return 'true or false'
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`
}
