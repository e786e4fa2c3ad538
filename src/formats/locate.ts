/** Finds where the values and keys that pointers name are in the text of a batch with a problem. */
import { type JSONPath, visit } from 'jsonc-parser'
import type { Pointer, Range } from '../page/fault.ts'

/**
 * Finds the positions of the given pointers in one pass over the text.
 *
 * @param text valid JSON
 * @param targets what to find: the value at a pointer, or the key that leads to it
 * @returns one range per target, in the same order. The range of a string, number or literal is all
 *   of it, that of an object or array its opening bracket. A pointer that does not exist gets the
 *   range of its deepest existing ancestor. If an object repeats a key, the last one counts, as in
 *   `JSON.parse`.
 */
export function locate(
  text: string,
  targets: readonly { pointer: Pointer; at: 'key' | 'value' }[],
): Range[] {
  const root = new Place()
  for (const { pointer } of targets) {
    let place = root
    for (const step of pointer) {
      const inner = place.get(String(step)) ?? new Place()
      place.set(String(step), inner)
      place = inner
    }
  }
  let key: Range | undefined
  const find = (start: number, length: number, path: JSONPath): boolean => {
    let place: Place | undefined = root
    for (const step of path) place = place?.get(String(step))
    // What is in a value that is not on the way is passed over.
    if (!place) return false
    place.value = { start, end: start + length }
    place.key = typeof path.at(-1) === 'string' ? key : undefined
    return true
  }
  visit(text, {
    onObjectProperty: (_, start, length) => {
      key = { start, end: start + length }
    },
    onObjectBegin: (start, length, _line, _column, path) => find(start, length, path()),
    onArrayBegin: (start, length, _line, _column, path) => find(start, length, path()),
    onLiteralValue: (_, start, length, _line, _column, path) => void find(start, length, path()),
    // Without these, jsonc-parser passes over everything after the first.
    onObjectEnd: () => undefined,
    onArrayEnd: () => undefined,
  })
  return targets.map(({ pointer, at }) => {
    let place = root
    for (const step of pointer) {
      const inner = place.get(String(step))
      // A value that begins before its parent belongs to an earlier value of a repeated key.
      if (!inner || inner.value.start <= place.value.start) return place.value
      place = inner
    }
    return (at === 'key' && place.key) || place.value
  })
}

/** A value on the way to a target, the key that leads to it, and what is in it. */
class Place extends Map<string, Place> {
  value: Range = { start: 0, end: 0 }
  key?: Range | undefined
}

/** Returns the range of a part of a string, by its offsets in the value, escaped or not. */
export function partOf(text: string, { start }: Range, within: Range): Range {
  const from = skipUnits(text, start + 1, within.start)
  return { start: from, end: skipUnits(text, from, within.end - within.start) }
}

/** @returns the offset after the given number of UTF-16 code units of a string, escaped or not */
function skipUnits(text: string, at: number, units: number): number {
  for (let unit = 0; unit < units; unit++) {
    if (text[at] !== '\\') at++
    else at += text[at + 1] === 'u' ? 6 : 2
  }
  return at
}
