import { expect, test } from 'vitest'
import { addressOf } from '../../src/dataset/address.ts'
import { FIELD_TYPES, HONEYPOT } from '../../src/dataset/fields.ts'
import { checkPages, UnshowableError } from '../../src/site/static/showable.ts'
import { emailField, nameField, page, without } from '../helpers/page.ts'

/** What a form cannot show, or its receiver not receive, and what is said of it. */
const FIELDS: [field: object, message: string][] = [
  [
    { name: 'name' },
    '"name" of field 1 of its "form" ("name") must differ from the name of field 0',
  ],
  [{ name: '' }, '"name" of field 1 of its "form" ("") must be a text, but not ""'],
  [{ name: 7 }, '"name" of field 1 of its "form" must be a text'],
  [
    { name: HONEYPOT },
    `"name" of field 1 of its "form" ("${HONEYPOT}") must be a text, but not ""`,
  ],
  [{ label: undefined }, 'field 1 of its "form" ("email") has no "label", which must be a text.'],
  [
    { type: 'color' },
    '"type" of field 1 of its "form" ("email") must be one of "text", "email", "tel"',
  ],
  [
    { type: undefined },
    'field 1 of its "form" ("email") has no "type", which must be one of "text"',
  ],
  [
    { placeholder: 7 },
    '"placeholder" of field 1 of its "form" ("email") must be a text, but is 7.',
  ],
  [{ required: 'false' }, '"required" of field 1 of its "form" ("email") must be true or false'],
  [{ type: 'select' }, 'field 1 of its "form" ("email") has no "options", which must be a list of'],
  ...[[], 'a', [''], ['a', 'a'], [1]].map((options): [object, string] => [
    { type: 'select', options },
    '"options" of field 1 of its "form" ("email") must be a list of different texts, none of them ""',
  ]),
]

/** What browsers read differently, or a sitemap cannot have. */
const TIMES = [
  ...['2016-12-31T23:59:60Z', '2025-02-30T10:15:00Z', '2025-08-28', '28 August 2025', '2025'],
  ...['2025-08-28T10:15:00', '2025-08-28t10:15:00z', '2025-08-28 10:15:00Z', '', null],
  ...['2025-08-28T10:15Z', '2025-08-28T10:15:00+0200', '28 Aug 2025 10:15 GMT (<a>)'],
  ...[
    '2025-08-28T24:15:00Z',
    '2025-13-28T10:15:00Z',
    '2025-08-28T10:15:00Z\n',
    ['2025-08-28T10:15:00Z'],
  ],
]

const check = (...paths: string[]) => checkPages(paths.map((path) => page({ path })))

test.each([
  '/about',
  '/guides/a/b',
  '/über-uns',
  '/a b',
  '/a.b/c~d',
  '/...',
  "/it's & more;=1",
  '/漢字/😀',
  '/assets-of-ours',
  '/404/more',
  '/blog/api/forms',
])('%s can be a page', (path) => {
  expect(() => check(path)).not.toThrow()
  expect(new URL(path, 'http://localhost').pathname).toBe(addressOf(path))
})

test.each([
  ...['', '/', 'a', '//', '//a', '/a/', '/a//b', '/../a', '/a/..', '/./a', '/a/./b', '/a\\..\\b'],
  ...['/a?b', '/a#b', '/a%20b', '/100%', '/a\u0000', '/a\nb', '/a\u007f', '/a ', '/ a', '/a /b'],
  ...['/[a]', '/a|b', '/a^b', '/"a"', '/<a>', '/`a`', '/{a}', '/\ud800', `/${'ü'.repeat(126)}`],
])('%j stops the build and is named', (path) => {
  expect(() => check('/a', path)).toThrow(UnshowableError)
  expect(() => check('/a', path)).toThrow(`${JSON.stringify(path)} cannot be shown: a path has`)
})

test.each([
  ...['/404', '/index', '/guides/index', '/Index', '/robots.txt', '/sitemap.xml', '/_headers'],
  ...['/dataset.json', '/site.json', '/assets', '/assets/x', '/ASSETS/x', '/healthz', '/readyz'],
  ...['/api/forms/blog/029', '/forms/received/x', '/a.html', '/a.html/b', '/a.gz'],
])('%s belongs to the site, which stops the build', (path) => {
  expect(() => check(path)).toThrow(`"${path}" cannot be shown: the site itself uses that address.`)
})

test.each([
  ['/a', '/A'],
  ['/über/x', '/u\u0308ber/x'],
])('%s and %s would be one document on some disks, which stops the build', (one, other) => {
  expect(() => check(one, '/b', other)).toThrow(
    `"${other}" cannot be shown: on some disks its document is also that of ${one}.`,
  )
})

const form = (overrides: object) => ({ fields: [nameField, { ...emailField, ...overrides }] })

test.each<[key: string, value: unknown, message: string]>([
  ['title', undefined, 'it has no "title", which must be a text.'],
  ['title', 7, 'its "title" is 7, but must be a text.'],
  ['contentHtml', null, 'its "contentHtml" is null, but must be a text.'],
  ['form', {}, 'its "form" must be null or have a list "fields". Correct the batch.'],
  ['form', { fields: [null] }, 'field 0 of its "form" has no "name", which must be a text'],
  ...FIELDS.map(([field, message]): [string, unknown, string] => ['form', form(field), message]),
  ...TIMES.map((time): [string, unknown, string] => ['updatedAt', time, 'its "updatedAt" is ']),
  ['createdAt', 7, 'its "createdAt" is 7, but must be a date and time such as'],
])('a page whose %s is %j is named, with the key', (key, value, message) => {
  const faulty = value === undefined ? without(page(), key) : page({ [key]: value })
  expect(() => checkPages([page({ path: '/a' }), faulty])).toThrow(
    `"/blog/029" cannot be shown: ${message}`,
  )
})

test('a form may have every type of field, some without a placeholder', () => {
  const fields = Object.keys(FIELD_TYPES).map((type) => {
    return {
      name: type,
      label: type,
      type,
      required: true,
      ...(type === 'select' && { options: ['a'] }),
    }
  })
  expect(() => checkPages([page({ form: { fields } })])).not.toThrow()
})

test('a page may lack its form and its times', () => {
  const { path, title, contentHtml } = page()
  expect(() => checkPages([{ path, title, contentHtml }])).not.toThrow()
})

test.each(['2025-08-28T10:15:00Z', '2024-02-29T23:59:59.123456+02:00'])(
  'a page may have been updated at %s',
  (updatedAt) => {
    expect(() => checkPages([page({ updatedAt, form: form({}) })])).not.toThrow()
  },
)
