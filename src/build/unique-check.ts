/** Checks that no two records have a value that the schema marks as `unique`. Memory holds these values. */
import type { Provenance } from '../dataset/precedence.ts'
import { type Fault, fault } from '../fault/fault.ts'
import { parsePointer } from '../text/pointer.ts'
import type { ReadBatch } from './read-batch.ts'

/**
 * Adds the values of a batch.
 *
 * @param unpublished the positions of the records that have lost their ids: their values don't count
 * @returns a fault for each value that an earlier record has
 */
type UniqueCheck = (batch: ReadBatch, unpublished: ReadonlySet<number>) => Fault[]

export function createUniqueCheck(): UniqueCheck {
  /** By the mark in the schema and the value: where it was found first. */
  const firstPlaces = new Map<string, Provenance>()

  return ({ name: batch, uniques }, unpublished) => {
    const faults: Fault[] = []
    for (const { index, place, value, schema } of uniques) {
      if (unpublished.has(index)) continue

      const markAndValue = `${schema} ${JSON.stringify(value)}`
      const first = firstPlaces.get(markAndValue)
      if (!first) {
        firstPlaces.set(markAndValue, { batch, index })
        continue
      }

      const isSameRecord = first.batch === batch && first.index === index
      if (!isSameRecord)
        faults.push(fault('schema.unique', parsePointer(place), { value, other: first }))
    }
    return faults
  }
}
