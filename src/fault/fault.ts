/**
 * A fault: one thing that is wrong at one place of a batch. It is data. `src/explain` finds its place
 * in the file and writes its sentence; it is a problem then.
 */
import type { Pointer } from '../text/pointer.ts'
import type { Edit, Range } from '../text/range.ts'
import type { AnyCode, Code, FactsOf, RuleSaying, SayingWith } from './facts.ts'

/** Where something is wrong, and what is right there. */
interface Place {
  /** The steps from the root of the file or, with `page`, from the page. */
  pointer: Pointer
  /** Whether to show the value at the pointer, or the key that leads to it. */
  at: 'key' | 'value'
  /** Distinguishes it from others with its code at this place, such as the path that no page has. */
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

interface FaultWith<C extends Code> extends SayingWith<C>, Place {}

/** A fault with one of some codes. The code decides which facts there are. */
export type FaultOf<C extends Code = Code> = { [K in C]: FaultWith<K> }[C]

/** A fault found by an owner's rule. */
export interface RuleFault extends RuleSaying, Place {
  /** The code that the rule has given it, which reports show instead. It may be any text. */
  ownCode?: string
}

export type Fault = FaultOf | RuleFault

/** Returns the code that reports show. */
export function shownCode(fault: { code: AnyCode; ownCode?: string | undefined }): string {
  return fault.ownCode ?? fault.code
}

/** A fault of a whole file. */
export interface FileFault {
  /** Its name, as those of batches. */
  file: string
  fault: Fault
}

/** The codes whose facts may all be missing. */
type CodeWithoutFacts = {
  [C in Code]: Record<never, never> extends FactsOf[C] ? C : never
}[Code]

/** Makes the fault of a value. */
export function fault<C extends CodeWithoutFacts>(code: C, pointer: Pointer): FaultOf<C>
export function fault<C extends Code>(code: C, pointer: Pointer, facts: FactsOf[C]): FaultOf<C>
export function fault(code: Code, pointer: Pointer, facts: FactsOf[Code] = {}) {
  return { code, pointer, at: 'value', facts }
}

/** Makes the fault of a key. */
export function keyFault<C extends CodeWithoutFacts>(code: C, pointer: Pointer): FaultOf<C>
export function keyFault<C extends Code>(code: C, pointer: Pointer, facts: FactsOf[C]): FaultOf<C>
export function keyFault(code: Code, pointer: Pointer, facts: FactsOf[Code] = {}) {
  return { code, pointer, at: 'key', facts }
}

/** Makes the fault of a part of the file's text. */
export function textFault<C extends CodeWithoutFacts>(code: C, range: Range): FaultOf<C>
export function textFault<C extends Code>(code: C, range: Range, facts: FactsOf[C]): FaultOf<C>
export function textFault(code: Code, range: Range, facts: FactsOf[Code] = {}) {
  return { ...fault(code, [], facts), range }
}
