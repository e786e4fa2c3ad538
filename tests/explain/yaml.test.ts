import { describe, expect, test } from 'vitest'
import { fixBatch } from '../../src/explain/explain.ts'
import type { Problem } from '../../src/explain/problem.ts'
import type { Content } from '../../src/page/content.ts'
import { compileCheck, read } from '../helpers/page.ts'

/** Each file is one record. */
const CONTENT: Content = {
  records: (file) => [file as never],
  page: () => ({ path: '/a', title: 'A', contentHtml: '' }),
}

/** Checks a file. */
function check(name: string, text: string, schema: object = {}) {
  return read(name, Buffer.from(text), compileCheck(schema), 0, CONTENT)
}

/** For example `3:7-9 schema.type`. */
function placeOf({ line, column, endColumn, code }: Problem): string {
  return `${line}:${column}-${endColumn} ${code}`
}

/** Returns the first problem of a file. */
function firstOf(name: string, text: string): string {
  const [first] = check(name, text).problems.map(placeOf)
  return String(first)
}

describe('a fault of syntax in YAML is explained at its place', () => {
  test.each([
    ['a:\n  b: 1\n c: 2\n', '3:2-3 yaml.indentation'],
    ['a: 1\n b: 2\n', '2:2-3 yaml.indentation'],
    ['- a: 1\n   b: 2\n', '2:4-5 yaml.indentation'],
    ['a: Note: this\n', '1:8-9 yaml.colon'],
    ['a:\n\tb: 1\n', '2:1-2 yaml.tab'],
    ['a: "b\nc: 1\n', '1:4-6 yaml.quote-missing'],
    ["a: 'it's'\n", '1:7-8 yaml.quote'],
    ['a: @b\n', '1:4-5 yaml.start'],
    ['a:1\nb: 2\n', '1:1-4 yaml.no-pair'],
    ['<<<<<<< A\na: 1\n=======\na: 2\n>>>>>>> B\n', '1:1-10 yaml.conflict'],
    ['a: [b]]\n', '1:7-8 yaml.syntax'],
    ['-a: 1\n  b: 2\n', '1:1-2 yaml.dash'],
    ['a: "b\\; c"\n', '1:6-8 yaml.escape'],
    ['a: *\nb: 1\n', '1:4-5 yaml.start'],
    ['a: one and\ntwo\nb: 1\n', '2:1-4 yaml.no-pair'],
    ['a:\n-b\n-c\nd: 1\n', '2:1-2 yaml.dash'],
    ["a: 'x'   b: 1\n", '1:10-11 yaml.two-keys'],
  ])('%j', (text, expected) => {
    expect(firstOf('a.yaml', text)).toBe(expected)
  })

  test('in front matter, too', () => {
    expect(firstOf('a.md', '---\na: b: c\n---\nText: of: it\n')).toBe('2:5-6 yaml.colon')
  })
})

test('the text below front matter is shown where its key is refused', () => {
  const closed = { properties: { title: {} }, additionalProperties: false }
  const { problems } = check('a.md', '---\ntitle: A\n---\nSome text.\n', closed)
  expect(problems.map(placeOf)).toEqual(['4:1-11 schema.unknown-key'])
})

test.each([
  ['{"a": 1 # no\n}', '1:9-10 json.comment-sign'],
  ['{"a": 1} /* no', '1:10-11 json.comment-end'],
  ['{"a": 1 // one\n"b": 2}', '1:8-9 json.comma-missing'],
  ['{"a": [/* one */,]}', '1:17-18 json.comma-extra'],
  ['{"a": {\n  ,\n}}', '2:3-4 json.comma-extra'],
  ['{"a": [1,,]}', '1:10-11 json.comma-extra'],
])('a fault of JSON with comments is explained at its place: %j', (text, expected) => {
  expect(firstOf('a.jsonc', text)).toBe(expected)
})

const SCHEMA = {
  type: 'object',
  properties: {
    code: { type: 'string' },
    kind: { enum: ['grid', 'list'] },
    count: { type: 'number' },
    known: { type: ['string', 'boolean'] },
  },
}

describe('text that YAML takes for something else', () => {
  test.each([
    ['code: 1.10\n', 'code: "1.10"\n'],
    ['code: 007 # one\n', 'code: "007" # one\n'],
    ['code: true\n', 'code: "true"\n'],
    ['count: "12"\nkind: Grid\n', 'count: 12\nkind: grid\n'],
    ['code: @b\nkind: `grid`\n', 'code: "@b"\nkind: "`grid`"\n'],
  ])('is fixed as it was written: %j', (text, expected) => {
    const { bytes } = fixBatch(Buffer.from(text), (bytes) => {
      return check('a.yaml', bytes.toString(), SCHEMA).problems
    })
    expect(bytes.toString()).toBe(expected)
  })

  test.each([
    ['code: no\n', ['1:7-9 loss.yaml-1.1']],
    ['code: 2026-11-28\n', ['1:7-17 loss.yaml-1.1']],
    ['count: 0o17\n', ['1:8-12 loss.yaml-1.1']],
    ['code: "no"\nknown: no\nother: no\n', []],
  ])('by the rules of YAML 1.1 is a warning where the schema wants text: %j', (text, expected) => {
    const { problems, lost } = check('a.yaml', text, SCHEMA)
    expect(problems).toEqual([])
    expect(lost.map(placeOf)).toEqual(expected)
  })
})

test('a text of several lines is marked up to the end of its first line', () => {
  const text = 'kind: one\n  two\ncode: a\n'
  expect(check('a.yaml', text, SCHEMA).problems.map(placeOf)).toEqual(['1:7-10 schema.enum'])
})

test('a byte-order mark before YAML is allowed, and moves no column', () => {
  const { problems } = check('a.yaml', '\ufeffkind: Grid\n', SCHEMA)
  expect(problems.map(placeOf)).toEqual(['1:7-11 schema.enum'])
})
