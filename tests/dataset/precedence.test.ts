import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Page } from '../../scripts/samples/batches.ts'
import { compareBatches, differingFields, KeptPaths } from '../../src/dataset/precedence.ts'
import { isLong, times } from '../helpers/long.ts'
import { formOf, page } from '../helpers/page.ts'
import { property } from '../helpers/property.ts'

describe('the order of batches', () => {
  test.each([
    ['numbers by value', 'batch-2.json', 'batch-10.json'],
    ['numbers of folders too', 'a/2/x.json', 'a/10/x.json'],
    ['numbers after an equal number', 'a1b2', 'a1b10'],
    ['numbers of 30 digits', `b${'9'.repeat(30)}`, `b1${'0'.repeat(30)}`],
    ['numbers too large for a double', '9007199254740992', '9007199254740993'],
    ['leading zeros do not change the value', '009', '10'],
    ['equal numbers by their leading zeros', 'batch-02', 'batch-2'],
    ['text after equal numbers before leading zeros', 'batch-2a', 'batch-02b'],
    ['only zeros are zero', '000', '1'],
    ['zeros by their length', '0', '00'],
    ['upper case before lower', 'Batch-9.json', 'batch-1.json'],
    ['lower case before accented letters', 'z', 'ä'],
    ['accented letters differ from plain ones', 'az', 'äa'],
    ['digits before letters', 'batch-9', 'batch-a'],
    ['digits before letters, however many', 'batch-10', 'batch-a'],
    ['a space before letters', 'a b9', 'ab1'],
    ['a hyphen before digits', 'a-', 'a1'],
    ['a name before a longer one', 'batch', 'batch-1'],
    ['a name before one that goes on with a digit', 'a', 'a0'],
    ['a slash by its code unit', 'a-b.json', 'a/b.json'],
    ['digits of other scripts have no value', 'b１０', 'b２'],
    ['code units, not code points', '\u{1f600}', '\uff5e'],
  ])('%s: %j before %j', (_, first, second) => {
    expect(compareBatches(first, second)).toBeLessThan(0)
    expect(compareBatches(second, first)).toBeGreaterThan(0)
  })

  test('does not depend on the locale', () => {
    const names = ['a', 'B', 'ä', 'Z', 'i', 'I', 'ı', 'İ', 'ch', 'cz', 'ö', 'z', 'aa', 'å']
    expect(names.sort(compareBatches).join(' ')).toBe('B I Z a aa ch cz i z ä å ö İ ı')
  })

  const name = fc.string({
    unit: fc.constantFrom('0', '1', '2', '9', 'a', 'B', '-', '/', 'ä', '１'),
    maxLength: 6,
  })
  property([name, name, name], { numRuns: times(500) })(
    'is total: no ties, no cycles',
    (a, b, c) => {
      const sign = (x: string, y: string) => Math.sign(compareBatches(x, y))
      expect(sign(a, b) === 0).toBe(a === b)
      expect(sign(a, b) + sign(b, a)).toBe(0)
      const [first = '', second = '', third = ''] = [a, b, c].sort(compareBatches)
      expect(sign(first, second)).toBeLessThanOrEqual(0)
      expect(sign(second, third)).toBeLessThanOrEqual(0)
      expect(sign(first, third)).toBeLessThanOrEqual(0)
    },
  )

  property([name, fc.bigInt({ min: 0n }), fc.bigInt({ min: 0n })])(
    'is numeric for names that differ only in a number',
    (prefix, a, b) => {
      fc.pre(!/\d$/.test(prefix))
      const order = Math.sign(compareBatches(`${prefix}${a}.json`, `${prefix}${b}.json`))
      expect(order).toBe(a < b ? -1 : a > b ? 1 : 0)
    },
  )
})

