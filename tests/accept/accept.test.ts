import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Problem } from '../../src/explain/problem.ts'
import type { Content } from '../../src/page/content.ts'
import { faultOf } from '../helpers/fault.ts'
import { times } from '../helpers/long.ts'
import {
  compileCheck,
  emailField,
  nameField,
  page,
  read,
  validate,
  without,
} from '../helpers/page.ts'
import { anyValue, property } from '../helpers/property.ts'

const check = compileCheck()

const judge = (text: string, frames = 0) => validate('b.json', Buffer.from(text), check, frames)
const pretty = (...records: unknown[]) => JSON.stringify(records, null, 2)
/** A problem as `line:column-endColumn record (path) pointer code`. */
const format = ({ line, column, endColumn, record, id, pointer, code }: Problem) =>
  `${line}:${column}-${endColumn} ${record} (${id}) ${pointer} ${code}`
const problemsOf = (text: string) => judge(text).problems.map(format)

describe('problems are in the order of the text, each at its place', () => {
  const later = { ...page({ path: '/docs/002', form: 5 }), extra: 1 }
  const form = { fields: [nameField, { ...emailField, type: 'e-mail', name: 'name' }] }
  const text = pretty(page({ createdAt: 'now', contentHtml: 5 }), page(), later, 7, page({ form }))
  const expected = [
    '5:20-21 0 (/blog/029) /0/contentHtml schema.type',
    '7:18-23 0 (/blog/029) /0/createdAt schema.pattern',
    '22:13-14 2 (/docs/002) /2/form schema.type',
    '25:5-12 2 (/docs/002) /2/extra schema.unknown-key',
    '27:3-4 3 (null) /3 schema.type',
    '44:19-27 4 (/blog/029) /4/form/fields/1/type schema.enum',
  ]

  test('line and column count as editors do', () => {
    expect(problemsOf(text)).toEqual(expected)
    const lines = text.split('\n')
    const marked = judge(text).problems.map(({ line, column, endColumn }) => {
      return lines[line - 1]?.slice(column - 1, endColumn - 1)
    })
    expect(marked).toEqual(['5', '"now"', '5', '"extra"', '7', '"e-mail"'])
  })

  test('a file with CRLF has them at the same lines and columns', () => {
    expect(problemsOf(text.replaceAll('\n', '\r\n'))).toEqual(problemsOf(text))
  })

  test('tabs count as one column', () => {
    const tabbed = JSON.stringify([page({ form: 'none' })], null, '\t')
    expect(problemsOf(tabbed)).toEqual(['6:11-17 0 (/blog/029) /0/form schema.type'])
  })

  test('a misspelled path is one problem', () => {
    const { path, ...rest } = page()
    expect(problemsOf(pretty({ pth: path, ...rest }))).toEqual([
      '3:5-10 0 (null) /0/pth schema.misspelled-key',
    ])
  })

  test('a place after wide characters counts UTF-16 code units', () => {
    expect(problemsOf('[{"😀語":1}, {"title":\n"語", "x": 😀}]')[0]).toBe(
      '2:11-13 null (null)  json.unexpected',
    )
    expect(problemsOf('["語😀", 8]').at(1)).toBe('1:9-10 1 (null) /1 schema.type')
  })
})

describe('the problems of a record have its path as its id', () => {
  test.each([
    ['as it was written, if it is wrong', { ...page(), path: '/nope' }, '/nope'],
    ['unless it is not a string', { ...page(), path: 5 }, null],
    ['unless it is missing', without(page(), 'path'), null],
    ['unless the record is null', null, null],
  ])('%s', (_, record, id) => {
    expect(judge(pretty(record)).problems).toMatchObject([{ record: 0, id }])
  })
})

describe('a file that is not a batch', () => {
  test('has one problem and no record', () => {
    const { problems, lost, locate, ...rest } = judge('[\n1,]', 1)
    // It may hold any page.
    expect(rest).toEqual({
      records: 0,
      places: [],
      hasFaultOutside: true,
      isUndecided: false,
      pages: [],
      refused: [],
      hasUnknownRecords: true,
      references: [],
      haveReferencesFailed: false,
      reached: new Map(),
      uniques: [],
    })
    expect(problems.map(format)).toEqual(['2:2-3 null (null)  json.comma-trailing'])
  })

  test('has its repeated keys reported too', () => {
    expect(problemsOf('{"pages":[], "0":{"path":1}, "pages":[], "0":{}}')).toEqual([
      '1:1-2 0 (null)  schema.type',
      '1:30-37 0 (null) /pages loss.repeated-key',
      '1:42-45 0 (null) /0 loss.repeated-key',
    ])
  })

  test('is one record when it is an object that the schema accepts', () => {
    const lax = compileCheck({ items: { required: ['path'] }, not: { const: null } })
    const { problems } = validate('b.json', Buffer.from('{"all": []}'), lax, 0)
    expect(problems.map(format)).toEqual(['1:1-2 0 (null) /path page.no-path'])
  })
})

