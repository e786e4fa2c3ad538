/** Compiles the schema and generates its types, or reuses those of the last build. */
import fs from 'node:fs'
import { compileSchema, loadCheck } from '../accept/schema/compile.ts'
import { findSyntaxError } from '../explain/syntax/json.ts'
import { BuildError, onDisk } from '../machine/errors.ts'
import type { SchemaCheck } from '../page/fault.ts'
import { asObject } from '../text/as-object.ts'
import { sha256Of } from '../text/digest.ts'
import { show } from '../text/wording.ts'
import type { Cache } from './disk/cache.ts'
import { generateTypes } from './generate-types.ts'

export interface SchemaFiles {
  sha256: string
  check: SchemaCheck
  /** The declaration of the dataset's type. */
  types: string
}

/**
 * @param cache of the last build
 * @param isMade whether `content.ts` makes pages of the records, so that their types differ
 * @throws BuildError if there is no such file or it is not such a schema
 */
export async function readSchema(
  file: string,
  cache: Cache,
  isMade: boolean,
): Promise<SchemaFiles> {
  const text = onDisk(`read the schema ${file} (--schema names another)`, () =>
    fs.readFileSync(file, 'utf8'),
  )
  const sha256 = sha256Of(text)
  try {
    const schema = parse(text)
    const code = cache.get<string>('check', sha256) ?? cache.add('check', sha256, compile(schema))
    const madeOf = `Schema: sha256 ${sha256}${isMade ? '; pages by content.ts' : ''}`
    const types =
      cache.get<string>('types', madeOf) ??
      cache.add('types', madeOf, await generateTypes(schema, madeOf, isMade))
    return { sha256, check: loadCheck(code), types }
  } catch (error) {
    throw new BuildError(`the schema ${file} cannot be used: ${(error as Error).message}`)
  }
}

function parse(text: string): object {
  try {
    return JSON.parse(text, refuseAddress)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const fault = findSyntaxError(text)
    const before = text.slice(0, fault.range?.start).split('\n')
    const place = `line ${before.length}, column ${(before.at(-1) as string).length + 1}`
    throw new Error(`${place}: ${fault.message}`)
  }
}

/** Refuses a `$ref` to an address, which the generator of types would fetch. */
function refuseAddress(key: string, value: unknown): unknown {
  if (key !== '$ref' || typeof value !== 'string' || value.startsWith('#')) return value
  throw new Error(`a "$ref" must be a place in it, such as "#/$defs/line", but is ${show(value)}`)
}

function compile(schema: object): string {
  const { $schema = DRAFT } = asObject(schema)
  if ($schema === DRAFT) return compileSchema(schema)
  throw new Error(`at /$schema it must be ${show(DRAFT)}, but is ${show($schema)}`)
}

const DRAFT = 'https://json-schema.org/draft/2020-12/schema'
