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
    ['a: 1\n b: 2\n', '2:2-3 yaml.below-text'],
    ['- a: 1\n   b: 2\n', '2:4-5 yaml.below-text'],
    ['a: Note: this\n', '1:8-9 yaml.colon'],
    ['a:\n\tb: 1\n', '2:1-2 yaml.tab'],
    ['a: "b\nc: 1\n', '1:4-6 yaml.quote-missing'],
    ["a: 'it's'\n", '1:7-8 yaml.quote'],
    ['a: @b\n', '1:4-5 yaml.start'],
    ['a:1\nb: 2\n', '1:2-3 yaml.colon-space'],
    ['a 1\nb: 2\n', '1:1-4 yaml.no-pair'],
    ['<<<<<<< A\na: 1\n=======\na: 2\n>>>>>>> B\n', '1:1-10 yaml.conflict'],
    ['a: [b]]\n', '1:7-8 yaml.syntax'],
    ['-a: 1\n  b: 2\n', '1:1-2 yaml.dash'],
    ['a: "b\\; c"\n', '1:6-8 yaml.escape'],
    ['a: *\nb: 1\n', '1:4-5 yaml.start'],
    ['a: one and\ntwo\nb: 1\n', '2:1-4 yaml.text'],
    ['a: b\nhttps://example.org\nc: d\n', '2:1-20 yaml.no-pair'],
    ['a: b\nimages/one.png\nc: d\n', '2:1-15 yaml.no-pair'],
    ['a: [b\nc: 1\n', '1:4-5 yaml.bracket-missing'],
    [' ---\na: 1\n', '1:2-5 yaml.mark'],
    ['a: [b](c) d\n', '1:4-5 yaml.bracket-first'],
    ['a: | b\n  c\n', '1:4-5 yaml.block-start'],
    ['a: *b* c\n', '1:4-5 yaml.start'],
    ['a: 1\n<<<<<<< A\nb: 2\n', '2:1-10 yaml.conflict'],
    ['- a: 1\nb: 2\n', '2:1-2 yaml.item-missing'],
    ['a:\n- b: 1\n \t c: 2\n', '3:2-3 yaml.tab'],
    ['a: 1\n# one\n\n b: 2\n', '4:2-3 yaml.below-text'],
    ['a:\n-b\n-c\nd: 1\n', '2:1-2 yaml.dash'],
    ["a: 'x'   b: 1\n", '1:10-11 yaml.two-keys'],
  ])('%j', (text, expected) => {
    expect(firstOf('a.yaml', text)).toBe(expected)
  })

  test('in front matter, too', () => {
    expect(firstOf('a.md', '---\na: b: c\n---\nText: of: it\n')).toBe('2:5-6 yaml.colon')
  })
})

describe('a message about YAML says what to do, in words of its own', () => {
  const message = (text: string) => String(check('a.yaml', text).problems[0]?.message)

  test.each([
    ['a: one\ntwo\nb: 1\n', 'it isn\'t part of the text of "a". To continue that text, indent it.'],
    ['- one\ntwo\n', "isn't part of the text of the item above."],
    ['a: |\n  one\n two\nb: 1\n', 'by 1 space, but the text of "a" by 2.'],
    ['a:\n  b: >\n    one\n  two\nc: 1\n', 'by 2 spaces, but the text of "b" by 4.'],
    ['a: "b",\nc: d\n', 'Remove the one after this quote.'],
    ['a: ""# b\n', 'Before a comment, a space is needed'],
    ['a: - b\n', 'A list can\'t begin in the line of its key. Put "- b" in the next line.'],
    ['a: x\n  - b: 1\n', 'This list can\'t be inside "a" at line 1, which already has a value.'],
    ['a: []\n  - b\n', '"a" at line 1, which already has a value'],
    ['- a\n  b: 1\n', 'If that value belongs to a key, write the key before it.'],
    [
      'a:\n  b: 1\n c: 2\n',
      'by 1 space. To put it beside "b" at line 2, indent it by 2 spaces. To put it beside "a" at line 1, remove the spaces before it.',
    ],
    ['- a: 1\nb: 2\n', 'To put it beside "a" at line 1, indent it by 2 spaces.'],
    [
      '- x: 1\n  y:\n    - 2\n   z: 3\n',
      'by 3 spaces. To put it beside "y" at line 2, indent it by 2 spaces.',
    ],
    ['a: [#b]\n', "can't begin with #, which begins a comment."],
    ['a: "b" c\n', 'put the whole text in quotes, and write'],
    ['a: [b]]\n', 'This can\'t be read as YAML after "a" at line 1: "]".'],
    ['a: 1\n---\n', 'Remove this ---: nothing comes after it.'],
    ['a:\n  : b\n', 'A key is missing before this colon.'],
    ['a: [1]\nb: 2\na: [3]\n', 'Put the items of both lists under one key.'],
    ['a: {b: 1}\na: {c: 1}\n', 'Rename one, or put the keys of both under one.'],
  ])('%j', (text, sentence) => {
    expect(message(text)).toContain(sentence)
  })

  test.each(['a: 1\n- b\n', '? a: b: c\n', 'a: {b: [c}\n', '%TAG x\n', 'a: !<b\n', 'a: &b &c d\n'])(
    'also of %j',
    (text) => {
      expect(message(text)).not.toMatch(/scalar|mapping|implicit|flow|node|token|indicator/i)
    },
  )
})

test('where a second item of a list has no dash, one problem says so', () => {
  const item = '- a: 1\n  b: 2\n  a: 3\n  b: 4\n'
  const [problem, ...others] = check('a.yaml', item).problems
  expect(problem?.message).toBe(
    '"a" is the first key of this item, at line 1, and comes again. If a second item begins here, write "- " before it, below the dash above.',
  )
  expect(others).toEqual([])
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
    ['code: >= 1.2 # b\n', 'code: ">= 1.2" # b\n'],
    ['code: >1, <2\nkind: @b\n', 'code: ">1, <2"\nkind: "@b"\n'],
  ])('is fixed as it was written: %j', (text, expected) => {
    const { bytes } = fixBatch(Buffer.from(text), (bytes) => {
      return check('a.yaml', bytes.toString(), SCHEMA).problems
    })
    expect(bytes.toString()).toBe(expected)
  })

  test.each([
    'a: 1\n``\n',
    'a: > b\n  c\n',
    'a: > 5 b\n',
    'a: >= 5\n  c\n',
    '- a: >= 5\n    b\n',
    'a: |b\n  c\n',
  ])("isn't fixed where it may be something else: %j", (text) => {
    const { bytes } = fixBatch(Buffer.from(text), (bytes) => {
      return check('a.yaml', bytes.toString()).problems
    })
    expect(bytes.toString()).toBe(text)
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
