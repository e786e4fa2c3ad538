/** What `init` keeps of a file: where records may be in it, their keys, and what may be their ids. Pure. */
import { isPlainObject } from '../../text/as-object.ts'

/** Where the records of a file are. */
export type Shape =
  | { kind: 'list' }
  /** A list or an object under a key: `{ "apps": [{ … }] }`, `{ "apps": { "chess": { … } } }`. */
  | { kind: 'under a key'; key: string }
  /** An object of records: `{ "chess": { … }, "go": { … } }`, perhaps with `"$schema"`. */
  | { kind: 'objects by key'; hasSchema: boolean }
  /** The file is one record. */
  | { kind: 'one record' }

export interface Records {
  count: number
  /** The keys that most of them have. */
  keys: readonly string[]
  /** The values of each of `ID_KEYS`, as texts; those that lack the key are left out. */
  ids: ReadonlyMap<string, readonly string[]>
  /** Under which keys they are, if they are in an object. */
  places?: readonly string[]
}

export interface Look {
  /** The file, taken as one record. */
  itself: Records
  /** What is in it, if it seems to hold records. */
  inner?: Records & { shape: Shape }
  /** Its keys, without those of numbers such as `"version": 2`, which are of the file. */
  fields: readonly string[]
  /** The keys with records under them, if there are several. */
  listKeys: readonly string[]
  /** What it says in `$schema`. */
  schemaName: string | undefined
}

/** The keys that name a record, the first first. */
export const ID_KEYS = ['id', 'uuid', 'code', 'slug', 'key', 'index', 'name']

/**
 * @param schemaName what a comment says of the schema
 * @returns undefined if the file holds no object
 */
export function lookAt(value: unknown, schemaName?: string): Look | undefined {
  if (Array.isArray(value)) return lookAtList(value, schemaName)
  if (!isPlainObject(value)) return undefined

  const { $schema, ...content } = value
  const look: Look = {
    itself: recordsOf([content]),
    fields: Object.keys(content).filter((key) => typeof content[key] !== 'number'),
    listKeys: [],
    schemaName: typeof $schema === 'string' && $schema !== '' ? $schema : schemaName,
  }
  // A file with a name of its own is a record, whatever it holds.
  if (look.itself.ids.size > 0) return look

  const keyed = objectsByKey(content)
  const hasSchema = $schema !== undefined
  if (keyed) return { ...look, inner: { shape: { kind: 'objects by key', hasSchema }, ...keyed } }

  const entries = Object.entries(content)
  const fewest = entries.length === 1 ? 1 : FEWEST
  const lists = entries.flatMap(([key, list]) => {
    const records = recordsIn(list)
    return records && records.count >= fewest ? [{ key, records }] : []
  })
  const [list] = lists
  if (list && lists.length === 1) {
    return { ...look, inner: { shape: { kind: 'under a key', key: list.key }, ...list.records } }
  }
  return { ...look, listKeys: lists.map(({ key }) => key) }
}

/** How many records under one of several keys make a file their cover: a record may have a short list itself. */
const FEWEST = 2

function lookAtList(list: readonly unknown[], schemaName?: string): Look | undefined {
  if (list.length > 0 && !isOfRecords(list)) return undefined

  const inner = { shape: { kind: 'list' } as const, ...recordsOf(list) }
  return { itself: recordsOf([]), fields: [], inner, listKeys: [], schemaName }
}

/** Returns the records that are under a key: in a list, or in an object that has nothing else. */
function recordsIn(value: unknown): Records | undefined {
  if (isPlainObject(value)) return objectsByKey(value)

  return Array.isArray(value) && isOfRecords(value) ? recordsOf(value) : undefined
}

/** Whether half of a list are objects: the others may be wrong. */
function isOfRecords(list: readonly unknown[]): boolean {
  return list.length > 0 && 2 * list.filter(isPlainObject).length >= list.length
}

/** Takes an object for one of records, if these look alike. One of them may be wrong. */
function objectsByKey(value: Record<string, unknown>): Records | undefined {
  const items = Object.values(value)
  const objects = items.filter(isPlainObject)

  const areRecords = objects.length > 1 && items.length - objects.length <= mostWrong(items.length)
  if (!areRecords) return undefined

  const records = recordsOf(items)
  return records.keys.length > 0 ? { ...records, places: Object.keys(value) } : undefined
}

/** Which part of the records may be wrong without a doubt about the others. */
const PART_WRONG = 0.02

/** How many of so many records may be wrong: at least one, unless there are only two. */
export function mostWrong(records: number): number {
  return records < 3 ? 0 : Math.max(1, PART_WRONG * records)
}

function recordsOf(items: readonly unknown[]): Records {
  const objects = items.filter(isPlainObject)
  return { count: items.length, keys: commonKeys(objects.map(Object.keys)), ids: idsOf(objects) }
}

function idsOf(objects: readonly Record<string, unknown>[]): Map<string, string[]> {
  const ids = new Map<string, string[]>()
  for (const key of ID_KEYS) {
    const values = objects.map((object) => object[key]).filter(isId)
    const texts = values.map((value) => String(value).normalize('NFC'))
    if (texts.length > 0) ids.set(key, texts)
  }
  return ids
}

function isId(value: unknown): value is string | number {
  return typeof value === 'number' || (typeof value === 'string' && value !== '')
}

/** Returns the keys that more than half of several objects or files have. */
export function commonKeys(keysOfEach: readonly (readonly string[])[]): string[] {
  const counts = new Map<string, number>()
  for (const key of keysOfEach.flat()) counts.set(key, (counts.get(key) ?? 0) + 1)
  return [...counts].filter(([, count]) => 2 * count > keysOfEach.length).map(([key]) => key)
}

/** Whether two sets of keys are those of one kind: they share half of the larger one, without names. */
export function areOfOneKind(keys: readonly string[], otherKeys: readonly string[]): boolean {
  const fields = keys.filter((key) => !ID_KEYS.includes(key))
  const otherFields = otherKeys.filter((key) => !ID_KEYS.includes(key))
  const larger = Math.max(fields.length, otherFields.length)
  if (larger === 0) return keys.some((key) => otherKeys.includes(key))

  return 2 * fields.filter((key) => otherFields.includes(key)).length >= larger
}
