/** Finds out what the JSON files of a repository are: where the records are, and what names each. Pure. */
import { groupBy } from '../machine/group-by.ts'
import { slug } from '../page/content.ts'
import { asObject, isObject } from '../text/as-object.ts'

/** A file that was parsed. */
export interface SurveyedFile {
  /** Relative to the repository, with `/` as the separator. */
  name: string
  value: unknown
}

/** How records are in a file. */
export type Shape =
  | { kind: 'list' }
  /** A list under a key: `{ "apps": [{ … }] }`. */
  | { kind: 'list under a key'; key: string }
  /** Objects by name: `{ "chess": { … }, "go": { … } }`. */
  | { kind: 'objects by name' }
  /** The file is one record. */
  | { kind: 'one record' }

/** Files of one shape that belong together. */
export interface Delivery {
  /** What `delivery.batches` says. */
  batches: string
  shape: Shape
  files: readonly SurveyedFile[]
  records: readonly FoundRecord[]
}

interface FoundRecord {
  value: Record<string, unknown>
  /** Its key in an object by name. */
  key: string
  /** The file that it is in. */
  file: string
}

/** The keys that lead to a value of a record: `['name', 'common']`. */
export type Way = readonly string[]

/** What a record is named by, and what a page shows of it. */
export interface RecordKeys {
  /** What differs in each record, or in nearly each, the best first. */
  identities: readonly Way[]
  /** The values of the best that an earlier record has, too. */
  repeated: readonly unknown[]
  /** What differs only among the records of one file; undefined if `identities` has something. */
  withinFile: Way | undefined
  /** Whether the key in the object by name, or the name of the file, differs in each. */
  isNamedOutside: boolean
  title: Way | undefined
  body: Way | undefined
}

/** Whether a file is a JSON Schema: it says so, or is named so and has a keyword of one. */
export function isSchema({ name, value }: SurveyedFile): boolean {
  const { $schema } = asObject(value)
  if (typeof $schema === 'string' && $schema.includes('json-schema.org')) return true

  const isNamedSo = /schema[^/]*\.json$/i.test(name)
  const keywords = ['properties', 'items', 'definitions', '$defs', '$ref', 'anyOf', 'oneOf']
  return isNamedSo && keywords.some((keyword) => isObject(asObject(value)[keyword]))
}

/** Returns the deliveries in the files of a repository, the one with the most records first. */
export function findDeliveries(files: readonly SurveyedFile[]): Delivery[] {
  const groups = [...groupFiles(files)].map(([batches, group]): Delivery => {
    const shape = shapeOf(group)
    const ofShape = group.filter(({ value }) => hasShape(value, shape))
    const records = ofShape.flatMap((file) => recordsIn(file, shape))
    const [first] = group
    const isAlone = group.length === 1 && first !== undefined
    const place = isAlone ? first.name : batches.replace(/\/$/, '')
    return { batches: place, shape, files: ofShape, records }
  })
  // A single object in the root is a setting rather than data.
  const deliveries = groups.filter(({ records, files }) => records.length > 1 || files.length > 1)
  return deliveries.sort((a, b) => b.records.length - a.records.length)
}

/** In how many folders files of one name belong together, such as `akash/chain.json`. */
const SAME_NAME = 3

/**
 * Groups files that belong together: by their folder in the root, or by their name if folders have
 * files of the same one. A file in the root is for itself.
 *
 * @returns by what `delivery.batches` says; a folder ends with a slash
 */
function groupFiles(files: readonly SurveyedFile[]): Map<string, SurveyedFile[]> {
  const nameOf = ({ name }: SurveyedFile) => name.slice(name.lastIndexOf('/') + 1)
  const folderOf = ({ name }: SurveyedFile) => name.slice(0, name.indexOf('/') + 1)
  const sameNames = new Set<string>()
  for (const [name, group] of groupBy(files, nameOf)) {
    if (new Set(group.map(folderOf)).size >= SAME_NAME) sameNames.add(name)
  }

  return groupBy(files, (file) => {
    const name = nameOf(file)
    if (sameNames.has(name)) return `**/${name}`
    const folder = folderOf(file)
    return folder === '' ? file.name : folder
  })
}

