/** Compiles the schema and generates its types, or reuses those of the last build. */
import fs from 'node:fs'
import path from 'node:path'
import { findSyntaxError } from '../batch/json/json.ts'
import { compileSchema } from '../batch/schema/schema.ts'
import { emitSealed, emitTypes, FILES, unseal } from '../dataset/output.ts'
import { BuildError, onDisk } from '../machine/errors.ts'
import { sha256Of } from '../text/digest.ts'
import { codeDigest, versionOf } from './code-digest.ts'

export interface SchemaFiles {
  sha256: string
  /** The code of the check, for `loadCheck`. */
  check: string
  /** The declaration of the dataset's type; undefined if it cannot be generated or reused. */
  types: string | undefined
  cache: Cache
}

/**
 * Reads the schema, compiles it and generates its types. Reuses what the last build created from
 * the same schema with the same code.
 *
 * @param file the schema
 * @param out the folder of the last build
 * @throws BuildError if there is no such file or it is not such a schema
 */
export async function readSchema(file: string, out: string): Promise<SchemaFiles> {
  const text = onDisk(`read the schema ${file} (--schema names another)`, () =>
    fs.readFileSync(file, 'utf8'),
  )
  const sha256 = sha256Of(text)
  const cache = new Cache(out)
  try {
    const schema = parse(text)
    const check = await cache.get('check', sha256, () => compileSchema(schema))
    const types = await typesOf(schema, sha256, out, cache)
    return { sha256, check, types, cache }
  } catch (error) {
    throw new BuildError(`the schema ${file} cannot be used: ${(error as Error).message}`)
  }
}

/**
 * Texts that make the next build faster and change no byte of the dataset. They are in a hidden
 * folder inside the dataset folder, named by the digest of their inputs and of the code.
 */
class Cache {
  readonly #folder: string
  readonly #made = new Map<string, string>()

  /** @param out the dataset folder */
  constructor(out: string) {
    this.#folder = path.join(out, '.cache')
  }

  /**
   * @param kind one word
   * @param madeOf everything that determines the text, besides the code
   */
  async get(kind: string, madeOf: string, make: () => string | Promise<string>): Promise<string> {
    const key = sha256Of(`${madeOf}; ${codeDigest()}`)
    const name = `${kind}-${key.slice(0, 16)}`
    const known = unseal(readIfThere(path.join(this.#folder, name)), key)
    if (known !== undefined) return known
    const made = await make()
    this.#made.set(name, emitSealed(key, made))
    return made
  }

  /** Saves new texts and removes older ones of their kind. If it fails, builds are only slower. */
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

function parse(text: string) {
  try {
    return JSON.parse(text)
  } catch (error) {
    const fault = findSyntaxError(text)
    if (!fault) throw error
    const before = text.slice(0, fault.range?.start).split('\n')
    const place = `line ${before.length}, column ${(before.at(-1) as string).length + 1}`
    throw new Error(`${place}: ${fault.message}`)
  }
}

/** A development dependency: `npm ci --omit=dev` leaves it out. */
export const GENERATOR = 'json-schema-to-typescript'
const MADE_BY = new RegExp(`; ${GENERATOR} (\\S+)\n`)

/**
 * Generates the types, or reuses them. If no generator is installed, returns those of the last build
 * if they are of the same schema, or undefined.
 */
async function typesOf(
  schema: object,
  sha256: string,
  out: string,
  cache: Cache,
): Promise<string | undefined> {
  const version = versionOf(GENERATOR)
  const madeBy = (version: string | undefined) =>
    `Schema: sha256 ${sha256}; ${GENERATOR} ${version}`
  if (version === undefined) {
    const existing = readIfThere(path.join(out, FILES.types))
    const isSame = unseal(existing, madeBy(MADE_BY.exec(existing)?.[1])) !== undefined
    return isSame ? existing : undefined
  }
  const content = await cache.get('types', madeBy(version), async () => {
    const { compile } = await import('json-schema-to-typescript')
    const types = await compile({ ...schema, title: 'Batch' }, 'Batch', {
      bannerComment: '',
      // A tuple for every length that minItems and maxItems allow helps nobody.
      ignoreMinAndMaxItems: true,
    })
    // A schema whose records have no title or another one: the type of a record is Page all the same.
    const isNamed = /^export (interface|type) Page\b/m.test(types)
    const page = isNamed ? '' : '\nexport type Page = Batch[number]\n'
    return emitTypes(types + page)
  })
  return emitSealed(madeBy(version), content)
}
