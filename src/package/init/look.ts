/** What `init` keeps of a file: where records may be in it, their keys, and what may be their ids. Pure. */
import { isPlainObject } from '../../text/as-object.ts'

/** Where the records of a file are. */
export type Shape =
  | { kind: 'list' }
  /** A list or an object under a key: `{ "apps": [{ … }] }`, `{ "apps": { "chess": { … } } }`. */
  | { kind: 'under a key'; key: string }
  /** An object of records: `{ "chess": { … }, "go": { … } }`. Beside them may be `"$schema"`. */
  | { kind: 'objects by key'; besides: readonly string[] }
  /** The file is one record. */
  | { kind: 'one record' }

export interface Records {
  count: number
  /** The keys that at least half of them have. */
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
  /** Its short texts, by their keys. */
  texts: ReadonlyMap<string, string>
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

  const { $schema } = value
  const look: Look = {
    itself: recordsOf([value]),
    texts: textsOf(value),
    listKeys: [],
    schemaName: typeof $schema === 'string' && $schema !== '' ? $schema : schemaName,
  }
  // A file with a name of its own is a record, whatever it holds.
  if (look.itself.ids.size > 0) return look

  const besides = Object.keys(value).filter((key) => MARK.test(key))
  const keyed = objectsByKey(value, besides)
  if (keyed) return { ...look, inner: { shape: { kind: 'objects by key', besides }, ...keyed } }

  const lists = Object.entries(value).flatMap(([key, list]) => {
    const records = recordsIn(list)
    return records && records.count >= FEWEST ? [{ key, records }] : []
  })
  const [list] = lists
  if (list && lists.length === 1) {
    return { ...look, inner: { shape: { kind: 'under a key', key: list.key }, ...list.records } }
  }
  return { ...look, listKeys: lists.map(({ key }) => key) }
}

/** A key that says something of the file, such as `$schema`, `_comment` or `//`. */
const MARK = /^(?:\$|_comment|\/\/)/

/** How many records under a key make a file their cover: a record may have a short list itself. */
const FEWEST = 2

function lookAtList(list: readonly unknown[], schemaName?: string): Look | undefined {
  const isOfRecords = list.length === 0 || 2 * list.filter(isPlainObject).length > list.length
  if (!isOfRecords) return undefined

  const inner = { shape: { kind: 'list' } as const, ...recordsOf(list) }
  return { itself: recordsOf([]), texts: new Map(), inner, listKeys: [], schemaName }
}

/** Returns the records that are under a key: in a list, or in an object that has nothing else. */
function recordsIn(value: unknown): Records | undefined {
  if (isPlainObject(value)) return objectsByKey(value, [])

  const isList = Array.isArray(value) && 2 * value.filter(isPlainObject).length > value.length
  return isList ? recordsOf(value) : undefined
}

/** Takes an object for one of records, if these look alike. One of them may be wrong. */
function objectsByKey(
  value: Record<string, unknown>,
  besides: readonly string[],
): Records | undefined {
  const places = Object.keys(value).filter((key) => !besides.includes(key))
  const items = places.map((key) => value[key])
  const objects = items.filter(isPlainObject)

  const isOfRecords = objects.length > 1 && items.length - objects.length <= mostWrong(items.length)
  if (!isOfRecords) return undefined

  const records = recordsOf(items)
  return records.keys.length > 0 ? { ...records, places } : undefined
}

/** Which part of the records may be wrong without a doubt about the others, and how many. */
const PART_WRONG = 0.02
const MOST_WRONG = 20

/** How many of so many records may be wrong: at least one, unless there are only two. */
export function mostWrong(records: number): number {
  return records < 3 ? 0 : Math.min(MOST_WRONG, Math.max(1, PART_WRONG * records))
}

/** How many records of a file are looked at. */
const MOST = 20_000

function recordsOf(items: readonly unknown[]): Records {
  const some = items.slice(0, MOST).map((item) => (isPlainObject(item) ? item : {}))
  return { count: some.length, keys: usualKeys(some), ids: idsOf(some) }
}

/** Returns the keys that at least half of some objects have. */
function usualKeys(objects: readonly Record<string, unknown>[]): string[] {
  const counts = new Map<string, number>()
  for (const object of objects) {
    for (const key of Object.keys(object)) counts.set(key, (counts.get(key) ?? 0) + 1)
  }

  const usual = [...counts].filter(([key, count]) => !MARK.test(key) && 2 * count >= objects.length)
  return usual.map(([key]) => key)
}

function idsOf(objects: readonly Record<string, unknown>[]): Map<string, string[]> {
  const ids = new Map<string, string[]>()
  for (const key of ID_KEYS) {
    const values = objects.map((object) => object[key]).filter(isId)
    if (values.length > 0)
      ids.set(
        key,
        values.map((value) => String(value).normalize('NFC')),
      )
  }
  return ids
}

function isId(value: unknown): value is string | number {
  return typeof value === 'number' || (typeof value === 'string' && value !== '')
}

/** How long a text may be that names a file. */
const LONGEST_NAME = 100

function textsOf(object: Record<string, unknown>): Map<string, string> {
  const texts = new Map<string, string>()
  for (const [key, text] of Object.entries(object)) {
    const isName = typeof text === 'string' && text.length <= LONGEST_NAME && !MARK.test(key)
    if (isName) texts.set(key, text)
  }
  return texts
}

/** Returns the keys of more than half of several files. */
export function commonKeys(files: readonly Pick<Records, 'keys'>[]): string[] {
  const counts = new Map<string, number>()
  for (const { keys } of files) {
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return [...counts].filter(([, count]) => 2 * count > files.length).map(([key]) => key)
}

/** Whether two sets of keys are those of one kind: they share at least half of the smaller one. */
export function areAlike(keys: readonly string[], others: readonly string[]): boolean {
  const shared = keys.filter((key) => others.includes(key)).length
  return shared > 0 && 2 * shared >= Math.min(keys.length, others.length)
}

/** Keys that records of any kind may have: that two kinds share them says nothing. */
const NAMING_KEYS = [...ID_KEYS, 'url']

/** Whether two sets of keys are those of one kind, strictly: they share half of the larger one, without names. */
export function areOfOneKind(keys: readonly string[], others: readonly string[]): boolean {
  const telling = keys.filter((key) => !NAMING_KEYS.includes(key))
  const otherTelling = others.filter((key) => !NAMING_KEYS.includes(key))
  const larger = Math.max(telling.length, otherTelling.length)
  if (larger === 0) return areAlike(keys, others)

  return 2 * telling.filter((key) => otherTelling.includes(key)).length >= larger
}
