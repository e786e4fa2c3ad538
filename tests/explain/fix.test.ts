import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fixBatch } from '../../src/explain/fix.ts'
import { times } from '../helpers/long.ts'
import { compileCheck, read } from '../helpers/page.ts'
import { property } from '../helpers/property.ts'

const items = {
  type: 'object',
  required: ['path', 'title'],
  additionalProperties: false,
  properties: {
    path: { type: 'string', pattern: '^/[a-z]+$' },
    title: { type: 'string', pattern: '^\\S' },
    homepage: { type: 'string', format: 'uri' },
    host: { type: 'string', format: 'hostname', pattern: '\\w$' },
    license: { enum: ['mit', 'apache-2.0'] },
    grade: { enum: ['A-', 'B-'] },
    target: { type: 'string', anyOf: [{ format: 'hostname' }, { format: 'uri' }] },
    form: { enum: ['top-left', 'top_left'] },
    zone: { enum: ['1-2'] },
    level: { enum: [1, 2, 'all'] },
    number: { type: 'string', anyOf: [{ pattern: '^a\\d$' }, { pattern: '^b\\d$' }] },
    secure: { type: 'string', pattern: '^https://\\S+$' },
    plain: { type: 'string', pattern: '^[^&]*(?:&amp;[^&]*)*$' },
    day: { type: 'string', format: 'date' },
    year: { type: 'integer' },
    stars: { type: 'integer', minimum: 1, maximum: 5 },
    ratio: { type: ['number', 'null'] },
    size: { anyOf: [{ type: 'number' }, { type: 'boolean' }] },
    note: { type: 'string' },
    list: { type: 'array' },
    text: { type: 'string', pattern: '^<p>[^<&]*(?:&amp;[^<&]*)*</p>$' },
  },
}
const FILE = {
  type: 'object',
  required: ['pages'],
  properties: { pages: { type: 'array', items } },
}
const check = compileCheck(FILE)
const records = (file: object) => Object(file).pages
const problemsOf = (bytes: Buffer) => read('a.json', bytes, check, 0, { records }).problems
const fix = (text: string) => {
  const { bytes, made } = fixBatch(Buffer.from(text), problemsOf)
  return { text: Buffer.from(bytes).toString(), made }
}
/** A file of one record, with other members or text in it. */
const fileOf = (members: string) => `{ "pages": [{ "path": "/a", "title": "A"${members} }] }`

