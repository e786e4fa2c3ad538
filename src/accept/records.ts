/** The records of a delivered file, and where each is in it. Pure. */
import type { RecordsUse } from '../collections/collection.ts'
import { type Fault, fault } from '../fault/fault.ts'
import { asObject, isObject, ownValue } from '../text/as-object.ts'
import { type Pointer, replaceAt } from '../text/pointer.ts'
import { callOwner, takeList } from './owner-calls.ts'

export interface Records {
  /** In the order in which they claim their paths. */
  all: readonly unknown[]
  /** Why there are none. */
  fault?: Fault
  /** The place of a record in the file. */
  pointerTo(index: number): Pointer
  /** The key of a record in the object that it is in; undefined if it's in a list, or is the file. */
  keyOf(index: number): string | undefined
  /** The record that a place of the file is in, and the place within it; undefined outside of all. */
  at(pointer: Pointer): RecordPlace | undefined
}

/** How many records of an object are enough to find their schema. */
const MOST_PLACES = 1000

/** Returns where the records of a file are: of those in one list, only the first. */
export function placesOf({ all, pointerTo }: Records): Pointer[] {
  const places: Pointer[] = []
  let list: Pointer | undefined

  for (const index of all.keys()) {
    const place = pointerTo(index)
    const isInSameList =
      typeof place.at(-1) === 'number' && list !== undefined && isBeside(place, list)
    if (isInSameList) continue

    list = place
    places.push(place)
    if (places.length === MOST_PLACES) break
  }
  return places
}

/** Returns the positions of the records below places of the file that are in no record. */
export function recordsBelow(records: Records, outer: readonly Pointer[]): number[] {
  const places = outer.filter((place) => records.at(place) === undefined)
  if (places.length === 0) return []

  return [...records.all.keys()].filter((index) => {
    const pointer = records.pointerTo(index)
    return places.some((place) => place.every((step, depth) => step === pointer[depth]))
  })
}

/**
 * Returns a file with another record in the place of each refused one, so that the schema says whether
 * it accepts the others. All places stay the same.
 *
 * @param refused the positions of the refused records
 */
export function withRightRecords(
  { value, records }: { value: unknown; records: Records },
  refused: ReadonlySet<number>,
): unknown {
  const right = records.all.find((_, index) => !refused.has(index))
  const file = structuredClone(value)

  for (const index of refused) replaceAt(file, records.pointerTo(index), right)
  return file
}

/** Whether two places differ only in their last step. */
function isBeside(place: Pointer, other: Pointer): boolean {
  if (place.length !== other.length) return false
  for (let step = place.length - 2; step >= 0; step--) {
    if (place[step] !== other[step]) return false
  }
  return typeof other.at(-1) === 'number'
}

interface RecordPlace {
  index: number
  within: Pointer
}

/**
 * Finds the records of a file.
 *
 * @param file its value; undefined if it can't be read
 */
export function findRecords(file: unknown, use: RecordsUse): Records {
  if (file === undefined) return noRecords(fault('file.no-records', []))

  switch (use.kind) {
    case 'function':
      return chosenRecords(file, use.find)
    case 'key':
      return recordsUnder(file, use.key)
    case 'file':
      if (Array.isArray(file)) return listedRecords(file, [])
      if (isObject(file)) return recordAlone(file)
      return noRecords(fault('file.no-records', []))
  }
}

/** The records of a list, or of an object by their keys, that is under a key of the file. */
function recordsUnder(file: unknown, key: string): Records {
  const value = ownValue(file, key)
  if (Array.isArray(value)) return listedRecords(value, [key])
  if (isObject(value)) return recordsByKey(value, [key])
  return noRecords(fault('file.no-key', [], { key }))
}

/** A file that is one record. */
function recordAlone(file: object): Records {
  return {
    all: [file],
    pointerTo: () => [],
    keyOf: () => undefined,
    at: (pointer) => ({ index: 0, within: pointer }),
  }
}

