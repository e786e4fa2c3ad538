/** The records of a delivered file, and where each is in it. Pure. */
import type { Content } from '../page/content.ts'
import type { Pointer, Violation } from '../page/violation.ts'
import { asObject } from '../text/as-object.ts'
import { fault } from './sentences.ts'

export interface Records {
  /** In the order in which they claim their paths. */
  all: readonly unknown[]
  /** Why there are none. */
  fault?: Violation
  /** The place of a record in the file. */
  pointerTo(index: number): Pointer
  /** The record that a place of the file is in, and the place within it; undefined outside of all. */
  at(pointer: Pointer): { index: number; within: Pointer } | undefined
  /** The key of a record in its object; undefined in a list, and of the whole file. */
  keyOf(index: number): string | undefined
}

/**
 * Finds the records of a file.
 *
 * @param records of `content.ts`: it must yield objects of the file, each once. Without it, the file
 *   must be a list
 */
export function findRecords(file: unknown, records: Content['records']): Records {
  if (!records) return Array.isArray(file) ? inList(file) : none(fault('file.no-list', []))
  let all: unknown[]
  try {
    all = [...records(file as Parameters<typeof records>[0])]
  } catch (error) {
    return none(fault('content.fails', [], 'records', (error as Error).message))
  }
  const numbers = new Map(all.map((record, index) => [record, index]))
  const twice = all.findIndex((record, index) => numbers.get(record) !== index)
  if (twice >= 0) return none(fault('file.record-twice', [], twice))
  const places = findPlaces(file, numbers)
  const unknown = all.findIndex((record) => !places.has(record) || Array.isArray(record))
  if (unknown >= 0) return none(fault('file.no-record', [], unknown))
  return inFile(file, all, numbers, places)
}

function none(fault: Violation): Records {
  return { ...inList([]), fault, at: () => undefined }
}

function inList(all: readonly unknown[]): Records {
  const at = ([index, ...within]: Pointer) => {
    return index === undefined ? undefined : { index: Number(index), within }
  }
  return { all, pointerTo: (index) => [index], at, keyOf: () => undefined }
}

function inFile(
  file: unknown,
  all: readonly unknown[],
  numbers: ReadonlyMap<unknown, number>,
  places: ReadonlyMap<unknown, Place>,
): Records {
  const placeOf = (value: unknown) => places.get(value) as Place
  return {
    all,
    pointerTo(index) {
      const steps: string[] = []
      for (let place = placeOf(all[index]); place.parent; place = placeOf(place.parent))
        steps.unshift(place.step)
      return steps
    },
    at(pointer) {
      let [value, found]: [unknown, ReturnType<Records['at']>] = [file, undefined]
      for (const depth of [...pointer, ''].keys()) {
        const index = numbers.get(value)
        if (index !== undefined) found = { index, within: pointer.slice(depth) }
        value = asObject(value)[pointer[depth] as string]
      }
      return found
    },
    keyOf(index) {
      const { parent, step } = placeOf(all[index])
      return parent === undefined || Array.isArray(parent) ? undefined : step
    },
  }
}

/** Where a value of a file is: in an object or a list. */
interface Place {
  /** Undefined for the whole file. */
  parent: unknown
  step: string
}

/** Finds the wanted objects and what they are in, level by level, because most are near the root. */
function findPlaces(file: unknown, wanted: ReadonlyMap<unknown, number>): Map<unknown, Place> {
  const places = new Map<unknown, Place>()
  let missing = wanted.size
  const add = (value: unknown, parent: unknown, step: string) => {
    if (typeof value !== 'object' || value === null) return
    places.set(value, { parent, step })
    if (wanted.has(value)) missing--
  }
  add(file, undefined, '')
  // A Map goes on to what is added to it meanwhile.
  for (const parent of places.keys()) {
    if (missing === 0) break
    for (const [step, value] of Object.entries(parent as object)) add(value, parent, step)
  }
  return places
}
