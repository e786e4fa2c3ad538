/** Where the records are in a file, by its value alone. Pure. */
import type { FormatName } from '../../formats/format.ts'
import { asObject, isPlainObject } from '../../text/as-object.ts'

/** A file that was read. */
export interface SurveyedFile {
  /** Relative to the repository, with `/` as the separator. */
  name: string
  value: unknown
  /** Its format, if its name says another one. */
  format?: FormatName
}

export type Shape =
  | { kind: 'list' }
  /** A list or an object under a key: `{ "apps": [{ … }] }`, `{ "apps": { "chess": { … } } }`. */
  | { kind: 'under a key'; key: string }
  /** An object of records: `{ "chess": { … }, "go": { … } }`. Beside them may be `"$schema"`. */
  | { kind: 'objects by key'; besides: readonly string[] }
  /** The file is one record. */
  | { kind: 'one record' }

export interface FoundRecord {
  value: Record<string, unknown>
  /** The record itself, if it's a text: an address beside objects with more about others. */
  text?: string
  /** Its key, if it is in an object of records. */
  key: string | undefined
  /** The file that it's in. */
  file: string
}

/** How many records must be under a key: a record may hold a short list itself. */
const MANY = 3

/** How many records files must have by key if they have keys in common, as single records do. */
const MANY_BY_KEY = 5

/** Returns the objects of a list of records, of which some may be texts; none if it's another list. */
function objectsIn(list: unknown): Record<string, unknown>[] {
  if (!Array.isArray(list)) return []
  if (!list.every((item) => isPlainObject(item) || typeof item === 'string')) return []

  return list.filter(isPlainObject)
}

/** A key that says something of the file, such as `$schema`, `_comment` or `//`. */
const MARK = /^(?:\$|_comment|\/\/)/

/** An object of records, and the keys in it that are none, such as `$schema`. */
interface Keyed {
  records: Record<string, unknown>[]
  besides: string[]
}

/**
 * Takes an object for one of records, if these look alike.
 *
 * @returns undefined if it's another object
 */
function asKeyed(value: unknown): Keyed | undefined {
  if (!isPlainObject(value)) return undefined

  const records: Record<string, unknown>[] = []
  const besides: string[] = []

  for (const [key, record] of Object.entries(value)) {
    if (MARK.test(key)) besides.push(key)
    else if (isPlainObject(record)) records.push(record)
    else return undefined
  }

  return records.length > 0 && areAlike(records) ? { records, besides } : undefined
}

/** Whether most objects have a key in common. */
function areAlike(objects: readonly Record<string, unknown>[]): boolean {
  const counts = [...countKeys(objects).values()]
  return 2 * Math.max(0, ...counts) > objects.length
}

function countKeys(objects: readonly Record<string, unknown>[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const object of objects) {
    for (const key of Object.keys(object)) {
      if (!MARK.test(key)) counts.set(key, (counts.get(key) ?? 0) + 1)
    }
  }
  return counts
}

/** Returns what a file looks like: its kind, and the keys that most of its records have. */
export function lookOf(value: unknown): Look | undefined {
  const objects = objectsIn(value)
  if (objects.length > 0) return { kind: 'list', keys: usualKeys(objects) }

  const keyed = asKeyed(value)
  if (keyed) return { kind: 'objects by key', keys: usualKeys(keyed.records) }
  if (isPlainObject(value)) return { kind: 'one record', keys: usualKeys([value]) }
  return undefined
}

export interface Look {
  kind: 'list' | 'objects by key' | 'one record'
  keys: ReadonlySet<string>
}

/** Returns the keys that at least half of the objects have. */
function usualKeys(objects: readonly Record<string, unknown>[]): Set<string> {
  const usual = [...countKeys(objects)].filter(([, count]) => 2 * count >= objects.length)
  return new Set(usual.map(([key]) => key))
}

/** Returns the keys of an object under which many records are. */
export function keysOfRecords(value: unknown): string[] {
  if (!isPlainObject(value)) return []

  const keys = Object.keys(value).filter((key) => !MARK.test(key))
  return keys.filter((key) => recordsUnder(value, key).length >= MANY)
}

/** Returns the records that are under a key: in a list, or in an object that has nothing else. */
function recordsUnder(value: Record<string, unknown>, key: string): Record<string, unknown>[] {
  const inner = value[key]
  if (Array.isArray(inner)) return objectsIn(inner)

  const keyed = asKeyed(inner)
  return keyed && keyed.besides.length === 0 ? keyed.records : []
}

/**
 * Returns the shapes that a file can have, taken for itself.
 *
 * @returns several if records are under several keys; none if the file has no records
 */
export function shapesOf(value: unknown): Shape[] {
  if (objectsIn(value).length > 0) return [{ kind: 'list' }]

  const keyed = asKeyed(value)
  if (keyed && keyed.records.length > 1) {
    return [{ kind: 'objects by key', besides: keyed.besides }]
  }

  return keysOfRecords(value).map((key) => ({ kind: 'under a key', key }))
}

/** Returns the shape that most of several files have. */
export function shapeOfSeveral(values: readonly unknown[]): Shape {
  const lists = values.filter((value) => objectsIn(value).length > 0)
  if (2 * lists.length > values.length) return { kind: 'list' }

  const objects = values.filter(isPlainObject)

  const keyed = objects.map(asKeyed).filter((object) => object !== undefined)
  const records = keyed.flatMap((object) => object.records)
  const areKeyed = keyed.length === objects.length && areAlike(records)

  const areManyInEach = records.length >= MANY_BY_KEY * objects.length
  if (areKeyed && (areManyInEach || !areAlike(objects))) {
    const besides = new Set(keyed.flatMap((object) => object.besides))
    return { kind: 'objects by key', besides: [...besides] }
  }

  return { kind: 'one record' }
}

/** Whether a file has a shape, so that `recordsIn` finds all that is in it. */
export function hasShape(value: unknown, shape: Shape): boolean {
  switch (shape.kind) {
    case 'list':
      return objectsIn(value).length > 0
    case 'under a key':
      return recordsUnder(asObject(value), shape.key).length > 0
    case 'objects by key':
      return asKeyed(value) !== undefined
    case 'one record':
      return isPlainObject(value)
  }
}

/** Returns the records of a file that has a shape. */
export function recordsIn({ name, value }: SurveyedFile, shape: Shape): FoundRecord[] {
  switch (shape.kind) {
    case 'list':
      return valuesOf(value, name)
    case 'under a key':
      return valuesOf(asObject(value)[shape.key], name)
    case 'objects by key':
      return valuesOf(value, name).filter(({ key = '' }) => !shape.besides.includes(key))
    case 'one record':
      return [{ value: asObject(value), key: undefined, file: name }]
  }
}

/** Returns what a list or an object holds. */
function valuesOf(outer: unknown, file: string): FoundRecord[] {
  return Object.entries(asObject(outer)).map(([key, value]) => {
    const text = typeof value === 'string' ? { text: value } : {}
    return { value: asObject(value), key: Array.isArray(outer) ? undefined : key, file, ...text }
  })
}
