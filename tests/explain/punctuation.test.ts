/** What `--fix` does to commas, quotes and spaces of a file that is not JSON. */
import { describe, expect, test } from 'vitest'
import { fixBatch } from '../../src/explain/fix.ts'
import { damagedFile, lostCharacters } from '../helpers/damaged-file.ts'
import { times } from '../helpers/long.ts'
import { read } from '../helpers/page.ts'
import { property } from '../helpers/property.ts'

/** Any JSON is right, so that only its syntax counts. */
const nothing = { faults: [], undecided: [], references: [], uniques: [] }
const anything = { schema: {}, check: () => nothing }

function problemsOf(name: string, text: string) {
  return read(name, Buffer.from(text), anything, 0, { records: () => [] }).problems
}

function fix(text: string, name = 'a.json') {
  const { bytes, made } = fixBatch(Buffer.from(text), (bytes) => problemsOf(name, bytes.toString()))
  return { text: bytes.toString(), made }
}

describe('a comma is written', () => {
  test.each([
    [
      'between records of the outermost list, however they are indented',
      '[\n    {"a": 1}⟨⟩\n  {"b": 2}\n]',
    ],
    ['between records of a list under a key', '{"pages": [\n    {"a": 1}⟨⟩\n  {"b": 2}\n]}'],
    ['between objects in a list of a record', '[{"stops": [{"at": "A"}⟨⟩{"at": "B"}]}]'],
    ['between pairs of numbers, however lines are wrapped', '{"at": [[[1, 2]⟨⟩\n  [3, 4]]]}'],
    ['between equal numbers at the ends of two rows', '[1, 0⟨⟩\n0, 1]'],
    ['between a text and an object with options', '["error"⟨⟩ {"max": 3}]'],
    ['after a text that ends in a space, before a key', '{\n  "bio": "Hi "⟨⟩\n  "x": 1\n}'],
    [
      'before a record one space less indented than its sibling',
      '[\n  {\n    "l": [\n       {"a": 1}⟨⟩\n      {"b": 2}\n    ]\n  }\n]',
    ],
    [
      'before a key that is less indented, but not as an outer one',
      '{\n  "a": {\n    "b": 1⟨⟩\n"c": 2\n  }\n}',
    ],
    ['between a list and a key', '{"a": []⟨⟩ "b": 1}'],
    ['before a number that begins as the last one', '[\n  1⟨⟩\n  12\n]'],
    [
      'before a key as far indented as the line of an outer one',
      '{"x": 1, "a": {\n  "b": 1⟨⟩\n"c": 2\n}}',
    ],
    ['before a key where nothing is indented', '{\n"a": {\n"b": 1⟨⟩\n"c": 2\n}\n}'],
    [
      'between objects that begin as the record around them',
      '[{"id": 1, "in": [{"id": 2}⟨⟩{"id": 3}]}]',
    ],
    ['between texts, one of which begins with a space', '["a"⟨⟩\n" b"]'],
  ])('%s', (_, marked) => {
    expect(fix(marked.replace('⟨⟩', '')).text).toBe(marked.replace('⟨⟩', ','))
  })
})

describe('no comma is written', () => {
  test.each([
    [
      'before a bracket that may be of the wrong kind',
      '{\n  "a": [\n    "b"\n    [\n  ],\n  "c": 1\n}',
    ],
    [
      'before a key as far indented as one of the outer object',
      '{\n  "a": {\n    "b": 1\n  "c": 2\n}}',
    ],
    ['where brackets do not match behind it', '[{"a": 1 "b": [1, 2}]'],
    ['where they do not match behind another missing comma', '{"a": 1 "b": 2 "c": [1, 2}'],
    ['between a list and a number that nothing separates', '[[1,2]0,[3,4]]'],
    ['between a number and a list in a line', '[[1,2], 0 [3,4]]'],
    ['between a list and a number in the next line', '[[1,2]\n0,\n[3,4]]'],
    ['before the last line of a list once more', '[\n  12,\n  48.5\n  48.5\n]'],
    ['before such a line with several numbers', '[\n  1, 2,\n  3, 4\n  3, 4\n]'],
    ['before the last record once more', '[\n  {\n    "a": 1\n  }\n  {\n    "a": 1\n  }\n]'],
    ['before the last member once more', '{"a": 1, "b": 2 "b": 2}'],
    ['before the last text once more', '["a", "b" "b"]'],
    ['between texts of a line with a quote too many', '["He said:" "hi" to all", "b"]'],
    ['where brackets do not match in a list of lists', '[[{"a": 1 "b": 2}, {"a": 3}, [4]]'],
    ['before a bracket that has changed places with a key', '[\n  "a"\n  {: 1}\n]'],
    ['before a brace too many', '[{"a": 1}\n{]'],
    ['between an object and a number', '[{"a": 1} 5]'],
    ['before a text once more in the next line', '["a"\n"a"]'],
  ])('%s', (_, text) => {
    expect(fix(text)).toEqual({ text, made: [] })
  })
})

