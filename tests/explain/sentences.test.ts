import { expect, test } from 'vitest'
import { sentenceOf } from '../../src/explain/sentences.ts'
import { findSyntaxError } from '../../src/explain/syntax/json.ts'
import { findBrokenLine } from '../../src/explain/syntax/json-lines.ts'
import { jsonLines } from '../../src/formats/json-lines.ts'
import { compileCheck, refusedBy } from '../helpers/page.ts'

/** Checks a value by a rule. Returns the messages. */
function messagesAbout(rule: object, value: unknown): string[] {
  const items = { type: 'object', required: ['path'], properties: { value: rule } }
  const check = compileCheck({ type: 'array', items })
  return refusedBy(check, [{ path: '/a', value }]).map(({ message }) => message)
}

test.each([
  ...['date', 'time', 'date-time', 'duration', 'uri', 'url', 'uri-reference', 'email', 'hostname'],
  ...['ipv4', 'ipv6', 'uuid', 'json-pointer'],
])('the message about the format "%s" has an example that fits it', (format) => {
  const [message = ''] = messagesAbout({ format }, '\\ ')
  const [, example] =
    / isn't an? .+ such as "(.+?)"(?: or ".+")? \(format "\S+"\)\.$/.exec(message) ?? []
  expect(example, message).toBeDefined()
  expect(messagesAbout({ format }, example)).toEqual([])
})

test.each([
  ['{"a": 1}\n{"a": 2}', /JSON Lines/],
  ['"a": 1', /^A \{ is missing at the beginning of this file\.$/],
  ['{\n"a": 1}\n{"a": 2}', /^A second object begins here/],
  ['{"a": 1}, "b": 2}', /^This } closes the object that begins at line 1/],
  ['[{\n"a": 1}],\n{"a": 2}]', /^This \] closes the list that begins at line 1/],
  ['["a": 1]', /^A list \[ \] can't have keys\./],
  ['{"a": 1},\n{"a": 2}', / Several values need a list: \[ \], with commas between\.$/],
  ["{'a': 1}", /^JSON needs " instead of ' here, and in 1 more place of this file\.$/],
  ['[1，2]', /^JSON needs a comma instead of ， \(U\+FF0C\) here\.$/],
  ['{"a": "b "c" d"}', /If the quote is part of the text, write \\"\. Otherwise, remove it\.$/],
  ['[None]', /^None isn't valid JSON\. Write null\. If it's text, put it in double quotes\.$/],
  ['[.5]', /^\.5 isn't valid JSON\. Write 0\.5\. /],
  ['[0x10]', /Write 16\. If it's text/],
  ['[1_000]', /^1_000 isn't valid JSON\. If it's text, put it in double quotes\.$/],
])('the message about %j says what is wrong, and what to write', (text, says) => {
  expect(sentenceOf(findSyntaxError(text))).toMatch(says)
})

test.each([
  ['null\n', 0],
  ['{"a": 1}\n[{"a": 2}]\n', 9],
  ['{"a": 1}\n3', 9],
  ['{"a": 1}\n{"a": 2} {"a": 3}\n', 18],
])('the first line of JSON Lines that is not an object is refused: %j', (text, start) => {
  const { parse } = jsonLines
  expect(parse(text).tree).toBeUndefined()
  expect(findBrokenLine(text)).toMatchObject({ code: 'json.line', range: { start } })
})

test.each([
  [{ dependentSchemas: { 'a/b': { maxProperties: 1 } } }, { 'a/b': 1, c: 2 }, 'a/b'],
  [{ dependentSchemas: { a: { required: ['c'] } } }, { a: 1 }, 'a'],
])('a message names the key that demands something: %j, %j', (rule, value, key) => {
  expect(messagesAbout(rule, value)).toEqual([expect.stringMatching(` when "${key}" is .+\\.$`)])
})

test.each([
  [{ if: { properties: { a: { const: 1 } } }, else: { required: ['c'] } }, ' unless "a" is 1.'],
  [
    { if: { properties: { a: { enum: [1, 3] } }, required: ['a'] }, else: { required: ['c'] } },
    ' unless "a" is 1 or 3.',
  ],
  [{ if: { required: ['x'] }, else: { required: ['c'] } }, ' unless "x" is there.'],
  [
    {
      properties: { b: { required: ['c'] } },
      if: { properties: { a: { const: 1 } } },
      else: { $ref: '#/items/properties/value/properties/b' },
    },
    ' unless "a" is 1.',
  ],
  [
    {
      if: { properties: { a: { const: 1 } } },
      else: { if: { required: ['x'] }, else: { required: ['c'] } },
    },
    ' unless "a" is 1 or "x" is there.',
  ],
])('the message about the else of %j names its exceptions', (rule, rest) => {
  expect(messagesAbout(rule, { a: 2 })).toEqual([`The key "c" is missing. It is required${rest}`])
})

test('the message about an else names no exceptions if its if has several conditions', () => {
  const rule = { if: { required: ['a', 'x'] }, else: { required: ['c'] } }
  expect(messagesAbout(rule, { a: 2 })).toEqual(['The key "c" is missing.'])
})

test('a property with the name of a keyword is not taken for a reason', () => {
  const rule = { properties: { dependentSchemas: { items: { type: 'string' } } } }
  expect(messagesAbout(rule, { dependentSchemas: [1] })).toEqual([
    'This must be text, but it is the number 1.',
  ])
})

test('a text that is empty may be left out', () => {
  expect(messagesAbout({ format: 'email' }, '')).toEqual([
    expect.stringMatching(/remove the key if/),
  ])
})
