import { describe, expect, test } from 'vitest'
import { compileCheck, nameField, page, validate, without } from '../helpers/page.ts'

const check = compileCheck()
const judge = (...records: object[]) =>
  validate('b.json', Buffer.from(JSON.stringify(records)), check, 0).problems

describe("a rule of the sample's, beside the schema", () => {
  test('is skipped if the schema refused its input, and the problem says so', () => {
    const { title } = page()
    const [path, day] = judge(page({ path: '/x', title }), page({ updatedAt: '2020-01' }))
    expect(path?.message).toMatch(/but is "\/x" \(what must fit it was not checked\)$/)
    expect(day?.message).toMatch(/but is "2020-01" \(what must fit it was not checked\)$/)
  })

  test('is skipped if its input is missing, and the message says so', () => {
    const records = ['path', 'title', 'form', 'createdAt', 'updatedAt'].map((key) =>
      without(page(), key),
    )
    const problems = judge(...records)
    expect(problems.map(({ pointer }) => pointer)).toEqual(records.map((_, at) => `/${at}`))
    const isSaid = ({ message }: { message: string }) =>
      message.endsWith('(what must fit it was not checked)')
    expect(problems.map(isSaid)).toEqual([true, true, false, true, true])
  })

  test('compares what the message says that a value must be', () => {
    const fields = [nameField, { ...nameField, name: 'Name' }]
    const shape = { path: '/blog/29', title: 'Blog Page 030', form: { fields } }
    const problems = judge(page(shape))
    expect(problems.map(({ pointer, message }) => [pointer, message])).toEqual([
      ['/0/path', expect.stringMatching(/; did you mean "\/blog\/029"\?$/)],
      ['/0/title', expect.stringMatching(/^must fit the path; which of the two is meant\?/)],
      ['/0/form/fields/1/name', expect.stringMatching(/; did you mean "name"\?$/)],
      ['/0/form/fields/1/name', 'must differ from the name of field 0, but is "name" too'],
    ])
  })

  test('is applied if another value of the record, or of another record, was refused', () => {
    const form = { fields: [nameField, nameField] }
    const times = { updatedAt: '2025-08-29T00:00:00Z' }
    const faulty = page({ title: 'Blog Page 030', contentHtml: '', form, ...times })
    const problems = judge(page({ title: '' }), faulty)
    expect(problems.map(({ pointer }) => pointer)).toEqual([
      '/0/title',
      '/1/title',
      '/1/contentHtml',
      '/1/form/fields/1/name',
      '/1/updatedAt',
    ])
  })

  test('is applied if the record has an unknown key', () => {
    expect(judge({ ...page({ title: 'Blog Page 030' }), x: 1 })).toHaveLength(2)
  })
})
