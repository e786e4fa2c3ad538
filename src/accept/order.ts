/** Checks the order of the records of a batch, as their collection wants it. Pure. */
import type { Collection } from '../collections/collection.ts'
import { type Fault, fault } from '../fault/fault.ts'
import { asObject, ownValue } from '../text/as-object.ts'
import { nearest } from '../text/nearest.ts'
import { callOwner, takeNumber, takeValue } from './owner-calls.ts'
import type { Records } from './records.ts'

/** The result of checking the order of records. */
export interface Order {
  /** The fault of the first record that comes after one before which it belongs. */
  disorder?: Fault | undefined
  /**
   * True if a record has a value to sort by; the fault of the first record if none has; undefined if
   * that can't be known: without a record, and if a function compares them.
   */
  sorting?: true | Fault
}

/** A record by its position, and what it's sorted by. */
interface Ranked {
  index: number
  value: unknown
}

/** Checks the order of the records at some positions. */
export function checkOrder(
  records: Records,
  positions: ReadonlySet<number>,
  { sorted }: Pick<Collection, 'sorted'>,
): Order {
  const [first, second] = positions
  if (sorted === undefined || first === undefined) return {}

  const { rankOf, compare } = sortingBy(sorted)
  const checked = callOwner('sorted', () => {
    const ranked = Array.from(positions, (index) => ({ index, value: rankOf(records.all[index]) }))
    return { ranked, misplaced: findMisplaced(ranked, compare) }
  })
  // A single record is in order. A failing function is reported once for all such files.
  if (checked.fault)
    return second === undefined ? { sorting: checked.fault } : { disorder: checked.fault }

  const { ranked, misplaced } = checked.value
  const key = typeof sorted === 'string' ? sorted : undefined
  const disorder = misplaced && disorderOf(records, misplaced, key)
  if (isComparison(sorted)) return { disorder }

  const isSortable = ranked.some(({ value }) => isScalar(value))
  return { disorder, sorting: isSortable || faultWithoutValues(records, first, key) }
}

type Sorted = NonNullable<Collection['sorted']>

function isComparison(sorted: Sorted): boolean {
  return typeof sorted === 'function' && sorted.length >= 2
}

/** How records are sorted. */
interface Sorting {
  rankOf(record: unknown): unknown
  /** Compares two values: more than 0 if the second belongs before the first. */
  compare(first: unknown, second: unknown): number
}

function sortingBy(sorted: Sorted): Sorting {
  if (typeof sorted === 'string') {
    return { rankOf: (record) => ownValue(record, sorted), compare: compareValues }
  }

  if (isComparison(sorted)) {
    const compare = (first: unknown, second: unknown) => takeNumber('sorted', sorted(first, second))
    return { rankOf: (record) => record, compare }
  }
  return { rankOf: (record) => takeValue('sorted', sorted(record)), compare: compareValues }
}

/** Finds the first record that belongs before an earlier one, and the first such one. */
function findMisplaced(
  ranked: readonly Ranked[],
  compare: Sorting['compare'],
): [record: Ranked, earlier: Ranked] | undefined {
  const record = ranked.find(({ value }, at) => {
    const previous = ranked[at - 1]
    return previous !== undefined && compare(previous.value, value) > 0
  })
  const earlier = record && ranked.find(({ value }) => compare(value, record.value) > 0)
  return earlier && [record, earlier]
}

function disorderOf(
  records: Records,
  [{ index, value }, { index: other, value: otherValue }]: [Ranked, Ranked],
  key: string | undefined,
): Fault {
  const place = records.pointerTo(index)
  const pointer = key === undefined ? place : [...place, key]
  return fault('order.before', pointer, { key, value, otherValue, other })
}

function faultWithoutValues(records: Records, first: number, key: string | undefined): Fault {
  const keys = Object.keys(asObject(records.all[first]))
  const isMissing = key !== undefined && !keys.includes(key)
  const near = isMissing ? nearest(key, keys) : []
  return fault('order.no-values', records.pointerTo(first), { key, near })
}

/** Numbers by their value, texts by their code units in form NFC. Other values aren't compared. */
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
