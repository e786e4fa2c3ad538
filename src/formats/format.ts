/**
 * What a format of delivered files is. A new one is one file beside this one, named in `formats.ts`.
 * Why a text isn't in its format is explained in `src/explain/syntax`, which a good file never needs.
 */
import type { Fault, Pointer, Range } from '../page/fault.ts'

export interface Format {
  name: 'JSON' | 'JSON Lines'

  /** How the names of its files end, in lower case. */
  extensions: readonly string[]

  /** Reads the whole text of a file. */
  parse(text: string): Parsed

  /**
   * Finds where values and keys stand in a text that `parse` could read.
   *
   * @returns one range per target, in the same order. The range of a string, number or literal is all
   *   of it, that of an object or a list its beginning. A pointer that doesn't exist gets the range of
   *   its deepest existing ancestor. If an object repeats a key, the last one counts, as in
   *   `JSON.parse`.
   */
  locate(text: string, targets: readonly Target[]): Range[]

  /**
   * Finds a part of a string.
   *
   * @param string the range of the string, as `locate` returns it
   * @param within offsets into its value, in UTF-16 code units
   */
  locateWithin(text: string, string: Range, within: Range): Range

  /** Writes a value or a key as it would stand in a file. */
  write(value: string | number | boolean): string
}

/** What to find: the value at a pointer, or the key that leads to it. */
export interface Target {
  pointer: Pointer
  at: 'key' | 'value'
}

export interface Parsed {
  /** Undefined if the text can't be read: then the only fault says why. */
  value: unknown
  /** What is wrong with the text itself, such as a repeated key. */
  faults: Fault[]
  /** Texts that a program has damaged before: warnings, unless the build is strict. */
  damages: Fault[]
}
