import type { RuleCode } from '../../src/fault/facts.ts'
import type { Fault } from '../../src/fault/fault.ts'
import type { Pointer } from '../../src/text/pointer.ts'

/** The fault of a value, with a sentence of its own. */
export function faultOf(code: RuleCode, pointer: Pointer, message: string): Fault {
  return { code, pointer, at: 'value', message }
}
