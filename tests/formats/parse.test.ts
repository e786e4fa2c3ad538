import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decode } from '../../src/formats/decode.ts'
import { json } from '../../src/formats/json.ts'
import { compileCheck, page, validate } from '../helpers/page.ts'
import { property } from '../helpers/property.ts'

const LFS = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n'

describe('a fault is reported', () => {
  const fault = (...bytes: number[]) => {
    const decoded = decode(Buffer.from(bytes))
    return (decoded.unreadable ?? decoded.fault)?.code
  }

  test.each<[string, string | undefined, number[]]>([
    ['for UTF-16 without a mark', 'file.utf-16', [0x5b, 0, 0x5d, 0]],
    ['for big-endian UTF-16 without a mark', 'file.utf-16', [0, 0x5b, 0, 0x5d]],
    ['for UTF-16 with its mark', 'file.utf-16', [0xff, 0xfe, 0x5b, 0]],
    ['for big-endian UTF-16 with its mark', 'file.utf-16', [0xfe, 0xff, 0, 0x5b]],
    ['for a compressed file', 'file.other', [...gzipSync('[]')]],
    ['for a pointer of Git LFS', 'file.other', [...Buffer.from(LFS)]],
    ['for a PDF', 'file.other', [0x25, 0x50, 0x44, 0x46]],
    ['for the UTF-8 mark, before JSON', 'file.byte-order-mark', [0xef, 0xbb, 0xbf, 0x31]],
    ['for invalid UTF-8 if the mark is cut off', 'file.not-utf-8', [0xef, 0xbb]],
    ['for a letter in Latin-1', 'file.not-utf-8', [0x22, 0xe9, 0x22]],
    ['for half of a surrogate pair', 'file.not-utf-8', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['but not for one byte of JSON', undefined, [0x31]],
  ])('%s', (_, code, bytes) => {
    expect(fault(...bytes)).toBe(code)
  })

  property([
    fc.string({ unit: fc.constantFrom('a', 'é', '語', '😀', '\ufffd', '\n') }),
    fc.constantFrom([0xff], [0x80], [0xc3], [0xe6, 0x97], [0xed, 0xa0, 0x80], [0xf0, 0x9f, 0x98]),
    fc.string({ unit: fc.constantFrom('a', '\ufffd', '"') }),
  ])('at the first byte that is not UTF-8', (before, bytes, after) => {
    const decoded = decode(
      Buffer.concat([Buffer.from(`"${before}`), Buffer.from(bytes), Buffer.from(`${after}"`)]),
    )
    const start = before.length + 1
    expect(decoded).toMatchObject({ unreadable: { range: { start, end: start + 1 } } })
    expect(decoded.text.slice(0, start)).toBe(`"${before}`)
  })
})

test.each([
  ['Latin-1', '5:27 ', 'latin1'],
  ['UTF-16', '1:1 ', 'utf16le'],
] as const)('a batch in %s is one problem, at %s', (_, place, encoding) => {
  const text = JSON.stringify([page({ contentHtml: '<p>Café</p>' })], null, 2)
  const { problems, pages } = validate('b.json', Buffer.from(text, encoding), compileCheck(), 0)
  expect(problems.map(({ line, column }) => `${line}:${column} `)).toEqual([place])
  expect(pages).toEqual([])
})

property([fc.json()])('a batch is parsed to its text and its value', (text) => {
  // A view into a larger buffer, as for small files.
  const bytes = Buffer.from(`[${text}]`).subarray(1, -1)
  expect(decode(bytes)).toEqual({ text })
  expect(json.parse(text)).toMatchObject({ value: JSON.parse(text), faults: [] })
})

test.each([
  ['{"a":1}\n\n{"b":1,"b":2}', 'already in this object, at line 3'],
  ['{"a":1}\n\n{"b":[1},"c":2}', 'begins at line 3'],
])(
  'the lines that a message names are those of the file, in JSON Lines, too: %j',
  (text, expected) => {
    const { problems } = validate('b.jsonl', Buffer.from(text), compileCheck(), 0)
    const messages = problems.map(({ message }) => message)
    expect(messages).toContainEqual(expect.stringContaining(expected))
  },
)

test('an invisible character before a record of JSON Lines is named, and removed', () => {
  const bytes = Buffer.from('{"a":1}\n\ufeff{"a":2}\n')
  const { problems } = validate('b.jsonl', bytes, compileCheck(), 0)
  expect(problems).toMatchObject([{ code: 'json.invisible', fix: [{ text: '' }] }])
})
