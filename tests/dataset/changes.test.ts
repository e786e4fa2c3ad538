import { describe, expect, test } from 'vitest'
import {
  compareItems,
  countChanges,
  findNewBatches,
  findNewWinners,
} from '../../src/dataset/changes.ts'
import { AFTER_HEADS, emitManifest, type Manifest, readHeads } from '../../src/dataset/format.ts'
import { page } from '../helpers/page.ts'

const [one, two, three] = ['001', '002', '003'].map((id) => page({ path: `/blog/${id}` }))
const pages = [one, two, three] as [typeof one & object, typeof one & object, typeof one & object]

const comparePages = (before: string, after: string) => compareItems(before, after, 'path')

const NONE = { new: 0, changed: 0, gone: 0, fields: [] }

describe('when two datasets are compared', () => {
  test('equal pages are not a change, in any order of pages and keys', () => {
    const [one, two, three] = pages
    const { path, ...rest } = one
    const before = JSON.stringify([three, two, { ...rest, path }])
    expect(countChanges(comparePages(before, JSON.stringify(pages)))).toEqual(NONE)
  })

  test('new, changed and gone pages are counted, with the keys that changed', () => {
    const [one, two, three] = pages
    const after = [
      { ...two, contentHtml: '<p>New.</p>' },
      { ...three, form: { fields: [] }, contentHtml: '<p>New.</p>' },
      page({ path: '/api/001' }),
    ]
    const changes = comparePages(JSON.stringify([one, two, three]), JSON.stringify(after))
    expect(countChanges(changes)).toEqual({
      new: 1,
      changed: 2,
      gone: 1,
      fields: ['contentHtml', 'form'],
    })
  })

  test.each(['', '{', 'null', '{"path":"/blog/001"}', '[]'])(
    'a previous one that reads %j has no pages',
    (before) => {
      expect(countChanges(comparePages(before, JSON.stringify(pages)))).toEqual({
        new: 3,
        changed: 0,
        gone: 0,
        fields: [],
      })
    },
  )
})

/** A batch: its name, or its name and what stands for its content. */
const none = { kept: 0, dropped: 0, refused: 0 }
const batch = (text: string) => {
  const [file = '', sha256 = file] = text.split('=')
  return { file, sha256, ...none, records: 1, kept: 1 }
}
const dropped = (name: string) => ({
  batch: name,
  index: 0,
  kind: 'identical' as const,
  fields: [],
})
const now = {
  batches: ['a.json', 'b.json', 'c.json'].map(batch),
  duplicates: [
    { id: '/x', kept: { batch: 'a.json', index: 0 }, dropped: ['c.json', 'b.json'].map(dropped) },
    { id: '/y', kept: { batch: 'b.json', index: 0 }, dropped: [dropped('c.json')] },
  ],
}
const TOTALS = { ...none, records: 0, withForms: 0, identical: 0, conflicting: 0 }
const manifestOf = (...files: string[]) => {
  const manifest: Manifest = {
    dataset: { file: 'dataset.json', sha256: '', bytes: 0 },
    types: { file: 'dataset.d.ts', sha256: '', bytes: 0 },
    importTypes: { file: 'dataset.d.json.ts', sha256: '', bytes: 0 },
    schema: { sha256: '' },
    totals: { batches: files.length, ...TOTALS },
    batches: files.map(batch),
    refused: [],
    duplicates: now.duplicates,
  }
  return [...emitManifest(new Map([['pages', manifest]]))].join('')
}

/** The batches that the text of a manifest names. */
const batchesIn = (manifest: string) => {
  const [heads = ''] = manifest.split(AFTER_HEADS)
  return readHeads(heads).get('pages')?.batches ?? []
}

test('a page that a new batch keeps and a known one lost is a takeover', () => {
  const takeover = { id: '/x', batch: 'a.json', from: 'b.json' }
  expect(findNewWinners(batchesIn(manifestOf('b.json')), now)).toEqual([takeover])
})

test.each([
  ['a renamed batch that takes no page', ['0.json=a.json', 'b.json', 'c.json'], 0],
  ['a batch with new content', ['a.json=old', 'b.json', 'c.json'], 0],
  ['two equal batches around another', ['a.json', 'b.json', 'c.json', 'd.json=a.json'], 0],
  ['a batch renamed to sort before others', ['b.json', 'c.json', 'z.json=a.json'], 1],
  ['two batches that swapped their names', ['a.json=b.json', 'b.json=a.json', 'c.json'], 1],
])('newWinners of %s: before %j', (_, before, count) => {
  expect(findNewWinners(batchesIn(manifestOf(...before)), now)).toHaveLength(count)
})

test.each([
  ['a new batch', manifestOf('a.json', 'b.json', 'c.json')],
  ['a known one', manifestOf('z.json')],
  ...['', 'null', '{}', '{"collections":5}', '{"collections":{"pages":{"batches":[null]}}'].map(
    (text) => ['a manifest', text],
  ),
])('there is none without %s: before %j', (_, before) => {
  expect(findNewWinners(batchesIn(before), now)).toEqual([])
})

test.each([
  ['a.json', 'b.json', 'is new', { 'b.json': 'new' }],
  ['a.json=1 b.json', 'a.json=2', 'has changed', { 'a.json': 'changed' }],
  ['a.json=1', 'b.json=1', 'has another name is neither', {}],
  ['a.json', 'a.json', 'is as before is neither', {}],
  ['', 'a.json', 'is in the first dataset is neither', {}],
])('of batches %j, then %j, the one that %s', (before, now, _, expected) => {
  const [batchesBefore = [], batches = []] = [before, now].map((names) => {
    return names.split(' ').filter(Boolean).map(batch)
  })
  expect(Object.fromEntries(findNewBatches(batchesBefore, batches))).toEqual(expected)
})
