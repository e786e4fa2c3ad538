import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { findSyntaxError } from '../../src/explain/syntax/json.ts'
import { isJson } from '../../src/explain/syntax/tokens.ts'
import type { Target } from '../../src/formats/format.ts'
import { json } from '../../src/formats/json.ts'
import { findLosses } from '../../src/formats/losses.ts'
import { formatPointer, type Pointer } from '../../src/text/pointer.ts'
import type { Range } from '../../src/text/range.ts'

import { times } from '../helpers/long.ts'
import { property } from '../helpers/property.ts'
import { treeOf } from '../helpers/tree.ts'

/** Removes the guillemets from a text, and returns the range between them. */
function marked(text: string) {
  const start = text.indexOf('«')
  const end = text.indexOf('»') - 1
  return { text: text.replace('«', '').replace('»', ''), start, end }
}

const locate = (text: string, targets: readonly Target[]) => treeOf(json, text).locate(targets)

const lossesOf = (text: string) => {
  const losses = findLosses(text, JSON.parse(text))
  if (losses === 'too deep') throw new Error(losses)
  return losses
}

const sliceOf = (text: string, { start, end }: Range) => text.slice(start, end)

/** JSON as it is written, so that an object may repeat a key. */
type Tree = { scalar: unknown } | { items: Tree[] } | { members: [string, Tree][] }

// None is a prefix of another that goes on with a backslash: after such a key, JSON.parse of
// Node 24 and 26 misreads one written in escapes (https://github.com/nodejs/node/issues/63785).
const KEYS = ['a', 'b', '', '0', '__proto__', 'a/b', '~1', '"', 'C:\\', 'é', '😀\n']
const someKey = fc.constantFrom(...KEYS)
const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({
      scalar: fc.oneof(fc.boolean(), fc.constant(null), fc.double({ noNaN: true }), fc.string()),
    }),
    fc.record({ items: fc.array(tie('tree'), { maxLength: 4 }) }),
    fc.record({ members: fc.array(fc.tuple(someKey, tie('tree')), { maxLength: 5 }) }),
  ),
}))
/** The white space between tokens, and whether a key is written in escapes. */
const style = fc.record({
  spaces: fc.infiniteStream(fc.constantFrom('', '', ' ', '\n', '\t', '\r\n  ')),
  escapes: fc.infiniteStream(fc.boolean()),
})
type Style = { spaces: Iterator<string>; escapes: Iterator<boolean> }

function print(tree: Tree, style: Style): string {
  const space = () => style.spaces.next().value
  const key = (key: string) => {
    if (!style.escapes.next().value) return JSON.stringify(key)
    const units = Array.from({ length: key.length }, (_, at) => key.charCodeAt(at).toString(16))
    return `"${units.map((unit) => `\\u${unit.padStart(4, '0')}`).join('')}"`
  }
  const list = (items: string[]) => items.map((item) => space() + item + space()).join(',')
  if ('items' in tree) return `[${list(tree.items.map((item) => print(item, style)))}${space()}]`
  if ('scalar' in tree) return JSON.stringify(tree.scalar)
  const member = ([name, value]: [string, Tree]) =>
    `${key(name)}${space()}:${space()}${print(value, style)}`
  return `{${list(tree.members.map(member))}${space()}}`
}

function* pointersOf(value: unknown, pointer: Pointer = []): Generator<[Pointer, unknown]> {
  yield [pointer, value]
  if (typeof value !== 'object' || value === null) return
  for (const [key, member] of Object.entries(value)) yield* pointersOf(member, [...pointer, key])
}

function* repetitionsOf(tree: Tree, pointer: Pointer = []): Generator<string> {
  const seen = new Set<string>()
  if ('items' in tree) {
    for (const [index, item] of tree.items.entries())
      yield* repetitionsOf(item, [...pointer, index])
  } else if ('members' in tree) {
    for (const [key, value] of tree.members) {
      if (seen.has(key)) yield formatPointer([...pointer, key])
      seen.add(key)
      yield* repetitionsOf(value, [...pointer, key])
    }
  }
}

