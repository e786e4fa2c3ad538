import type { Fault, Pointer } from '../../src/page/fault.ts'

/** The fault of a value, of any code, with a sentence of its own. */
export function faultOf(code: string, pointer: Pointer, message: string): Fault {
  return { code, pointer, at: 'value', facts: {}, message }
}
