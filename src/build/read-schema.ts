/** Compiles the schema and generates its types, or reuses those of the last build. */
import fs from 'node:fs'
import type { SchemaCheck } from '../accept/schema/check.ts'
import { compileSchema, InvalidSchemaError, loadCheck } from '../accept/schema/compile.ts'
import { BuildError, onDisk } from '../machine/errors.ts'
import { asObject } from '../text/as-object.ts'
import { sha256Of } from '../text/digest.ts'
import { show } from '../text/wording.ts'
import type { Cache } from './disk/cache.ts'
import type { ExplainRoom } from './explainer.ts'
import { generateTypes } from './generate-types.ts'

export interface SchemaFiles {
  sha256: string
  check: SchemaCheck
  /** The schema itself. */
  root: object
  /** The declaration of the dataset's type. */
  types: string
}

/**
 * @param cache of the last build
 * @param isMade whether `content.ts` makes pages of the records, so that their types differ
 * @param loadExplain loads what explains an invalid schema
 * @throws BuildError if there is no such file or it is not such a schema
 */
export async function readSchema(
  file: string,
  cache: Cache,
  isMade: boolean,
  loadExplain: () => Promise<ExplainRoom>,
): Promise<SchemaFiles> {
  const text = onDisk(`read the schema ${file} (--schema names another)`, () =>
    fs.readFileSync(file, 'utf8'),
  )
  const sha256 = sha256Of(text)

  try {
    const root = parse(text)
    const code = cache.get<string>('check', sha256) ?? cache.add('check', sha256, compile(root))

    const madeOf = `Schema: sha256 ${sha256}${isMade ? '; pages by content.ts' : ''}`
    const types =
      cache.get<string>('types', madeOf) ??
      cache.add('types', madeOf, await generateTypes(root, madeOf, isMade))

    return { sha256, check: loadCheck(code), root, types }
  } catch (error) {
    const reason = await explain(error as Error, text, loadExplain)
    throw new BuildError(`the schema ${file} cannot be used: ${reason}`)
  }
}

function parse(text: string): object {
  return JSON.parse(text, refuseAddress)
}

/** Refuses a `$ref` to an address, which the generator of types would fetch. */
function refuseAddress(key: string, value: unknown): unknown {
  const isAddress = key === '$ref' && typeof value === 'string' && !value.startsWith('#')
  if (!isAddress) return value
  throw new Error(`a "$ref" must be a place in it, such as "#/$defs/line", but is ${show(value)}`)
}

const DRAFT = 'https://json-schema.org/draft/2020-12/schema'

function compile(schema: object): string {
  const { $schema = DRAFT } = asObject(schema)
  if ($schema !== DRAFT)
    throw new Error(`at /$schema it must be ${show(DRAFT)}, but is ${show($schema)}`)
  return compileSchema(schema)
}

/** Says why a schema can't be used. */
async function explain(
  error: Error,
  text: string,
  loadExplain: () => Promise<ExplainRoom>,
): Promise<string> {
  if (error instanceof SyntaxError) {
    const { explainJson } = await loadExplain()
    return explainJson(text)
  }
  if (error instanceof InvalidSchemaError) {
    const { explainInvalidSchema } = await loadExplain()
    return explainInvalidSchema(error.errors)
  }
  return error.message
}
