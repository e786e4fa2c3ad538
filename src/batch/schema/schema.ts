/**
 * The schema check; the only module that imports ajv. It compiles a schema to the code of a
 * function that returns the violations of a parsed batch.
 */

import { createRequire } from 'node:module'
import { compileFunction } from 'node:vm'
import type { Ajv, AnySchemaObject, ErrorObject, ValidateFunction } from 'ajv'
import { show } from '../../text/wording.ts'
import { CONTENT_EXPLANATIONS } from '../content.ts'
import { createExplain, type TextSchema } from '../mend.ts'
import {
  formatPointer,
  type Pointer,
  parsePointer,
  type SchemaCheck,
  type Violation,
  violation,
} from '../violation.ts'
import { addKeywords, createHelpers, findRepeated, requireFor } from './keywords.ts'
import { adviseOnKind, alternativesOf, describe, hasContent, unknownKey } from './sentences.ts'
import { readAsMeant, valueAt } from './shapes.ts'

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
  const { $schema = DRAFT } = schema as AnySchemaObject
  if ($schema !== DRAFT) {
    throw new Error(`at /$schema it must be ${show(DRAFT)}, but is ${show($schema)}`)
  }
  if (!ajv.validateSchema(schema as AnySchemaObject)) {
    const [violation] = reduce(ajv.errors ?? []).flatMap((error) => toViolations(error))
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
  const root = structuredClone(schema)
  for (const { node, at, key, value } of membersOf(root)) {
    const { minItems, maxItems, propertyName } = Object(value)
    // ajv and the type generator refuse these without saying where.
    if (key === 'enum' && Object(value).length === 0) throw new Error(`at ${at} it must have items`)
    if (minItems > maxItems) throw new Error(`at ${at} its "maxItems" is less than its "minItems"`)
    if (key !== 'discriminator' || !Array.isArray(node.oneOf)) continue
    // ajv would accept all other values.
    if (node.type !== 'object') throw new Error(`at ${at}: beside it must be "type": "object"`)
    const tags = node.oneOf.flatMap((branch) => {
      const { $ref = '' } = branch as { $ref?: string }
      const { properties } = Object(
        $ref.startsWith('#/') ? valueAt(root, parsePointer($ref)) : branch,
      )
      const { const: only, enum: some } = Object(Object(properties)[propertyName])
      return some ?? [only]
    })
    Object.assign(value as object, { tags })
  }
  try {
    return ajv.compile(root as AnySchemaObject)
  } catch (error) {
    if (error instanceof RangeError) throw new Error('a "$ref" in it refers to itself')
    const words = (error as Error).message
      .replace(/^strict mode: /, '')
      .replace(/( ignored)? in schema at path ".*"$| from id .*$| at "#.*" \(\w+\)$/, '')
    // ajv quotes the keyword or value that its message is about.
    const place = [...membersOf(root)].find(({ key, value }) =>
      QUOTED.includes(key) ? words.includes(String(value)) : words.includes(`"${key}"`),
    )
    throw new Error(place ? `at ${place.at}: ${words}` : words)
  }
}

interface Member {
  node: { type?: unknown; oneOf?: unknown }
  at: string
  key: string
  value: unknown
}

function* membersOf(node: object, way = ''): Generator<Member> {
  for (const [key, value] of Object.entries(node)) {
    const at = way + formatPointer([key])
    yield { node, at, key, value }
    if (typeof value === 'object' && value !== null) yield* membersOf(value, at)
  }
}

/** @param code what `compileSchema` returned, now or in an earlier build */
export function loadCheck(code: string): SchemaCheck {
  let validate: ValidateFunction | undefined
  const helpers = createHelpers()
  const findErrors = (value: unknown) => {
    // Compiled on first use: it would be the largest part of a small build without problems.
    validate ??= load(code, helpers)
    return validate(value) ? [] : reduce(validate.errors ?? [])
  }
  return (batch) => {
    helpers.references.length = 0
    const found = findErrors(batch)
    const references = [...helpers.references]
    const { errors, ...meant } = readAsMeant(batch, found, findErrors)
    const explain = createExplain(CONTENT_EXPLANATIONS)
    // A pattern and a format beside it have one sentence.
    const said = new Set<string>()
    const violations = errors.flatMap((error) => toViolations(error, explain))
    const isNew = ({ pointer, message }: Violation) => {
      const text = `${formatPointer(pointer)} ${message}`
      return !said.has(text) && said.add(text)
    }
    return { ...meant, references, violations: violations.filter(isNew) }
  }
}

