import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findUnwritable } from '../../src/accept/unwritable.ts'
import { formatPointer } from '../../src/text/pointer.ts'
import { times } from '../helpers/long.ts'
import { anyValue, property } from '../helpers/property.ts'

const circular: Record<string, unknown> = { tags: [] }
circular.parent = { of: circular }

const sparse: unknown[] = []
sparse[1] = 'b'

let deep: unknown = 'deep'
for (let level = 0; level < 1_001; level++) deep = [deep]

describe('what JSON cannot hold is found, with its place', () => {
  test.each<[value: unknown, place: string, what: string]>([
    [{ a: { b: [1, undefined] } }, '/a/b/1', 'no value'],
    [sparse, '/0', 'no value'],
    [{ a: Number.NaN }, '/a', 'NaN'],
    [{ a: -Infinity }, '/a', 'a number that is too large'],
    [{ a: 10n }, '/a', '10n'],
    [{ a: () => 1 }, '/a', 'a function'],
    [{ a: Symbol('a') }, '/a', 'a symbol'],
    [{ a: new Date(0) }, '/a', 'a Date'],
    [{ a: new Map([[1, 2]]) }, '/a', 'a Map'],
    [{ a: new Set([1]) }, '/a', 'a Set'],
    [{ a: /a/ }, '/a', 'a RegExp'],
    [{ a: new Error('a') }, '/a', 'an Error'],
    [{ a: Promise.resolve() }, '/a', 'a Promise'],
    [{ a: Buffer.from('a') }, '/a', 'a Buffer'],
    [{ a: Object('a') }, '/a', 'a String'],
    [{ a: { toJSON: () => 1 } }, '/a/toJSON', 'a function'],
    [{ a: 'cut \ud83d' }, '/a', 'half of a character (a lone surrogate)'],
    [{ 'a\ude00': 1 }, '/a\ude00', 'half of a character (a lone surrogate)'],
    [circular, '/parent/of', 'an object that it is in itself'],
    [deep, '/0'.repeat(1_000), 'a value more than 1,000 levels deep'],
  ])('%o', (value, place, what) => {
    const found = findUnwritable(value)
    expect(formatPointer(found?.pointer ?? [])).toBe(place)
    expect(found?.what).toBe(what)
  })
})

test.each<[what: string, value: unknown]>([
  ['a whole pair', '\ud83d\ude00'],
  ['a key without a value', { a: undefined }],
  ['an object without a prototype', Object.assign(Object.create(null), { a: 1 })],
  ['the same object twice, side by side', [circular.tags, circular.tags]],
])('%s can be written', (_, value) => {
  expect(findUnwritable(value)).toBeUndefined()
})

property([anyValue], { numRuns: times(2_000) })(
  'any value that passes is the same after it was written and read',
  (value) => {
    fc.pre(findUnwritable({ value }) === undefined)
    const bytes = Buffer.from(JSON.stringify({ value }))
    expect(JSON.parse(bytes.toString())).toEqual({ value })
  },
)
