import { expect, test } from 'vitest'
import { content } from '../../src/content.ts'
import { compileCheck, nameField, page, validate } from '../helpers/page.ts'

const check = compileCheck()
const judge = (...records: object[]) =>
  validate('b.json', Buffer.from(JSON.stringify(records)), check, 0, content).problems

test("a rule of the sample's is applied to each record that the schema accepts", () => {
  const form = { fields: [nameField, nameField] }
  const times = { updatedAt: '2025-08-29T00:00:00Z' }
  const faulty = page({ title: 'Blog Page 030', form, ...times })
  const problems = judge(page({ title: '' }), faulty)
  expect(problems.map(({ pointer, code }) => [pointer, code])).toEqual([
    ['/0/title', 'schema.pattern'],
    ['/1/title', 'rule.titleFitsPath'],
    ['/1/form/fields/1/name', 'rule.formCanBeShown'],
    ['/1/updatedAt', 'rule.updatedOnTheDayOfCreation'],
  ])
})
