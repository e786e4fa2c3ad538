import { describe, expect, test } from 'vitest'
import type { Page } from '../../scripts/samples/batches.ts'
import { checkRules, PAGE_RULES } from '../../src/batch/rules.ts'
import { formatPointer } from '../../src/page/violation.ts'
import {
  compileCheck,
  emailField,
  messageField,
  nameField,
  page,
  refusedBy,
} from '../helpers/page.ts'

const check = (page: Page) =>
  checkRules<Page>(page, PAGE_RULES).map(
    ({ pointer, message }) => `${formatPointer(pointer)}: ${message}`,
  )

describe('no two fields of a form have the same name', () => {
  const same = (index: number, earlier: number, name: string) =>
    `/form/fields/${index}/name: must differ from the name of field ${earlier}, but is "${name}" too`
  test.each([
    ['the three fields have three names', [nameField, emailField, messageField], []],
    [
      'the later of two is reported',
      [nameField, emailField, { ...messageField, name: 'name' }],
      [same(2, 0, 'name')],
    ],
    [
      'each but the first is reported',
      [emailField, nameField, nameField, nameField],
      [same(2, 1, 'name'), same(3, 1, 'name')],
    ],
    ['other labels do not matter', [nameField, { ...nameField, label: 'X' }], [same(1, 0, 'name')]],
    ['equal labels are no problem', [nameField, { ...nameField, name: 'nickname' }], []],
  ])('%s', (_, fields, told) => {
    expect(check(page({ form: { fields } }))).toEqual(told)
  })

  test('a page without a form has no problem', () => {
    expect(check(page({ form: null }))).toEqual([])
  })
})

test('a field that the site cannot show is a problem at its key', () => {
  const fields = [
    { ...nameField, type: 'color' },
    { ...emailField, label: undefined, required: 1 },
    { ...messageField, type: 'select' },
    { ...nameField, name: 'size', type: 'select', options: ['S', 5] },
  ]
  expect(check(page({ form: { fields } }))).toEqual([
    expect.stringContaining('/form/fields/0/type: must be one of "text", "email", "tel"'),
    '/form/fields/1: has no "label", which must be a text',
    '/form/fields/1/required: must be true or false, but is 1',
    '/form/fields/2/type: has no "options", which must be a list of different texts, none of them ""',
    expect.stringContaining('/form/fields/3/options: must be a list of different texts'),
  ])
})

test('a rule that throws refuses the record with its reason, and the other rules go on', () => {
  const fails = () => JSON.parse('{')
  const refuses = () => [{ pointer: ['title'], message: 'must be short' }]
  expect(checkRules({}, [fails, refuses])).toEqual([
    {
      code: 'rule.fails',
      at: 'value',
      pointer: [],
      message: expect.stringContaining('"fails" of'),
    },
    { code: 'rule.refuses', at: 'value', pointer: ['title'], message: 'must be short' },
  ])
})

test.each<[string, object]>([
  ['a form that is not an object', { form: 5 }],
  ['a form without fields', { form: {} }],
  ['fields that are not a list', { form: { fields: { name: 'a' } } }],
])('the rules ignore %s, which another schema may allow', (_, odd) => {
  expect(check({ ...page(), ...odd } as Page)).toEqual([])
})

test('the page that these tests vary is valid by the schema and the rules', () => {
  expect(refusedBy(compileCheck(), [page()])).toEqual([])
  expect(check(page())).toEqual([])
})
