/** Compiles a schema, by ajv, to the code of its check. */
import { createRequire } from 'node:module'
import { compileFunction } from 'node:vm'
import type { Ajv, AnySchemaObject, ErrorObject, ValidateFunction } from 'ajv'
import { type Fault, fault, keyFault, type Marked, parsePointer } from '../../page/fault.ts'
import { show } from '../../text/wording.ts'
import type { SchemaCheck } from './check.ts'
import { addKeywords, createHelpers, type Helpers } from './keywords.ts'
import { ANNOTATIONS, schemasIn, vetSchema } from './vet.ts'

// ajv is loaded on demand: to load it takes longer than to check a small batch.
const require = createRequire(import.meta.url)

/** A schema that isn't one: ajv's errors say where and why. */
export class InvalidSchemaError extends Error {
  override name = 'InvalidSchemaError'
  readonly errors: ErrorObject[]

  constructor(errors: ErrorObject[]) {
    super('the schema is not valid')
    this.errors = errors
  }
}

/**
 * Compiles a schema ahead of time, so that the next build need not load ajv.
 *
 * @param schema JSON Schema 2020-12 of a whole batch
 * @returns code for `loadCheck`
 * @throws InvalidSchemaError if the schema is not valid
 * @throws Error with a message of one line if it can't be used, or refuses nothing
 */
export function compileSchema(schema: object): string {
  refuseInvalid(schema)

  try {
    const { ajv } = createAjv(schema as AnySchemaObject)
    const validate = ajv.compile(schema)
    refuseLax(validate)

    const { default: standaloneCode } =
      require('ajv/dist/standalone') as typeof import('ajv/dist/standalone/index.js')
    return appendErrors(standaloneCode(ajv, validate))
  } catch (error) {
    throw withPlace(error as Error, schema)
  }
}

/** Checks schemas. It's kept for the next one: what it checks by takes half of a compilation. */
let schemaChecker: Ajv | undefined

function refuseInvalid(schema: object): void {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
    throw new Error(`it must be an object, but is ${show(schema)}`)

  if (!schemaChecker) {
    const { Ajv2020 } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js')
    schemaChecker = new Ajv2020({ allErrors: true, verbose: true })
  }
  const isValid = schemaChecker.validateSchema(schema as AnySchemaObject)
  if (!isValid) throw new InvalidSchemaError(schemaChecker.errors ?? [])
}

function refuseLax(validate: ValidateFunction): void {
  if (validate([{}]))
    throw new Error('it accepts a batch of one empty record, so it checks nothing')
  if ([null, 0, [], {}].every((value) => validate(value)))
    throw new Error('it accepts null, 0, [] and {}, so it checks nothing')
}

/** Names the place of the schema that an error of ajv is about. */
function withPlace(error: Error & { missingRef?: string }, schema: object): Error {
  if (error instanceof RangeError) return new Error('a reference in it leads back to itself')

  for (const [place, { $ref }] of schemasIn(schema)) {
    if ($ref !== undefined && $ref === error.missingRef)
      return new Error(`at ${place}/$ref: ${error.message}`)
  }
  return new Error(error.message)
}

export interface AjvWithHelpers {
  ajv: Ajv
  helpers: Helpers
}

/**
 * Creates the ajv of a schema. `accept` compiles its check by it, `explain` checks values again.
 *
 * @param schema whose keywords it knows then; see `vetSchema`
 * @param isVerbose whether errors have the value and the schema that they're about
 */
export function createAjv(schema: AnySchemaObject, isVerbose = false): AjvWithHelpers {
  const { Ajv2020 } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js')
  const { default: addFormats } = require('ajv-formats') as typeof import('ajv-formats')
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: isVerbose,
    validateSchema: false,
    // It would print a warning about a limit beside a $ref.
    strictTypes: false,
    strictTuples: false,
    // A key such as "constructor" exists only in a record that has it, not in every object.
    ownProperties: true,
    discriminator: true,
    code: { source: true, lines: true, process: appendErrors },
  })

  const helpers = createHelpers()
  addFormats(ajv)
  addKeywords(ajv, helpers)
  ajv.addVocabulary([...ANNOTATIONS])
  vetSchema(schema, ajv)
  return { ajv, helpers }
}

/** How ajv adds the errors of a schema that another one refers to, such as `vErrors.concat(validate20.errors)`. */
const CONCAT = /vErrors === null \? ([\w.]+) : vErrors\.concat\(\1\)/g

/** Appends instead: `concat` would copy the errors of all records once for each record after them. */
function appendErrors(code: string): string {
  return code.replace(CONCAT, '$1.reduce((all, one) => (all.push(one), all), vErrors ?? [])')
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
      isValid = validate(batch) as boolean
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      // V8's regular expressions fail on a text of 8.4 million characters, too.
      return { faults: [fault('schema.endless', [])], references: [], uniques: [] }
    }

    return {
      faults: isValid ? [] : (validate.errors ?? []).map(refusal),
      references: marksOf(helpers, 'pagePath'),
      uniques: marksOf(helpers, 'unique'),
    }
  }
}

/** Says where ajv refuses something. What, and why, `explain` asks again. */
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

function run(code: string, helpers: Helpers): ValidateFunction {
  const module: { exports: unknown } = { exports: {} }
  const call = compileFunction(code, ['module', 'exports', 'require', 'helpers'])
  call(module, module.exports, require, helpers)
  return module.exports as ValidateFunction
}
