/** Finds where the values and keys that pointers name are in the text of a batch with a problem. */
import { type JSONPath, visit } from 'jsonc-parser'
import { formatPointer, type Pointer, type Range } from '../../page/violation.ts'

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
  /** The places of targets, and of all that they are in. */
  const places = new Map<string, Place>()
  const ways = targets.map(({ pointer }) =>
    [...pointer, ''].map((_, depth) => formatPointer(pointer.slice(0, depth))),
  )
  for (const way of ways) for (const place of way) places.set(place, NOWHERE)
  let key: Range | undefined
  const find = (start: number, length: number, path: JSONPath): boolean => {
    const place = formatPointer(path)
    // What is in a value that is not on the way is passed over.
    if (!places.has(place)) return false
    const isMember = typeof path.at(-1) === 'string'
    places.set(place, { value: { start, end: start + length }, key: isMember ? key : undefined })
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
  return targets.map(({ at }, index) => {
    let last = NOWHERE
    for (const each of ways[index] ?? []) {
      const place = places.get(each) ?? NOWHERE
      // A value that begins before its parent belongs to an earlier value of a repeated key.
      if (place.value.start <= last.value.start) return last.value
      last = place
    }
    return (at === 'key' && last.key) || last.value
  })
}

/** Where a value is, and the key that leads to it. */
type Place = { value: Range; key?: Range | undefined }

const NOWHERE: Place = { value: { start: -1, end: -1 } }

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
