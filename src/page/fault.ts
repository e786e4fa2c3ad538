/**
 * A fault: one thing that is wrong at one place of a batch. It is data. `src/explain` finds its place
 * in the file and writes its sentence; it is a problem then.
 */
import { ownValue } from '../text/as-object.ts'
import type { FactsOf, Saying } from './facts.ts'

/** Offsets into a text, in UTF-16 code units; `end` is exclusive. */
export interface Range {
  start: number
  end: number
}

/** The steps from the root to a value: object keys and array positions (RFC 6901, unescaped). */
export type Pointer = readonly (string | number)[]

/** A part of a text, and what to write instead. */
export interface Edit extends Range {
  text: string
}

export interface Fault extends Saying {
  /** The steps from the root of the file or, with `page`, from the page. */
  pointer: Pointer
  /** Whether to show the value at the pointer, or the key that leads to it. */
  at: 'key' | 'value'
  /** Tells it from other faults of its code at this place, such as the path that no page has. */
  about?: string
  /** The faulty part of the value, as offsets into a string. */
  within?: Range
  /** Where the fault is in the text of the file, if the check knows. */
  range?: Range
  /** The position of the record whose page the pointer is about. */
  page?: number
  /** The value, or the key, that is certainly right. */
  instead?: string | number | boolean
  /** The edits of the file that are certainly right, if the check knows them. */
  fix?: readonly Edit[]
}

/** A fault of a whole file. */
export interface FileFault {
  /** Its name, as those of batches. */
  file: string
  fault: Fault
}

export type Code = keyof FactsOf

/** A code without facts needs no third argument. */
type FactsArgument<C extends Code> =
  Record<never, never> extends FactsOf[C] ? [facts?: FactsOf[C]] : [facts: FactsOf[C]]

/** Makes the fault of a value. */
export function fault<C extends Code>(
  code: C,
  pointer: Pointer,
  ...[facts]: FactsArgument<C>
): Fault {
  return { code, pointer, at: 'value', facts: facts ?? {} }
}

/** Makes the fault of a key. */
export function keyFault<C extends Code>(
  code: C,
  pointer: Pointer,
  ...[facts]: FactsArgument<C>
): Fault {
  return { code, pointer, at: 'key', facts: facts ?? {} }
}

/** Makes the fault of a part of the file's text. */
export function textFault<C extends Code>(
  code: C,
  range: Range,
  ...[facts]: FactsArgument<C>
): Fault {
  return { code, pointer: [], at: 'value', facts: facts ?? {}, range }
}

/** A value that the schema marks as the path of a page, or as one that no other record has. */
export interface Marked {
  /** Its place in the batch (RFC 6901). */
  place: string
  value: string | number
  /** The place of the mark in the schema: only values of one mark are compared. */
  schema: string
}

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
