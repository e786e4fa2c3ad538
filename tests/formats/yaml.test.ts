import { describe, expect, test } from 'vitest'
import type { Format, Target } from '../../src/formats/format.ts'
import { formatOf } from '../../src/formats/formats.ts'
import { createFrontMatter, frontMatter } from '../../src/formats/front-matter.ts'
import { jsonWithComments } from '../../src/formats/json-with-comments.ts'
import { yaml } from '../../src/formats/yaml.ts'
import { formatPointer, type Pointer } from '../../src/text/pointer.ts'
import { treeOf } from '../helpers/tree.ts'

/** Returns what stands at a place. */
function at(format: Format, text: string, pointer: Pointer, rest: Partial<Target> = {}): string {
  const [range] = treeOf(format, text).locate([{ pointer, at: 'value', ...rest }])
  return text.slice(range?.start, range?.end)
}

/** Returns the value of a text, in which nothing is wrong. */
function valueOfText(format: Format, text: string): unknown {
  expect(faultsOf(format, text)).toEqual([])
  return format.parse(text).value
}

/** Returns the codes of faults, each with its place and what stands there. */
function faultsOf(format: Format, text: string): string[] {
  const { faults, damages } = format.parse(text)
  return [...faults, ...damages].map(({ code, pointer, range }) => {
    return `${code} ${formatPointer(pointer)} ${text.slice(range?.start, range?.end)}`
  })
}

test.each([
  ['a.JSON', undefined, 'JSON'],
  ['a.yml', undefined, 'YAML'],
  ['a.json', 'JSON Lines', 'JSON Lines'],
  ['notes.txt', 'front matter', 'front matter'],
  ['notes.txt', undefined, undefined],
] as const)('the format of %s with the choice of %s is %s', (name, format, expected) => {
  expect(formatOf(name, { format })?.name).toBe(expected)
})

const FILE = `# A comment
name: North Station
"opened": '1901''s'
text: "a\\u00e9b
  folded"
notes: |
    line one
      more

    line two
folded: >-
  one
  two
lines: [plain, {deep: 1}]
empty:
last: x
`

describe('in YAML, a place is exactly', () => {
  test.each<[Pointer, string]>([
    [['name'], 'North Station'],
    [['opened'], "'1901''s'"],
    [['lines', 0], 'plain'],
    [['lines', 1, 'deep'], '1'],
    [['lines'], '['],
    [['empty'], 'empty'],
    [[], 'n'],
    [['name', 'none'], 'North Station'],
  ])('that of the value at %j', (pointer, expected) => {
    expect(at(yaml, FILE, pointer)).toBe(expected)
  })

  test('that of a key, with its quotes', () => {
    expect(at(yaml, FILE, ['opened'], { at: 'key' })).toBe('"opened"')
  })

  test.each<[string, string, string]>([
    ['name', 'Station', 'Station'],
    ['opened', '901', '901'],
    ['text', 'folded', 'folded'],
    ['notes', '  more', '  more'],
    ['notes', 'line two', 'line two'],
    ['folded', 'two', 'two'],
  ])('that of a part of the text %s', (key, part, expected) => {
    const value = String((yaml.parse(FILE).value as Record<string, unknown>)[key])
    const start = value.indexOf(part)
    const within = { start, end: start + part.length }
    expect(at(yaml, FILE, [key], { within })).toBe(expected)
  })
})

describe('in YAML, a part of a text', () => {
  const second = (part: string, text: string, value: string) => {
    const start = value.indexOf(part, value.indexOf(part) + 1)
    const within = { start, end: start + part.length }
    expect(yaml.parse(text).value).toEqual({ a: value })
    const [range] = treeOf(yaml, text).locate([{ pointer: ['a'], at: 'value', within }])
    return range
  }

  test('that is there twice is the second if it is the second of the value', () => {
    const text = 'a: |\n  <b>\n  one <b>\n'
    const start = text.lastIndexOf('<b>')
    expect(second('<b>', text, '<b>\none <b>\n')).toEqual({ start, end: start + 3 })
  })

  test.each([
    ['is escaped', 'a: "\\x62 b"', 'b b'],
    ['is also in an escape', 'a: "\\u00eb b b"', 'ë b b'],
  ])('that %s is shown as the whole text', (_, text, value) => {
    expect(second('b', text, value)).toEqual({ start: 3, end: text.length })
  })
})

