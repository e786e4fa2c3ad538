import { expect, test } from 'vitest'
import { formatBytes, formatNumber, show } from '../../src/text/wording.ts'

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [112_400, '112.4 kB'],
  [999_949, '999.9 kB'],
  [999_960, '1.0 MB'],
  [1e6, '1.0 MB'],
  [1e15, '1000.0 TB'],
])('%d bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text)
})

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1,000'],
  [1234567, '1,234,567'],
])('the number %d is written %s on every machine', (value, text) => {
  expect(formatNumber(value)).toBe(text)
})

test.each([
  ['1e999', '"1e999"'],
  ['Infinity', '"Infinity"'],
  [Number.POSITIVE_INFINITY, 'a number that is too large'],
])('%j is shown as what it is: a text, or a number', (value, text) => {
  expect(show(value)).toBe(text)
})

test.each([
  [undefined, 'no value'],
  [null, 'null'],
  [Number.NaN, 'NaN'],
  [10n, '10n'],
  [Symbol('secret'), 'a symbol'],
  [() => 'secret', 'a function'],
  [{ a: 1 }, 'an object'],
  [Object.create(null), 'an object'],
  [[], 'an empty list'],
  [[1], 'a list'],
  [new Map(), 'a Map'],
  [new Error('secret'), 'an Error'],
  [new (class {})(), 'an object'],
  [new (class Price {})(), 'a Price'],
  [{ constructor: { name: 'Trap' } }, 'an object'],
])('%o is named %s', (value, text) => {
  expect(show(value)).toBe(text)
})