function load(code: string, helpers: object): ValidateFunction {
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

  const lists = kept.filter((error) => error.keyword !== 'type' && alternativesOf(error))
  const listed = new Set(lists.map(({ instancePath }) => instancePath))
  const first = new Map<string, ErrorObject>()
  const unknown = new Map<string, string[]>()
  return kept.filter((error) => {
    const { keyword, instancePath, params } = error
    if (keyword === 'type') return !listed.has(instancePath)
    const extra = unknownKey(error)
    if (extra !== undefined) {
      const all = unknown.get(instancePath) ?? []
      unknown.set(instancePath, all)
      all.push(extra)
      params.allUnknown = all
    }
    if (keyword !== 'required' && keyword !== 'enum') return true
    const key: string | undefined = params.missingProperty
    const id = `${instancePath} ${JSON.stringify(params.allowedValues)}`
    const same = first.get(id)
    if (same) same.params.isBesideUnchecked ||= params.isBesideUnchecked
    else first.set(id, error)
    if (key === undefined) return !same
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
  return [{ ...union, params: { alternatives: [...new Set(alternatives)] } }]
}

/** @param explain finds out what is wrong with a text; without it, messages are general */
function toViolations(error: ErrorObject, explain?: ReturnType<typeof createExplain>): Violation[] {
  const pointer = parsePointer(error.instancePath)
  const { data, keyword, params, parentSchema } = error
  const unknown = unknownKey(error)
  if (unknown !== undefined) return [refuseKey(error, unknown, pointer)]
  if (keyword === 'uniqueItems') return refuseRepeated(data as unknown[], pointer)
  const general = describe(error)
  if (error.propertyName !== undefined) {
    const message = `the name of this key ${general}`
    return [{ pointer: [...pointer, error.propertyName], at: 'key', message }]
  }
  if (explain && typeof data === 'string' && /^(?:pattern|format)$/.test(keyword)) {
    const at = `${error.instancePath.replace(/\/\d+(?=\/|$)/g, '/#')} ${keyword}`
    const said = explain(at, data, general, parentSchema as TextSchema)
    if (said.length > 0) return said.map((each) => ({ pointer, at: 'value', ...each }))
  }
  const isOfKinds = /Of$/.test(keyword) && !params.passingSchemas
  const isUnchecked = (isOfKinds || alternativesOf(error)) && hasContent(data)
  const remark = remarkOnUnchecked(Boolean(isUnchecked), params.isBesideUnchecked)
  return [violation(pointer, general + adviseOnKind(error) + remark)]
}

/** Announces what a run could not check: what is in the value that is refused, or beside it. */
function remarkOnUnchecked(isInside: boolean, isBeside = false): string {
  const places = [...(isInside ? ['in'] : []), ...(isBeside ? ['beside'] : [])]
  return places.length === 0 ? '' : ` (what is ${places.join(' and ')} it was not checked)`
}

function refuseKey(error: ErrorObject, key: string, pointer: Pointer): Violation {
  const { keyword, data, params, parentSchema } = error
  const known = Object.keys(parentSchema?.properties ?? {})
  const value = (data as Record<string, unknown>)[key]
  const keys = Object.keys(data as object)
  const all: readonly string[] = params.allUnknown ?? [key]
  // Where the last keys are all removed, each takes the comma before it.
  const isLast = keys.slice(keys.indexOf(key)).every((each) => all.includes(each))
  const comma = isLast ? 'before' : 'after'
  const isFirst = keys[0] === key && isLast
  const it = isFirst ? 'it and its value' : `it, its value and the comma ${comma} it`
  const isNothing = value === null || value === ''
  const what = isNothing
    ? `remove ${it}`
    : `move what it says to another key (it was not checked), or remove ${it} (the value is lost)`
  const here =
    known.length === 0 || keyword !== 'additionalProperties'
      ? ''
      : `; known here: ${known.map(show).join(', ')}`
  return {
    pointer: [...pointer, key],
    at: 'key',
    message: `unknown key ${show(key)}; ${what}${here}`,
  }
}

/** Each item that is the same as an earlier one. */
function refuseRepeated(items: readonly unknown[], pointer: Pointer): Violation[] {
  return findRepeated(items).map(({ item, earlier }) => {
    const message = `must differ from item ${earlier} (the first is item 0), but is ${show(items[item])} too`
    return { pointer: [...pointer, item], at: 'value', message }
  })
}
