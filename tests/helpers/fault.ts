import type { Fault } from '../../src/fault/fault.ts'
import type { Pointer } from '../../src/text/pointer.ts'

/** The fault of a value, of any code, with a sentence of its own. */
export function faultOf(code: string, pointer: Pointer, message: string): Fault {
  return { code, pointer, at: 'value', facts: {}, message }
}
