import { describe, expect, test } from 'vitest'
import schema from '../../schema/batch.schema.json'
import { formatPointer } from '../../src/text/pointer.ts'
import {
  compileCheck,
  emailField,
  formOf,
  messageField,
  nameField,
  page,
  refusedBy,
  without,
} from '../helpers/page.ts'

const check = compileCheck(schema)

/** The violations of a batch, as `pointer: message`. */
const problemsOf = (batch: unknown) =>
  refusedBy(check, batch).map(({ pointer, message }) => `${formatPointer(pointer)}: ${message}`)

const { page: pageSchema, field: fieldSchema, form: formSchema } = schema.$defs
const NAME = fieldSchema.properties.name.patternErrorMessage
const LINE = 'Write one line'
const KIND = 'Allowed: "text", "email", "textarea".'
const CATEGORIES = [
  ...['about', 'api', 'blog', 'careers', 'community', 'contact', 'docs', 'downloads'],
  ...['events', 'features', 'help', 'news', 'pricing', 'products', 'services', 'support'],
]

describe('a record is refused', () => {
  test.each(pageSchema.required)('without %s', (key) => {
    expect(problemsOf([without(page(), key)])).toEqual([
      expect.stringMatching(`^/0: The key "${key}" is missing.`),
    ])
  })

  test.each(Object.keys(pageSchema.properties))('with a %s of another type', (key) => {
    expect(problemsOf([{ ...page(), [key]: 7 }])).toEqual([
      expect.stringMatching(`^/0/${key}: This must be .+, but it is the number 7.`),
    ])
  })
})

/** Values that are refused, by key and reason, separated by bars. */
const REFUSED: Record<string, Record<string, string>> = {
  path: {
    'that is not a path': '|/|/blog|/blog/|blog/029|https://example.com/blog/029',
    'with wrong slashes': '//blog/029|/blog//029|/blog/029/',
    'with something around it': ' /blog/029|x/blog/029|/blog/029?|/blog/029\n',
    'with a number below 001 or above 100': '/blog/000|/blog/101|/blog/110|/blog/200',
    'without three digits': '/blog/1|/blog/01|/blog/0001|/blog/1000|/blog/0a1|/blog/１００',
    'with an unknown category': '/shop/001|/blogs/001|/blo/001|/__proto__/001|/constructor/001',
    'in capitals': '/BLOG/029|/Blog/029',
  },
  title: {
    'that is not a title': '|Blog Page|Page 029|<b>Blog Page 029</b>',
    'with something around it': ' Blog Page 029|Blog Page 029 |Blog Page 029\n',
    'with wrong case or spaces': 'blog Page 029|BLOG Page 029|Blog page 029|Blog  Page 029',
    'with a number below 001 or above 100': 'Blog Page 000|Blog Page 101',
    'without three digits': 'Blog Page 29|Blog Page 0290',
    'with an unknown section': 'Shop Page 001|Blogs Page 001',
  },
  contentHtml: {
    'without a paragraph': '|text|<p>|</p>|<p>a|a</p>',
    'with six paragraphs': '<p>x</p>'.repeat(6),
    'with text outside the paragraphs': 'a<p>b</p>|<p>a</p>b|<p>a</p>b<p>c</p>',
    'with space outside the paragraphs':
      ' <p>a</p>|<p>a</p>\n|<p>a</p> <p>b</p>|<p>a</p>\n<p>b</p>',
    'with a blank paragraph': '<p></p>|<p> </p>|<p>a</p><p>\n\t</p>|<p>\u00a0</p>',
    'with a paragraph in another': '<p><p>a</p></p>|<p>a<p>b</p></p>|<p>a</p></p>',
    'with another element': '<div>a</div>|<p>a<b>b</b></p>|<p>a<br>b</p>|<p>a</p><hr>|<pre>a</pre>',
    'with an attribute': '<p class="a">a</p>|<p onclick="a()">a</p>|<p >a</p>|<p/>a</p>|<p>a</p >',
    'with a tag in capitals': '<P>a</P>|<p>a</P>|<P>a</p>',
    'with a comment': '<!-- a --><p>a</p>|<p>a<!-- b --></p>|<p>a<!b></p>|<p>a<?b?></p>',
    'with a raw < or >': '<p>a < b</p>|<p>a > b</p>|<p>a<</p>|<p>></p>|<p>a]]></p>',
    'with a raw &': '<p>a & b</p>|<p>AT&T</p>|<p>&</p>|<p>&amp</p>|<p>&;</p>',
    'with an unknown entity': '<p>&copy;</p>|<p>&LT;</p>|<p>&#;</p>|<p>&#x;</p>|<p>&#xg;</p>',
    'with an entity for no character':
      '<p>&#12345678;</p>|<p>&#1114112;</p>|<p>&#x110000;</p>|<p>&#0;</p>|<p>&#x000;</p>|<p>&#1a;</p>',
    'with an entity for a lone surrogate':
      '<p>&#55296;</p>|<p>&#57343;</p>|<p>&#xd800;</p>|<p>&#xDFFF;</p>|<p>&#x0dabc;</p>',
    'with a control character': [0, 8, 0x0b, 0x0c, 0x0d, 0x0e, 0x1b, 0x1f, 0x7f, 0x80, 0x9f]
      .map((code) => `<p>a${String.fromCharCode(code)}b</p>`)
      .join('|'),
  },
  createdAt: {
    'that is not a date-time': '|yesterday|2025-08-28|10:15:00Z|2025-08-28T10:15Z',
    'without a zone': '2025-08-28T10:15:00|2025-08-28T10:15:00.000',
    'with a partial zone': '2025-08-28T10:15:00+02|2025-08-28T10:15:00+0200|2025-08-28T10:15:00 Z',
    'with something around it':
      ' 2025-08-28T10:15:00Z|2025-08-28T10:15:00Z |2025-08-28T10:15:00Z\n',
    'in lower case': '2025-08-28t10:15:00Z|2025-08-28T10:15:00z',
    'with missing or extra digits': '2025-8-28T10:15:00Z|25-08-28T10:15:00Z|12025-08-28T10:15:00Z',
    'with no fraction, or ten digits': '2025-08-28T10:15:00.Z|2025-08-28T10:15:00.0123456789Z',
    'on a nonexistent day': '2025-02-30T10:15:00Z|2025-02-29T10:15:00Z|1900-02-29T10:15:00Z',
    'with no such month or day': '2025-13-01T10:15:00Z|2025-00-10T10:15:00Z|2025-08-00T10:15:00Z',
    'with a time out of range': '2025-08-28T24:00:00Z|2025-08-28T10:60:00Z|2025-08-28T10:15:61Z',
    'in a leap second': '2016-12-31T23:59:60Z|2017-01-01T05:29:60.5+05:30|2025-08-28T10:15:60Z',
    'in an impossible zone': '2025-08-28T10:15:00+24:00|2025-08-28T10:15:00+02:60',
  },
  updatedAt: { 'for the same reasons': '2025-08-28|2025-02-30T10:15:00Z' },
}