test('a pointer is written with ~ and / escaped', () => {
  expect(formatPointer([])).toBe('')
  expect(formatPointer([''])).toBe('/')
  expect(formatPointer([27, 'a/b~c', '~1'])).toBe('/27/a~1b~0c/~01')
})

describe('a syntax error is reported at its place', () => {
  test.each([
    ['\n\n[1,\n«»', 'end'],
    ['[\n{"a": 1«»', 'unclosed'],
    ['[«}»', 'bracket-wrong'],
    ['[«😀»]', 'stray'],
    ['{"a":1,«,»"b":2}', 'comma-extra'],
    ['[«,»1]', 'comma-extra'],
    ['[1«» 2]', 'comma-missing'],
    ['[{}«»{}]', 'comma-missing'],
    ['{"a": "1"«»\n"b": 2}', 'comma-missing'],
    ['["a«"»"b"]', 'quote'],
    ['[1«,»]', 'comma-trailing'],
    ['{"a":1«,»\n }', 'comma-trailing'],
    ['[{}]«,»\n', 'comma-trailing'],
    ['[«-.5»]', 'word'],
    ['[«007»]', 'word'],
    ['[«1e»]', 'word'],
    ['[«2025-08-28»]', 'word'],
    ['[«True»]', 'word'],
    ['{«a»: 1}', 'key-without-quotes'],
    ['["a«\\u0»0f', 'escape'],
    ['[«"abc»', 'string-end'],
    ['["a«\t»b"]', 'control-character'],
    ['["C:«\\d»ir"]', 'escape'],
    ['{"name": "«"»A Contact"}', 'quote-extra'],
    ['{"a": "x",«"»\n "b": 1}', 'quote-extra'],
    ['{"a": «"»\n}', 'string-end'],
    ['{"a«:» "b"}', 'quote-missing'],
    ['{"a": «b»", "c": 1}', 'quote-missing'],
    ['{"a": "He said «"»hi" to all"}', 'quote'],
    ['{"a": "He said, «"»hi" to all"}', 'quote'],
    ['{«"a"»]: b "c"}', 'one-of-pair'],
    ['{"a": "one line«\n»and another", "b": 1}', 'line-break'],
    ['«```»json\n[]\n```', 'fence'],
    ['[«w»{"a": 1}]', 'stray'],
    ['[{}\n«-NoNewline»\n{}]', 'unexpected'],
    ['{"record"«s»: {}}', 'stray'],
    ['{"a" «=» 1}', 'lookalike'],
    ['{"a"«» "b"}', 'colon-missing'],
    ['{"a«:»" "b"}', 'colon-inside'],
    ['{"a": "b"«’»\n}', 'stray'],
    ['{"a":«» , "b": 1}', 'value-missing'],
    ['[true«;»]', 'stray'],
    ['[{"a": 1«»\n{"b": 2}]', 'bracket-missing'],
    ['{"a": "Say yes«"», then go."}', 'quote'],
    ['{"a": "look under «"»Sailors," please"}', 'quote'],
    ['{"a": "https«"»://"a.example"}', 'quote'],
    ['{"a": "12«"»:30"}', 'quote'],
    ['["a«,» "b", "c"]', 'quote-missing'],
    ['["a"«:» "b", "c"]', 'lookalike'],
    ['{"a"«:»\n"b":\n"c": 1}', 'value-missing'],
    ['{"a": "C:\\\\dir«\\"», "b": 1}', 'escaped-quote'],
    ['{"a": 1«:» "b": 2}', 'lookalike'],
    ['{"a": «(»"b": 1)}', 'round-bracket'],
    ['«(»\n{"a": 1},\n{"b": 2},\n{"c": 3},\n{"d": 4}\n]', 'round-bracket'],
    ['{"a": {"b": 1«)»}', 'bracket-wrong'],
    ['{"a": 1«)»}', 'stray'],
    ['{"a": {"b": 1«]»', 'unexpected'],
    ['[{"a": 1}, «"b"»: 2}]', 'opening-missing'],
    ['{"a": 1}\n«}»', 'after-end'],
    ['[]\n«http://a.example»', 'stray'],
    ['[1 «/»/ one\n]', 'comment'],
    ['[\n«<<<<<<< ours»\n1\n=======\n2\n>>>>>>> theirs\n]', 'conflict'],
    ['{\n«\u00a0»"a": 1}', 'invisible'],
    ['["a"«\u200b»]', 'invisible'],
    ['[«\ufe0f»a]', 'invisible'],
    ['{«a\ufe0f»: 1}', 'key-without-quotes'],
    ['[1«，»2]', 'lookalike'],
    ['{«“»a”: 1}', 'lookalike'],
    ['{"a": "b«”»\n}', 'lookalike'],
    ['{"a": "an “end”«,»\n"b": 1}', 'quote-missing'],
    ['{"a": "the trams’«,»\n"b": 1}', 'quote-missing'],
    ["[«'»a']", 'lookalike'],
  ])('%j: %s', (source, code) => {
    const { text, ...range } = marked(source)
    expect(findSyntaxError(text)).toMatchObject({ range, code: `json.${code}` })
  })

  const alphabet = [...'[]{},:"\\/\'#\n\t 019-+.eEu$tfné', 'true', 'null', '\\u0061', '\0']
  const mutated = fc
    .record({
      value: fc.jsonValue({ maxDepth: 3 }),
      indent: fc.constantFrom(0, 2),
      position: fc.nat(),
      cut: fc.nat(2),
      inserted: fc.array(fc.constantFrom(...alphabet), { maxLength: 2 }),
    })
    .map(({ value, indent, position, cut, inserted }) => {
      const text = JSON.stringify(value, null, indent)
      const start = position % (text.length + 1)
      return text.slice(0, start) + inserted.join('') + text.slice(start + cut)
    })
  const noise = fc.string({ unit: fc.constantFrom(...alphabet), maxLength: 12 })
  property([fc.oneof(mutated, mutated, noise)], { numRuns: times(1_000) })(
    'in exactly the texts that JSON.parse refuses',
    (text) => {
      if (isJson(text)) return expect(() => findSyntaxError(text)).toThrow('the text is JSON')
      const { start, end } = findSyntaxError(text).range as Range
      expect(start).toBeLessThanOrEqual(end)
      expect(end).toBeLessThanOrEqual(text.length)
    },
  )
})

