/** Checks the order of the records of a batch, as their collection wants it. Pure. */
import type { Collection } from '../collections/collection.ts'
import { type Fault, fault } from '../page/fault.ts'
import { ownValue } from '../text/as-object.ts'
import { callOwner, takeValue } from './owner-calls.ts'
import type { Records } from './records.ts'

/** Compares two records, by their positions: more than 0 if the second belongs before the first. */
type Compare = (first: number, second: number) => number

/**
 * Finds the first record that comes after one before which it belongs.
 *
 * @param valid the positions of the records that are compared
 * @returns a fault of that record; undefined if all are in order
 */
export function findDisorder(
  records: Records,
  valid: ReadonlySet<number>,
  { sorted }: Pick<Collection, 'sorted'>,
): Fault | undefined {
  if (sorted === undefined || valid.size < 2) return undefined

  const key = typeof sorted === 'string' ? sorted : undefined
  const checked = callOwner('sorted', () => {
    const compare = compareBy(records.all, sorted)
    return firstBefore([...valid], compare)
  })
  if (checked.fault) return checked.fault

  const misplaced = checked.value
  if (!misplaced) return undefined

  const { index, other } = misplaced
  const place = records.pointerTo(index)
  const pointer = key === undefined ? place : [...place, key]
  const [value, otherValue] = [index, other].map((position) => {
    return key === undefined ? undefined : ownValue(records.all[position], key)
  })
  return fault('order.before', pointer, { key, value, otherValue, other })
}

/** Returns the first record that belongs before an earlier one, and the first such one. */
function firstBefore(
  indexes: readonly number[],
  compare: Compare,
): { index: number; other: number } | undefined {
  for (const [at, index] of indexes.entries()) {
    const previous = indexes[at - 1]
    if (previous === undefined || compare(previous, index) <= 0) continue

    const other = indexes.find((earlier) => compare(earlier, index) > 0) as number
    return { index, other }
  }
  return undefined
}

function compareBy(all: readonly unknown[], sorted: NonNullable<Collection['sorted']>): Compare {
  if (typeof sorted === 'string') {
    return (first, second) =>
      compareValues(ownValue(all[first], sorted), ownValue(all[second], sorted))
  }

  const isComparison = sorted.length >= 2
  const call = (...positions: number[]) => {
    return takeValue('sorted', sorted(...positions.map((position) => all[position])))
  }
  if (isComparison) return (first, second) => Number(call(first, second))
  return (first, second) => compareValues(call(first), call(second))
}

/** Numbers by their value, texts by their code units in form NFC. Of other values, nothing is said. */
function compareValues(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (!isScalar(a) || !isScalar(b)) return 0

  const [first, second] = [String(a).normalize('NFC'), String(b).normalize('NFC')]
  if (first === second) return 0
  return first < second ? -1 : 1
}

function isScalar(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}
