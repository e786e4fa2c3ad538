/** Finds the faults of a record that only show beside another: the same path, or a value of only one. */
import { fault } from '../batch/sentences.ts'
import { parsePointer, type Violation } from '../page/violation.ts'
import type { Drop } from './output/kept-pages.ts'
import type { ReadBatch } from './read-batches.ts'

export interface RecordFault extends Violation {
  index: number
  /** Whether the pointer is relative to the page, not to the batch. */
  isOfPage: boolean
}

/**
 * Finds the records that may not share a path with the one that keeps it: they are about something
 * else, or differ from it.
 *
 * @param isStrict whether to refuse those that differ
 */
export function findRefusedClaims(drops: readonly Drop[], isStrict = false): RecordFault[] {
  return drops.flatMap(({ index, kept, fields, identities }) => {
    const place = placeOf(kept)
    const of = { index, isOfPage: true }
    if (identities) {
      const { own, kept: other } = identities
      return [{ ...of, ...fault('path.two-records', ['path'], own, other, place) }]
    }
    if (!isStrict || fields.length === 0) return []
    return [{ ...of, ...fault('path.conflict', ['path'], fields, place) }]
  })
}

function placeOf({ batch, index }: { batch: string; index: number }): string {
  return `record ${index} of ${batch}`
}

/** The values that only one kept page may have, each with where it was found first. */
export type Uniques = Map<string, { batch: string; index: number }>

/** Finds values of kept pages that an earlier one has, too, under the same mark of the schema. */
export function findShared(
  { name: batch, uniques }: ReadBatch,
  dropped: ReadonlySet<number>,
  values: Uniques,
): RecordFault[] {
  const kept = uniques.filter(({ index }) => !dropped.has(index))
  return kept.flatMap(({ index, place, value, schema }) => {
    const key = `${schema} ${JSON.stringify(value)}`
    const first = values.get(key)
    if (!first) values.set(key, { batch, index })
    if (!first || (first.batch === batch && first.index === index)) return []
    const shared = fault('schema.unique', parsePointer(place), value, placeOf(first))
    return [{ index, isOfPage: false, ...shared }]
  })
}
