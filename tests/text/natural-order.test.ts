import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareNaturally, sortNaturally } from '../../src/text/natural-order.ts'
import { times } from '../helpers/long.ts'
import { property } from '../helpers/property.ts'

describe('natural order', () => {
  test.each([
    ['numbers by value', 'batch-2.json', 'batch-10.json'],
    ['numbers of 30 digits', `b${'9'.repeat(30)}`, `b1${'0'.repeat(30)}`],
    ['leading zeros do not change the value', '009', '10'],
    ['equal numbers by their leading zeros', 'batch-02', 'batch-2'],
    ['text after equal numbers before leading zeros', 'batch-2a', 'batch-02b'],
    ['zeros by their length', '0', '00'],
    ['upper case before lower', 'Batch-9.json', 'batch-1.json'],
    ['lower case before accented letters', 'z', 'ä'],
    ['digits before letters', 'batch-9', 'batch-a'],
    ['a space before letters', 'a b9', 'ab1'],
    ['a hyphen before digits', 'a-', 'a1'],
    ['a text before one that goes on with a digit', 'a', 'a0'],
    ['a slash by its code unit', 'a-b.json', 'a/b.json'],
    ['digits of other scripts have no value', 'b１０', 'b２'],
    ['code units, not code points', '\u{1f600}', '\uff5e'],
  ])('%s: %j before %j', (_, first, second) => {
    expect(compareNaturally(first, second)).toBeLessThan(0)
    expect(compareNaturally(second, first)).toBeGreaterThan(0)
  })

  test('does not depend on the locale', () => {
    const texts = ['a', 'B', 'ä', 'Z', 'i', 'I', 'ı', 'İ', 'ch', 'cz', 'ö', 'z', 'aa', 'å']
    expect(texts.sort(compareNaturally).join(' ')).toBe('B I Z a aa ch cz i z ä å ö İ ı')
  })

  const text = fc.string({
    unit: fc.constantFrom('0', '1', '2', '9', 'a', 'B', '-', '/', 'ä', '１'),
    maxLength: 6,
  })
  property([text, text, text], { numRuns: times(500) })(
    'is total: no ties, no cycles',
    (a, b, c) => {
      const sign = (x: string, y: string) => Math.sign(compareNaturally(x, y))
      expect(sign(a, b) === 0).toBe(a === b)
      expect(sign(a, a)).toBe(0)
      expect(sign(a, b) + sign(b, a)).toBe(0)
      const [first = '', second = '', third = ''] = [a, b, c].sort(compareNaturally)
      expect(sign(first, second)).toBeLessThanOrEqual(0)
      expect(sign(second, third)).toBeLessThanOrEqual(0)
      expect(sign(first, third)).toBeLessThanOrEqual(0)
    },
  )

  property([text, fc.bigInt({ min: 0n }), fc.bigInt({ min: 0n })])(
    'is numeric for texts that differ only in a number',
    (prefix, a, b) => {
      fc.pre(!/\d$/.test(prefix))
      const order = Math.sign(compareNaturally(`${prefix}${a}.json`, `${prefix}${b}.json`))
      expect(order).toBe(a < b ? -1 : a > b ? 1 : 0)
    },
  )
})

test('a list is sorted as its texts compare', () => {
  const names = ['b/10.json', 'b/9.json', 'a-02', 'a-2', 'a-10', 'B', 'b/09.json']
  expect(sortNaturally(names)).toEqual([...names].sort(compareNaturally))
})
