/** Checks the order of the records of a batch, as their collection wants it. Pure. */
import type { Collection } from '../collections/collection.ts'
import { type Fault, fault } from '../page/fault.ts'
import { asObject, ownValue } from '../text/as-object.ts'
import { nearest } from '../text/nearest.ts'
import { callOwner, takeNumber, takeValue } from './owner-calls.ts'
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

/**
 * Says whether there's something that the records can be sorted by.
 *
 * @returns true if a record has it; the fault of the first record if none has; undefined if that can't
 *   be known: without a record, and if a function compares them
 */
export function checkSorting(
  records: Records,
  valid: ReadonlySet<number>,
  { sorted }: Pick<Collection, 'sorted'>,
): true | Fault | undefined {
  const [first] = valid
  if (sorted === undefined || isComparison(sorted) || first === undefined) return undefined

  const valueAt = valuesBy(records.all, sorted)
  const checked = callOwner('sorted', () => [...valid].some((index) => isScalar(valueAt(index))))
  // Of several records, `findDisorder` says it.
  if (checked.fault) return valid.size < 2 ? checked.fault : undefined
  if (checked.value) return true

  const key = typeof sorted === 'string' ? sorted : undefined
  const keys = Object.keys(asObject(records.all[first]))
  const isMissing = key !== undefined && !keys.includes(key)
  const near = isMissing ? nearest(key, keys) : []
  return fault('order.no-values', records.pointerTo(first), { key, near })
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

type Sorted = NonNullable<Collection['sorted']>

function isComparison(sorted: Sorted): boolean {
  return typeof sorted === 'function' && sorted.length >= 2
}

function compareBy(all: readonly unknown[], sorted: Sorted): Compare {
  if (typeof sorted === 'function' && isComparison(sorted)) {
    return (first, second) => takeNumber('sorted', sorted(all[first], all[second]))
  }

  const valueAt = valuesBy(all, sorted)
  return (first, second) => compareValues(valueAt(first), valueAt(second))
}

/** Returns what a record is sorted by. */
function valuesBy(all: readonly unknown[], sorted: Sorted): (index: number) => unknown {
  if (typeof sorted === 'string') return (index) => ownValue(all[index], sorted)
  return (index) => takeValue('sorted', sorted(all[index]))
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
