/** Hides what is made of the schema, and when it need not be made again. */
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { emitSealed, emitTypes, FILES, isSealed } from '../dataset/emit.ts'
import { findSyntaxError } from '../dataset/json.ts'
import { COMPILER, compileSchema, type Judge, loadCheck, loadGrammar } from '../dataset/schema.ts'
import { BuildError, onDisk } from './errors.ts'

export interface SchemaFiles {
  sha256: string
  judge: Judge
  /** By name, what belongs beside the dataset. */
  files: Record<string, string>
}

/**
 * Reads the schema; compiles it and generates its types, or takes both from the last build when it
 * was made of the same schema by the same compiler.
 *
 * @param file the schema; its records have the title Page
 * @param out the folder of the last build
 * @throws BuildError when there is no such file or it is no such schema
 */
export async function readSchema(file: string, out: string): Promise<SchemaFiles> {
  const text = onDisk(`read the schema ${file} (--schema names another)`, () =>
    fs.readFileSync(file, 'utf8'),
  )
  const sha256 = createHash('sha256').update(text).digest('hex')
  const reuseOrMake = async (
    name: string,
    madeOf: string,
    make: () => string | Promise<string>,
  ) => {
    const last = path.join(out, name)
    const existing = fs.existsSync(last) ? fs.readFileSync(last, 'utf8') : ''
    return isSealed(existing, madeOf) ? existing : emitSealed(madeOf, await make())
  }
  try {
    const check = await reuseOrMake(FILES.check, `Schema: sha256 ${sha256}; ${COMPILER}`, () =>
      compileSchema(parse(text)),
    )
    const types = await reuseOrMake(FILES.types, `Schema: sha256 ${sha256}; ${GENERATOR}`, () =>
      generateTypes(parse(text)),
    )
    return {
      sha256,
      judge: { check: loadCheck(check), grammar: loadGrammar(check) },
      files: { [FILES.types]: types, [FILES.check]: check },
    }
  } catch (error) {
    throw new BuildError(`the schema ${file} cannot be used: ${(error as Error).message}`)
  }
}

function parse(text: string) {
  try {
    return JSON.parse(text)
  } catch (error) {
    const fault = findSyntaxError(text)
    if (!fault) throw error
    const before = text.slice(0, fault.start).split('\n')
    const place = `line ${before.length}, column ${(before.at(-1) as string).length + 1}`
    throw new Error(`${place}: ${fault.message}`)
  }
}

const require = createRequire(import.meta.url)
const { name, version } = require('json-schema-to-typescript/package.json')
const GENERATOR = `${name} ${version}`

async function generateTypes(schema: object): Promise<string> {
  const { compile } = await import('json-schema-to-typescript')
  const types = await compile(schema, 'Batch', {
    bannerComment: '',
    // A tuple for every length that minItems and maxItems allow helps nobody.
    ignoreMinAndMaxItems: true,
  })
  if (!/^export (interface|type) Page\b/m.test(types)) {
    throw new Error('it gives its records no "title": "Page", by which their type is named')
  }
  return emitTypes(types)
}
