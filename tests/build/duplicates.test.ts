import { expect, test } from 'vitest'
import type { Content } from '../../src/page/content.ts'
import { buildRecords, problemsOf } from '../helpers/build-records.ts'

/** Two records with one path, of which the second was copied and changed. */
const COPIED = [
  { path: '/a', title: 'A' },
  { path: '/a', title: 'B' },
]
const refuse = { site: false, duplicates: 'refuse' } as const

test('a record that was copied is dropped if content.ts says nothing of duplicates', async () => {
  const result = await buildRecords({ 'a.json': COPIED }, { site: false })
  expect(result).toMatchObject({ ok: true, manifest: { totals: { kept: 1, conflicting: 1 } } })
})

test('a record that was copied is a problem at its path if content.ts refuses duplicates', async () => {
  const result = await buildRecords({ 'a.json': COPIED }, refuse)
  expect(problemsOf(result)).toEqual([
    'a.json:7 /1/path: Record 0 (line 2) of this batch has the same path, but other values of "title". If one is a copy, change its id, or remove it.',
  ])
})

test('a record that was delivered twice without a change is no problem', async () => {
  const result = await buildRecords({ 'a.json': [COPIED[0], COPIED[0]] }, refuse)
  expect(result).toMatchObject({ ok: true, manifest: { totals: { identical: 1 } } })
})

test('between two batches, the first wins, also where duplicates are refused', async () => {
  const files = { 'a.json': [COPIED[0]], 'b.json': [COPIED[1]] }
  const result = await buildRecords(files, refuse)
  expect(result).toMatchObject({ ok: true, manifest: { totals: { conflicting: 1 } } })
})

test('a copy is a problem in its batch, even if both lose their path to an earlier batch', async () => {
  const files = { 'a.json': [{ path: '/a', title: 'First' }], 'b.json': COPIED }
  const result = await buildRecords(files, refuse)
  expect(problemsOf(result)).toEqual([expect.stringMatching(/^b\.json:7 \/1\/path: Record 0 /)])
})

test('a check without writing has the verdict of the build', async () => {
  const built = await buildRecords({ 'a.json': COPIED }, refuse)
  const checked = await buildRecords({ 'a.json': COPIED }, refuse, { isCheck: true })
  expect(problemsOf(checked)).toEqual(problemsOf(built))
})

test('two keys of one object that become one path are a problem', async () => {
  const content: Content = {
    site: false,
    records: Object.values,
    page: (_, { key = '' }) => ({
      path: `/${key.replace(/[-+]/, '')}`,
      title: key,
      contentHtml: '',
    }),
  }
  const result = await buildRecords({ 'a.json': { '+1': {}, '-1': {} } }, content)
  expect(problemsOf(result)).toEqual([
    'a.json:3 /-1: The key "-1" gives the same path as the key "+1" of record 0 (line 2). Give each a path of its own in content.ts (in the "path" that "content.page" makes).',
  ])
})