describe.each(Object.entries(REFUSED))('a %s is refused', (key, reasons) => {
  test.each(Object.entries(reasons))('%s: %j', (_, values) => {
    for (const value of values.split('|')) {
      const told = problemsOf([{ ...page(), [key]: value }])
      expect(told.length).toBeGreaterThan(0)
      for (const each of told) expect(each).toMatch(`/0/${key}: `)
      expect(told.join()).not.toContain('This must be text')
    }
  })
})

describe('a form is refused', () => {
  test.each<[unknown, string]>([
    [{}, ': The key "fields" is missing. It must be a list [ ].'],
    [{ fields: [] }, '/fields: This list is empty. It must have at least 1 item.'],
    [
      { fields: [nameField, null] },
      '/fields/1: This must be an object { }, but it is null. Write the item, or remove it.',
    ],
  ])('as %j', (form, told) => {
    expect(problemsOf([page({ form })])).toEqual([`/0/form${told}`])
  })

  const demandsByKey: Record<string, string> = {
    type: ' It must be "text", "email" or "textarea".',
    required: ' It must be true or false.',
  }

  test.each(fieldSchema.required)('with a field without %s', (key) => {
    const form = { fields: [nameField, without(emailField, key)] }
    expect(problemsOf([page({ form })])).toEqual([
      `/0/form/fields/1: The key "${key}" is missing.${demandsByKey[key] ?? ''}`,
    ])
  })

  test.each<[string, string, unknown[]]>([
    [
      'name',
      NAME,
      ['', 'Email', 'e mail', '1st', '-a', 'e_mail', 'émail', '__proto__', 'a.b', 'a\n'],
    ],
    ['name', 'This must be text', [1, null]],
    [
      'label',
      LINE,
      ['', ' ', '\u00a0\u3000', 'a\nb', 'a\tb', 'a\0', 'a\x7f', 'a\x9fb', 'a\u2028b'],
    ],
    ['label', 'This must be text', [null]],
    ['placeholder', LINE, ['', '\t', 'a\r', '\x1b[31ma', '\n', 'a\u2029']],
    ['placeholder', 'This must be text', [true, null]],
    ['type', KIND, ['', 'e-mail', 'Text', 'tel', 'password', 'hidden', 'file', 1, null]],
    ['required', 'This must be true or false', ['true', 1, null, 'required']],
  ])('with an invalid %s: %s', (key, must, values) => {
    for (const value of values) {
      expect(problemsOf([page({ form: formOf({ [key]: value }) })])).toEqual([
        expect.stringMatching(`^/0/form/fields/0/${key}: [^]*${must}`),
      ])
    }
  })
})

