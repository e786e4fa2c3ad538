import { expect, test } from 'vitest'
import type { Content } from '../../src/page/content.ts'
import { buildRecords, problemsOf } from '../helpers/build-records.ts'

interface Country {
  path: string
  id: string
  borders?: string[]
}

const content: Content = {
  site: false,
  identity: (record) => (record as unknown as Country).id,
  references: (record) => (record as unknown as Country).borders ?? [],
}
const country = (id: string, ...borders: string[]) => ({ path: `/${id}`, id, borders })

test('a reference to a record of any batch is right', async () => {
  const files = { 'a.json': [country('AUT', 'DEU')], 'b.json': [country('DEU', 'AUT')] }
  expect(await buildRecords(files, content)).toMatchObject({ ok: true })
})

test('a reference to nothing is a problem where it stands, with the nearest identity', async () => {
  const files = {
    'a.json': [country('AUT'), country('DEU', 'AUT', 'CHEE')],
    'b.json': [country('CHE')],
  }
  expect(problemsOf(await buildRecords(files, content))).toEqual([
    'a.json:12 /1/borders/1: "CHEE" names a record, but no record has this identity. Nearest: "CHE".',
  ])
})

test('a record is not about an empty text', async () => {
  const files = { 'a.json': [country('AUT')] }
  expect(problemsOf(await buildRecords(files, { ...content, identity: () => '' }))).toEqual([
    'a.json:2 /0: "content.identity" must return text that is not empty, or a finite number, but it returns "".',
  ])
})

test('a reference to an empty text is a problem where it stands', async () => {
  const files = { 'a.json': [country('AUT', '')] }
  expect(problemsOf(await buildRecords(files, content))).toEqual([
    'a.json:6 /0/borders/0: "" names a record, but no record has this identity.',
  ])
})

test('a reference to a record that was refused is not reported as well', async () => {
  const rules = [
    (record: unknown) =>
      (record as Country).id === 'CHE' ? [{ pointer: ['id'], message: 'must be another' }] : [],
  ]
  const files = { 'a.json': [country('AUT', 'CHE'), country('CHE')] }
  const problems = problemsOf(await buildRecords(files, { ...content, rules }))
  expect(problems).toEqual([expect.stringContaining('must be another')])
})

test('references to a record whose page is refused are checked by its identity', async () => {
  const page = ({ path }: { path: string }) => {
    return path === '/CHE' ? null : { path, title: 'Country', contentHtml: '<p>Land.</p>' }
  }
  const files = { 'a.json': [country('AUT', 'CHE', 'CHEE'), country('CHE')] }
  const result = await buildRecords(files, { ...content, page } as unknown as Content)
  expect(problemsOf(result)).toEqual([
    expect.stringContaining('"CHEE" names a record'),
    expect.stringContaining('page'),
  ])
})

test('content.ts is not asked what a record is about that the schema refuses', async () => {
  const asked: unknown[] = []
  const identity = (record: unknown) => {
    const { id } = record as Country
    asked.push(id)
    return id
  }
  const files = { 'a.json': [country('AUT', 'CHE'), { id: 'CHE' }] }
  const result = await buildRecords(files, { ...content, identity })
  expect(problemsOf(result)).toHaveLength(1)
  expect(asked).toEqual(['AUT'])
})

test('while the identity of a record is not known, references are not checked', async () => {
  const files = { 'a.json': [country('AUT', 'CHE'), { path: '/x' }] }
  const result = await buildRecords(files, content)
  expect(problemsOf(result)).toHaveLength(1)
  expect(result.warnings).toMatchObject([{ code: 'reference.unchecked' }])
})

test('a reference to a record that is left out by --skip-refused is a problem', async () => {
  const rules = [
    (record: unknown) =>
      (record as Country).id === 'CHE' ? [{ pointer: ['id'], message: 'must be another' }] : [],
  ]
  const files = { 'a.json': [country('AUT', 'CHE'), country('CHE')] }
  const result = await buildRecords(files, { ...content, rules }, { isSkipping: true })
  expect(problemsOf(result)).toEqual([
    'a.json:6 /0/borders/0: "CHE" names a record, but no record has this identity.',
  ])
})
