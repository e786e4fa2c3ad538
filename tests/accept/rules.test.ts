import { describe, expect, test } from 'vitest'
import type { Page } from '../../scripts/samples/batches.ts'
import { createMarkupCheck } from '../../src/accept/markup.ts'
import { checkPage } from '../../src/accept/pages.ts'
import { checkRecord } from '../../src/accept/rules.ts'
import { fileProblem } from '../../src/explain/problem.ts'
import { sentenceOf } from '../../src/explain/sentences.ts'
import { isRefusal } from '../../src/fault/codes.ts'
import type { Fault, Rule } from '../../src/page/content.ts'
import { PARAGRAPHS } from '../../src/page/html.ts'
import { toData } from '../../src/report/json.ts'
import { formatPointer } from '../../src/text/pointer.ts'
import {
  compileCheck,
  emailField,
  messageField,
  nameField,
  page,
  refusedBy,
} from '../helpers/page.ts'

const check = (page: Page) =>
  checkPage(page, createMarkupCheck(PARAGRAPHS)).map(
    (fault) => `${formatPointer(fault.pointer)}: ${sentenceOf(fault)}`,
  )

/** Applies rules to a record. */
function checkBy<Item>(record: Item, rules: readonly Rule<Item>[]) {
  return checkRecord(record, rules, { file: 'a.json', key: undefined, index: 0 })
}

describe('no two fields of a form have the same name', () => {
  const same = (index: number, earlier: number, name: string) =>
    `/form/fields/${index}/name: "${name}" is already the name of field ${earlier + 1}.`
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
    ['equal labels are allowed', [nameField, { ...nameField, name: 'nickname' }], []],
  ])('%s', (_, fields, expected) => {
    expect(check(page({ form: { fields } }))).toEqual(expected)
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
    expect.stringContaining('/form/fields/0/type: "type" must be one of "text", "email", "tel"'),
    '/form/fields/1: This field has no "label", which must be text.',
    '/form/fields/1/required: "required" must be true or false, but it is 1.',
    '/form/fields/2/type: A "select" needs "options": a list of different texts, none of them empty.',
    expect.stringContaining('/form/fields/3/options: "options" must be a list of different texts'),
  ])
})

test('a rule that throws refuses the record with its reason, and the other rules go on', () => {
  const fails = () => JSON.parse('{')
  const refuses = () => [{ pointer: ['title'], message: 'must be short' }]
  expect(checkBy({}, [fails, refuses])).toMatchObject([
    {
      code: 'content.fails',
      at: 'value',
      pointer: [],
      facts: { name: 'fails' },
    },
    { code: 'rule.refuses', at: 'value', pointer: ['title'], message: 'must be short' },
  ])
})