/** Expects a value at a range: what is put in its place, or into it as the first one, is found there. */
function expectValueAt(text: string, { start, end }: Range, pointer: Pointer, value: unknown) {
  const written = text.slice(start, end)
  const isContainer = typeof value === 'object' && value !== null
  if (!isContainer) {
    expect(JSON.parse(written)).toBe(value)
    expect(valueAt(`${text.slice(0, start)}"here"${text.slice(end)}`, pointer)).toBe('here')
    return
  }

  const isList = Array.isArray(value)
  expect(written).toBe(isList ? '[' : '{')

  const comma = Object.keys(value).length > 0 ? ',' : ''
  const first = isList ? `"here"${comma}` : `"?":"here"${comma}`
  const changed = text.slice(0, end) + first + text.slice(end)
  expect(valueAt(changed, [...pointer, isList ? 0 : '?'])).toBe('here')
}

function valueAt(text: string, pointer: Pointer): unknown {
  return pointer.reduce((value, step) => value[step], JSON.parse(text))
}

describe('locate', () => {
  property([tree, style], { numRuns: times(100) })(
    'finds exactly the value of every pointer',
    (tree, style) => {
      const text = ` ${print(tree, style)}\n`
      const all = [...pointersOf(JSON.parse(text))]
      const ranges = locate(
        text,
        all.map(([pointer]) => ({ pointer, at: 'value' })),
      )
      const beyond = locate(
        text,
        all.map(([pointer]) => ({ pointer: [...pointer, '?', 0], at: 'key' })),
      )
      expect(beyond).toEqual(ranges)
      for (const [index, [pointer, value]] of all.entries()) {
        expectValueAt(text, ranges[index] as Range, pointer, value)
      }
    },
  )

  property([tree, style], { numRuns: times(100) })(
    'finds exactly the key that leads to a value',
    (tree, style) => {
      const text = print(tree, style)
      for (const [pointer] of pointersOf(JSON.parse(text))) {
        const [key, value] = locate(text, [
          { pointer, at: 'key' },
          { pointer, at: 'value' },
        ])
        const parent = pointer.slice(0, -1).reduce((inner, step) => inner[step], JSON.parse(text))
        if (pointer.length === 0 || Array.isArray(parent)) {
          expect(key).toEqual(value)
        } else {
          expect(JSON.parse(sliceOf(text, key as Range))).toBe(pointer.at(-1))
          expect(text.slice(key?.end, value?.start).trim()).toBe(':')
        }
      }
    },
  )

  test.each<[string, Pointer, string]>([
    ['{"a":{"b":1},"a":«2»}', ['a', 'b'], 'where the last of two equal keys has no such value'],
    [
      '{"a":{"b":{}},"a":«{»"c":1}}',
      ['a', 'b', 'c'],
      'where the last of two equal keys has other values',
    ],
    ['{"a":2,"a":{"b":«1»}}', ['a', 'b'], 'where the last of two equal keys has it'],
    ['[«[»]]', [0, 5], 'where the array is too short'],
    ['«7»', ['a'], 'where there is no object at all'],
    ['{"01":0,"1":«1»}', [1], 'where a key is a number'],
  ])('%s is the place of %j, %s', (source, pointer) => {
    const { text, ...range } = marked(source)
    expect(locate(text, [{ pointer, at: 'value' }])).toMatchObject([range])
  })
})

