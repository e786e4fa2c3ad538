/** What is made of the schema, and when the last build's can be used again. */
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { emitSealed, emitTypes, FILES, unseal } from '../dataset/emit.ts'
import { findSyntaxError } from '../dataset/json.ts'
import { COMPILER, compileSchema, loadCheck, type SchemaCheck } from '../dataset/schema.ts'
import { BuildError, onDisk } from './errors.ts'

export interface SchemaFiles {
  sha256: string
  schema: object
  check: SchemaCheck
  /** The declaration of the dataset's type; undefined where what makes it is not installed. */
  types: string | undefined
  cache: Cache
}

/**
 * Reads the schema; compiles it and generates its types, or takes both from the last build when it
 * made them of the same schema by the same compiler.
 *
 * @param file the schema; its records have the title Page
 * @param out the folder of the last build
 * @throws BuildError when there is no such file or it is no such schema
 */
export async function readSchema(file: string, out: string): Promise<SchemaFiles> {
  const text = onDisk(`read the schema ${file} (--schema names another)`, () =>
    fs.readFileSync(file, 'utf8'),
  )
  const sha256 = digest(text)
  const cache = new Cache(out)
  try {
    const schema = parse(text)
    const check = cache.get('check', `${sha256}; ${COMPILER}`, () => compileSchema(schema))
    const types = await typesOf(schema, sha256, out)
    return { sha256, schema, check: loadCheck(check), types, cache }
  } catch (error) {
    throw new BuildError(`the schema ${file} cannot be used: ${(error as Error).message}`)
  }
}

/**
 * What makes the next build faster, and changes no byte of the dataset: texts in a hidden folder of
 * it, named by the digest of what they were made of.
 */
class Cache {
  readonly #folder: string
  readonly #made = new Map<string, string>()

  /** @param out the folder of the dataset */
  constructor(out: string) {
    this.#folder = path.join(out, '.cache')
  }

  /**
   * @param kind one word
   * @param madeOf all that decides the text
   */
  get(kind: string, madeOf: string, make: () => string): string {
    const key = digest(madeOf)
    const name = `${kind}-${key.slice(0, 16)}`
    const known = unseal(readIfThere(path.join(this.#folder, name)), key)
    if (known !== undefined) return known
    const made = make()
    this.#made.set(name, emitSealed(key, made))
    return made
  }

  /** Keeps what was made, in the place of others of its kind. Without a cache builds are slower. */
  save(): void {
    for (const [name, text] of this.#made) {
      try {
        fs.mkdirSync(this.#folder, { recursive: true })
        for (const old of fs.readdirSync(this.#folder)) {
          if (old.startsWith(name.replace(/\w+$/, ''))) fs.rmSync(path.join(this.#folder, old))
        }
        fs.writeFileSync(path.join(this.#folder, name), text)
      } catch {
        return
      }
    }
  }
}

function readIfThere(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
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

/** A development dependency: `npm ci --omit=dev` leaves it out. */
export const GENERATOR = 'json-schema-to-typescript'
const MADE_BY = new RegExp(`; ${GENERATOR} (\\S+)\n`)

/**
 * The types of the last build when they are of the same schema, made by the generator that is
 * installed; by any where none is. Else new ones, or none.
 */
async function typesOf(schema: object, sha256: string, out: string): Promise<string | undefined> {
  const existing = readIfThere(path.join(out, FILES.types))
  const installed = versionOf(GENERATOR)
  const version = installed ?? MADE_BY.exec(existing)?.[1]
  const madeOf = `Schema: sha256 ${sha256}; ${GENERATOR} ${version}`
  if (unseal(existing, madeOf) !== undefined) return existing
  if (installed === undefined) return undefined
  const { compile } = await import('json-schema-to-typescript')
  const types = await compile(schema, 'Batch', {
    bannerComment: '',
    // A tuple for every length that minItems and maxItems allow helps nobody.
    ignoreMinAndMaxItems: true,
  })
  if (!/^export (interface|type) Page\b/m.test(types)) {
    throw new Error('it gives its records no "title": "Page", by which their type is named')
  }
  return emitSealed(madeOf, emitTypes(types))
}

/** The version of a package; undefined when it is not installed. */
function versionOf(name: string): string | undefined {
  try {
    return require(`${name}/package.json`).version
  } catch {
    return undefined
  }
}
