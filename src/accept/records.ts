/** The records of a delivered file, and where each is in it. Pure. */
import type { Content } from '../page/content.ts'
import { type Fault, fault, type Pointer } from '../page/fault.ts'
import { asObject, isObject } from '../text/as-object.ts'
import { callContent, takeList } from './content-calls.ts'

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

/** Of an object of records, so many are enough to know what the schema says of them. */
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

  for (const index of refused) {
    const steps = [...records.pointerTo(index)]
    const last = steps.pop()
    // The file itself is the record.
    if (last === undefined) return value

    const outer = steps.reduce<unknown>((inner, step) => asObject(inner)[step], file)
    asObject(outer)[last] = right
  }
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
 * @param records of `content.ts`: it must yield objects of the file, each once. Without it, the file
 *   must be a list
 */
export function findRecords(file: unknown, records: Content['records']): Records {
  const isRead = file !== undefined
  if (isRead && records) return chosenRecords(file, records)

  return Array.isArray(file) ? listedRecords(file) : noRecords(fault('file.no-list', []))
}

/** The records of a file that is a list. */
function listedRecords(all: readonly unknown[]): Records {
  return {
    all,
    pointerTo: (index) => [index],
    keyOf: () => undefined,
    at([index, ...within]) {
      return index === undefined ? undefined : { index: Number(index), within }
    },
  }
}

function noRecords(fault: Fault): Records {
  return { all: [], fault, pointerTo: () => [], keyOf: () => undefined, at: () => undefined }
}

/** The records that `content.ts` finds in a file. */
function chosenRecords(file: unknown, records: NonNullable<Content['records']>): Records {
  const yielded = callContent('records', () => {
    return takeList('records', records(file as Parameters<typeof records>[0]))
  })
  if (yielded.fault) return noRecords(yielded.fault)

  const all = yielded.value
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
    value = asObject(value)[pointer[depth] as string]
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