describe('a fix that is certain is made', () => {
  test.each([
    ['a trailing comma', ',', ''],
    ['a missing comma', ' "year": 1', ', "year": 1'],
    ['two commas', ',, "year": 1', ', "year": 1'],
    ['two commas before a bracket', ',,', ''],
    ['a comma of another alphabet before a bracket', '，', ''],
    ['quotes of another alphabet', ', “license”: "mit”', ', "license": "mit"'],
    ['a comma of another alphabet', '， "year": 1', ', "year": 1'],
    ['a comma before what is less indented', '\n"year": 1', ',\n"year": 1'],
    ['two of them', '\n"year": 1\n"stars": 2', ',\n"year": 1,\n"stars": 2'],
    ['a comma of Arabic', '، "year": 1', ', "year": 1'],
    ['a comma of Japanese', '、"year": 1', ',"year": 1'],
    ['quotes around an apostrophe', ', “note”: “Zoë’s”', ', "note": "Zoë’s"'],
    ['no-break spaces as indentation', ',\n\u00a0\u00a0"year": 1', ',\n  "year": 1'],
    ['spaces without a width as indentation', ',\n\u200b\u200b"year": 1', ',\n"year": 1'],
    ['marks of direction as indentation', ',\n\u200e\u200e"year": 1', ',\n"year": 1'],
    ['a byte-order mark at the start of a line', ',\n\ufeff"year": 1', ',\n"year": 1'],
    ['a no-break space between', ',\u00a0"year": 1', ', "year": 1'],
    ['not in a text', ',\u00a0"note": "a\u2028\u00a0b"', ', "note": "a\u2028\u00a0b"'],
    [
      'a key in another case',
      ', "HomePage": "https://a.example"',
      ', "homepage": "https://a.example"',
    ],
    ['a number in quotes', ', "year": "2025"', ', "year": 2025'],
    ['the case of an enum value', ', "license": "MIT"', ', "license": "mit"'],
    ['a hyphen of an enum value', ', "license": "Apache 2.0"', ', "license": "apache-2.0"'],
    [
      'spaces around a text',
      ', "homepage": " https://a.example "',
      ', "homepage": "https://a.example"',
    ],
    ['a number in quotes, of many kinds', ', "ratio": "1.5"', ', "ratio": 1.5'],
    ['true in quotes, of a union', ', "size": "true"', ', "size": true'],
    ['a number in quotes, of a union', ', "size": "2"', ', "size": 2'],
    ['a number in quotes, of a list', ', "level": "1"', ', "level": 1'],
    ['spaces in an enum value', ', "license": "Apache  2.0"', ', "license": "apache-2.0"'],
    ['spaces around a day', ', "day": " 2026-02-28"', ', "day": "2026-02-28"'],
    ['two commas between texts', ', "list": ["1",,"3"]', ', "list": ["1","3"]'],
    ['numbers in two lines', ', "list": [1\n2]', ', "list": [1,\n2]'],
    ['a bare & beside others', ', "text": "<p>&amp; & A</p>"', ', "text": "<p>&amp; &amp; A</p>"'],
    ['a bare &', ', "text": "<p>Q & A</p>"', ', "text": "<p>Q &amp; A</p>"'],
    [
      'a bare & before a semicolon',
      ', "text": "<p>Q & A; B</p>"',
      ', "text": "<p>Q &amp; A; B</p>"',
    ],
  ])('%s', (_, wrong, right) => {
    const fixed = fix(fileOf(wrong))
    expect(fixed.text).toBe(fileOf(right))
    expect(problemsOf(Buffer.from(fixed.text))).toEqual([])
    expect(fixed.made.length).toBeGreaterThan(0)
  })

  test.each(['0.5', '7'])('beside a number in quotes that is refused without them: %s', (stars) => {
    const fixed = fix(fileOf(`, "stars": "${stars}", "license": "MIT"`))
    expect(fixed.text).toBe(fileOf(`, "stars": "${stars}", "license": "mit"`))
  })

  test('a byte-order mark, with what is wrong behind it, and line ends stay', () => {
    const text = `\ufeff${fileOf(',\r\n"year": "1"\r\n')}`
    expect(fix(text).text).toBe(fileOf(',\r\n"year": 1\r\n'))
  })

  test('of a key around records that a rule then refuses', () => {
    const refuses = () => [{ pointer: [], message: 'must be another' }]
    const strict = compileCheck({ ...FILE, additionalProperties: false })
    const problemsOf = (bytes: Buffer) =>
      read('a.json', bytes, strict, 0, { records, rules: [refuses] }).problems
    const text = Buffer.from(fileOf('').replace('pages', 'Pages'))
    const { bytes } = fixBatch(text, problemsOf)
    expect(Buffer.from(bytes).toString()).toBe(fileOf(''))
    expect(problemsOf(bytes).map(({ code }) => code)).toEqual(['rule.refuses'])
  })

  test('beside what it explains otherwise', () => {
    const without = (key: string) => `{ "pages": [{ "path": "/a", "name": "A", "${key}": "mit" }] }`
    expect(fix(without('Li-cense')).text).toBe(without('license'))
  })

  test('an error of syntax, also if a later fix would add a problem', () => {
    const strict = compileCheck({ ...FILE, additionalProperties: false })
    const problemsOf = (bytes: Buffer) => read('a.json', bytes, strict, 0, { records }).problems
    const text = (comma: string) =>
      fileOf(`${comma} "year": 1, "year": 1`).replace('pages', 'Pages')
    const { bytes } = fixBatch(Buffer.from(text('')), problemsOf)
    expect(Buffer.from(bytes).toString()).toBe(text(','))
  })
})