/** Returns the shape that most files of a group have. */
function shapeOf(files: readonly SurveyedFile[]): Shape {
  const values = files.map(({ value }) => value)
  const lists = values.filter((value) => hasShape(value, { kind: 'list' }))
  if (2 * lists.length > values.length) return { kind: 'list' }

  const objects = values.filter((value) => isObject(value) && !Array.isArray(value))
  const key = keyOfLists(objects)
  if (key !== undefined) return { kind: 'list under a key', key }

  const inner = objects.flatMap((value) => Object.values(withoutMarks(value)))
  const areObjects = inner.every((value) => isObject(value) && !Array.isArray(value))
  const areNamed = areObjects && inner.length > 1 && areAlike(inner)
  const areFilesAlike = objects.length > 1 && areAlike(objects)
  return areNamed && !areFilesAlike ? { kind: 'objects by name' } : { kind: 'one record' }
}

/** Leaves out keys such as `$schema`, which are no records. */
function withoutMarks(value: unknown): Record<string, unknown> {
  const entries = Object.entries(asObject(value)).filter(([key]) => !key.startsWith('$'))
  return Object.fromEntries(entries)
}

/** Whether most objects have a key in common. */
function areAlike(objects: readonly unknown[]): boolean {
  const counts = new Map<string, number>()
  for (const object of objects) {
    for (const key of Object.keys(withoutMarks(object))) counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return 2 * Math.max(0, ...counts.values()) > objects.length
}

/** How many records a file must have in a list, on average: a record may have a list itself. */
const MANY = 3

/** Returns the key under which most records are, in most files. */
function keyOfLists(objects: readonly unknown[]): string | undefined {
  const counts = new Map<string, { files: number; records: number }>()
  for (const object of objects) {
    for (const [key, value] of Object.entries(asObject(object))) {
      if (!hasShape(value, { kind: 'list' })) continue
      const { files, records } = counts.get(key) ?? { files: 0, records: 0 }
      counts.set(key, { files: files + 1, records: records + (value as unknown[]).length })
    }
  }

  const [best] = [...counts].sort(([, a], [, b]) => b.records - a.records)
  if (!best) return undefined
  const [key, { files, records }] = best
  return 2 * files > objects.length && records >= MANY * files ? key : undefined
}

function hasShape(value: unknown, shape: Shape): boolean {
  const isList = Array.isArray(value)
  switch (shape.kind) {
    case 'list':
      return isList && value.length > 0 && value.every((item) => isObject(item))
    case 'list under a key':
      return hasShape(asObject(value)[shape.key], { kind: 'list' })
    default:
      return isObject(value) && !isList
  }
}

/** Returns the records of a file that has a shape. */
function recordsIn({ name: file, value }: SurveyedFile, shape: Shape): FoundRecord[] {
  const found = (record: unknown, key = '') => ({ value: asObject(record), key, file })
  switch (shape.kind) {
    case 'list':
      return (value as unknown[]).map((record) => found(record))
    case 'list under a key':
      return (asObject(value)[shape.key] as unknown[]).map((record) => found(record))
    case 'objects by name':
      return Object.entries(withoutMarks(value)).map(([key, record]) => found(record, key))
    case 'one record':
      return [found(value)]
  }
}

/** Keys that name a record, the best first. Before the last four, what looks like a code comes. */
const IDENTITIES = ['id', 'uuid', 'guid', 'key', 'slug', 'code']
const LATER_IDENTITIES = ['name', 'title', 'url', 'domain']
const TITLES = ['title', 'name', 'label', 'displayName', 'display_name', 'pretty_name']
const BODIES = ['description', 'about', 'summary', 'notes', 'text', 'content']

/** Finds out what names the records of a delivery. */
export function keysOf({ records, shape }: Pick<Delivery, 'records' | 'shape'>): RecordKeys {
  const outside = shape.kind === 'objects by name' ? records.map(({ key }) => key) : []
  const files = shape.kind === 'one record' ? records.map(({ file }) => file) : []
  const isNamedOutside = [outside, files].some((names) => names.length > 0 && repeats(names) === 0)

  const ways = waysToTexts(records)
  const valuesAt = (way: Way) => records.map(({ value }) => valueAt(value, way))
  const most = mostCopies(records.length)
  const identities = byRank(
    ways.filter((way) => repeats(valuesAt(way)) <= most),
    records,
  )

  const [best] = identities
  const strings = ways.filter((way) => valuesAt(way).every((value) => typeof value === 'string'))
  const title = titleOf(strings, isNamedOutside)
  const inFile = ({ file, value }: FoundRecord, way: Way) => `${file} ${valueAt(value, way)}`
  const withinFile = ways.find((way) => repeats(records.map((record) => inFile(record, way))) === 0)

  return {
    identities,
    repeated: best ? repeatedIn(valuesAt(best)) : [],
    withinFile: best ? undefined : withinFile,
    isNamedOutside,
    title,
    body: bodyOf(records, title?.join('.')),
  }
}

/**
 * Sorts ways by how well they name a record. An `id` that one record has copied from another is still
 * meant to name it, better than a population that happens to differ in each.
 */
function byRank(ways: readonly Way[], records: readonly FoundRecord[]): Way[] {
  const rankOf = (way: Way) => {
    const [key = ''] = way
    const isDeep = way.length > 1
    if (!isDeep && IDENTITIES.includes(key)) return IDENTITIES.indexOf(key)

    const values = records.map(({ value }) => valueAt(value, way))
    const later = repeats(values) > 0 ? 100 : 0
    const isCode = values.every((value) => typeof value === 'string' && CODE.test(value))
    if (!isDeep && isCode) return later + 10
    if (LATER_IDENTITIES.includes(key)) return later + 20 + LATER_IDENTITIES.indexOf(key)
    return later + (isDeep ? 40 : 30)
  }
  const ranked = ways.map((way) => ({ way, rank: rankOf(way) }))
  return ranked.sort((a, b) => a.rank - b.rank).map(({ way }) => way)
}

/** What looks like a code, such as `ABW` or `tram-9`. */
const CODE = /^[\w.-]{1,40}$/

/** Returns the way to a title. Without a usual one, the name outside of a record is better than any. */
function titleOf(ways: readonly Way[], isNamedOutside: boolean): Way | undefined {
  for (const name of TITLES) {
    const way = ways.find(([first]) => first === name)
    if (way) return way
  }
  return isNamedOutside ? undefined : ways[0]
}

/** Returns the way to a text that some records have, and that is nothing else in the others. */
function bodyOf(records: readonly FoundRecord[], title: string | undefined): Way | undefined {
  const key = BODIES.find((name) => {
    if (name === title) return false
    const values = records.map(({ value }) => value[name])
    const texts = values.filter((value) => typeof value === 'string')
    return (
      texts.length > 0 && values.every((value) => value === undefined || typeof value === 'string')
    )
  })
  return key === undefined ? undefined : [key]
}

/** Returns the ways to a text or a number that every record has, in itself or one object deeper. */
function waysToTexts(records: readonly FoundRecord[]): Way[] {
  const first = records[0]?.value ?? {}
  const ways = Object.entries(first).flatMap(([key, value]) => {
    const isInner = isObject(value) && !Array.isArray(value)
    return isInner ? Object.keys(value).map((inner) => [key, inner]) : [[key]]
  })
  return ways.filter((way) => records.every(({ value }) => isName(valueAt(value, way))))
}

function valueAt(record: unknown, way: Way): unknown {
  let value = record
  for (const key of way) value = asObject(value)[key]
  return value
}

function isName(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || typeof value === 'number'
}

/** Which part of the records may have the identity of another one: copied ones, of which somebody forgot to change it. */
const MOST_REPEATED = 0.02

/** How many of so many records may be such copies: at least one, unless there are only two. */
function mostCopies(records: number): number {
  return records < 3 ? 0 : Math.max(1, MOST_REPEATED * records)
}

/** Returns the values that make the path of an earlier one. */
function repeatedIn(values: readonly unknown[]): unknown[] {
  const slugs = new Set<string>()
  const repeated: unknown[] = []
  for (const value of values) {
    const path = slug(String(value))
    if (path === '' || slugs.has(path)) repeated.push(value)
    slugs.add(path)
  }
  return repeated
}

/** Counts the values that make no path of their own. */
function repeats(values: readonly unknown[]): number {
  const slugs = new Set(values.map((value) => slug(String(value))))
  slugs.delete('')
  return values.length - slugs.size
}
