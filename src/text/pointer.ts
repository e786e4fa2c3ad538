/** Places in a value of JSON (RFC 6901). */
import { asObject, ownValue, setKey } from './as-object.ts'

/** The steps from the root to a value: object keys and array positions (RFC 6901, unescaped). */
export type Pointer = readonly (string | number)[]

/** RFC 6901: `~` and `/` are escaped, a slash precedes each step; the root is the empty string. */
export function formatPointer(pointer: Pointer): string {
  let text = ''
  for (const step of pointer) text += `/${escapeStep(String(step))}`
  return text
}

function escapeStep(step: string): string {
  return step.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** The reverse of `formatPointer`. */
export function parsePointer(text: string): Pointer {
  const steps = text.split('/').slice(1)
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Returns the value at a place; undefined if nothing is there. */
export function valueAt(whole: unknown, pointer: Pointer): unknown {
  let value = whole
  for (const step of pointer) value = ownValue(value, step)
  return value
}

/** Replaces the value at a place, if something is there. */
export function replaceAt(whole: unknown, pointer: Pointer, value: unknown): void {
  const key = pointer.at(-1)
  const object = asObject(valueAt(whole, pointer.slice(0, -1)))
  if (key !== undefined && Object.hasOwn(object, key)) setKey(object, String(key), value)
}

/** A step such as `0`, which leads to an item of a list; it may also be a key. */
const POSITION = /^\d+$/

/** Whether a step may lead to an item of a list. */
export function isPosition(step: string | number | undefined): boolean {
  return POSITION.test(String(step))
}

/** Formats a place without its positions in lists: `/tags/#` for `/tags/12`. */
export function formatPlace(pointer: Pointer): string {
  return formatPointer(pointer.map((step) => (isPosition(step) ? '#' : step)))
}
