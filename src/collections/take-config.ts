/** Checks what a `manyurls.config.ts` says, and translates it. */
import { ALL_FORMATS } from '../formats/formats.ts'
import { BuildError } from '../machine/errors.ts'
import { asObject, isPlainObject } from '../text/as-object.ts'
import { nearest } from '../text/nearest.ts'
import { show } from '../text/wording.ts'
import type { Collection } from './collection.ts'
import type { CollectionConfig } from './config.ts'
import { collectionOfConfig } from './of-config.ts'
import { parseReferencePath, unknownCollection } from './references.ts'

/**
 * Takes the default export of a configuration.
 *
 * @param folder of the configuration, as messages spell it
 * @returns the collections, in the order in which they are written
 * @throws BuildError in one line that says what is wrong
 */
export function takeConfig(exported: unknown, folder: string): Collection[] {
  const module = asObject(exported)
  // What an ES module is compiled to has this key. Of CommonJS, what it exports may be the collections.
  const isEsModule = Object.hasOwn(module, '__esModule')
  if (isEsModule && !Object.hasOwn(module, 'default'))
    throw new BuildError(`has no default export. ${HOW_TO_EXPORT}`)

  const collections = module.default ?? module
  if (!isPlainObject(collections))
    throw new BuildError(
      `must export its collections, but its default export is ${show(collections)}. ${HOW_TO_EXPORT}`,
    )

  const names = Object.keys(collections)
  if (names.length === 0) throw new BuildError(`exports no collections. ${HOW_TO_EXPORT}`)
  refuseNames(names)

  const taken = names.map((name) => takeCollection(name, collections[name], folder))
  for (const name of names) refuseReferences(name, collections[name], names)
  return taken
}

const HOW_TO_EXPORT =
  "Write export default defineCollections({ countries: { files: 'data/*.json', id: 'code' } })"

/** What a collection may be called, such as "countries" or "test-cases": it's also the name of a file. */
const NAME = /^[\p{L}\p{N}_][\p{L}\p{N}_-]*$/u

/** Names of files that a build writes besides. */
const TAKEN = ['manifest']

function refuseNames(names: readonly string[]): void {
  const byFile = new Map<string, string>()
  for (const name of names) {
    if (!NAME.test(name))
      throw new BuildError(
        `has a collection ${show(name)}. A name has letters, digits, - and _, because it's the name of a file`,
      )

    const file = name.normalize('NFC').toLowerCase()
    if (TAKEN.includes(file))
      throw new BuildError(`has a collection ${show(name)}, but this is the name of another file`)

    const otherName = byFile.get(file)
    if (otherName !== undefined)
      throw new BuildError(
        `has the collections ${show(otherName)} and ${show(name)}, which would be one file on some disks`,
      )
    byFile.set(file, name)
  }
}

/** What the value of a key must be. */
interface Kind {
  isRight: (value: unknown) => boolean
  /** In words. */
  mustBe: string
}

const text: Kind = { isRight: isText, mustBe: 'a text' }
const aKeyOrFunction: Kind = {
  isRight: (value) => isText(value) || isFunction(value),
  mustBe: 'a key or a function',
}

/** The keys of a collection. */
const KINDS: Record<keyof CollectionConfig, Kind> = {
  files: {
    isRight: isPlaces,
    mustBe: 'a file, a folder or a pattern, such as "data/*.json", or a list of these',
  },
  id: aKeyOrFunction,
  records: aKeyOrFunction,
  schema: {
    isRight: (value) => isText(value) || (isPlainObject(value) && isPlaces(value.named)),
    mustBe: 'a file, or { named: … } with files or patterns',
  },
  recordSchema: { ...text, mustBe: 'a file' },
  references: {
    isRight: (value) => isFunction(value) || isPlainObject(value),
    mustBe:
      'an object of paths and names of collections, such as { "borders[]": "countries" }, or a function',
  },
  rules: {
    isRight: (value) => Array.isArray(value) && Array.from(value).every(isFunction),
    mustBe: 'a list of functions',
  },
  sorted: aKeyOrFunction,
  duplicates: oneOf(['refuse', 'drop']),
  format: oneOf(ALL_FORMATS.map(({ name }) => name)),
  body: { ...text, mustBe: 'a key' },
}

function oneOf(values: readonly string[]): Kind {
  return {
    isRight: (value) => values.includes(String(value)),
    mustBe: values.map(show).join(' or '),
  }
}

const REQUIRED = ['files', 'id'] as const

function takeCollection(name: string, collection: unknown, folder: string): Collection {
  if (!isPlainObject(collection))
    throw new BuildError(
      `has a collection "${name}" that must be an object, but is ${show(collection)}`,
    )

  const knownKeys = Object.keys(KINDS)
  for (const key of Object.keys(collection)) {
    if (knownKeys.includes(key)) continue

    const [near] = nearest(key, knownKeys)
    const hint =
      near === undefined ? `The keys are ${knownKeys.join(', ')}` : `Do you mean "${near}"?`
    throw new BuildError(
      `has a collection "${name}" with the key "${key}", which isn't known. ${hint}`,
    )
  }

  for (const key of REQUIRED) {
    if (collection[key] === undefined)
      throw new BuildError(
        `has a collection "${name}" without "${key}", which must be ${KINDS[key].mustBe}`,
      )
  }

  for (const [key, { isRight, mustBe }] of Object.entries(KINDS)) {
    const value = collection[key]
    if (value !== undefined && !isRight(value))
      throw new BuildError(
        `has a collection "${name}" whose "${key}" must be ${mustBe}, but is ${show(value)}`,
      )
  }

  if (collection.schema !== undefined && collection.recordSchema !== undefined)
    throw new BuildError(
      `has a collection "${name}" with "schema" and "recordSchema". Keep one of them`,
    )
  return collectionOfConfig(name, collection as Record<string, never> & CollectionConfig, folder)
}

/** @throws BuildError if a path isn't one, or doesn't lead to a collection that is there */
function refuseReferences(name: string, collection: unknown, names: readonly string[]): void {
  const { references } = asObject(collection)
  if (!isPlainObject(references)) return

  for (const [path, to] of Object.entries(references)) {
    if (parseReferencePath(path) === undefined)
      throw new BuildError(
        `has a collection "${name}" whose "references" has the path ${show(path)}. A path has keys with dots between them, and [] for each item of a list, such as "authors[].id". What it can't say, a function can`,
      )

    if (typeof to !== 'string')
      throw new BuildError(
        `has a collection "${name}" whose "references" at ${show(path)} must be the name of one collection, but is ${show(to)}`,
      )

    if (!names.includes(to)) throw new BuildError(`is wrong: ${unknownCollection(name, to, names)}`)
  }
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function'
}

function isPlaces(value: unknown): boolean {
  return isText(value) || (Array.isArray(value) && value.length > 0 && value.every(isText))
}
