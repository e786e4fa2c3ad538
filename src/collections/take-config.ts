/** Checks what a configuration says, and translates it. */
import { ALL_FORMATS } from '../formats/formats.ts'
import { BuildError } from '../machine/errors.ts'
import type { Content } from '../page/content.ts'
import { asObject, isPlainObject } from '../text/as-object.ts'
import { nearest } from '../text/nearest.ts'
import { show } from '../text/wording.ts'
import type { Collection } from './collection.ts'
import type { CollectionConfig } from './config.ts'
import { collectionOfConfig, collectionOfContent, PAGES } from './of-config.ts'
import { parseReferencePath, unknownCollection } from './references.ts'

/**
 * Takes the default export of a `manyurls.config.ts`.
 *
 * @param folder that the files are relative to, as messages spell it
 * @returns the collections, in the order in which they are written
 * @throws BuildError in one line that says what is wrong
 */
export function takeConfig(exported: unknown, folder: string): Collection[] {
  const module = asObject(exported)
  // A compiled ES module has the key. In CommonJS, the exports themselves may be the collections.
  const isCompiled = Object.hasOwn(module, '__esModule')
  const isEsModule = isCompiled || Reflect.get(module, Symbol.toStringTag) === 'Module'
  const hasExports = Object.keys(module).length > 0
  if (isEsModule && hasExports && !Object.hasOwn(module, 'default'))
    throw new BuildError(`has no default export. ${HOW_TO_EXPORT}`)

  const collections = module.default ?? module
  if (!isPlainObject(collections))
    throw new BuildError(
      `must export its collections, but its default export is ${show(collections)}. ${HOW_TO_EXPORT}`,
    )

  const names = Object.keys(collections)
  if (names.length === 0) throw new BuildError(`exports no collections. ${HOW_TO_EXPORT}`)

  return takeCollections(collections, names, { folder, takenNames: TAKEN })
}

const HOW_TO_EXPORT =
  "Write export default defineCollections({ countries: { files: 'data/*.json', id: 'code' } })"

/**
 * Takes what a `content.ts` exports: `content`, which are the pages, and perhaps other `collections`.
 *
 * @returns the pages, then the other collections
 * @throws BuildError in one line that says what is wrong
 */
export function takeSite(exported: unknown, folder: string): Collection[] {
  const { content, collections = {}, delivery } = asObject(exported)
  if (delivery !== undefined) refuseDelivery(delivery)
  refuseUnreadExports(asObject(exported))

  if (content === undefined)
    throw new BuildError('does not say "export const content = defineContent({ … })"')
  refuseOther('exports a "content"', content)

  if (!isPlainObject(collections))
    throw new BuildError(
      `exports "collections" that must be an object, but are ${show(collections)}`,
    )
  if (Object.hasOwn(collections, PAGES))
    throw new BuildError(
      `has a collection "${PAGES}" among its "collections". That's the name of the pages, which "content" describes; choose another one`,
    )

  refuseKeys('exports a "content"', content, KINDS_OF_PAGES)
  const names = [PAGES, ...Object.keys(collections)]
  refuseReferences(PAGES, content, names)

  const pages = collectionOfContent(content as Content, folder)
  return [pages, ...takeCollections(collections, names, { folder, takenNames: TAKEN_BESIDE_PAGES })]
}

/** The exports of a `content.ts` that are read. */
const EXPORTS = ['content', 'collections']

/** @throws BuildError if what's exported may be meant to be read, such as `colections` */
function refuseUnreadExports(module: Readonly<Record<string, unknown>>): void {
  for (const name of Object.keys(module)) {
    if (EXPORTS.includes(name)) continue

    const [near] = nearest(name, EXPORTS)
    if (near !== undefined)
      throw new BuildError(`exports "${name}", which isn't read. Do you mean "${near}"?`)
  }

  const { default: exported } = module
  // Where modules are compiled to CommonJS, the default export is the module itself.
  const isModule = Object.hasOwn(asObject(exported), 'content')
  if (isPlainObject(exported) && !isModule && Object.keys(exported).length > 0)
    throw new BuildError(
      "has a default export, which isn't read. Write export const collections = defineCollections({ … })",
    )
}

/** What to write instead of each key of a `delivery`, which a `content.ts` exported up to version 0.5. */
const INSTEAD_OF_DELIVERY: Readonly<Record<string, (value: unknown) => string>> = {
  batches: (value) =>
    `Instead of "batches", write files: ${JSON.stringify(value)} in defineContent`,
  schema: (value) => `Instead of "schema", write schema: ${JSON.stringify(value)} in defineContent`,
  out: () => 'Remove "out": the site reads its dataset from src/generated',
}

function refuseDelivery(delivery: unknown): never {
  const keys = Object.keys(INSTEAD_OF_DELIVERY).filter((key) => asObject(delivery)[key])
  const advice = keys.map((key) => `${INSTEAD_OF_DELIVERY[key]?.(asObject(delivery)[key])}.`)
  throw new BuildError(
    ['exports a "delivery", which isn\'t read any more.', ...advice, 'Remove "delivery"'].join(' '),
  )
}

/** @param names of all collections */
function takeCollections(
  collections: Readonly<Record<string, unknown>>,
  names: readonly string[],
  { folder, takenNames }: { folder: string; takenNames: readonly string[] },
): Collection[] {
  refuseNames(names, takenNames)

  const taken = Object.entries(collections).map(([name, collection]) => {
    return takeCollection(name, collection, folder)
  })
  for (const [name, collection] of Object.entries(collections)) {
    refuseReferences(name, collection, names)
  }
  return taken
}