test('the fixes of a file may be a hundred thousand and more', () => {
  const many = 'a'.repeat(150_000)
  const edits = Array.from(many, (_, start) => ({ start, end: start + 1, text: 'b' }))
  const [error] = problemsOf(Buffer.from(fileOf(', "year": "1"')))
  const read = (bytes: Buffer) => {
    return error && bytes.includes('a') ? [{ ...error, fix: edits }] : []
  }
  expect(fixBatch(Buffer.from(many), read).made).toHaveLength(150_000)
})

test('a fix that was made has its line and column, and what is beside it', () => {
  const { made } = fix(
    '{ "pages": [\n  { "path": "/a",\n"Title": "A", "year": "1", "stars":\r\n"1" }] }',
  )
  expect(made).toEqual([
    {
      line: 3,
      column: 1,
      before: '"Title"',
      after: '"title"',
      beside: ['', ': "A", "year": "1", "stars":'],
    },
    {
      line: 3,
      column: 23,
      before: '"1"',
      after: '1',
      beside: ['"Title": "A", "year": ', ', "stars":'],
    },
    { line: 4, column: 1, before: '"1"', after: '1', beside: ['', ' }] }'] },
  ])
})

describe('nothing is fixed', () => {
  test.each([
    ['a number with zeros in front', ', "year": "007"'],
    ['a number that would be written differently', ', "year": "1.10"'],
    ['a number that JSON does not have', ', "ratio": "Infinity"'],
    ['a number of another kind', ', "year": "1.5"'],
    ['a word that is not a boolean, or in another case', ', "size": "True"'],
    ['a text that may be two of a list', ', "form": "top left"'],
    ['a text that is not markup', ', "plain": "Q & A"'],
    ['a key that is there already', ', "Title": "B"'],
    ['a key that may be two', ', "hom": "x"'],
    ['a key whose value does not fit', ', "License": "gpl"'],
    ['a key one letter off', ', "licence": "mit"'],
    ['a key with a number', ', "year2": 2025'],
    ['numbers that nothing visible separates', ', "list": [1\u200b2]'],
    ['a sign that is not a hyphen', ', "license": "apache+2.0"'],
    ['a number that may be two', ', "zone": "12"'],
    ['two keys that would be one', ', "License": "mit", "LICENSE": "mit"'],
    ['what may be one number or two', ', "list": [1 200]'],
    ['what may be two numbers or three', ', "list": [1, , -3]'],
    ['a grade without its sign', ', "grade": "A"'],
    ['what a browser reads as a character', ', "text": "<p>&copy 2026</p>"'],
    ['a quotation at the end of a text that is open', ', "license": "A “b”,\n"year": 1'],
    ['a quote that is missing', ', "license": mit"'],
    ['a comma within quotes', ', "license": "mit," "year": 1'],
    ['a text that may go on in the next line', ', "list": ["a "\n"b"]'],
    ['a brace that is missing', ',\n  "x": {\n    "y": 1\n  "year": 1'],
  ])('of %s', (_, wrong) => {
    expect(fix(fileOf(wrong))).toEqual({ text: fileOf(wrong), made: [] })
  })

  test('of a comma before the end of the file, if more follows that', () => {
    const text = `${fileOf('').slice(0, -2)},\n}\n{ "a": 1 }`
    expect(fix(text)).toEqual({ text, made: [] })
  })

  test('that would show another fault of its object, but what is beside it', () => {
    const items = {
      ...{ type: 'object', required: ['path'], additionalProperties: false },
      dependentRequired: { email: ['title'] },
      properties: { path: {}, title: {}, email: {}, n: { type: 'number' } },
    }
    const ofItems = compileCheck({ type: 'array', items })
    const problemsOf = (bytes: Buffer) => read('a.json', bytes, ofItems, 0, {}).problems
    const text = '[{ "path": "/a", "Email": "a" }, { "path": "/b", "n": "1" }]'
    expect(fixBatch(Buffer.from(text), problemsOf).bytes.toString()).toBe(text.replace('"1"', '1'))
  })

  test('of the name of a key', () => {
    const items = { required: ['path'], propertyNames: { pattern: '^[a-z]+$' } }
    const ofItems = compileCheck({ type: 'array', items })
    const text = Buffer.from('[{ "path": "/a", " b": 1, " c": 2 }]')
    const { problems } = read('a.json', text, ofItems, 0, {})
    expect(problems.map(({ code, fix }) => [code, fix])).toEqual([
      ['schema.key-name', undefined],
      ['schema.key-name', undefined],
    ])
  })

  test('of a file that is not UTF-8', () => {
    const bytes = Buffer.from(fileOf(',').replace('A', 'é'), 'latin1')
    expect(fixBatch(bytes, problemsOf)).toEqual({ bytes, made: [] })
  })

  test('if a fix would add a problem', () => {
    const text = fileOf(', "year": "1"')
    const made = (problem: object) =>
      fixBatch(Buffer.from(text), (bytes) => {
        const [first, ...others] = problemsOf(Buffer.from(text))
        if (bytes.toString() === text && first) return [first, ...others]
        return first ? [{ ...first, ...problem }] : []
      }).made
    expect(made({ pointer: '/pages/0/other' })).toEqual([])
    expect(made({ code: 'schema.other' })).toEqual([])
    expect(made({ pointer: '/pages/0/other', code: 'rule.other' })).not.toEqual([])
  })

  test('that overlaps with another fix, in the same round', () => {
    const edits = [
      { start: 0, end: 3, text: 'x' },
      { start: 2, end: 4, text: 'y' },
      { start: 4, end: 4, text: 'z' },
    ]
    const [error] = problemsOf(Buffer.from(fileOf(', "year": "1"')))
    const read = (bytes: Buffer) => {
      return error && bytes.length === 6 ? [{ ...error, fix: edits }] : []
    }
    expect(fixBatch(Buffer.from('abcdef'), read).bytes.toString()).toBe('xdzef')
  })
})

