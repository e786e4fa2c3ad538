/** Compiles a schema to the code of its check, with ajv. */
import { createRequire } from 'node:module'
import { compileFunction } from 'node:vm'
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv'
import { type Fault, fault, keyFault } from '../fault/fault.ts'
import type { DraftOrUnknown } from '../schema/drafts.ts'
import { allFormats } from '../schema/formats.ts'
import { metaSchemaOf } from '../schema/meta-schema.ts'
import { schemasIn } from '../schema/schemas-in.ts'
import { parsePointer } from '../text/pointer.ts'
import type { Marked, SchemaCheck } from './check.ts'
import { addKeywords, ajvLibrary, CONDITIONALS, createHelpers, type Helpers } from './keywords.ts'

// ajv is loaded on demand: loading it takes longer than checking a small batch.
const require = createRequire(import.meta.url)

/**
 * Compiles a schema ahead of time, so that the next build need not load ajv.
 *
 * @param schema of a whole batch, as `upgradeSchema` returns it
 * @returns code for `loadCheck`
 * @throws Error if ajv can't compile it
 */
export function compileSchema(schema: object): string {
  const { ajv } = createAjv(schema)
  const validate = ajv.compile(schema)

  const {
    default: standaloneCode,
  }: typeof import('ajv/dist/standalone/index.js') = require('ajv/dist/standalone')
  return correctCode(standaloneCode(ajv, validate))
}

/** Validators of schemas, by draft. They're kept, because making one takes half of a compilation. */
const schemaChecks = new Map<DraftOrUnknown, ValidateFunction>()

/** Whether a value is a schema of a draft. `explain` says why not. */
export function isSchema(value: unknown, draft: DraftOrUnknown): boolean {
  const known = schemaChecks.get(draft)
  if (known) return known(value)

  const metaSchema = metaSchemaOf(draft)
  const check = createAjv(metaSchema).ajv.compile(metaSchema)
  schemaChecks.set(draft, check)
  return check(value)
}

export interface AjvWithHelpers {
  ajv: Ajv
  helpers: Helpers
}

/**
 * Creates an ajv for a schema. `accept` compiles its check by it, `explain` checks values again.
 *
 * @param schema as `upgradeSchema` returns it
 * @param isVerbose whether errors have the value and the schema that they're about
 */
export function createAjv(schema: object, isVerbose = false): AjvWithHelpers {
  const { _ } = ajvLibrary()
  const { Ajv2020 }: typeof import('ajv/dist/2020.js') = require('ajv/dist/2020.js')
  const {
    default: addFormatKeywords,
  }: typeof import('ajv-formats/dist/limit.js') = require('ajv-formats/dist/limit.js')

  const ajv = new Ajv2020({
    allErrors: true,
    verbose: isVerbose,
    // Its faults were found before, with their places.
    validateSchema: false,
    meta: false,
    strictSchema: false,
    strictTypes: false,
    strictTuples: false,
    logger: false,
    // A key such as "constructor" exists only in a record that has it, not in every object.
    ownProperties: true,
    formats: allFormats(),
    code: { source: true, lines: true, process: correctCode, formats: _`helpers.formats` },
  })

  // Otherwise, it needn't note which keys and items are evaluated.
  ajv.opts.unevaluated = Array.from(schemasIn(schema)).some(([, node]) => {
    return node.unevaluatedProperties !== undefined || node.unevaluatedItems !== undefined
  })

  const helpers = createHelpers()
  addFormatKeywords(ajv)
  addKeywords(ajv, helpers)
  return { ajv, helpers }
}

/** How ajv adds the errors of a schema that another one refers to, such as `vErrors.concat(validate20.errors)`. */
const CONCAT = /vErrors === null \? ([\w.]+) : vErrors\.concat\(\1\)/g

/** How it begins to collect the keys that are evaluated: `var props0 = {};` and `props0 = props0 || {};`. */
const NO_KEYS = /^((?:var )?props\d+ = (?:props\d+ \|\| )?)\{\};$/gm

/** How it finds those that are not: `if(!props0 || !props0[key1]){`. */
const IS_UNEVALUATED = /^if\(!(props\d+) \|\| !\1\[(key\d+)\]/gm

/** A line with one of these that wasn't corrected, because another release of ajv writes it in another way. */
const UNCORRECTED = /^vErrors\b.*\.concat\(|^(?:var )?props\d+\b.*\{\}|^if\(.*!props\d+\[/m

/**
 * Corrects the code of ajv.
 *
 * @throws Error if it's written in another way than that of the ajv that we know
 */
export function correctCode(code: string): string {
  const corrected = code
    // `concat` would copy the errors of all records once for each record after them.
    .replace(CONCAT, '$1.reduce((all, one) => (all.push(one), all), vErrors ?? [])')
    // Every object has a "constructor", and `__proto__` can't be set as a key.
    .replace(NO_KEYS, '$1Object.create(null);')
    .replace(IS_UNEVALUATED, 'if(!$1 || !Object.hasOwn($1, $2)')

  const [line] = UNCORRECTED.exec(corrected) ?? []
  if (line !== undefined) throw new Error(`this release of ajv writes "${line}"; install ajv 8.20`)
  return corrected
}

/** @param code what `compileSchema` returned, now or in an earlier build */
export function loadCheck(code: string): SchemaCheck {
  const helpers = createHelpers()
  let validate: ValidateFunction | undefined

  return (batch) => {
    // Compiled on first use: if nothing has changed, no batch is checked.
    validate ??= run(code, helpers)
    helpers.marks.length = 0

    let isValid: boolean
    try {
      isValid = validate(batch)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      // V8's regular expressions fail on a text of 8.4 million characters, too.
      return { faults: [fault('schema.endless', [])], undecided: [[]], references: [], uniques: [] }
    }

    const errors = isValid ? [] : (validate.errors ?? [])
    return {
      faults: errors.map(refusal),
      undecided: errors.filter(isUndecided).map(({ instancePath }) => parsePointer(instancePath)),
      references: marksOf(helpers, 'pagePath'),
      uniques: marksOf(helpers, 'unique'),
    }
  }
}

/** Whether an error says nothing of the places below its own. */
function isUndecided({ keyword }: ErrorObject): boolean {
  return CONDITIONALS.includes(keyword)
}

/** Returns where ajv refuses something. `explain` asks again what and why. */
function refusal({ instancePath, params, propertyName }: ErrorObject): Fault {
  const place = parsePointer(instancePath)
  const key: string | undefined =
    params.additionalProperty ?? params.unevaluatedProperty ?? propertyName
  return key === undefined
    ? fault('schema.refused', place)
    : keyFault('schema.refused', [...place, key])
}

function marksOf({ marks }: Helpers, keyword: string): Marked[] {
  return marks.filter((mark) => mark.keyword === keyword)
}

/** The modules that the code of a check may require, written out so that a bundler finds them. */
const RUNTIME: Record<string, () => unknown> = {
  'ajv/dist/runtime/equal': () => require('ajv/dist/runtime/equal'),
  'ajv/dist/runtime/ucs2length': () => require('ajv/dist/runtime/ucs2length'),
  'ajv/dist/runtime/validation_error': () => require('ajv/dist/runtime/validation_error'),
}

function run(code: string, helpers: Helpers): ValidateFunction {
  const module: { exports: unknown } = { exports: {} }
  const call = compileFunction(code, ['module', 'exports', 'require', 'helpers'])
  call(module, module.exports, (name: string) => RUNTIME[name]?.(), helpers)
  return module.exports as ValidateFunction
}
