/** What names a record: one of its keys, its key in an object, its file. Pure. */
import { asObject, isPlainObject } from '../../text/as-object.ts'
import { baseName } from './patterns.ts'
import type { FoundRecord, Shape } from './shapes.ts'

/** The keys that lead to a value of a record: `['name', 'common']`. */
type Way = readonly string[]

/** A part of an id: a value of the record, or where the record is. */
export type Part = Way | 'key' | 'file' | 'index'

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
  const ways = waysToNames(records)
  const most = mostCopies(records.length)

  const strong = ways.find((way) => isStrong(way, records) && repeats(records, [way]) <= most)
  if (strong) return toId(records, [strong])

  const named = ways.filter((way) => rankOf(way, records) < OTHER_RANK)
  const unique = named.find((way) => repeats(records, [way]) === 0)
  return toId(records, [unique ?? 'file'])
}

/** Finds the id of records in lists. */
function idOfItems(records: readonly FoundRecord[], isSample: boolean): Id {
  const ways = waysToNames(records)
  const most = mostCopies(records.length)

  const strong = ways.find((way) => isStrong(way, records) && repeats(records, [way]) <= most)
  const unique = ways.find((way) => repeats(records, [way]) === 0)
  const best = strong ?? unique
  if (best) return toId(records, isSample ? ['file', best] : [best])

  const withinFile = ways.find((way) => {
    return repeats(records, ['file', way]) <= (isStrong(way, records) ? most : 0)
  })
  if (withinFile) return toId(records, ['file', withinFile])

  return toId(records, ['file', 'index'])
}

/** Whether an object has a key that often names one. */
export function hasName(object: Record<string, unknown>): boolean {
  return [...STRONG, ...WEAK].some((key) => isName(object[key]))
}

/** Whether records have an `id` or the like that differs in all of them, or in nearly all. */
export function hasStrongId(records: readonly FoundRecord[]): boolean {
  const most = mostCopies(records.length)
  const ways = waysToNames(records).filter((way) => isStrong(way, records))
  return ways.some((way) => repeats(records, [way]) <= most)
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

  const name = text ?? valueAt(value, part)
  return isName(name) ? String(name).normalize('NFC') : `${file} ${index}`
}

function lacks({ value, text }: FoundRecord, part: Part): boolean {
  return typeof part === 'object' && !isName(text ?? valueAt(value, part))
}

function valueAt(record: unknown, way: Way): unknown {
  let value = record
  for (const key of way) value = asObject(value)[key]
  return value
}

/** Which part of the records may lack an id, if there's no rule that they need one. */
const MOST_LACKING = 0.02

/** How many records are looked at to find the keys that they may have. */
const FIRST = 100

/**
 * Returns the ways to a text or a number that every record has, in itself or one object deeper: those
 * that are most likely to name it first. An `id` may be missing in a few.
 */
function waysToNames(records: readonly FoundRecord[]): Way[] {
  const keys = new Map<string, Way>()
  for (const { value } of records.slice(0, FIRST)) {
    for (const way of waysIn(value)) keys.set(way.join('\0'), way)
  }

  const ranked = [...keys.values()].map((way) => ({ way, rank: rankOf(way, records) }))
  const names = ranked.filter(({ way, rank }) => {
    const lacking = records.filter((record) => lacks(record, way)).length
    if (lacking === 0) return rank < NO_RANK
    return rank < WEAK_RANK && lacking <= MOST_LACKING * records.length
  })
  return names.sort((a, b) => a.rank - b.rank).map(({ way }) => way)
}

function waysIn(record: Record<string, unknown>): Way[] {
  return Object.entries(record).flatMap(([key, value]): Way[] => {
    return isPlainObject(value) ? Object.keys(value).map((inner) => [key, inner]) : [[key]]
  })
}

function isName(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || typeof value === 'number'
}

const WEAK_RANK = 20
const OTHER_RANK = WEAK_RANK + WEAK.length
const DEEP_RANK = 40
/** The rank of what only happens to differ, such as a population. */
const NO_RANK = 100

/** Ranks a way by how likely it is to name a record. An `id` does, a population doesn't. */
function rankOf(way: Way, records: readonly FoundRecord[]): number {
  const [key = ''] = way.slice(-1)
  const depth = (way.length - 1) * DEEP_RANK
  const name = key.toLowerCase()

  if (STRONG.includes(name)) return depth + STRONG.indexOf(name)
  if (STRONG_END.test(key)) return depth + STRONG.length
  if (WEAK.includes(name)) return depth + WEAK_RANK + WEAK.indexOf(name)

  const values = records.map(({ value, text }) => text ?? valueAt(value, way))
  if (!values.every((value) => typeof value === 'string')) return NO_RANK
  return depth + OTHER_RANK
}

function isStrong(way: Way, records: readonly FoundRecord[]): boolean {
  return rankOf(way, records) < WEAK_RANK
}

/** Returns the name of a file, without its folder and its extension. */
export function stemOf(file: string): string {
  return baseName(file).replace(/\.\w+$/, '')
}
