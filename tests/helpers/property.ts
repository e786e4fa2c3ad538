/** Property tests, each repeated as often as `times` says. */
import { test } from '@fast-check/vitest'
import { times } from './long.ts'

/** Like `test.prop` of @fast-check/vitest, whose plain `test` would be repeated as often. */
export const property = ((arbitraries, parameters) =>
  test.prop(arbitraries, { numRuns: times(50), ...parameters })) as typeof test.prop
