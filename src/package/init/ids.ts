/** What names a record: one of its keys, its key in an object, its file. Pure. */
import { baseName } from './patterns.ts'
import type { FoundRecord, Shape } from './shapes.ts'

/** A part of an id: a value of the record, or where the record is. */
export type Part = RecordKey | 'key' | 'file' | 'index'

/** A key of the records. */
interface RecordKey {
  name: string
}

export interface Id {
  parts: readonly Part[]
  /** Whether some records are texts, which are their own ids. */
  hasTexts: boolean
  /** How many records lack it, and are named by their place instead. */
  missing: number
  /** The ids that an earlier record has, too: a copy of which nobody changed the id. */
  repeated: readonly string[]
}

/** Keys that are meant to name a record, the best first. */
const STRONG = ['id', 'uuid', 'guid', 'key', 'slug', 'code']

/** Keys that often name one. */
const WEAK = ['name', 'title', 'label', 'url', 'domain', 'word', 'term']

/** The ends of keys that are meant to name a record, such as `alpha2_code` or `fixtureId`. */
const STRONG_END = /(?:[_-]|(?<=[a-z\d])(?=[A-Z]))(?:id|code|key|slug)$/i

/** Which part of the records may repeat the id of another, and how many: copies that nobody finished. */
const MOST_REPEATED = 0.02
const MOST_COPIES = 20

/**
 * Finds out what names the records of a collection.
 *
 * @param isSample whether there are other files, which nobody has read: an id may be repeated there
 */
export function findId(records: readonly FoundRecord[], shape: Shape, isSample: boolean): Id {
  const isKeyed = records.every(({ key }) => key !== undefined)
  if (isKeyed && isSample) return toId(records, ['file', 'key'])
  if (isKeyed) return firstOf(records, ['key'], ['file', 'key'])

  if (shape.kind !== 'one record') return idOfItems(records, isSample)
  return isSample ? toId(records, ['file']) : idOfFiles(records)
}

/** Finds the id of records of which each is a file. */
function idOfFiles(records: readonly FoundRecord[]): Id {
  const keys = keysOfNames(records)
  const strong = strongKey(keys, records)
  if (strong) return toId(records, [strong])

  const named = keys.filter((key) => rankOf(key, records) < OTHER_RANK)
  const unique = named.find((key) => repeats(records, [key]) === 0)
  return toId(records, [unique ?? 'file'])
}

/** Finds the id of records in lists. */
function idOfItems(records: readonly FoundRecord[], isSample: boolean): Id {
  const keys = keysOfNames(records)
  const unique = keys.find((key) => repeats(records, [key]) === 0)
  const best = strongKey(keys, records) ?? unique
  if (best) return toId(records, isSample ? ['file', best] : [best])

  const most = mostCopies(records.length)
  const withinFile = keys.find((key) => {
    return repeats(records, ['file', key]) <= (isStrong(key, records) ? most : 0)
  })
  return toId(records, ['file', withinFile ?? 'index'])
}

/** Whether an object has a key that often names one. */
export function hasName(object: Record<string, unknown>): boolean {
  return [...STRONG, ...WEAK].some((key) => isName(object[key]))
}

/** Whether records have an `id` or the like that differs in all of them, or in nearly all. */
export function hasStrongId(records: readonly FoundRecord[]): boolean {
  return strongKey(keysOfNames(records), records) !== undefined
}

/** Returns the key that is meant to name the records, and does, but for a few copies. */
function strongKey(
  keys: readonly RecordKey[],
  records: readonly FoundRecord[],
): RecordKey | undefined {
  const most = mostCopies(records.length)
  return keys.find((key) => isStrong(key, records) && repeats(records, [key]) <= most)
}

/** Returns the first parts that name the records, but for a few copies; otherwise the last. */
function firstOf(records: readonly FoundRecord[], ...choices: Part[][]): Id {
  const most = mostCopies(records.length)
  const parts = choices.find((choice) => repeats(records, choice) <= most) ?? choices.at(-1) ?? []
  return toId(records, parts)
}

function toId(records: readonly FoundRecord[], parts: readonly Part[]): Id {
  const [part] = parts
  const lacking = parts.length === 1 && part ? records.filter((record) => lacks(record, part)) : []
  return {
    parts,
    hasTexts: records.some(({ text }) => text !== undefined),
    missing: lacking.length,
    repeated: repeatedIn(records, parts),
  }
}

/** How many of so many records may be such copies: at least one, unless there are only two. */
function mostCopies(records: number): number {
  return records < 3 ? 0 : Math.min(MOST_COPIES, Math.max(1, MOST_REPEATED * records))
}

function repeats(records: readonly FoundRecord[], parts: readonly Part[]): number {
  return repeatedIn(records, parts).length
}

function repeatedIn(records: readonly FoundRecord[], parts: readonly Part[]): string[] {
  const ids = new Set<string>()
  const repeated: string[] = []

  for (const [index, record] of records.entries()) {
    const id = parts.map((part) => textOf(record, part, index)).join(' ')
    if (ids.has(id)) repeated.push(id)
    ids.add(id)
  }
  return repeated
}

function textOf({ value, key, file, text }: FoundRecord, part: Part, index: number): string {
  if (part === 'key') return String(key)
  if (part === 'file') return file
  if (part === 'index') return String(index)

  const name = text ?? value[part.name]
  return isName(name) ? String(name).normalize('NFC') : `${file} ${index}`
}

function lacks({ value, text }: FoundRecord, part: Part): boolean {
  return typeof part === 'object' && !isName(text ?? value[part.name])
}

/** Which part of the records may lack an id, if there's no rule that they need one. */
const MOST_LACKING = 0.02

/** How many records are looked at to find the keys that they may have. */
const FIRST = 100

/**
 * Returns the keys of a text or a number that every record has: those that are most likely to name it
 * first. An `id` may be missing in a few.
 */
function keysOfNames(records: readonly FoundRecord[]): RecordKey[] {
  const names = new Set(records.slice(0, FIRST).flatMap(({ value }) => Object.keys(value)))

  const ranked = [...names].map((name) => {
    const key = { name }
    return { key, rank: rankOf(key, records) }
  })
  const possible = ranked.filter(({ key, rank }) => {
    const lacking = records.filter((record) => lacks(record, key)).length
    if (lacking === 0) return rank < NO_RANK
    return rank < WEAK_RANK && lacking <= MOST_LACKING * records.length
  })
  return possible.sort((a, b) => a.rank - b.rank).map(({ key }) => key)
}

function isName(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || typeof value === 'number'
}

const WEAK_RANK = 20
const OTHER_RANK = WEAK_RANK + WEAK.length
/** The rank of what only happens to differ, such as a population. */
const NO_RANK = 100

/** Ranks a key by how likely it is to name a record. An `id` does, a population doesn't. */
function rankOf({ name: key }: RecordKey, records: readonly FoundRecord[]): number {
  const lower = key.toLowerCase()
  if (STRONG.includes(lower)) return STRONG.indexOf(lower)
  if (STRONG_END.test(key)) return STRONG.length
  if (WEAK.includes(lower)) return WEAK_RANK + WEAK.indexOf(lower)

  const areTexts = records.every(({ value, text }) => typeof (text ?? value[key]) === 'string')
  return areTexts ? OTHER_RANK : NO_RANK
}

function isStrong(key: RecordKey, records: readonly FoundRecord[]): boolean {
  return rankOf(key, records) < WEAK_RANK
}

/** Returns the name of a file, without its folder and its extension. */
export function stemOf(file: string): string {
  return baseName(file).replace(/\.\w+$/, '')
}