describe('an alias of YAML', () => {
  const text = 'a: &x {b: 1}\nc: *x\nd:\n  <<: *x\n  e: 2\n'

  test('is its value', () => {
    expect(yaml.parse(text).value).toEqual({ a: { b: 1 }, c: { b: 1 }, d: { b: 1, e: 2 } })
  })

  test('is shown where it is written, and what is in it where that is written', () => {
    expect(at(yaml, text, ['c'])).toBe('*x')
    const [direct, aliased, merged] = treeOf(yaml, text).locate([
      { pointer: ['a', 'b'], at: 'value' },
      { pointer: ['c', 'b'], at: 'value' },
      { pointer: ['d', 'b'], at: 'value' },
    ])
    expect([aliased, merged]).toEqual([direct, direct])
  })

  test('may not make a file larger than a person would write it', () => {
    const bomb = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]']
    for (let level = 1; level < 9; level++) {
      const aliases = Array(10).fill(`*a${level - 1}`)
      bomb.push(`a${level}: &a${level} [${aliases.join(', ')}]`)
    }
    expect(faultsOf(yaml, bomb.join('\n'))).toEqual(['yaml.alias-size  *a0'])
  })
})

test.each<[string, string[]]>([
  ['a: 1\na: 2\n', ['loss.repeated-key /a a']],
  ['a: [x]\na: [x]\n', ['loss.repeated-key /a a']],
  ['a: 12345678901234567890\n', ['loss.number /a 12345678901234567890']],
  ['a: 0x1fffffffffffffff\n', ['loss.number /a 0x1fffffffffffffff']],
  ['a: "x\\ud83d"\n', ['loss.lone-surrogate /a "x\\ud83d"']],
  ['a: x\ufffdy\n', ['loss.character /a \ufffd']],
  ['a: 1\n---\nb: 2\n', ['yaml.documents  -']],
  ['%YAML 1.1\n---\na: no\n', ['yaml.version  %YAML 1.1']],
  ['a: !ref b\n', ['yaml.tag  !ref']],
  ['1.10: a\n', ['yaml.key  1.10']],
  ['[a, b]: c\n', ['yaml.key  [a, b]']],
  ['a: .inf\n', ['yaml.number /a .inf']],
  ['<<: text\n', ['yaml.merge /<< <<']],
  ['a: *b\n', ['yaml.alias-unknown /a *b']],
  ['a: &b [*b]\n', ['yaml.alias-endless /a/0 *b']],
  ['a: "b\n', ['file.syntax  a: "b\n']],
  ['# nothing\n', ['file.empty  ']],
  ['[', ['file.syntax  [']],
])('what YAML would lose, or JSON can not hold, is a fault: %j', (text, expected) => {
  expect(faultsOf(yaml, text)).toEqual(expected)
})

test.each<[string, string[]]>([
  ['a: 02142\nb: [007, -012, 00.5]\n', ['02142', '007', '-012', '00.5']],
  ['a: 0\nb: 0.5\nc: "012"\nd: 0x0F\ne: 0o17\nf: 2026-01-02\n', []],
  ['a: -0\nb: -0.0\nc: -0.5\n', ['-0', '-0.0']],
])('a zero that a number of YAML does not keep is a warning: %j', (text, expected) => {
  expect(faultsOf(yaml, text).map((found) => found.split(' '))).toEqual(
    expected.map((written) => ['loss.zero', expect.any(String), written]),
  )
})

