import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseBatch } from '../../src/batch/json/parse.ts'
import { compileCheck, validate } from '../helpers/page.ts'
import { property } from '../helpers/property.ts'

const FIXTURES = join(import.meta.dirname, 'fixtures')
const check = compileCheck()

const BOM = 'the file begins with a byte-order mark; save it as UTF-8 without BOM'
const UTF_16 = 'the file is in UTF-16 or UTF-32; save it as UTF-8'
const REST = '(nothing else in the file was checked)'
const UTF_8 = 'the file is not UTF-8 from here on; save it as UTF-8'

/** Files that must be refused, where and why. */
const REFUSED: Record<string, string> = {
  'n_byte_order_mark.json': `1:1 ${BOM}`,
  'n_comment.json': `2:3 unexpected "/"; a value must come here (JSON has no comments) ${REST}`,
  'n_cut_off.json': `6:13 nu is not a JSON value; text must be in double quotes, except for true, false and null ${REST}`,
  'n_empty.json': '1:1 the file is empty; a batch is a JSON array of pages, at least []',
  'n_latin1.json': `5:27 ${UTF_8} ${REST}`,
  'n_latin1_after_replacement_character.json': `5:31 ${UTF_8} ${REST}`,
  'n_line_break_in_string.json': `5:20 this string does not end on its line (a line break in it is written "\\n") ${REST}`,
  'n_lone_continuation_byte.json': `5:24 ${UTF_8} ${REST}`,
  'n_lone_surrogate.json': '5:29 must be well-formed Unicode, but has a lone surrogate',
  'n_missing_comma.json': `4:29 a comma must come here, between this value and the next ${REST}`,
  'n_not_json.json': `1:1 this is no JSON: a file of pages begins with [ ${REST}`,
  'n_null.json': '1:1 must be an array, but is null',
  'n_overlong_sequence.json': `5:24 ${UTF_8} ${REST}`,
  'n_pages_without_a_list.json':
    '1:1 must be an array, but is an object; put [ before it and ] after it',
  'n_repeated_key.json':
    '7:5 must not repeat a key; rename one, or remove the one whose value is not meant (it is lost; the first was not checked)',
  'n_repeated_key_in_escapes.json':
    '7:5 must not repeat a key; rename one, or remove the one whose value is not meant (it is lost; the first was not checked)',
  'n_single_quotes.json': `3:13 unexpected "'"; a value must come here (JSON has double quotes only) ${REST}`,
  'n_surrogate_in_utf8.json': `5:24 ${UTF_8} ${REST}`,
  'n_trailing_comma.json': `8:44 no comma may follow the last member of an object ${REST}`,
  'n_truncated_sequence.json': `5:24 ${UTF_8} ${REST}`,
  'n_two_values.json': `11:1 a second list begins here; replace the ] and [ between the two with a comma ${REST}`,
  'n_utf16_be.json': `1:1 ${UTF_16}`,
  'n_utf16_be_with_bom.json': `1:1 ${UTF_16}`,
  'n_utf16_le.json': `1:1 ${UTF_16}`,
  'n_utf16_le_with_bom.json': `1:1 ${UTF_16}`,
  'n_utf32_be.json': `1:1 ${UTF_16}`,
  'n_white_space_only.json': `3:1 the file ends here, where a value must come ${REST}`,
}

/** Files that must be accepted, and the bodies of their pages. */
const ACCEPTED: Record<string, string[]> = {
  'y_crlf.json': ['<p>Text.</p>'],
  'y_empty_batch.json': [],
  'y_escapes.json': ['<p>Café 😀 \\ud83d</p>'],
  'y_minified.json': ['<p>Text.</p>'],
  'y_non_ascii.json': ['<p>Café – 日本語 😀 \ufffd \u2028</p>'],
  'y_pretty_printed.json': ['<p>Text.</p>'],
  'y_tabs_and_space_around.json': ['<p>Text.</p>'],
}

const read = (name: string) => validate(name, readFileSync(join(FIXTURES, name)), check, 0)

