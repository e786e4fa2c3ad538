/**
 * Finds where the values and keys that pointers name are in a JSON text (RFC 8259). `JSON.parse`
 * parses every batch; only a batch with a problem is walked through, by jsonc-parser.
 */
import { createRequire } from 'node:module'
import type { JSONPath, JSONVisitor } from 'jsonc-parser'
import type { Pointer, Range } from '../../page/violation.ts'

const require = createRequire(import.meta.url)

/** Walks through a text, as deep as the stack of calls allows: some thousand levels. */
export function walk(text: string, visitor: JSONVisitor): void {
  // Builds without problems do not need it.
  const { visit } = require('jsonc-parser') as typeof import('jsonc-parser')
  try {
    visit(text, visitor, { disallowComments: true })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
}

/** Where a target is. */
export interface Located extends Range {
  /** The whole value or key, of which a part may be meant. */
  token: Range
}

/**
 * Finds the positions of the given pointers in one pass over the text.
 *
 * @param text valid JSON, that is, one that `JSON.parse` accepts
 * @param targets what to find: the value at a pointer, or the key that leads to it; `within` is
 *   the part of a string that is meant, as offsets into the parsed value
 * @returns one range per target, in the same order. The range of a string, number or literal is all
 *   of it, that of an object or array its opening bracket. A pointer that does not exist gets the
 *   range of its deepest existing ancestor. If an object repeats a key, the last one counts, as in
 *   `JSON.parse`.
 */
export function locate(
  text: string,
  targets: readonly { pointer: Pointer; at: 'key' | 'value'; within?: Range }[],
): Located[] {
  const root: Branch = {}
  const wanted = targets.map(({ pointer }) => {
    return pointer.reduce<Branch>((outer, step) => enter(outer, String(step)), root)
  })
  let key: Range | undefined
  const find = (start: number, length: number, path: JSONPath): boolean => {
    let place: Branch | undefined = root
    for (const step of path) place = place?.inner?.get(String(step))
    if (place) place.value = { start, end: start + length }
    if (place) place.key = typeof path.at(-1) === 'string' ? key : undefined
    // What is in a value that is not on the way is passed over.
    return place !== undefined
  }
  walk(text, {
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
  return targets.map(({ at, within }, index) => {
    const token = rangeOf(wanted[index] as Branch, at)
    const isPart = within && text[token.start] === '"'
    const { start, end } = isPart ? partOf(text, token, within) : token
    return { start, end, token }
  })
}

/** What is found on the way to a target: a value, the key that leads to it, and what is in it. */
interface Branch {
  key?: Range | undefined
  value?: Range
  outer?: Branch
  inner?: Map<string, Branch>
}

function enter(outer: Branch, step: string): Branch {
  outer.inner ??= new Map()
  const place = outer.inner.get(step) ?? { outer }
  outer.inner.set(step, place)
  return place
}

/** Returns the range of what is found, or of the innermost value around it. */
function rangeOf({ outer, value, key }: Branch, at: 'key' | 'value'): Range {
  const around = outer ? rangeOf(outer, 'value') : { start: 0, end: 0 }
  // A value that begins before its parent belongs to an earlier value of a repeated key.
  if (!value || value.start < around.start) return around
  return (at === 'key' && key) || value
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