describe('repeated keys', () => {
  test('are reported together with the faults of their record', () => {
    const text = pretty(page({ form: { fields: [nameField] } }))
      .replace('"form"', '"title": 5,\n    "form"')
      .replace('"required"', '"label": "B", "required"')
      .replace('"contentHtml"', '"html"')
    expect(problemsOf(text)).toEqual([
      '5:5-11 0 (/blog/029) /0/html schema.misspelled-key',
      '6:5-12 0 (/blog/029) /0/title loss.repeated-key',
      '6:14-15 0 (/blog/029) /0/title schema.type',
      '14:11-18 0 (/blog/029) /0/form/fields/0/label loss.repeated-key',
    ])
  })

  test('make their record faulty', () => {
    const text = pretty(page(), page()).replace('"form"', '"path": "/blog/029", "form"')
    expect(judge(text).pages.map(({ index }) => index)).toEqual([1])
  })
})

describe('valid records beside faulty ones', () => {
  test('are returned with their position', () => {
    const records = [page(), null, page({ title: 'x' }), page({ path: '/api/001' }), {}, page()]
    const result = judge(pretty(...records))
    expect(result.records).toBe(6)
    expect(result.pages).toEqual([0, 3, 5].map((index) => ({ index, page: records[index] })))
  })

  test('are written as JSON.stringify writes them, with what is known of each', () => {
    const check = compileCheck({ type: 'array', items: { required: ['path'] } })
    const text = '[{"path":"/語","n":9e20,"form":{}}, {"n":1}, {"path":"/b"}]'
    const { items } = read('a.json', Buffer.from(text), check)
    const known = { identity: undefined, key: undefined }
    expect(items).toEqual([
      {
        id: '/語',
        index: 0,
        ...known,
        hasForm: true,
        json: Buffer.from('{"path":"/語","n":900000000000000000000,"form":{}}'),
      },
      { id: '/b', index: 2, ...known, hasForm: false, json: Buffer.from('{"path":"/b"}') },
    ])
  })

  test('name the pages that they refer to and their unique values, as refused ones do, with their ids if they are known', () => {
    const to = { type: 'string', pagePath: true }
    const n = { type: 'number', unique: true }
    const items = { properties: { path: { pattern: '^/' }, to, n } }
    const check = compileCheck({ type: 'array', items: { ...items, required: ['path'] } })
    const records = [
      ['/a', 1],
      ['/b', 'x'],
      ['c', 1],
      [5, 1],
    ].map(([path, n]) => {
      return { path, to: '/a', n }
    })
    const bytes = Buffer.from(pretty(...records))
    const { references, uniques, refused } = read('a.json', bytes, check)
    expect(references.map(({ index, id, pointer }) => [index, id, pointer])).toEqual(
      records.map((_, index) => [index, '/a', [String(index), 'to']]),
    )
    expect(uniques.map(({ index, value }) => [index, value])).toEqual([
      [0, 1],
      [1, 'x'],
      [2, 1],
      [3, 1],
    ])
    expect(refused.map(({ index, id }) => [index, id])).toEqual([
      [1, '/b'],
      [2, 'c'],
      [3, undefined],
    ])
  })
})

test('a rule is applied to the records that the schema accepts', () => {
  const form = { fields: [nameField, nameField] }
  const text = pretty(page({ form, title: '' }), page({ form }))
  expect(judge(text).problems.map(({ pointer }) => pointer)).toEqual([
    '/0/title',
    '/1/form/fields/1/name',
  ])
})

test.each<[string, object]>([
  ['a path and a title that are null', { path: null, title: null }],
  ['a kind of field with a key toString', { form: { fields: [{ type: { toString: 'x' } }] } }],
])('%s are problems, not an error', (_, values) => {
  const problems = problemsOf(JSON.stringify([{ ...page(), ...values }]))
  expect(problems.length).toBeGreaterThan(0)
})

test('a lone surrogate is reported at its value and at its key, a pair is not', () => {
  const content = '<p>a\\ud83d\\ude00 \\\\ud800</p>'
  const good = pretty(page()).replace('<p>Text.</p>', content)
  expect(problemsOf(good)).toEqual([])
  const bad = good.replace(content, '<p>\\uDC00</p>').replace('"form"', '"\\ud83D": 1, "form"')
  expect(problemsOf(bad)).toEqual([
    '5:24-30 0 (/blog/029) /0/contentHtml loss.lone-surrogate',
    '6:5-13 0 (/blog/029) /0/\ud83d schema.unknown-key',
    '6:6-12 0 (/blog/029) /0/\ud83d loss.lone-surrogate',
  ])
  expect(judge(bad).pages).toEqual([])
})

