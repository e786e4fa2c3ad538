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

/** Any value that a function of JavaScript can return, but for -0, which JSON writes as 0. */
export const anyValue = fc.anything({
  key: fc.string({ unit: fc.constantFrom('a', 'é', '\ud83d', '\ude00') }),
  values: [
    fc.string({ unit: fc.constantFrom('a', 'é', '\ud83d', '\ude00', '\u2028') }),
    fc.double().filter((number) => !Object.is(number, -0)),
    fc.boolean(),
    fc.constantFrom(null, undefined),
  ],
  withBigInt: true,
  withBoxedValues: true,
  withDate: true,
  withMap: true,
  withNullPrototype: true,
  withSet: true,
  withSparseArray: true,
  withTypedArray: true,
})

/** A test of something that holds for any values. Its message leads to the values of a failure. */
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
