/**
 * What a format of delivered files is. A new one is one file beside this one, named in `formats.ts`.
 * Why a text isn't in its format is explained in `src/explain/syntax`, which a good file never needs.
 */

import { type Fault, fault, textFault } from '../fault/fault.ts'
import type { Pointer } from '../text/pointer.ts'
import type { Edit, Range } from '../text/range.ts'

export type FormatName = 'JSON' | 'JSON Lines' | 'JSON with comments' | 'YAML' | 'front matter'

export interface Format {
  name: FormatName

  /** What its files are written in, for messages: several formats are JSON. */
  language: string

  /** How the names of its files end, in lower case. */
  extensions: readonly string[]

  /** Whether a file may begin with a byte-order mark, which `parse` then gets with the text. */
  allowsByteOrderMark: boolean

  /** Whether text without quotes is a number, true or false if it looks like one, such as `1.10`. */
  guessesTypes: boolean

  /** Reads the whole text of a file. */
  parse(text: string): Parsed
}

/** A value, or why there is none. */
export type Parsed = ReadText | UnreadableText

/** A text that could be read. */
export interface ReadText {
  value: unknown
  tree: Tree
  /** What is wrong with the text itself, such as a repeated key. */
  faults: Fault[]
  /** What was lost before, or isn't read as it's written: warnings, unless the build is strict. */
  damages: Fault[]
  /** Values that other programs read in another way. */
  doubts: Doubt[]
}

/** A text that can't be read, so nothing can be found in it. */
export interface UnreadableText {
  value: undefined
  tree: undefined
  /** Why. One without a range is shown at the beginning of the file. */
  faults: Fault[]
  damages: []
  doubts: []
}

/** Finds the places of values and keys in a text. */
export interface Tree {
  /**
   * Finds values and keys.
   *
   * @returns one range per target, in the same order. The range of a string, number or literal is all
   *   of it, that of an object or a list its beginning. A pointer that doesn't exist gets the range of
   *   its deepest existing ancestor. If an object repeats a key, the last one counts, as in
   *   `JSON.parse`.
   */
  locate(targets: readonly Target[]): Range[]

  /**
   * Writes values and keys in the place of others, each in the style of what it replaces.
   *
   * @returns one edit per replacement, in the same order; undefined if an edit would change more than
   *   this place
   */
  write(replacements: readonly Replacement[]): (Edit | undefined)[]
}

/** What to find: the value at a pointer, or the key that leads to it. */
export interface Target {
  pointer: Pointer
  at: 'key' | 'value'
  /** The part of the text that is wanted, as offsets into the value, in UTF-16 code units. */
  within?: Range
}

export interface Replacement extends Omit<Target, 'within'> {
  instead: string | number | boolean
}

/** A value that other programs read in another way: a warning if the schema refuses what they read. */
export interface Doubt {
  fault: Fault
  value: unknown
  /** What they read. */
  otherwise: unknown
}

/** A text that isn't in its format. */
export const UNREADABLE = unreadable(fault('file.syntax', []))

/** A text without any value. */
export const EMPTY = unreadable(textFault('file.empty', { start: 0, end: 0 }))

/** A text that can't be read, for a known reason. */
export function unreadable(...faults: Fault[]): UnreadableText {
  return { value: undefined, tree: undefined, faults, damages: [], doubts: [] }
}
