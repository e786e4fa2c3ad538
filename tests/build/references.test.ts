import { describe, expect, test } from 'vitest'
import type { Content } from '../../src/page/content.ts'
import { WIDE } from '../../src/page/html.ts'
import { asObject } from '../../src/text/as-object.ts'
import { buildRecords, problemsOf } from '../helpers/build-records.ts'

interface Country {
  path: string
  id: string
  borders?: string[]
}

const content: Content = {
  site: false,
  identity: (record) => (record as unknown as Country).id,
  references: (record) => ({ pages: (record as unknown as Country).borders ?? [] }),
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
    'a.json:12 /1/borders/1: No page has the path or the identity "CHEE". Nearest: "CHE".',
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
    'a.json:6 /0/borders/0: No page has the path or the identity "".',
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

test('references by path to a record with a refused page are not checked', async () => {
  const page = ({ path }: { path: string }) => {
    return path === '/CHE' ? null : { path, title: 'Country', contentHtml: '<p>Land.</p>' }
  }
  const files = { 'a.json': [country('AUT', 'CHE', '/CHE'), country('CHE')] }
  const result = await buildRecords(files, { ...content, page } as unknown as Content)
  expect(problemsOf(result)).toEqual([expect.stringContaining('"content.page" must return')])
  expect(result.warnings.map(({ message }) => message)).toEqual([
    '1 reference to "pages" wasn\'t checked, because of what is wrong in a.json.',
  ])
})

test('content.ts is not asked for the identity of a record that the schema refuses', async () => {
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
    'a.json:6 /0/borders/0: No page has the path or the identity "CHE".',
  ])
})

test('a record is named by its identity or its path, and a page is linked only by its path', async () => {
  const contentHtml = '<p><a href="/CHE">A</a> <a href="/about/che">B</a></p>'
  const files = {
    'a.json': [{ ...country('AUT', '/CHE', '/about/che', '/none'), contentHtml }],
    'b.json': [{ ...country('CHE'), id: '/about/che' }],
  }
  const result = await buildRecords(files, { ...content, elements: WIDE })
  expect(problemsOf(result)).toEqual([
    expect.stringContaining('the path or the identity "/none"'),
    expect.stringContaining('No page is at "/about/che".'),
  ])
})

describe('if "page" makes the page,', () => {
  const body = '<p><a href="/x">X</a> <a href="/y">Y</a></p>'
  const made: Content = {
    ...{ site: false, elements: WIDE },
    page: (record) => ({ path: String(asObject(record).path), title: 'A', contentHtml: body }),
  }

  test('each link to nothing is a problem at its record', async () => {
    const result = await buildRecords({ 'a.json': [{ path: '/a' }] }, made)
    expect(problemsOf(result)).toEqual([
      expect.stringMatching(/^a\.json:2 \/0: No page is at "\/x"/),
      expect.stringMatching(/^a\.json:2 \/0: No page is at "\/y"/),
    ])
  })

  test('the links are read although a rule refuses its record', async () => {
    const rules = [() => [{ pointer: [], message: 'Not this one.' }]]
    const result = await buildRecords({ 'a.json': [{ path: '/a' }] }, { ...made, rules })
    expect(problemsOf(result)).toHaveLength(3)
  })

  test('links to others are not checked while the schema refuses a record', async () => {
    const result = await buildRecords({ 'a.json': [{ path: '/a' }, {}] }, made)
    expect(problemsOf(result)).toHaveLength(1)
    expect(result.warnings.map(({ message }) => message)).toEqual([
      '2 references to "pages" weren\'t checked, because of what is wrong in a.json.',
    ])
  })
})