describe('what a rule returns or throws, if it is not a list of faults, is a fault of the record', () => {
  const good = { pointer: ['title'], message: 'must be short' }
  const long = { title: 'one two' }
  /** The message about a rule that returns a value. */
  const say = (returned: unknown): string[] => {
    const odd = () => returned as []
    const faults = checkBy(long, [odd])
    expect(faults).toMatchObject([{ pointer: [], about: 'odd' }])
    return faults.map((fault) => sentenceOf(fault))
  }

  test.each<[returned: unknown, says: string]>([
    [undefined, 'must return a list, which may be empty, but it returns no value'],
    ['too long', 'must return a list, which may be empty, but it returns "too long"'],
    [good, 'must return a list, which may be empty, but it returns an object'],
    [
      Promise.resolve([good]),
      'returns a Promise, but the build doesn\'t wait for it. Remove "async"',
    ],
    [
      ['too long'],
      'must return a list of { pointer, message }, but one of its items is "too long"',
    ],
    [[null], 'must return a list of { pointer, message }, but one of its items is null'],
    [
      [{ message: 'must be short' }],
      'returns a fault without "pointer", which must be a list of keys and positions, such as ["tags", 0]. The fault\'s message is: must be short.',
    ],
    [
      [{ ...good, pointer: '/title' }],
      'returns a fault whose "pointer" must be a list of keys and positions, such as ["tags", 0], but it is "/title". The fault\'s message is: must be short.',
    ],
    [
      [{ ...good, pointer: ['a', -1] }],
      'returns a fault whose "pointer" must be a list of keys and positions',
    ],
    [[{ pointer: ['title'] }], 'returns a fault without "message", which must be text'],
    [[{ ...good, message: ' ' }], 'returns a fault whose "message" must be text, but it is " "'],
    [[{ ...good, code: 5 }], 'returns a fault whose "code" must be text, but it is 5'],
    [
      [{ ...good, at: 'end' }],
      'returns a fault whose "at" must be "key" or "value", but it is "end"',
    ],
    [
      [{ ...good, within: { start: 0, end: 8 } }],
      'returns a fault whose "within" must be { start, end }',
    ],
    [
      [{ ...good, within: { start: 5, end: 4 } }],
      'returns a fault whose "within" must be { start, end }',
    ],
    [[{ ...good, within: 3 }], 'returns a fault whose "within" must be { start, end }'],
    [
      [{ ...good, instead: { title: 'one' } }],
      'returns a fault whose "instead" must be text, a finite number',
    ],
  ])('%o', (returned, says) => {
    expect(say(returned)).toEqual([expect.stringContaining(`"content.odd" ${says}`)])
  })

  test('a Promise that is rejected', () => {
    expect(say(Promise.reject(new Error('no')))).toEqual([
      expect.stringContaining('returns a Promise'),
    ])
  })

  test.each<[thrown: unknown, why: string]>([
    ['no price', 'no price'],
    [null, 'it throws null'],
    [undefined, 'it throws no value'],
  ])('throws %o', (thrown, why) => {
    const fails = () => {
      throw thrown
    }
    const faults = checkBy({}, [fails])
    expect(faults).toMatchObject([{ code: 'content.fails', pointer: [] }])
    expect(faults.map((fault) => sentenceOf(fault))).toEqual([
      `"content.fails" fails here: ${why}.`,
    ])
  })

  test('a fault with a getter that fails', () => {
    const fault = {
      pointer: [],
      get message(): string {
        throw new Error('no words')
      },
    }
    const fails = () => [fault]
    const messages = checkBy({}, [fails]).map((fault) => sentenceOf(fault))
    expect(messages).toEqual([expect.stringContaining('no words')])
  })

  test('the other faults of the rule are there, too', () => {
    const rule = () => [good, {} as typeof good, { ...good, code: undefined as never }]
    expect(checkBy(long, [rule]).map(({ code, at, pointer }) => [code, at, ...pointer])).toEqual([
      ['rule.rule', 'value', 'title'],
      ['content.odd-fault', 'value'],
      ['rule.rule', 'value', 'title'],
    ])
  })
})

test('a rule may yield its faults, and say where in a text or a key they are', () => {
  function* yields({ title }: { title: string }) {
    yield { pointer: ['title'], message: 'a', within: { start: 4, end: title.length } }
    yield { pointer: ['title'], message: 'b', at: 'key' as const, within: { start: 0, end: 5 } }
  }
  const rule = (record: { title: string }) => yields(record) as Iterable<Fault> as Fault[]
  expect(checkBy({ title: 'one two' }, [rule])).toMatchObject([
    {
      code: 'rule.rule',
      at: 'value',
      pointer: ['title'],
      message: 'a',
      within: { start: 4, end: 7 },
    },
    {
      code: 'rule.rule',
      at: 'key',
      pointer: ['title'],
      message: 'b',
      within: { start: 0, end: 5 },
    },
  ])
})

test('a code that a rule gives is shown, and never taken for one of ours', () => {
  const rule = () => [{ pointer: [], message: 'a', code: 'path.conflict' }]
  const [finding] = checkBy({}, [rule])
  const problem = finding && { ...fileProblem('a.json', finding), record: 0 }
  expect(problem).toMatchObject({ code: 'rule.rule', kind: 'path.conflict' })
  expect(problem && toData(problem).code).toBe('path.conflict')
  expect(problem && isRefusal(problem)).toBe(true)
})

test('a rule without a name is named by its position', () => {
  const [first] = checkBy({}, [() => [{ pointer: [], message: 'a' }]])
  expect(first?.code).toBe('rule.rules[0]')
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
