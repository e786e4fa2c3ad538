import { describe, expect, test } from 'vitest'
import { type BatchEntry, emitManifest, makeManifest } from '../../src/dataset/format.ts'
import type { Duplicate } from '../../src/dataset/precedence.ts'

const join = (pieces: Iterable<string>) => [...pieces].join('')

const dataset = { file: 'dataset.json', sha256: 'd'.repeat(64), bytes: 437 }
const types = { file: 'dataset.d.ts', sha256: 'e'.repeat(64), bytes: 2353 }
const importTypes = { file: 'dataset.d.json.ts', sha256: 'f'.repeat(64), bytes: 268 }
const schema = { sha256: 'c'.repeat(64) }
const batch = (file: string, records: number, kept: number): BatchEntry => {
  return { file, sha256: 'b'.repeat(64), records, kept, dropped: records - kept, refused: 0 }
}
const duplicate = (id: string, ...kinds: ('identical' | 'conflicting')[]): Duplicate => ({
  id,
  kept: { batch: 'a.json', index: 0 },
  dropped: kinds.map((kind, index) => {
    return { batch: 'b.json', index, kind, fields: kind === 'identical' ? [] : ['title'] }
  }),
})

describe('the manifest', () => {
  const batches = [batch('a.json', 3, 3), batch('b.json', 4, 1), batch('c.json', 0, 0)]
  batches.push({ ...batch('d.json', 1, 0), dropped: 0, refused: 1 })
  const fault = { batch: 'd.json', index: 0, code: 'schema.type' }
  const refused = ['/0/title', '/0/form'].map((pointer) => ({ ...fault, pointer }))
  const duplicates = [
    duplicate('/blog/001', 'conflicting'),
    duplicate('/blog/002', 'identical', 'conflicting'),
  ]

  test('sums up what went in, what came out, what was dropped', () => {
    const parts = { dataset, types, importTypes, schema, batches, refused, duplicates }
    expect(makeManifest(parts, { kept: 4, withForms: 2 })).toEqual({
      dataset,
      types,
      importTypes,
      schema,
      totals: {
        batches: 4,
        records: 8,
        kept: 4,
        withForms: 2,
        dropped: 3,
        identical: 1,
        conflicting: 2,
        refused: 1,
      },
      batches,
      refused,
      duplicates,
    })
  })

  test.each<[string, Parameters<typeof makeManifest>[0], number]>([
    [
      'without batches',
      { dataset, types, importTypes, schema, batches: [], refused: [], duplicates: [] },
      0,
    ],
    [
      'with several of each',
      { dataset, types, importTypes, schema, batches, refused, duplicates },
      4,
    ],
  ])('is JSON %s', (_, parts, kept) => {
    const manifest = makeManifest(parts, { kept, withForms: 0 })
    const text = join(emitManifest(new Map([['pages', manifest]])))
    const { refused, duplicates, ...head } = manifest
    expect(JSON.parse(text)).toEqual({
      generatedBy: 'ManyURLs',
      collections: { pages: head },
      refused: { pages: refused },
      duplicates: { pages: duplicates },
    })
    expect(text.endsWith('}\n')).toBe(true)
  })

  test.each([
    [
      'a record is neither kept nor dropped',
      [...batches, { ...batch('e.json', 1, 0), dropped: 0 }],
      duplicates,
      4,
      '9 read, 4 kept, 3 dropped, 1 refused',
    ],
    ['a page came from nowhere', batches, duplicates, 5, '8 read, 5 kept, 3 dropped, 1 refused'],
    [
      'a drop was not recorded',
      batches,
      duplicates.slice(1),
      4,
      '8 read, 4 kept, 2 dropped, 1 refused',
    ],
    [
      'a batch does not count its drops',
      [{ ...batch('a.json', 7, 4), dropped: 0 }],
      duplicates,
      4,
      '7 read, 4 kept, 3 dropped, 1 refused',
    ],
  ])('is refused when %s', (_, batches, duplicates, kept, sums) => {
    const parts = { dataset, types, importTypes, schema, batches, refused, duplicates }
    const make = () => makeManifest(parts, { kept, withForms: 0 })
    expect(make).toThrow(`the books do not balance: ${sums}`)
  })
})
