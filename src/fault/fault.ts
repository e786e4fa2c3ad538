/**
 * A fault: one thing that is wrong at one place of a batch. It is data. `src/explain` finds its place
 * in the file and writes its sentence; it is a problem then.
 */
import type { Pointer } from '../text/pointer.ts'
import type { Edit, Range } from '../text/range.ts'
import type { FactsOf, Saying } from './facts.ts'

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