describe('a path', () => {
  /** KeptPaths the paths of batches in order. The outcome of a record is undefined when it is kept. */
  function claimAll(batches: Record<string, Page[]>) {
    const keptPaths = new KeptPaths()
    const pages: Page[] = []
    const outcomes = Object.entries(batches).flatMap(([batch, records]) =>
      records.map((record, index) => {
        const number = keptPaths.claim(record.path, batch, index)
        if (number === pages.length) {
          pages.push(record)
          return undefined
        }
        const fields = differingFields(pages[number] as Page, record)
        keptPaths.drop(number, record.path, { batch, index }, fields)
        const kind = fields.length === 0 ? 'identical' : 'conflicting'
        return { batch, index, kind, fields, kept: keptPaths.provenance(number) }
      }),
    )
    expect(keptPaths.kept).toBe(pages.length)
    return { outcomes, pages, duplicates: keptPaths.duplicates }
  }

  test('stays with the first batch to claim it; every later claim is recorded', () => {
    const first = page({ contentHtml: '<p>First.</p>' })
    const other = page({ path: '/api/001' })
    const second = page({
      contentHtml: '<p>Second.</p>',
      form: formOf({}),
      updatedAt: '2025-08-28T11:00:00Z',
    })
    const kept = { batch: 'a', index: 1 }
    const conflict = {
      batch: 'b',
      index: 0,
      kind: 'conflicting',
      fields: ['contentHtml', 'form', 'updatedAt'],
    }
    const copy = { batch: 'c', index: 1, kind: 'identical', fields: [] }
    const again = { batch: 'c', index: 2, kind: 'identical', fields: [] }

    const result = claimAll({
      a: [other, first],
      b: [second],
      c: [page({ path: '/docs/001' }), { ...first }, other],
    })
    expect(result.outcomes).toEqual([
      undefined,
      undefined,
      { ...conflict, kept },
      undefined,
      { ...copy, kept },
      { ...again, kept: { batch: 'a', index: 0 } },
    ])
    expect(result.pages).toEqual([other, first, page({ path: '/docs/001' })])
    expect(result.duplicates).toEqual([
      { path: '/blog/029', kept, dropped: [conflict, copy] },
      { path: '/api/001', kept: { batch: 'a', index: 0 }, dropped: [again] },
    ])
  })

  test('is compared with the kept record, not with the one dropped before', () => {
    const other = page({ contentHtml: '<p>Other.</p>' })
    const { outcomes } = claimAll({ a: [page(), other, other, page()] })
    expect(outcomes.map((lost) => lost?.kind)).toEqual([
      undefined,
      'conflicting',
      'conflicting',
      'identical',
    ])
  })

  test('is not in conflict if only the order of keys differs', () => {
    const form = formOf({})
    const turned = {
      fields: form.fields.map((field) => Object.fromEntries(Object.entries(field).reverse())),
    }
    const reversed = Object.fromEntries(
      Object.entries(page({ form: turned })).reverse(),
    ) as unknown as Page
    expect(claimAll({ a: [page({ form }), reversed] }).outcomes[1]).toMatchObject({
      kind: 'identical',
      fields: [],
    })
  })

  test.each<[string, object, object, string[]]>([
    ['a form that one lacks', {}, { form: formOf({}) }, ['form']],
    ['one field of a form', { form: formOf({}) }, { form: formOf({ required: false }) }, ['form']],
    ['the notation of a time', {}, { createdAt: '2025-08-28T10:15:00Z' }, ['createdAt']],
    ['a key that only the later has', {}, { extra: 1 }, ['extra']],
    ['a key that only the first has', { extra: null }, {}, ['extra']],
    ['two keys', {}, { title: '', contentHtml: '' }, ['title', 'contentHtml']],
  ])('is in conflict by %s', (_, first, later, fields) => {
    const pages = [first, later].map((overrides) => ({ ...page(), ...overrides }))
    const lost = { batch: 'a', index: 1, kind: 'conflicting', fields }
    expect(claimAll({ a: pages }).outcomes[1]).toMatchObject(lost)
  })

  test('may be any string, even the name of an inherited property', () => {
    const paths = [
      ...['__proto__', 'constructor', 'toString', '/blog/029', '/BLOG/029', '/blog/029/'],
      ...['', '"', '\\"', 'ä\u2028\u{1f600}', '\u0000\n', 'x'.repeat(3_000_000)],
    ]
    const pages = paths.map((path) => page({ path }))
    const result = claimAll({ a: pages, b: pages })
    expect(result.pages).toEqual(pages)
    expect(result.duplicates.map(({ path }) => path)).toEqual(paths)
  })

  test.runIf(isLong)('is refused when there are 2^24 already', () => {
    const keptPaths = new KeptPaths()
    for (let number = 0; number < 2 ** 24; number++) keptPaths.claim(String(number), 'a', number)
    expect(() => keptPaths.claim('one more', 'a', 0)).toThrow(RangeError)
    expect(keptPaths.kept).toBe(2 ** 24)
  })
})