/** What a collection may be called, such as "countries" or "test-cases": it's also the name of a file. */
const NAME = /^[\p{L}\p{N}_][\p{L}\p{N}_-]*$/u

/** Names of files that a build writes besides. */
const TAKEN = ['manifest']

/** Beside pages, also their dataset. */
const TAKEN_BESIDE_PAGES = [...TAKEN, 'dataset']

function refuseNames(names: readonly string[], takenNames: readonly string[]): void {
  const byFile = new Map<string, string>()

  for (const name of names) {
    if (!NAME.test(name))
      throw new BuildError(
        `has a collection ${show(name)}. A name has letters, digits, - and _, because it's the name of a file`,
      )

    const file = name.normalize('NFC').toLowerCase()
    if (takenNames.includes(file))
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
  /** Shows a wrong value, if not as it is. */
  say?: (value: unknown) => string
}

const aText: Kind = { isRight: isText, mustBe: 'a text' }
const aFunction: Kind = { isRight: isFunction, mustBe: 'a function' }
const aKeyOrFunction: Kind = {
  isRight: (value) => isText(value) || isFunction(value),
  mustBe: 'a key or a function',
}
const places: Kind = {
  isRight: isPlaces,
  mustBe: 'a file, a folder or a pattern, such as "data/*.json", or a list of these',
}
const functions: Kind = {
  isRight: (value) => Array.isArray(value) && Array.from(value).every(isFunction),
  mustBe: 'a list of functions',
  say: sayOther,
}

/** The keys of each kind of records. */
const KINDS_OF_RECORDS = {
  files: places,
  records: aKeyOrFunction,
  schema: {
    isRight: (value: unknown) => isText(value) || (isPlainObject(value) && isPlaces(value.named)),
    mustBe: 'a file, or { named: … } with files or patterns',
  },
  recordSchema: { ...aText, mustBe: 'a file' },
  references: {
    isRight: (value: unknown) => isFunction(value) || isPlainObject(value),
    mustBe:
      'an object of paths and names of collections, such as { "borders[]": "countries" }, or a function',
  },
  rules: functions,
  sorted: aKeyOrFunction,
  duplicates: oneOf(['refuse', 'drop']),
  format: oneOf(ALL_FORMATS.map(({ name }) => name)),
  body: { ...aText, mustBe: 'a key' },
}

const KINDS: Record<keyof CollectionConfig, Kind> = { ...KINDS_OF_RECORDS, id: aKeyOrFunction }

const KINDS_OF_PAGES: Record<keyof Content, Kind> = {
  ...KINDS_OF_RECORDS,
  id: {
    isRight: (value) => value === 'path',
    mustBe: '"path": a page is known by its path. What it is about is its "identity"',
  },
  identity: aFunction,
  page: aFunction,
  site: { isRight: (value) => typeof value === 'boolean', mustBe: 'true or false' },
  elements: { isRight: isPlainObject, mustBe: 'an object' },
  card: aFunction,
  image: aFunction,
  facts: aFunction,
  group: aFunction,
  searched: aFunction,
  order: aFunction,
  others: aFunction,
}

function oneOf(values: readonly string[]): Kind {
  return {
    isRight: (value) => values.includes(String(value)),
    mustBe: values.map(show).join(' or '),
  }
}

/** For example `item 1 is "isShort"`, if that isn't a function. */
function sayOther(value: unknown): string {
  const items: unknown[] = Array.isArray(value) ? Array.from(value) : []
  const position = items.findIndex((item) => !isFunction(item))
  if (position < 0) return `is ${show(value)}`

  return `item ${position + 1} is ${show(items[position])}`
}

const REQUIRED = ['files', 'id'] as const

function takeCollection(name: string, collection: unknown, folder: string): Collection {
  const subject = `has a collection "${name}"`
  refuseOther(subject, collection)

  for (const key of REQUIRED) {
    if (collection[key] === undefined)
      throw new BuildError(`${subject} without "${key}", which must be ${KINDS[key].mustBe}`)
  }

  refuseKeys(subject, collection, KINDS)
  return collectionOfConfig(name, collection as Record<string, never> & CollectionConfig, folder)
}

/** @param subject such as `has a collection "countries"` */
function refuseOther(subject: string, config: unknown): asserts config is Record<string, unknown> {
  if (!isPlainObject(config))
    throw new BuildError(`${subject} that must be an object, but is ${show(config)}`)
}

/** @throws BuildError if a key isn't known, or its value isn't right */
function refuseKeys(
  subject: string,
  config: Readonly<Record<string, unknown>>,
  kinds: Readonly<Record<string, Kind>>,
): void {
  const knownKeys = Object.keys(kinds)
  for (const key of Object.keys(config)) {
    if (knownKeys.includes(key)) continue

    const [near] = nearest(key, knownKeys)
    const hint =
      near === undefined ? `The keys are ${knownKeys.join(', ')}` : `Do you mean "${near}"?`
    throw new BuildError(`${subject} with the key "${key}", which isn't known. ${hint}`)
  }

  for (const [key, { isRight, mustBe, say = sayValue }] of Object.entries(kinds)) {
    const value = config[key]
    if (value !== undefined && !isRight(value))
      throw new BuildError(`${subject} whose "${key}" must be ${mustBe}, but ${say(value)}`)
  }

  if (config.schema !== undefined && config.recordSchema !== undefined)
    throw new BuildError(`${subject} with "schema" and "recordSchema". Keep one of them`)
}

function sayValue(value: unknown): string {
  return `is ${show(value)}`
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