test('only the requested number of problems have the lines around them', () => {
  const text = pretty(...Array.from({ length: 5 }, () => page({ title: '' })))
  const lines = (frames: number) => judge(text, frames).problems.map(({ frame }) => frame.length)
  expect(lines(0)).toEqual([0, 0, 0, 0, 0])
  expect(lines(2)).toEqual([3, 3, 3, 0, 0])
  expect(lines(Number.POSITIVE_INFINITY)).toEqual([3, 3, 3, 3, 3])
})

test('violations that depend on other batches are located in the same way', () => {
  const { locate } = judge(pretty(page(), page({ path: '/api/001' })), 1)
  const [first, second] = locate([
    faultOf('rule.second', [1], 'message'),
    { ...faultOf('rule.first', [0, 'form'], 'message'), at: 'key' },
  ])
  expect([first, second].map((problem) => problem && format(problem))).toEqual([
    '6:5-11 0 (/blog/029) /0/form rule.first',
    '10:3-4 1 (/api/001) /1 rule.second',
  ])
  expect(first?.frame).toHaveLength(3)
  expect(second?.frame).toHaveLength(0)
  expect(locate([])).toEqual([])
})

test.each([1_001, 3_800, 4_400, 1e5])(
  '%i levels of nesting are one problem of the file',
  (levels) => {
    const deep = `${'['.repeat(levels - 3)}1${']'.repeat(levels - 3)}`
    const text = `[{"path":"/a","x":[${deep},{"id":1,"id":12345678901234567890}]}]`
    const lax = compileCheck({ type: 'array', items: { type: 'object', required: ['path'] } })
    const { problems, pages } = validate('b.json', Buffer.from(text), lax, 2)
    expect(problems).toMatchObject([{ line: 1, code: 'json.too-deep' }])
    expect(pages).toEqual([])
    const less = text.replace('[[', '').replace(']]', '')
    expect(validate('b.json', Buffer.from(less), lax, 2).problems).toHaveLength(
      levels > 1_003 ? 1 : 2,
    )
  },
)

test('a fault of the whole batch has no record, and refuses none', () => {
  const items = { type: 'object', required: ['path'] }
  const atLeastOne = compileCheck({ type: 'array', minItems: 1, items })
  const { problems, refused } = validate('b.json', Buffer.from('[]'), atLeastOne, 0)
  expect(problems.map(format)).toEqual(['1:1-2 null (null)  schema.limit'])
  expect(refused).toEqual([])
})

test('a record that is not an object has no path, even if the schema allows it', () => {
  const items = { type: ['object', 'number', 'null'], required: ['path'] }
  const { problems, pages } = validate(
    'b.json',
    Buffer.from('[7,null]'),
    compileCheck({ type: 'array', items }),
    0,
  )
  expect(problems.map(format)).toEqual([
    '1:2-3 0 (null) /0/path page.no-path',
    '1:4-8 1 (null) /1/path page.no-path',
  ])
  expect(pages).toEqual([])
})

test('a page has no path if that is an empty text', () => {
  const items = { type: 'object', required: ['path'] }
  const bytes = Buffer.from('[{"path":""}]')
  const { problems } = validate('b.json', bytes, compileCheck({ type: 'array', items }), 0)
  expect(problems.map(format)).toEqual(['1:10-12 0 (null) /0/path page.no-path'])
})

describe('whatever a function of content.ts returns or throws', () => {
  const anyFunction = fc.tuple(anyValue, fc.boolean()).map(([value, isThrown]) => () => {
    if (isThrown) throw value
    return value as never
  })
  const bytes = Buffer.from(JSON.stringify([page()]))
  const readWith = (content: Content) => read('a.json', bytes, check, 0, content)

  property([fc.constantFrom('page', 'identity', 'records'), anyFunction], { numRuns: times(500) })(
    'of a file or a record, the batch is read, and every problem has its place and a sentence',
    (name, odd) => {
      const { problems, items } = readWith({ [name]: odd })
      for (const { line, message } of problems) {
        expect(line).toBe(1)
        expect(message).toContain('content.')
        expect(message).not.toMatch(/[\r\n]/)
      }
      const isWritten = items.length === 1
      expect(isWritten || problems.length > 0 || name === 'records').toBe(true)
    },
  )

  property([anyFunction], { numRuns: times(500) })(
    'of a rule, the record is refused, unless it is an empty list',
    (odd) => {
      const { problems, items } = readWith({ rules: [odd] })
      expect(items).toHaveLength(problems.length === 0 ? 1 : 0)
      for (const { record, code } of problems)
        expect([record, code]).toEqual([0, expect.stringMatching(/^(?:content|rule)\./)])
    },
  )

  property([anyValue], { numRuns: times(500) })(
    'in a page, it is written as it is, or is a problem of the record',
    (odd) => {
      const { problems, items } = readWith({ page: () => ({ ...page(), odd }) })
      const [written] = items.map(({ json }) => JSON.parse(json.toString()))
      if (problems.length > 0) expect(problems.map(({ record }) => record)).toEqual([0])
      else expect({ odd: written.odd }).toEqual({ odd })
    },
  )
})
