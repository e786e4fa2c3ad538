/** JSON (RFC 8259): how a text becomes a value, and where a value stands in the text. */
import { type JSONPath, visit } from 'jsonc-parser'
import { textFault } from '../fault/fault.ts'
import type { Edit, Range } from '../text/range.ts'
import { divideLosses } from './damages.ts'
import {
  type Format,
  type Parsed,
  type Replacement,
  type Target,
  type Tree,
  UNREADABLE,
  unreadable,
} from './format.ts'
import { locateWithin } from './json-text.ts'
import { DEEPEST, findLosses } from './losses.ts'

export const json: Format = {
  name: 'JSON',
  language: 'JSON',
  extensions: ['.json'],
  allowsByteOrderMark: false,
  guessesTypes: false,

  parse(text) {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      return UNREADABLE
    }
    return withLosses(text, value, treeOf(text))
  },
}

/** Adds to a value what its text has lost, or would silently lose. */
export function withLosses(text: string, value: unknown, tree: Tree): Parsed {
  const losses = findLosses(text, value)
  if (losses === 'too deep') {
    return unreadable(textFault('json.too-deep', { start: 0, end: 1 }, { most: DEEPEST }))
  }

  return { value, tree, ...divideLosses(losses), doubts: [] }
}

/** Returns the tree of a text that is JSON: the text is walked through when something is looked for. */
export function treeOf(text: string): Tree {
  return {
    locate: (targets) => locate(text, targets),
    write: (replacements) => write(text, replacements),
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

  return targets.map((target) => {
    const range = rangeOf(root, target)
    return target.within ? locateWithin(text, range, target.within) : range
  })
}

function write(text: string, replacements: readonly Replacement[]): Edit[] {
  const ranges = locate(text, replacements)
  return ranges.map((range, at) => {
    return { ...range, text: JSON.stringify(replacements[at]?.instead) }
  })
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
