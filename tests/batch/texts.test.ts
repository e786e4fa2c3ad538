import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findLoneSurrogates, findLostText } from '../../src/batch/json/texts.ts'
import { formatPointer, type Violation } from '../../src/batch/violation.ts'
import { property } from '../helpers/property.ts'

const tell = (violations: Violation[]) =>
  violations.map(({ pointer, at, message }) => {
    return `${formatPointer(pointer)}${at === 'key' ? ' (key)' : ''}: ${message}`
  })
const LONE = 'must be well-formed Unicode, but has a lone surrogate'

describe('a lone surrogate', () => {
  test.each<[string, unknown, string[]]>([
    ['as the whole value', '\ud800', [`: ${LONE}`]],
    ['in a value', [{ title: 'a\udc00b' }], [`/0/title: ${LONE}`]],
    [
      'in a value of a form',
      [{ form: { fields: [{ label: '\ud83d' }] } }],
      [`/0/form/fields/0/label: ${LONE}`],
    ],
    ['in a key', { a: { '\udfff': 1 } }, [`/a/\udfff (key): ${LONE}`]],
    [
      'in a key and its value',
      { '\udfff': '\udfff' },
      [`/\udfff (key): ${LONE}`, `/\udfff: ${LONE}`],
    ],
    ['in a key of an object in a list', [0, { '\ud800': null }], [`/1/\ud800 (key): ${LONE}`]],
    ['in the wrong order', ['\ude00\ud83d'], [`/0: ${LONE}`]],
  ])('%s is reported', (_, value, told) => {
    expect(tell(findLoneSurrogates(value))).toEqual(told)
  })

  test('is not found in a pair of surrogates, in a value or a key', () => {
    expect(findLoneSurrogates([{ '😀': '😀\ud83d\ude00', n: [1, null, true] }])).toEqual([])
  })

  test('is found inside a hundred thousand nested arrays', () => {
    let value: unknown = '\ud800'
    for (let depth = 0; depth < 1e5; depth++) value = [value]
    expect(findLoneSurrogates(value)).toMatchObject([{ pointer: { length: 1e5 }, at: 'value' }])
  })

  property([fc.jsonValue(), fc.constantFrom('value', 'key')])(
    'is found in any value',
    (value, at) => {
      const broken = at === 'key' ? { '\ud800': 0 } : '\ud800'
      const found = findLoneSurrogates([value, [broken], value])
      const pointer = at === 'key' ? [1, 0, '\ud800'] : [1, 0]
      expect(found).toMatchObject([{ pointer, at, message: LONE }])
    },
  )
})

test('every lost character is found, those beside each other once', () => {
  const found = (value: unknown) => findLostText(Buffer.from(JSON.stringify(value)))
  const batch = [{ title: 'Gr\ufffd\ufffde \ufffd', '\ufffd': [] }]
  expect(
    found(batch).map(({ pointer, at, within }) => [formatPointer(pointer), at, within]),
  ).toEqual([
    ['/0/\ufffd', 'key', { start: 0, end: 1 }],
    ['/0/title', 'value', { start: 2, end: 4 }],
    ['/0/title', 'value', { start: 6, end: 7 }],
  ])
  expect(found([{ title: '\uffee' }])).toEqual([])
  expect(findLostText(Buffer.from('[\ufffd'))).toEqual([])
})
