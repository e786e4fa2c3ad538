/** Property tests, each repeated as often as `times` says. */
import fc from 'fast-check'
import { test } from 'vitest'
import { times } from './long.ts'

/** Any text that is well-formed. The unit `binary` of fast-check builds a list of all characters. */
export const anyText = fc.string({
  unit: fc
    .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
    .map((code) => String.fromCodePoint(code)),
})

/** A test of what holds for any values. What it says when it fails leads to these values again. */
export function property<Values extends [unknown, ...unknown[]]>(
  arbitraries: { [Index in keyof Values]: fc.Arbitrary<Values[Index]> },
  parameters: fc.Parameters<Values> = {},
) {
  return (name: string, holds: (...values: Values) => void | Promise<void>) =>
    test(name, () => {
      const all = fc.asyncProperty<Values>(...arbitraries, async (...values) => {
        await holds(...values)
      })
      return fc.assert(all, { numRuns: times(50), ...parameters })
    })
}