test.each<[string, string[]]>([
  ['NO: 1\nyes: 2\nOn: 3\noff: 4\n', ['/NO NO', '/yes yes', '/On On', '/off off']],
  ['a: [{ NO: 1 }]\n', ['/a/0/NO NO']],
  ['y: 1\nn: 2\nN: 3\n', []],
  ['"NO": 1\nnO: 2\nnone: 3\n', []],
])('a key that YAML 1.1 reads as true or false is a warning: %j', (text, expected) => {
  expect(faultsOf(yaml, text)).toEqual(expected.map((place) => `loss.yaml-1.1 ${place}`))
})

test.each<[string, string[]]>([
  ['a: Etude #3 in blue\n', ['loss.comment /a #3 in blue']],
  ['a: 12 #4  \r\nb: x\t#y\r\n', ['loss.comment /a #4', 'loss.comment /b #y']],
  ['a: one\n  two #3\n', ['loss.comment /a #3']],
  ['a: #ff8800\nb:\n  - #c\n', ['loss.no-value /a #ff8800', 'loss.no-value /b/0 #c']],
  ['a: b # c\nd: # e\nf: g #\nh: i ## j\n', []],
  ['a: "b" #c\nd: e#f\ng:\n  #h\n  i: 1\nj: #k\n  l: 1\nm: #n\n- o\n', []],
])('a value that ends before a # without a space after it is a warning: %j', (text, expected) => {
  expect(faultsOf(yaml, text)).toEqual(expected)
})

test.each(['[', '- ', '{a: ', '? '])('too many levels end no stack: %j', (opening) => {
  expect(yaml.parse(opening.repeat(20_000)).faults).toMatchObject([{ code: 'json.too-deep' }])
})

test.each([
  [500, []],
  [501, ['json.too-deep']],
  [1_000, ['json.too-deep']],
])('%i levels of YAML are read, or refused, whatever is left of the stack', (levels, expected) => {
  const { faults } = yaml.parse('['.repeat(levels) + ']'.repeat(levels))
  expect(faults.map(({ code }) => code)).toEqual(expected)
})

test.each<[string, unknown]>([
  ['404: a\ntrue: b\n', { 404: 'a', true: 'b' }],
  ['{"__proto__": {"a": 1}}', JSON.parse('{"__proto__": {"a": 1}}')],
  ['\ufeffa: no\n', { a: 'no' }],
  ['a: 2026-11-28\nb: 0x1F\nc: 0o17\n', { a: '2026-11-28', b: 31, c: 15 }],
  ['\ufeff- id: a\n- id: b\n', [{ id: 'a' }, { id: 'b' }]],
  ['a: \ufeff\n', { a: '\ufeff' }],
])('YAML is read as JSON would hold it: %j', (text, value) => {
  expect(valueOfText(yaml, text)).toEqual(value)
})

describe('front matter is one record', () => {
  const text = '---\ntitle: A\ntags: [x]\n---\n\nHello *you*.\n'

  test('of its keys, and of the text below it', () => {
    const value = { title: 'A', tags: ['x'], body: '\nHello *you*.\n' }
    expect(valueOfText(frontMatter, text)).toEqual(value)
    expect(createFrontMatter('content').parse(text).value).toHaveProperty('content')
  })

  test('whose places are those of the file', () => {
    expect(at(frontMatter, text, ['tags', 0])).toBe('x')
    expect(at(frontMatter, text, ['body'])).toBe('Hello *you*.\n')
    expect(at(frontMatter, text, ['body'], { within: { start: 7, end: 12 } })).toBe('*you*')
  })

  test('without keys if there are only comments', () => {
    const empty = '---\n# none\n---\nText'
    expect(frontMatter.parse(empty).value).toEqual({ body: 'Text' })
    expect(at(frontMatter, empty, [])).toBe('---')
  })

  test.each<[string, string]>([
    ['# Title\n', 'front-matter.missing  # T'],
    ['---\rtitle: A\r---\r', 'front-matter.line-ends  ---'],
    ['---\ntitle: A\n', 'front-matter.end  ---'],
    ['---\n- A\n---\n', 'front-matter.no-object  ---'],
    ['---\nbody: A\n---\n', 'front-matter.body /body body'],
    ['---\na: 1\na: 2\n---\n', 'loss.repeated-key /a a'],
  ])('or it is refused: %j', (broken, expected) => {
    expect(faultsOf(frontMatter, broken)).toEqual([expected])
  })
})

