/** JSON (RFC 8259): how a text becomes a value, and where a value stands in the text. */
import { type JSONPath, visit } from 'jsonc-parser'
import { fault, type Range, textFault } from '../page/fault.ts'
import type { Format, Parsed, Target } from './format.ts'
import { findLosses } from './losses.ts'

export const json: Format = {
  name: 'JSON',
  extensions: ['.json'],

  parse(text) {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      return unreadable
    }
    return withLosses(text, value)
  },

  locate,
  locateWithin,
  write: (value) => JSON.stringify(value),
}

/** A text that isn't in its format. */
export const unreadable: Parsed = {
  value: undefined,
  faults: [fault('file.syntax', [])],
  damages: [],
}

/** Adds to a value what its text has lost, or would lose without a word. */
export function withLosses(text: string, value: unknown): Parsed {
  const losses = findLosses(text, value)
  if (losses === 'too deep') {
    const first = { start: 0, end: 1 }
    return { value: undefined, faults: [textFault('json.too-deep', first)], damages: [] }
  }

  return {
    value,
    faults: losses.filter(({ code }) => code !== 'loss.character'),
    damages: losses.filter(({ code }) => code === 'loss.character'),
  }
}

/** A value on the way to a target, the key that leads to it, and what is in it. */
class Place {
  readonly inner = new Map<string, Place>()
  value: Range = { start: 0, end: 0 }
  key: Range | undefined
}

/** Finds all targets in one pass over the text. */
function locate(text: string, targets: readonly Target[]): Range[] {
  const root = new Place()
  for (const { pointer } of targets) addPlace(root, pointer)

  findPlaces(text, root)

  return targets.map((target) => rangeOf(root, target))
}

/** Adds the places on the way to a pointer. */
function addPlace(root: Place, pointer: Target['pointer']): void {
  let place = root
  for (const step of pointer) {
    const inner = place.inner.get(String(step)) ?? new Place()
    place.inner.set(String(step), inner)
    place = inner
  }
}

/** Gives each place its ranges in the text. */
function findPlaces(text: string, root: Place): void {
  let key: Range | undefined

  /** Returns whether a wanted place is in the value, or is the value. */
  const enter = (start: number, length: number, path: JSONPath): boolean => {
    let place: Place | undefined = root
    for (const step of path) place = place?.inner.get(String(step))
    if (!place) return false

    place.value = { start, end: start + length }
    place.key = typeof path.at(-1) === 'string' ? key : undefined
    return true
  }

  visit(text, {
    onObjectProperty: (_, start, length) => {
      key = { start, end: start + length }
    },
    // jsonc-parser passes over an object or a list if its beginning returns false.
    onObjectBegin: (start, length, _line, _column, path) => enter(start, length, path()),
    onArrayBegin: (start, length, _line, _column, path) => enter(start, length, path()),
    onLiteralValue: (_, start, length, _line, _column, path) => {
      enter(start, length, path())
    },
    // Without these, it passes over everything after the first.
    onObjectEnd: () => undefined,
    onArrayEnd: () => undefined,
  })
}

function rangeOf(root: Place, { pointer, at }: Target): Range {
  let place = root
  for (const step of pointer) {
    const inner = place.inner.get(String(step))
    // A value that begins before its parent belongs to an earlier value of a repeated key.
    if (!inner || inner.value.start <= place.value.start) return place.value
    place = inner
  }

  return at === 'key' && place.key ? place.key : place.value
}

function locateWithin(text: string, string: Range, within: Range): Range {
  const isString = text[string.start] === '"'
  if (!isString) return string

  const start = skipUnits(text, string.start + 1, within.start)
  const end = skipUnits(text, start, within.end - within.start)
  return { start, end }
}

/** Returns the offset after a number of UTF-16 code units of a string, each escaped or not. */
function skipUnits(text: string, offset: number, units: number): number {
  for (let unit = 0; unit < units; unit++) {
    const isEscape = text[offset] === '\\'
    if (!isEscape) offset += 1
    else if (text[offset + 1] === 'u') offset += '\\u0000'.length
    else offset += '\\n'.length
  }
  return offset
}