test.each(Object.entries(REFUSED))('%s is refused at %s', (name, told) => {
  const { problems, pages } = read(name)
  expect(problems.map(({ line, column, message }) => `${line}:${column} ${message}`)).toEqual([
    told,
  ])
  expect(pages).toEqual([])
})

test.each(Object.entries(ACCEPTED))('%s is accepted', (name, bodies) => {
  const { problems, pages } = read(name)
  expect(problems).toEqual([])
  expect(pages.map(({ page }) => page.contentHtml)).toEqual(bodies)
})

test('every file of the folder is in one of these tables, and named for its outcome', () => {
  expect(Object.keys(REFUSED).filter((name) => !name.startsWith('n_'))).toEqual([])
  expect(Object.keys(ACCEPTED).filter((name) => !name.startsWith('y_'))).toEqual([])
  const names = [...Object.keys(REFUSED), ...Object.keys(ACCEPTED)]
  expect(readdirSync(FIXTURES).sort()).toEqual(names.sort())
})

describe('a fault is reported', () => {
  const fault = (...bytes: number[]) => {
    const { violations } = parseBatch(Uint8Array.from(bytes))
    return violations[0]?.message.replace(/ \(nothing else .*/, '') ?? 'none'
  }

  test.each<[string, string, number[]]>([
    ['for UTF-16 without a mark', UTF_16, [0x5b, 0, 0x5d, 0]],
    ['for big-endian UTF-16 without a mark', UTF_16, [0, 0x5b, 0, 0x5d]],
    ['for the UTF-16 mark alone', UTF_16, [0xff, 0xfe]],
    ['for the big-endian UTF-16 mark alone', UTF_16, [0xfe, 0xff]],
    ['for the UTF-8 mark, before invalid UTF-8', BOM, [0xef, 0xbb, 0xbf, 0xff]],
    ['for invalid UTF-8 if the mark is cut off', UTF_8, [0xef, 0xbb]],
    ['for invalid UTF-8 that is not a mark', UTF_8, [0xff, 0x5b]],
    ['but not for one byte of JSON', 'none', [0x31]],
  ])('%s', (_, message, bytes) => {
    expect(fault(...bytes)).toBe(message)
  })

  property([
    fc.string({ unit: fc.constantFrom('a', 'é', '語', '😀', '\ufffd', '\n') }),
    fc.constantFrom([0xff], [0x80], [0xc3], [0xe6, 0x97], [0xed, 0xa0, 0x80], [0xf0, 0x9f, 0x98]),
    fc.string({ unit: fc.constantFrom('a', '\ufffd', '"') }),
  ])('at the first byte that is not UTF-8', (before, bytes, after) => {
    const parsed = parseBatch(
      Buffer.concat([Buffer.from(`"${before}`), Buffer.from(bytes), Buffer.from(`${after}"`)]),
    )
    const start = before.length + 1
    expect(parsed).toMatchObject({ violations: [{ range: { start, end: start + 1 } }] })
    expect(parsed.text.slice(0, start)).toBe(`"${before}`)
  })
})

property([fc.json()])('a batch is parsed to its text and its value', (text) => {
  // A view into a larger buffer, as for small files.
  const bytes = Buffer.from(`[${text}]`).subarray(1, -1)
  expect(parseBatch(bytes)).toEqual({ text, value: JSON.parse(text), violations: [] })
})

test('repeated keys are reported, and the last value counts', () => {
  expect(parseBatch(Buffer.from('{"a":1,"b":{"c":[],"\\u0063":2},"a":3}'))).toMatchObject({
    value: { a: 3, b: { c: 2 } },
    violations: [
      { pointer: ['b', 'c'], range: { start: 19, end: 27 } },
      { pointer: ['a'], range: { start: 31, end: 34 } },
    ],
  })
})

test('a batch of a hundred thousand nested arrays is read like any other', () => {
  const bytes = Buffer.from('['.repeat(1e5) + ']'.repeat(1e5))
  expect(parseBatch(bytes)).toMatchObject({ violations: [] })
  expect(parseBatch(bytes.subarray(0, -1))).toMatchObject({
    violations: [{ range: { start: 2e5 - 1 } }],
  })
})