describe('a comma is removed', () => {
  test.each([
    ['before the end of a list', '[1, 2⟨,⟩]'],
    [
      'before the end of an object, and behind it one is written',
      '[{"a": 1,}\n{"b": 2}]',
      '[{"a": 1},\n{"b": 2}]',
    ],
    ['that stands before a bracket instead of behind it', '[[1,2,][3,4]]', '[[1,2],[3,4]]'],
    ['twice, before the end and behind it', '[{"a": 1⟨,⟩}]⟨,⟩\n'],
    ['at the end of a list in wrapped lines', '[[1, 2⟨,⟩],\n  [3, 4]]'],
    ['behind a number and a space, in an object', '{"a": 1 ⟨,⟩}'],
  ])('%s', (_, marked, expected = marked.replaceAll('⟨,⟩', '')) => {
    expect(fix(marked.replace(/[⟨⟩]/g, '')).text).toBe(expected)
  })
})

describe('a good comma stays', () => {
  test.each([
    ['before a line that was pasted twice', '{\n  "a": {\n    "x": 1\n  },\n  },\n  "b": 2\n}'],
    [
      'before such a line in a record',
      '[\n  {\n    "a": {\n      "x": 1\n    },\n    },\n    "b": 2\n  }\n]',
    ],
    ['before a bracket that stands for a quote', '{"a": 1, }name": 2}'],
    [
      'before such a bracket beside good records',
      '[\n  {"a": 1, }name": 2},\n  {"a": 1, "name": 2}\n]',
    ],
    ['before such a bracket in a line of its own', '{\n  "a": 1,\n  }name": {\n    "b": 2\n  }\n}'],
    ['before a bracket that stands for a text', '["a", ], "c", ["d"]]'],
    [
      'before a line that has changed places with the end of its object',
      '[\n  {\n    "a": 1,\n  },\n    "b": 2\n  {\n    "a": 1\n  }\n]',
    ],
    [
      'before a key that is further indented than the bracket',
      '{\n  "a": [\n    1,\n  ],\n    "b": 2\n}',
    ],
    [
      'before an item that has changed places with the end of its list',
      '[\n  [\n    1,\n  ]\n    2,\n  [\n    3\n  ]\n]',
    ],
    ['where a comma stands for a quote', '{"a": 1, ,name": 2}'],
    ['where a comma stands for a bracket', '[[1, 2], ,3, 4]]'],
    ['where the first number is missing', '[, 45]'],
    ['where a number is missing in a line of its own', '[\n  1,\n  ,\n  3\n]'],
    ['where two numbers have become one', '[1, 6923 ,]'],
    ['where a number may be missing at the end of its line', '[\n  1,,\n  2\n]'],
    ['where it is alone behind a number', '[\n  1\n,]'],
    [
      'before a line that was pasted twice where nothing is indented',
      '{\n"a": {\n"b": {\n"x": 1\n},\n},\n"c": 2\n},\n"d": 3\n}',
    ],
    [
      'before brackets in lines of their own that stand for a quote',
      '[\n{"a": {"b": 1, \n},\nname": [2], "c": [{}]}, "d": "e"}\n]',
    ],
    ['before a bracket with more in its line', '{\n  "a": [\n    1,\n  ] 5\n  ],\n  "b": 2\n}'],
    [
      'before a bracket that stands for the start of a list in a record',
      '[\n  {\n    "a": 1,\n},    {\n        "b": 2\n      }\n    ]\n  }\n]',
    ],
  ])('%s', (_, text) => {
    expect(fix(text)).toEqual({ text, made: [] })
  })
})

describe('a comma of another alphabet', () => {
  test.each([
    ['between texts is replaced', '["a"，"b"]', '["a","b"]'],
    ['between numbers that cannot be one is replaced', '[48.5，9.1]', '[48.5,9.1]'],
    ['before a space is replaced', '[1， 200]', '[1, 200]'],
    ['before another comma is removed', '["a"，,"b"]', '["a","b"]'],
    ['before a no-break space and a bracket is removed', '["a"，\u00a0]', '["a" ]'],
    ['at the end of the file stays', '["a"，\n', '["a"，\n'],
  ])('%s', (_, text, expected) => {
    expect(fix(text).text).toBe(expected)
  })
})

