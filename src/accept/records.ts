/** The records of a delivered file, and where each is in it. Pure. */

import { fault } from '../explain/sentences.ts'
import type { Content } from '../page/content.ts'
import type { Pointer, Violation } from '../page/fault.ts'
import { asObject, isObject } from '../text/as-object.ts'
import { callContent, takeList } from './content-calls.ts'

export interface Records {
  /** In the order in which they claim their paths. */
  all: readonly unknown[]
  /** Why there are none. */
  fault?: Violation
  /** The place of a record in the file. */
  pointerTo(index: number): Pointer
  /** The record that a place of the file is in, and the place within it; undefined outside of all. */
  at(pointer: Pointer): { index: number; within: Pointer } | undefined
}

/**
 * Finds the records of a file.
 *
 * @param records of `content.ts`: it must yield objects of the file, each once. Without it, the file
 *   must be a list
 */
export function findRecords(file: unknown, records: Content['records']): Records {
  if (!records || file === undefined)
    return Array.isArray(file) ? inList(file) : none(fault('file.no-list', []))

  const yielded = callContent('records', () =>
    takeList('records', records(file as Parameters<typeof records>[0])),
  )
  if (yielded.fault) return none(yielded.fault)

  const all = yielded.value
  const numbers = new Map(all.map((record, index) => [record, index]))
  const twice = all.findIndex((record, index) => numbers.get(record) !== index)
  if (twice >= 0) return none(fault('file.record-twice', [], twice))
  const places = findPlaces(file, numbers)
  const unknown = all.findIndex((record) => !places.has(record) || Array.isArray(record))
  if (unknown >= 0) return none(fault('file.no-record', [], unknown))
  return {
    all,
    pointerTo: (index) => places.get(all[index]) as Pointer,
    at(pointer) {
      let [value, found]: [unknown, ReturnType<Records['at']>] = [file, undefined]
      for (const depth of [...pointer, ''].keys()) {
        const index = numbers.get(value)
        if (index !== undefined) found = { index, within: pointer.slice(depth) }
        value = asObject(value)[pointer[depth] as string]
      }
      return found
    },
  }
}

function none(fault: Violation): Records {
  return { ...inList([]), fault, at: () => undefined }
}

function inList(all: readonly unknown[]): Records {
  const at = ([index, ...within]: Pointer) => {
    return index === undefined ? undefined : { index: Number(index), within }
  }
  return { all, pointerTo: (index) => [index], at }
}

/**
 * Finds the wanted objects and what they are in, level by level, because most are near the root.
 *
 * @returns the place of each
 */
function findPlaces(file: unknown, wanted: ReadonlyMap<unknown, number>): Map<unknown, Pointer> {
  const places = new Map<unknown, Pointer>(isObject(file) ? [[file, []]] : [])
  let missing = wanted.size - (wanted.has(file) ? 1 : 0)
  // A Map goes on to what is added to it meanwhile.
  for (const [outer, place] of places) {
    if (missing === 0) break
    for (const [step, value] of Object.entries(asObject(outer))) {
      // What is in itself, because "records" has put it there, keeps the place nearest to the root.
      if (!isObject(value) || places.has(value)) continue
      places.set(value, [...place, Array.isArray(outer) ? Number(step) : step])
      if (wanted.has(value)) missing--
    }
  }
  return places
}
