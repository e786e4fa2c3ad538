/**
 * Finds what JSON cannot hold. `JSON.stringify` would throw at some values, and leave out or replace
 * others without a word: a Map becomes {}, NaN becomes null, a function disappears.
 */

import { isObject } from '../text/as-object.ts'
import type { Pointer } from '../text/pointer.ts'
import { show } from '../text/wording.ts'

/** A part of a value: its place, and what it is, such as "a Map". */
export interface Unwritable {
  pointer: Pointer
  what: string
}

/** What a text has if it was cut between the two code units of one character. */
export const HALF_CHARACTER = 'half of a character (a lone surrogate)'

/** The most levels of objects and lists, as in a batch. */
const DEEPEST = 1_000

/**
 * Returns the first part of a value that is not a plain object, a list, a well-formed text, a finite
 * number, a boolean or null. A key whose value is undefined counts as one that is not there.
 *
 * @param outer the objects that the value is in
 * @throws whatever a getter of the value throws
 */
export function findUnwritable(
  value: unknown,
  outer: readonly object[] = [],
): Unwritable | undefined {
  if (typeof value === 'string') {
    return value.isWellFormed() ? undefined : { pointer: [], what: HALF_CHARACTER }
  }
  if (value === null || typeof value === 'boolean' || Number.isFinite(value)) return undefined
  if (!isObject(value)) return { pointer: [], what: show(value) }
  if (outer.includes(value)) return { pointer: [], what: 'an object that it is in itself' }
  if (outer.length === DEEPEST) return { pointer: [], what: 'a value more than 1,000 levels deep' }

  const inner = [...outer, value]
  if (Array.isArray(value)) return findInList(value, inner)
  if (!isPlain(value)) return { pointer: [], what: show(value) }
  return findInObject(value, inner)
}

function findInList(list: readonly unknown[], outer: readonly object[]): Unwritable | undefined {
  // Not by `forEach`, which passes over a position without a value.
  for (let position = 0; position < list.length; position++) {
    const unwritable = findUnwritable(list[position], outer)
    if (unwritable) return within(position, unwritable)
  }
  return undefined
}

function findInObject(
  object: Record<string, unknown>,
  outer: readonly object[],
): Unwritable | undefined {
  for (const key of Object.keys(object)) {
    if (!key.isWellFormed()) return { pointer: [key], what: HALF_CHARACTER }

    const value = object[key]
    if (value === undefined) continue

    const unwritable = findUnwritable(value, outer)
    if (unwritable) return within(key, unwritable)
  }
  return undefined
}

function within(step: string | number, { pointer, what }: Unwritable): Unwritable {
  return { pointer: [step, ...pointer], what }
}

/** Whether an object has only its keys: one of a class, such as Map, may keep something else. */
function isPlain(object: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(object)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