describe('JSON with comments', () => {
  const text = '{\n  // one\n  "a": [1, /* two */ 2,],\n  "url": "http://x", \n}\n'

  test('is JSON without them, and without trailing commas', () => {
    const value = { a: [1, 2], url: 'http://x' }
    expect(valueOfText(jsonWithComments, text)).toEqual(value)
    expect(at(jsonWithComments, text, ['a', 1])).toBe('2')
  })

  test.each(['{} /* one', '/*', '{} /*'])('is refused if a comment has no end: %j', (text) => {
    expect(faultsOf(jsonWithComments, text)).toEqual([`file.syntax  ${text}`])
  })

  test.each(['[,]', '{,}', '[/* one */,]', '[1,,]', '{"a":,}', ',', '[[],,]'])(
    'is refused if no value comes before a comma: %j',
    (text) => {
      expect(faultsOf(jsonWithComments, text)).toEqual([`file.syntax  ${text}`])
    },
  )
})

describe('a fix of YAML', () => {
  /** Returns the text with the value or the key at a place replaced. */
  const write = (text: string, pointer: Pointer, instead: string | number | boolean) => {
    const at = text.includes('naem') ? 'key' : 'value'
    const [edit] = treeOf(yaml, text).write([{ pointer, at, instead }])
    return edit ? text.slice(0, edit.start) + edit.text + text.slice(edit.end) : text
  }

  test.each<[string, string | number | boolean, string]>([
    ['a: gird # why\n\nb: 1\n', 'grid', 'a: grid # why\n\nb: 1\n'],
    ['a: gird\n', 'a, b', 'a: a, b\n'],
    ['{a: gird}', 'a, b', '{a: "a, b"}'],
    ['a: gird\n', 'b: c', 'a: "b: c"\n'],
    ['a: gird\n', 'no', 'a: "no"\n'],
    ['a: 1.10\n', '1.10', 'a: "1.10"\n'],
    ["a: 'gird'\n", "it's", "a: 'it''s'\n"],
    ['a: "gird"\n', 'é', 'a: "é"\n'],
    ["a: '12'\n", 12, 'a: 12\n'],
    ["a: 'true'\n", true, 'a: true\n'],
    ['a: |\n  HTTP://x\n  two\n', 'http://x\ntwo\n', 'a: |\n  http://x\n  two\n'],
    ['a: |\n  htp://x\n  two\n', 'http://x\ntwo\n', 'a: |\n  http://x\n  two\n'],
    ['a: |\n  A & B\n  two\n', 'A &amp; B\ntwo\n', 'a: |\n  A &amp; B\n  two\n'],
    ['a: one\n  tow\n', 'one two', 'a: one\n  two\n'],
  ])('has the style of what it replaces: %j', (text, instead, expected) => {
    expect(write(text, ['a'], instead)).toBe(expected)
  })

  test('of a key has the style of the key', () => {
    expect(write('"naem": 1\n', ['naem'], 'name')).toBe('"name": 1\n')
  })

  test.each<[string, Pointer]>([
    ['a: &x gird\nb: *x\n', ['a']],
    ['a: &x [gird]\nb: *x\n', ['a', 0]],
    ['a: &x [gird]\nb: *x\n', ['b', 0]],
    ['a: &x {c: gird}\nb: {<<: *x}\n', ['b', 'c']],
    ['a: !!str 12\n', ['a']],
  ])('is not made if it would change more than its place: %j', (text, pointer) => {
    expect(write(text, pointer, 'grid')).toBe(text)
  })

  test('may replace an alias', () => {
    expect(write('a: &x gird\nb: *x\n', ['b'], 'grid')).toBe('a: &x gird\nb: grid\n')
  })
})
