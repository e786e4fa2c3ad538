/** Compiles a schema, by ajv, to the code of its check, which finds the violations of a batch. */
import { createRequire } from 'node:module'
import { compileFunction } from 'node:vm'
import type { Ajv, AnySchemaObject } from 'ajv'
import { explain, ofValue, type Validate } from '../../explain/schema/explain.ts'
import { fault } from '../../explain/sentences.ts'
import { formatPointer, parsePointer, type SchemaCheck } from '../../page/fault.ts'
import { show } from '../../text/wording.ts'
import { addKeywords, createHelpers, requireFor } from './keywords.ts'
import { ANNOTATIONS, schemasIn, vetSchema } from './vet.ts'

// Modules that most builds do not need are loaded on demand.
const require = createRequire(import.meta.url)

/** Checks schemas. Kept for the next one: what it checks by takes half of a compilation. */
let ofSchemas: Ajv | undefined

/**
 * Compiles a schema ahead of time, since loading ajv takes longer than checking a small batch.
 *
 * @param schema JSON Schema 2020-12 of a whole batch
 * @returns code for `loadCheck`
 * @throws Error with a message of one line if the schema is not valid or refuses nothing
 */
export function compileSchema(schema: object): string {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) {
    throw new Error(`it must be an object, but is ${show(schema)}`)
  }
  const { Ajv2020 } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js')
  ofSchemas ??= new Ajv2020({ allErrors: true, verbose: true })
  if (!ofSchemas.validateSchema(schema as AnySchemaObject)) {
    const [error] = ofSchemas.errors ?? []
    const [violation] = error ? ofValue(error, parsePointer(error.instancePath)) : []
    throw new Error(`at ${formatPointer(violation?.pointer ?? [])} it ${violation?.message}`)
  }
  try {
    const ajv = createAjv(schema as AnySchemaObject)
    const validate = ajv.compile(schema)
    if (validate([{}]))
      throw new Error('it accepts a batch of one empty record, so it checks nothing')
    if ([null, 0, [], {}].every((value) => validate(value)))
      throw new Error('it accepts null, 0, [] and {}, so it checks nothing')
    const { default: standaloneCode } =
      require('ajv/dist/standalone') as typeof import('ajv/dist/standalone/index.js')
    const code = standaloneCode(ajv, validate).replace(CONCAT, APPEND)
    return `${code}\nmodule.exports.root = ${JSON.stringify(schema)}\n`
  } catch (error) {
    if (error instanceof RangeError) throw new Error('a reference in it leads back to itself')
    const { message, missingRef } = error as Error & { missingRef?: string }
    const [place] = [...schemasIn(schema)].find(([, { $ref = '' }]) => $ref === missingRef) ?? []
    throw new Error(`${place === undefined ? '' : `at ${place}/$ref: `}${message}`)
  }
}

/** @param schema whose keywords it knows then; see `vetSchema` */
function createAjv(schema: AnySchemaObject): Ajv {
  const { Ajv2020 } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js')
  const { default: addFormats } = require('ajv-formats') as typeof import('ajv-formats')
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    validateSchema: false,
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
  ajv.addVocabulary([...ANNOTATIONS])
  vetSchema(schema, ajv)
  return ajv
}

/** How ajv adds the errors of a schema that another one refers to. */
const CONCAT = /vErrors === null \? ([\w.]+) : vErrors\.concat\(\1\)/g
/** Instead of concat, which would copy the errors of all records once for each record after them. */
const APPEND = '$1.reduce((all, one) => (all.push(one), all), vErrors ?? [])'

/** @param code what `compileSchema` returned, now or in an earlier build */
export function loadCheck(code: string): SchemaCheck {
  let validate: Validate | undefined
  const helpers = createHelpers()
  return (batch) => {
    // Compiled on first use: it would be the largest part of a small build without problems.
    validate ??= run(code, helpers)
    helpers.marks.length = 0
    try {
      const isValid = validate(batch)
      const marksOf = (wanted: string) => helpers.marks.filter(({ keyword }) => keyword === wanted)
      const found = { references: marksOf('pagePath'), uniques: marksOf('unique') }
      return { ...found, violations: isValid ? [] : explain(batch, validate) }
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      // V8's regular expressions fail on a text of 8.4 million characters, too.
      return { references: [], uniques: [], violations: [fault('schema.endless', [])] }
    }
  }
}

function run(code: string, helpers: object): Validate {
  const module: { exports: unknown } = { exports: {} }
  const call = compileFunction(code, ['module', 'exports', 'require', 'helpers'])
  call(module, module.exports, requireFor, helpers)
  return module.exports as Validate
}