describe('a space that JSON does not know', () => {
  test.each([
    ['between values is replaced', '["a",\u00a0"b"]', '["a", "b"]'],
    ['between two lines is replaced', '[1,\n\u00a02]', '[1,\n 2]'],
    ['within a number stays, so that it is seen', '[1\u00a0200]', '[1\u00a0200]'],
    ['beside another space within a number stays', '[1 \u202f200]', '[1 \u202f200]'],
    [
      'at the start of a text that lacks its quote stays',
      '{"a": \u00a0Price", "b": 1}',
      '{"a": \u00a0Price", "b": 1}',
    ],
    [
      'at the start of a line in a text that lacks its quote stays',
      '{"a": "x\n\u00a0y", "b": 1}',
      '{"a": "x\n\u00a0y", "b": 1}',
    ],
  ])('%s', (_, text, expected) => {
    expect(fix(text).text).toBe(expected)
  })
})

describe('a quote of another alphabet', () => {
  test.each([
    ['before a key is replaced', '{“name": 1}', '{"name": 1}'],
    [
      'behind a text is replaced, beside a quotation',
      '{"a": "“b”", "c": "d”\n}',
      '{"a": "“b”", "c": "d"\n}',
    ],
    ['behind a text is replaced', '{"name": "North”\n}', '{"name": "North"\n}'],
    [
      'around a quotation stays in a text that lacks its quote',
      '["x", “a”, b", "y"]',
      '["x", “a”, b", "y"]',
    ],
    ['stays if it may be an apostrophe', '["a", ’tis"]', '["a", ’tis"]'],
    ['stays if it may be an arrow', '["a",\n"More »\n]', '["a",\n"More »\n]'],
    ['is not sought in a later line', '["a", “b c\n“d”]', '["a", “b c\n“d”]'],
  ])('%s', (_, text, expected) => {
    expect(fix(text).text).toBe(expected)
  })
})

describe('nothing is fixed in a text that is not JSON with all fixes', () => {
  test.each([
    ['since a word is not a value', '[{"a": 1 "b": 2},\n{"a": oops}]'],
    ['since a text lacks its quote', '{\n  "a": 1\n  "b": "x,\n  "c": ["y"]\n}'],
    ['since a value may be one number or two', '{\n  "a": 1\n  "b": [1 200]\n}'],
    ['since a bracket is missing', '{\n  “a”: 1,\n  "b": [1,\n}'],
  ])('%s', (_, text) => {
    expect(fix(text)).toEqual({ text, made: [] })
  })
})

test.each([
  ['is replaced', '[[1, 2］, 3]', '[[1, 2], 3]'],
  [
    'stays if brackets do not match behind it',
    '[\n  [1, 2］,\n  oops, [3\n]',
    '[\n  [1, 2］,\n  oops, [3\n]',
  ],
])('a bracket of another alphabet %s', (_, text, expected) => {
  expect(fix(text).text).toBe(expected)
})

test('each line of JSON Lines is fixed by itself, up to the first that has no fix', () => {
  const text = '{"a":1,}\n{"b":1 "c":2}\n{"d":oops,}\n{"e":1,}\n'
  expect(fix(text, 'a.jsonl').text).toBe('{"a":1}\n{"b":1, "c":2}\n{"d":oops,}\n{"e":1,}\n')
})

test('fixes have the places where they were in the delivered file', () => {
  const { made } = fix('[{"a": 1,},\n{"b": 1 "c": “d”, }]')
  expect(made.map(({ line, column, before, after }) => [line, column, before, after])).toEqual([
    [1, 9, ',', ''],
    [2, 8, '', ','],
    [2, 14, '“', '"'],
    [2, 16, '”', '"'],
    [2, 17, ',', ''],
  ])
})

test.each(['a.json', 'a.jsonl'])(
  'a thousand faults of %s are fixed, and it is read twice',
  (name) => {
    const isLines = name === 'a.jsonl'
    const lines = Array.from({ length: 1_000 }, (_, id) => `{"id": ${id} "name": "A",}`)
    const text = isLines ? lines.join('\n') : `[${lines.join('\n')}]`
    let reads = 0

    const { bytes, made } = fixBatch(Buffer.from(text), (bytes) => {
      reads++
      return problemsOf(name, bytes.toString())
    })
    expect(problemsOf(name, bytes.toString())).toEqual([])
    expect(made).toHaveLength(isLines ? 2_000 : 2_999)
    expect(reads).toBe(2)
  },
)

property([damagedFile], { numRuns: times(600) })(
  'no character that the damage of a file left alone is lost or changed',
  (file) => {
    const { made } = fix(file.text, file.name)
    expect(lostCharacters(file, made)).toEqual([])
  },
)

property([damagedFile], { numRuns: times(200) })(
  'the first problem has a fix if the file is changed, and a second run changes nothing',
  ({ name, text }) => {
    const [problem] = problemsOf(name, text)
    const fixed = fix(text, name)
    expect(fixed.made.length > 0).toBe(problem?.fix !== undefined)
    expect(fix(fixed.text, name).made).toEqual([])
  },
)
