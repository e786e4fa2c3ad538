import type { Pointer, Violation } from '../../src/page/fault.ts'

/** The fault of a value, of any code. */
export function violation(code: string, pointer: Pointer, message: string): Violation {
  return { code, pointer, at: 'value', message }
}
