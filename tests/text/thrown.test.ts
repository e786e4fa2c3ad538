import { expect, test } from 'vitest'
import { reasonOf } from '../../src/text/thrown.ts'

test.each<[thrown: unknown, reason: string]>([
  [new Error('no price'), 'no price'],
  ['no price', 'no price'],
  [{ message: 'no price' }, 'no price'],
  [new Error('no price\n  in line 3'), 'no price in line 3'],
  [new TypeError(), 'it throws a TypeError'],
  [' ', 'it throws " "'],
  [undefined, 'it throws no value'],
  [null, 'it throws null'],
  [404, 'it throws 404'],
  [10n, 'it throws 10n'],
  [Symbol('no'), 'it throws a symbol'],
  [{ message: 5 }, 'it throws an object'],
])('of %o, the reason is: %s', (thrown, reason) => {
  expect(reasonOf(thrown)).toBe(reason)
})

test('a long reason is cut', () => {
  expect(reasonOf('x'.repeat(1_000))).toHaveLength(500)
})

test('an error that fails when it is read has a reason, too', () => {
  const unreadable = {
    get message() {
      throw new Error('no')
    },
  }
  expect(reasonOf(unreadable)).toBe('it throws something that cannot be read')
})