describe('a repeated key', () => {
  property([tree, style], { numRuns: times(200) })(
    'is found wherever an object has one',
    (tree, style) => {
      const text = print(tree, style)
      const expected = [...repetitionsOf(tree)]
      const found = lossesOf(text)
      expect(found.map(({ pointer }) => formatPointer(pointer))).toEqual(expected)
      for (const { range, pointer } of found)
        expect(JSON.parse(sliceOf(text, range as Range))).toBe(pointer.at(-1))
    },
  )
})

describe('a character that is lost', () => {
  const listLosses = (value: unknown) => {
    const text = JSON.stringify(value)
    return lossesOf(text).map(({ pointer, at, range, code }) => {
      return [formatPointer(pointer), at, sliceOf(text, range as Range), code]
    })
  }

  test('is half of a surrogate pair, in a text or a key', () => {
    expect(
      listLosses([{ title: 'a\udc00b', '\udfff': '😀\ud83d\ude00' }, ['\ude00\ud83d']]),
    ).toEqual([
      ['/0/title', 'value', '\\udc00', 'loss.lone-surrogate'],
      ['/0/\udfff', 'key', '\\udfff', 'loss.lone-surrogate'],
      ['/1/0', 'value', '\\ude00\\ud83d', 'loss.lone-surrogate'],
    ])
  })

  test('is U+FFFD, at the first of a text or key, however it is written', () => {
    expect(listLosses([{ title: 'Gr\ufffd\ufffde \ufffd \uffee', '\ufffd': [] }])).toEqual([
      ['/0/title', 'value', '\ufffd', 'loss.character'],
      ['/0/\ufffd', 'key', '\ufffd', 'loss.character'],
    ])
    expect(findLosses('["a\\uFffD"]', ['a\ufffd'])).toMatchObject([{ range: { start: 3, end: 9 } }])
  })
})

test.each([
  ['arrays', '[', ']'],
  ['objects', '{"a":', '}'],
])('a hundred thousand nested %s end no stack', (_, open, close) => {
  const nested = `${open.repeat(1e5)}1${close.repeat(1e5)}`
  const text = `[{"b":2,"b":3},${nested}]`
  expect(findLosses(text, JSON.parse(text))).toBe('too deep')
  expect(findSyntaxError(text.slice(0, -1)).code).toBe('json.unclosed')
})

test('a text of many million characters ends no stack', () => {
  const text = '語\\n'.repeat(6e6)
  expect(findSyntaxError(`["${text}" 1]`).code).toBe('json.comma-missing')
  expect(findSyntaxError(`["${text}`).code).toBe('json.string-end')
})