describe('a batch is accepted', () => {
  const ids = Array.from({ length: 100 }, (_, index) => String(index + 1).padStart(3, '0'))
  const fields = [nameField, emailField, messageField]
  const bodies = [
    ...[1, 2, 3, 4, 5].map((count) => '<p>a</p>'.repeat(count)),
    '<p>&amp;&lt;&gt;&quot;&apos;&nbsp;&#8364;&#x20ac;&#X1F600;&#1114111;</p><p>&nbsp;</p>',
    '<p>Größe – 語 עברית 😀 👩‍👩‍👧 ½ \u2028</p><p>"a\' = ; {x} \\ / p</p>',
    '<p>a\n\tb\n</p><p> a </p>',
  ]
  const times = [
    ['2025-08-28T00:00:00Z', '2025-08-28T23:59:59.999999999Z'],
    ['2024-02-29T10:15:00.1Z', '2000-02-29T10:15:00-00:00'],
    ['2025-08-28T23:59:59+23:59', '0000-01-01T00:00:00-23:59'],
  ]
  const labels = { name: 'x-1--', label: ' Größe 😀 *', placeholder: '…' }
  test.each([
    ['that is empty', []],
    ['with every category', CATEGORIES.map((category) => page({ path: `/${category}/001` }))],
    ['with every number', ids.map((id) => page({ path: `/news/${id}` }))],
    ['with one to five paragraphs of text', bodies.map((contentHtml) => page({ contentHtml }))],
    [
      'with forms of one, two and three fields',
      [1, 2, 3].map((count) => page({ form: { fields: fields.slice(0, count) } })),
    ],
    ['with labels in any script', [page({ form: formOf(labels) })]],
    [
      'with date-times at their edges',
      times.map(([createdAt, updatedAt]) => page({ createdAt, updatedAt })),
    ],
  ])('%s', (_, batch) => {
    expect(problemsOf(batch)).toEqual([])
  })
})

describe('the schema itself', () => {
  type Node = Record<string, unknown>
  const nodes = (function* walk(node: unknown): Generator<Node> {
    if (typeof node !== 'object' || node === null) return
    if (!Array.isArray(node)) yield node as Node
    for (const inner of Object.values(node)) yield* walk(inner)
  })(schema)
  const all = [...nodes]

  test('has a message for every pattern', () => {
    const patterns = all.filter(({ pattern }) => pattern !== undefined)
    expect(patterns.length).toBeGreaterThan(4)
    expect(
      patterns.filter((node) => !/^[A-Z].*\.$/.test(String(node.patternErrorMessage))),
    ).toEqual([])
  })

  test('has only valid examples', () => {
    const withExamples = all.filter(({ examples }) => Array.isArray(examples))
    expect(withExamples.length).toBeGreaterThan(6)
    for (const { examples, ...node } of withExamples) {
      const judge = compileCheck({ $defs: schema.$defs, type: 'array', items: node })
      expect(refusedBy(judge, examples)).toEqual([])
      expect(refusedBy(judge, [{}])).not.toEqual([])
    }
  })

  test('allows no unknown key in any object', () => {
    const objects = all.filter(({ type }) => type === 'object')
    expect(objects).toHaveLength(3)
    for (const { additionalProperties, required, properties } of objects) {
      expect(additionalProperties).toBe(false)
      expect(Object.keys(properties as object)).toEqual(
        expect.arrayContaining(required as string[]),
      )
    }
  })

  test('describes every key', () => {
    for (const { properties } of [pageSchema, formSchema, fieldSchema]) {
      for (const property of Object.values(properties)) expect(property.description).toMatch(/\.$/)
    }
  })
})