const WRONG = [
  ...[
    ',',
    ' "year": 1',
    ', "year": "12"',
    ', "license": "MIT"',
    ', "License": "mit"',
    ',, "year": 1',
  ],
  ...[
    ', "homepage": " HTTPS://a.example "',
    ', "text": "<p>a & b</p>"',
    ', “license”: "mit"',
    ', "year": "x"',
  ],
  ...[
    ',\n\u00a0"year": 1',
    ', "title": "B"',
    ', "host": "http://a.example."',
    ', "licence": "mit"',
    ', "x": "y',
    ', "x": "y"',
  ],
]
const anyFile = fc.array(fc.array(fc.constantFrom(...WRONG), { maxLength: 3 }), { maxLength: 3 })
property([anyFile], { numRuns: times(200) })(
  'after a fix no problem is new, no word is lost, and a second fix does nothing',
  (records) => {
    const all = records.map((wrong) => `{ "path": "/a", "title": "A"${wrong.join('')} }`)
    const text = `{ "pages": [${all.join(',\n')}] }`
    const fixed = fix(text)
    const known = problemsOf(Buffer.from(text))
    const left = problemsOf(Buffer.from(fixed.text))
    const isBroken = known.some(({ code }) => code.startsWith('json.'))
    const nameOf = ({ pointer, code }: (typeof left)[number]) => `${pointer} ${code}`
    if (!isBroken) for (const each of left) expect(known.map(nameOf)).toContain(nameOf(each))
    const words = (text: string) =>
      text
        .toLowerCase()
        .replaceAll('&amp;', '&')
        .match(/[a-z\d&]+/g)
    expect(words(fixed.text)).toEqual(words(text))
    expect(fix(fixed.text)).toEqual({ text: fixed.text, made: [] })
  },
)
