import { describe, expect, test } from 'vitest'
import type { Content } from '../../src/page/content.ts'
import { asObject } from '../../src/text/as-object.ts'
import { buildRecords, problemsOf } from '../helpers/build-records.ts'

/** Two records with one path. The second was copied and changed. */
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
    'a.json:7 /1/path: Record 1 (line 2) of this batch has the same path, but other values of "title". If one is a copy, change its id, or remove it.',
  ])
})

test('a record that was delivered twice without a change is a problem, too', async () => {
  const result = await buildRecords({ 'a.json': [COPIED[0], COPIED[0]] }, refuse)
  expect(problemsOf(result)).toEqual([
    'a.json:7 /1/path: Record 1 (line 2) of this batch has the same path and the same values. Remove one of the two.',
  ])
})

test('a copied file is a problem, whether it was changed or not', async () => {
  const files = { 'a.json': [COPIED[0]], 'b.json': [COPIED[1]], 'c.json': [COPIED[0]] }
  const result = await buildRecords(files, refuse)
  expect(problemsOf(result)).toEqual([
    'b.json:3 /0/path: Record 1 (line 2) of a.json has the same path, but other values of "title". If one is a copy, change its id, or remove it.',
    'c.json:3 /0/path: Record 1 (line 2) of a.json has the same path and the same values. Remove one of the two.',
  ])
})

test('a copied file is shown at both places, and each names the other', async () => {
  const files = { 'a.json': [COPIED[0]], 'b.json': [COPIED[0]] }
  const result = await buildRecords(files, refuse)
  const [problem] = result.ok ? [] : result.problems
  expect(problem).toMatchObject({
    batch: 'b.json',
    other: { batch: 'a.json', line: 3, column: 11, record: 0, pointer: '/0/path' },
  })
  expect(problem?.other?.message).toMatch(/^Record 1 \(line 2\) of b\.json has the same path/)
})

test('with --skip-refused, the later record is left out, and counted as refused', async () => {
  const files = { 'a.json': COPIED, 'b.json': [COPIED[0], { path: '/b' }] }
  const result = await buildRecords(files, refuse, { isSkipping: true })
  expect(result).toMatchObject({
    ok: true,
    manifest: {
      totals: { records: 4, kept: 2, dropped: 0, refused: 2 },
      refused: [
        { batch: 'a.json', index: 1, pointer: '/1/path', code: 'path.repeated' },
        { batch: 'b.json', index: 0, pointer: '/0/path', code: 'path.repeated' },
      ],
      duplicates: [],
    },
  })
})

test('a check without writing has the verdict of the build', async () => {
  const built = await buildRecords({ 'a.json': COPIED }, refuse)
  const checked = await buildRecords({ 'a.json': COPIED }, refuse, { isCheck: true })
  expect(problemsOf(checked)).toEqual(problemsOf(built))
})

describe('two keys of one object that become one path', () => {
  const content: Content = {
    site: false,
    records: Object.values,
    page: (_, { key = '' }) => ({
      path: `/${key.replace(/[-+]/, '')}`,
      title: key,
      contentHtml: '',
    }),
  }
  const file = { '+1': { title: 'One' }, '-1': { title: 'One' } }

  test('are a problem', async () => {
    expect(problemsOf(await buildRecords({ 'a.json': file }, content))).toEqual([
      'a.json:5 /-1: The key "-1" gives the same path as the key "+1" of record 1 (line 2). Give each a path of its own in content.ts (in the "path" that "content.page" makes).',
    ])
  })

  test('are a duplicate if their identities are the same', async () => {
    const withIdentity: Content = {
      ...content,
      identity: (record) => String(asObject(record).title),
    }
    const result = await buildRecords({ 'a.json': file }, withIdentity)
    expect(result).toMatchObject({ ok: true, manifest: { totals: { kept: 1, dropped: 1 } } })
  })
})

test('a copy of a record that a rule or the schema refuses is a problem, whatever its identity', async () => {
  const content: Content = { ...refuse, identity: (record) => Number(asObject(record).title) }
  const result = await buildRecords({ 'a.json': [COPIED[0], { path: '/a', title: '1' }] }, content)
  expect(problemsOf(result)).toEqual([
    expect.stringContaining('"content.identity" must return'),
    expect.stringContaining('has the same path'),
  ])
})
