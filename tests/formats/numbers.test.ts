import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findLosses } from '../../src/formats/losses.ts'
import { isMultiple, multiplesNear, numberRead } from '../../src/text/decimal.ts'
import { compileCheck, validate } from '../helpers/page.ts'
import { property } from '../helpers/property.ts'

/** A number of a JSON text as an exact fraction of integers. */
function exact(text: string): { top: bigint; bottom: bigint } {
  const [, sign, whole = '', decimals = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(text) ?? []
  const exponent = Number(power) - decimals.length
  const top = BigInt(`${sign}${whole}${decimals}`) * 10n ** BigInt(Math.max(0, exponent))
  return { top, bottom: 10n ** BigInt(Math.max(0, -exponent)) }
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [exact(one), exact(other)]
  return a.top * b.bottom === b.top * a.bottom
}

/** The rule of the numbers that survive, in exact arithmetic. */
function survives(text: string): boolean {
  const number = Number(text)
  if (!Number.isFinite(number)) return false
  if (isSame(text, JSON.stringify(number))) return true
  const { top, bottom } = exact(text)
  const digits = /[1-9]\d*?(?=0*$)/.exec(String(top))?.[0] ?? ''
  return top % bottom !== 0n && digits.length <= 17 && Math.abs(number) >= 2 ** -1022
}

test.each<[string, number | undefined]>([
  ['1e21', undefined],
  ['12345678901234567890', 12345678901234567000],
  ['12345678901234567.0', 12345678901234568],
  ['123456789012345680', undefined],
  ['9007199254740992', undefined],
  ['9007199254740993', 9007199254740992],
  ['-9007199254740994.0', undefined],
  ['1.0', undefined],
  ['-0', undefined],
  ['-0.00e999999999999999999999', undefined],
  ['10e-1', undefined],
  ['0.10000000000000001', undefined],
  ['0.1000000000000000055', 0.1],
  ['1.0000000000000000001', 1],
  ['1E400', Infinity],
  ['1e99999999999999999999', Infinity],
  ['5e-324', undefined],
  ['3e-324', 5e-324],
  ['-0.1e-99999999999999999999', -0],
])('%s would become %s', (number, kept) => {
  expect(numberRead(number)).toBe(kept)
  const text = `[{"a" : ${number}, "digits": "1234567890123456789 1e999"}]`
  const range = { start: 8, end: 8 + number.length }
  const loss = { code: 'loss.number', pointer: [0, 'a'], at: 'value', range }
  expect(findLosses(text, JSON.parse(text))).toMatchObject(kept === undefined ? [] : [loss])
})

const digits = (most: number) => fc.stringMatching(new RegExp(`^(?:[0-9]|0){1,${most}}$`))
const number = fc
  .record({
    sign: fc.constantFrom('', '-'),
    whole: fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9][0-9]{0,25}$/)),
    decimals: fc.oneof(
      fc.constant(''),
      digits(25).map((text) => `.${text}`),
    ),
    power: fc.oneof(
      fc.constant(''),
      fc
        .tuple(fc.constantFrom('e', 'E', 'e+', 'e-', 'E-0'), fc.nat(420))
        .map((both) => both.join('')),
    ),
  })
  .map(({ sign, whole, decimals, power }) => sign + whole + decimals + power)
const anyNumber = fc.oneof(
  number,
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.bigInt({ min: 2n ** 53n - 9n, max: 2n ** 53n + 9n }).map(String),
)

property([fc.array(anyNumber)], { numRuns: 500 })(
  'exactly the numbers that do not survive are found, wherever they are',
  (numbers) => {
    const text = `{"1e999":[${numbers}],"b":{"c":[["12345678901234567890"],${numbers[0] ?? 1}]}}`
    const expected = [...numbers, ...numbers.slice(0, 1)].filter((each) => !survives(each))
    const found = findLosses(text, JSON.parse(text))
    if (found === 'too deep') throw new Error(found)
    expect(found.map(({ range }) => text.slice(range?.start, range?.end))).toEqual(expected)
  },
)

test('two records that differ only in digits that are lost are both refused', () => {
  const items = { properties: { path: { type: 'string' }, id: { type: 'integer' } } }
  const check = compileCheck({ type: 'array', items: { ...items, required: ['path'] } })
  const text = `[{"path":"/a","id":1234567890123456789},{"path":"/a","id":1234567890123456788}]`
  const { problems, pages } = validate('a.json', Buffer.from(text), check, 0)
  expect(
    problems.map(({ record, column, endColumn, pointer, code }) => {
      return [record, text.slice(column - 1, endColumn - 1), pointer, code]
    }),
  ).toEqual([
    [0, '1234567890123456789', '/0/id', 'loss.number'],
    [1, '1234567890123456788', '/1/id', 'loss.number'],
  ])
  expect(pages).toEqual([])
})

test('a number that would be lost does not hide that its key is unknown', () => {
  const items = { properties: { path: { type: 'string' } }, required: ['path'] }
  const check = compileCheck({ type: 'array', items: { ...items, additionalProperties: false } })
  const { problems } = validate('a.json', Buffer.from('[{"path":"/a","id":1e999}]'), check, 0)
  expect(problems.map(({ code }) => code)).toEqual(['schema.unknown-key', 'loss.number'])
})

describe('a multiple', () => {
  test.each<[number, number, boolean]>([
    [7, 10_000_000, false],
    [78.1, 0.01, true],
    [78.125, 0.01, false],
    [-0, 3, true],
    [1e300, 5e-324, true],
    [5e-324, 1e300, false],
    [2 ** 53 + 2, 2, true],
  ])('%f of %f: %j', (value, unit, is) => {
    expect(isMultiple(value, unit)).toBe(is)
  })

  const finite = fc.double({ noNaN: true, noDefaultInfinity: true })
  const price = fc.integer({ min: -1e9, max: 1e9 }).map((cents) => cents / 100)
  const any = fc.oneof(finite, price, fc.integer())
  property([any, any.filter((unit) => unit > 0)], { numRuns: 500 })(
    'is decided as in exact arithmetic',
    (value, unit) => {
      const [a, b] = [exact(String(value)), exact(String(unit))]
      expect(isMultiple(value, unit)).toBe((a.top * b.bottom) % (a.bottom * b.top) === 0n)
    },
  )

  property([any, any.filter((unit) => unit > 0)], { numRuns: 500, examples: [[1e308, 0.3]] })(
    'that is near is one, and a number that can be written',
    (value, unit) => {
      const near = multiplesNear(value, unit)
      expect(near.filter((one) => !Number.isFinite(one) || !isMultiple(one, unit))).toEqual([])
    },
  )

  test('near a number beyond which there are no others may be missing', () => {
    expect(multiplesNear(1e308, 0.3)).toEqual([])
    expect(multiplesNear(1.5e308, 1e308)).toEqual([1e308])
  })
})
