import { describe, expect, test } from 'vitest'
import type { Page } from '../../scripts/samples/batches.ts'
import { differingFields, KeptIds } from '../../src/dataset/precedence.ts'
import { BuildError } from '../../src/machine/errors.ts'
import { isLong } from '../helpers/long.ts'
import { formOf, page } from '../helpers/page.ts'

/** A record that claims a path alone. */
function claimantAt(path: string, index: number) {
  return [{ id: path, index, identity: undefined, key: undefined }]
}

describe('a path', () => {
  /** Claims the paths of batches in order. The outcome of a record is undefined when it is kept. */
  function claimAll(batches: Record<string, Page[]>) {
    const keptIds = new KeptIds({ duplicates: 'drop', key: 'path' })
    const pages: Page[] = []
    const outcomes = Object.entries(batches).flatMap(([batch, records]) =>
      records.map((record, index) => {
        const [loser] = keptIds.claim(batch, claimantAt(record.path, index))
        if (!loser) {
          pages.push(record)
          return undefined
        }
        const number = loser.winner
        const fields = differingFields(pages[number] as Page, record)
        keptIds.drop(number, record.path, { batch, index }, fields)
        const kind = fields.length === 0 ? 'identical' : 'conflicting'
        return { batch, index, kind, fields, kept: keptIds.provenance(number) }
      }),
    )
    expect(keptIds.kept).toBe(pages.length)
    return { outcomes, pages, duplicates: keptIds.duplicates }
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
      { id: '/blog/029', kept, dropped: [conflict, copy] },
      { id: '/api/001', kept: { batch: 'a', index: 0 }, dropped: [again] },
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
    expect(result.duplicates.map(({ id }) => id)).toEqual(paths)
  })
})

// It takes half a minute and 2 GB.
test.runIf(isLong)(
  'more paths than a Map holds are an error, and those claimed so far stay',
  () => {
    const keptIds = new KeptIds({ duplicates: 'drop', key: 'path' })
    for (let at = 0; at < 2 ** 24; at++) keptIds.claim('a.json', claimantAt(`/${at}`, at))
    expect(() => keptIds.claim('b.json', claimantAt('/another', 0))).toThrow(BuildError)
    expect(keptIds.claim('b.json', claimantAt('/5', 0))).toMatchObject([{ winner: 5 }])
  },
)