/** @param place of the object in the file */
function recordsByKey(object: Record<string, unknown>, place: Pointer): Records {
  const keys = Object.keys(object)
  const indexes = new Map(keys.map((key, index) => [key, index]))
  return {
    all: Object.values(object),
    pointerTo: (index) => [...place, keys[index] as string],
    keyOf: (index) => keys[index],
    at: (pointer) => inside(place, pointer, (step) => indexes.get(String(step))),
  }
}

/** Returns the record that a place is in, if it is in the list or the object of the records. */
function inside(
  outer: Pointer,
  pointer: Pointer,
  indexOf: (step: string | number) => number | undefined,
): RecordPlace | undefined {
  const isWithin = outer.every((step, depth) => step === pointer[depth])
  const step = pointer[outer.length]
  if (!isWithin || step === undefined) return undefined

  const index = indexOf(step)
  return index === undefined ? undefined : { index, within: pointer.slice(outer.length + 1) }
}

/** @param place of the list in the file */
function listedRecords(all: readonly unknown[], place: Pointer): Records {
  return {
    all,
    pointerTo: (index) => [...place, index],
    keyOf: () => undefined,
    at: (pointer) => inside(place, pointer, Number),
  }
}

function noRecords(fault: Fault): Records {
  return { all: [], fault, pointerTo: () => [], keyOf: () => undefined, at: () => undefined }
}

/** The records that a function of the owner finds in a file. */
function chosenRecords(file: unknown, find: (file: unknown) => unknown): Records {
  const yielded = callOwner('records', () => takeList('records', find(file)))
  if (yielded.fault) return noRecords(yielded.fault)

  const all = yielded.value
  // A list may be empty, but a number or a text isn't a list.
  if (all.length === 0 && !isObject(file)) return noRecords(fault('file.no-records', []))

  const indexes = new Map(all.map((record, index) => [record, index]))
  const repeated = all.findIndex((record, index) => indexes.get(record) !== index)
  if (repeated >= 0) return noRecords(fault('file.record-twice', [], { number: repeated }))

  const places = findPlaces(file, indexes)
  const foreign = all.findIndex((record) => !places.has(record) || Array.isArray(record))
  if (foreign >= 0) return noRecords(fault('file.no-record', [], { number: foreign }))

  const pointerTo = (index: number) => places.get(all[index]) as Pointer
  return {
    all,
    pointerTo,
    keyOf(index) {
      const step = pointerTo(index).at(-1)
      return typeof step === 'string' ? step : undefined
    },
    at: (pointer) => innermostRecord(file, indexes, pointer),
  }
}

/** Returns the last record on the way to a place: one record may be in another. */
function innermostRecord(
  file: unknown,
  indexes: ReadonlyMap<unknown, number>,
  pointer: Pointer,
): RecordPlace | undefined {
  let value = file
  let innermost: RecordPlace | undefined

  for (let depth = 0; depth <= pointer.length; depth++) {
    const index = indexes.get(value)
    if (index !== undefined) innermost = { index, within: pointer.slice(depth) }
    value = ownValue(value, pointer[depth] as string)
  }
  return innermost
}

/**
 * Finds the wanted objects and what they are in, level by level, because most are near the root.
 *
 * @returns the place of each
 */
function findPlaces(file: unknown, wanted: ReadonlyMap<unknown, number>): Map<unknown, Pointer> {
  const places = new Map<unknown, Pointer>()
  if (!isObject(file)) return places

  places.set(file, [])
  let missing = wanted.has(file) ? wanted.size - 1 : wanted.size
  // The map grows while it's read, so this comes to every object.
  for (const [outer, place] of places) {
    if (missing === 0) break

    for (const [step, value] of objectsIn(outer)) {
      places.set(value, [...place, step])
      if (wanted.has(value)) missing--
    }
  }
  return places
}

/** The objects and lists that an object or a list holds, each with the step that leads to it. */
function* objectsIn(outer: unknown): Generator<[step: string | number, value: object]> {
  for (const [key, value] of Object.entries(asObject(outer))) {
    if (isObject(value)) yield [Array.isArray(outer) ? Number(key) : key, value]
  }
}
