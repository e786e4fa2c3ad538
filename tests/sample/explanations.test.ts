import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { times } from '../helpers/long.ts'
import { compileCheck, page, refusedBy } from '../helpers/page.ts'
import { property } from '../helpers/property.ts'

const schema = JSON.parse(readFileSync('tests/helpers/batch.schema.json', 'utf8'))

type Key = 'path' | 'contentHtml' | 'createdAt'

/** The messages for a value and the part each one marks, by our schema or a changed one. */
function explain(key: Key, value: string, change: (pattern: string) => string = (same) => same) {
  const changed = structuredClone(schema)
  const { properties } = changed.$defs.page
  const rule = key === 'createdAt' ? changed.$defs.timestamp : properties[key]
  rule.pattern = change(rule.pattern)
  const told = refusedBy(compileCheck(changed), [{ ...page(), [key]: value }])
  return told.map(({ message, within }) => {
    return within ? `${message} «${value.slice(within.start, within.end)}»` : message
  })
}

describe('there is no explanation', () => {
  const withBold = (pattern: string) => pattern.replace('&(?:amp', '</?b>|&(?:amp')

  test('of what another schema allows', () => {
    expect(explain('contentHtml', '<p>a <b>b</b> <i>c</i></p>')).toEqual([
      expect.stringMatching(/^the element <b> is not allowed; .* «<b>»$/),
      expect.stringMatching(/^the element <i> is not allowed; .* «<i>»$/),
    ])
    expect(explain('contentHtml', '<p>a <b>b</b> <i>c</i></p>', withBold)).toEqual([
      expect.stringMatching(/^must be one to five <p> elements .*, but is /),
    ])
  })

  test('if another schema refuses the suggestion', () => {
    const capitals = () => '^<P>[A-Z]+</P>$'
    expect(explain('contentHtml', '<p>&</p>', capitals)).toEqual([
      expect.stringMatching(/^must be one to five <p> elements .*, but is "<p>&<\/p>"$/),
    ])
  })

  test('of a text that is too long to search', () => {
    const words = (length: number) => `<p>${'a'.repeat(length)} & b</p>`
    expect(explain('contentHtml', words(99_000))).toEqual(['write & as &amp; «&»'])
    expect(explain('contentHtml', words(101_000))[0]).toMatch(/^must be one to five <p> elements/)
  })
})

test.each([
  ['<p>A <table><tr> b</p><p>c</p>', ['the element <table> is', 'the element <tr> is']],
  ['<head><b>a</b><p>b</p>', ['the element <head> is', 'the element <b> is', 'text must be']],
  ['<p><table><tr><td>a</td></tr></table></p>', ['a table is not allowed']],
  ['<p>Use &lt;/p> here</p>', ['write > as &gt;']],
  ['&lt;p>a&lt;/p>', ['this body is escaped']],
  ['<p>a & #pepper; b</p>', ['write & as &amp; «&»']],
])('of the body %s, only what is wrong is reported', (body, told) => {
  const expected = told.map((part) => expect.stringContaining(part))
  expect(explain('contentHtml', body)).toEqual(expected)
})

test('the named categories are those of the schema', () => {
  const withShop = (pattern: string) => pattern.replace('about|', 'shop|about|')
  expect(explain('path', '/shops/029', withShop)).toEqual([
    expect.stringMatching(/, but is "\/shops\/029"; did you mean "\/shop\/029"\?$/),
  ])
  expect(explain('path', '/wiki/029', withShop)).toEqual([
    expect.stringMatching(/^unknown category "wiki"; known categories: shop, about, /),
  ])
})

const TOKENS: Record<Key, string[]> = {
  contentHtml: [
    ...[
      '<p>',
      '</p>',
      '<p>a</p>',
      '<P>',
      '<b>',
      '</b>',
      '<br>',
      '<!-- -->',
      '<',
      '>',
      '&',
      '&amp;',
    ],
    ...['&amp', '&eacute;', '&#0;', '&#65;', '\n', ' ', '\u0007', 'a', '\uffff', '$&', '{found}'],
  ],
  path: [
    '/',
    '/',
    'blog',
    'Blogs',
    'shop',
    '029',
    '29',
    '101',
    '000',
    ' ',
    '?',
    'https://a.b',
    '$1',
  ],
  createdAt: [
    ...['2025-08-28', '2025-02-29', '2024-02-29', '2025-13-01', 'T', ' ', '10:15', ':00', ':60'],
    ...['24:00:00', '.5', ',5', 'Z', 'z', '+02:00', '+0200', '+24:00', '23:59:60'],
  ],
}

describe.each(Object.entries(TOKENS) as [Key, string[]][])('any %s', (key, tokens) => {
  const check = (batch: unknown) => refusedBy(compileCheck(), batch)
  const rule = key === 'createdAt' ? schema.$defs.timestamp : schema.$defs.page.properties[key]
  const pattern = new RegExp(rule.pattern, 'u')
  const text = fc.array(fc.constantFrom(...tokens), { maxLength: 8 }).map((all) => all.join(''))

  property([text], { numRuns: times(100) })(
    'is refused if the schema refuses it, else not at all, and no message comes twice',
    (value) => {
      const told = check([{ ...page(), [key]: value }])
      if (!pattern.test(value)) expect(told).not.toEqual([])
      else if (key !== 'createdAt') expect(told).toEqual([])
      expect(new Set(told.map(({ message }) => message)).size).toBe(told.length)
      for (const { message, within = { start: 0, end: 0 } } of told) {
        expect(message).not.toMatch(/undefined|\{mended\}/)
        expect(within.start).toBeLessThanOrEqual(within.end)
        expect(within.end).toBeLessThanOrEqual(value.length)
      }
    },
  )

  property([text], { numRuns: times(50) })('gets only suggestions that are accepted', (value) => {
    const [told] = check([{ ...page(), [key]: value }])
    const [, suggested] = /; did you mean (".*")\?$/s.exec(told?.message ?? '') ?? []
    if (suggested) expect(check([{ ...page(), [key]: JSON.parse(suggested) }])).toEqual([])
  })
})

test('a body of many characters without a paragraph is explained at once', () => {
  // With a search that is quadratic, this takes hours.
  expect(explain('contentHtml', '<'.repeat(99_000))).toHaveLength(2)
  expect(explain('contentHtml', `<p>a${' '.repeat(99_000)}b</p>`)).toEqual([])
  expect(explain('contentHtml', `<p>a${'<br>'.repeat(24_000)}b</p>`)).toHaveLength(1)
  expect(explain('contentHtml', `<p>a${' '.repeat(90_000)}&</p>`)).toHaveLength(1)
})

test('a path or a date-time of a million characters gets the general message', () => {
  expect(explain('path', 'x'.repeat(1e6))).toEqual([
    expect.stringMatching(/^must be "\/\{category\}\/\{nnn\}"/),
  ])
  expect(explain('createdAt', ' '.repeat(1e6))).toEqual([
    expect.stringMatching(/^must be an RFC 3339 date-time/),
  ])
})
