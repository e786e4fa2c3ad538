import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import schema from '../schema/batch.schema.json'
import { compileGrammar, type Grammar } from '../src/scanner/grammar.ts'
import {
  END,
  makeScan,
  NORMAL,
  NORMAL_END,
  type Scan,
  START,
  strideOf,
  VALUES,
} from '../src/scanner/scan.ts'
import { assemble } from '../src/scanner/scanner.ts'
import { makeTwin } from '../src/scanner/twin.ts'
import { anyBatch } from './hostile-batches.ts'
import { times } from './long.ts'
import { emailField, formOf, nameField, page } from './page.ts'
import { property } from './property.ts'

const program = assemble()

function grammarOf(of: object): Grammar {
  const compiled = compileGrammar(of)
  if ('declined' in compiled) throw new Error(JSON.stringify(compiled.declined))
  return compiled.grammar
}

function scannersOf(of: object) {
  const grammar = grammarOf(of)
  const scan = makeScan(grammar, program)
  if (!scan) throw new Error('this processor has no WebAssembly SIMD')
  return { grammar, scan, twin: makeTwin(grammar) }
}

const { grammar, scan, twin } = scannersOf(schema)

/** The result of a scan as plain values, without those of doubtful records. */
function show(batch: Buffer, by: Scan, of = grammar) {
  const scanned = by(batch)
  if (!scanned) return undefined
  const { records, rows, normal } = scanned
  const stride = strideOf(of)
  return Array.from({ length: records }, (_, index) => {
    const row = rows.subarray(index * stride, (index + 1) * stride)
    const place = [row[START], row[END]]
    if ((row[NORMAL] as number) < 0) return { place, isDoubtful: row[NORMAL_END] === -1 }
    const text = normal.toString('latin1', row[NORMAL], row[NORMAL_END])
    const values = of.members.map(({ key }, member) => {
      const [start, end] = row.subarray(VALUES + 2 * member, VALUES + 2 * member + 2)
      return [key, start === -1 ? end : normal.toString('latin1', start, end)]
    })
    return { place, normal: [row[NORMAL], row[NORMAL_END]], text, values }
  })
}

function expectTwins(batch: Buffer) {
  expect(show(batch, scan)).toEqual(show(batch, twin))
}

describe('the program and its twin return the same', () => {
  property([anyBatch], { numRuns: times(1_000) })('for any bytes', expectTwins)

  test('wherever a batch is cut off, and whichever of its bytes changes', () => {
    const form = formOf({ label: 'Ä "quoted" \\ label 😀' })
    const whole = Buffer.from(JSON.stringify([page(), page({ path: '/api/001', form })], null, 1))
    for (let at = 0; at < whole.length; at++) {
      expectTwins(whole.subarray(0, at))
      for (const byte of [0x00, 0x01, 0x20, 0x22, 0x2c, 0x5c, 0x5d, 0x7b, 0x7d, 0x80]) {
        expectTwins(Buffer.from(whole.with(at, byte)))
      }
    }
  })

  test('wherever in sixteen bytes a text has a special character, or white space ends', () => {
    for (let length = 0; length < 40; length++) {
      for (const part of ['é', '漢', '\\n', '\\"', '\\u0041', '<', '"', '\n', '\0', '\x7f', '']) {
        const written = JSON.stringify([page({ contentHtml: '<p>#</p>' }), page()])
        const space = ' '.repeat(length)
        const text = written.replace('#', `${'x'.repeat(length)}${part}x`)
        expectTwins(Buffer.from(`${space}${text.replaceAll(',"', `,${space}\n"`)}${space}`))
      }
    }
  })

  test('for tiny records, as many as there is room for and more', () => {
    for (const count of [0, 1, 2, 16, 17, 18, 19, 20, 21, 5_000]) {
      expectTwins(Buffer.from(`[${Array(count).fill('{}')}]`))
      expectTwins(Buffer.from(`[${Array(count).fill('')}]`))
    }
  })

  test('for a batch after a larger and a smaller one', () => {
    const batches = [3, 3_000, 1, 4_000, 2].map((count) =>
      Buffer.from(JSON.stringify(Array.from({ length: count }, () => page()))),
    )
    for (const batch of batches) expectTwins(batch)
  })
})

describe('a record is accepted', () => {
  const isAccepted = (text: string) => show(Buffer.from(text), scan)?.[0]?.isDoubtful !== true

  test('in every usual notation', () => {
    const records = [
      page({ contentHtml: '<p>Ä’ &amp; 😀 "quoted" \\ \n</p><p>/</p>' }),
      page({ path: '/api/001', form: { fields: [nameField, emailField] } }),
      page({ createdAt: '2025-08-28T10:15:00Z', updatedAt: '2025-08-28T12:15:00.25+02:00' }),
    ]
    for (const record of records) {
      for (const indent of [0, 1, 2, '\t']) {
        expect(isAccepted(JSON.stringify([record], null, indent))).toBe(true)
      }
    }
  })

  test('with its keys in any order, which its normal form keeps', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(Object.entries(page()), { minLength: 6 }), (entries) => {
        const record = Object.fromEntries(entries)
        const [shown] = show(Buffer.from(JSON.stringify([record], null, 2)), scan) ?? []
        expect(shown).toMatchObject({ text: JSON.stringify(record) })
      }),
    )
  })

  test.each(Object.keys(page()))('not without %s, and not with it twice', (key) => {
    const [first = '', ...others] = Object.entries(page()).map((member) =>
      member.map((each) => JSON.stringify(each)).join(':'),
    )
    const members = [first, ...others]
    const index = Object.keys(page()).indexOf(key)
    expect(isAccepted(`[{${members.join()}}]`)).toBe(true)
    expect(isAccepted(`[{${members.toSpliced(index, 1).join()}}]`)).toBe(false)
    expect(isAccepted(`[{${[...members, members[index]].join()}}]`)).toBe(false)
    expect(isAccepted(`[{${members.with(index === 0 ? 1 : 0, members[index] as string)}}]`)).toBe(
      false,
    )
  })

  test('without optional members, and with keys that share a prefix', () => {
    const long = 'x'.repeat(40)
    const keys = ['path', 'a', 'ab', long, `${long}y`, 'é"\\']
    const properties = Object.fromEntries(keys.map((key) => [key, { type: ['string', 'null'] }]))
    const items = {
      type: 'object',
      required: ['path'],
      properties: { ...properties, path: { type: 'string' } },
    }
    const lax = scannersOf({ type: 'array', items })
    fc.assert(
      fc.property(fc.shuffledSubarray([...keys, 'b']), fc.nat(2), (some, indent) => {
        const record = Object.fromEntries(some.map((key) => [key, key === 'ab' ? null : key]))
        const batch = Buffer.from(JSON.stringify([record], null, indent))
        const shown = show(batch, lax.scan, lax.grammar)
        expect(shown).toEqual(show(batch, lax.twin, lax.grammar))
        const isGood = some.includes('path') && !some.includes('b')
        expect(shown?.[0]?.isDoubtful !== true).toBe(isGood)
      }),
    )
  })
})

test('loops of texts are told apart even if there are more than a byte can number', () => {
  const names = Array.from({ length: 300 }, (_, index) => `${index}:`)
  const pattern = `^(?:${names.map((name) => `${name}[a-z]*${name}`).join('|')})$`
  const items = {
    type: 'object',
    required: ['path'],
    properties: { path: { type: 'string', pattern } },
  }
  const many = scannersOf({ type: 'array', items })
  const records = names.flatMap((name, index) =>
    [name, names[(index + 256) % 300]].map((end) => ({ path: `${name}${'a'.repeat(20)}${end}` })),
  )
  const shown = show(Buffer.from(JSON.stringify(records)), many.scan, many.grammar)
  expect(shown?.map((record) => 'isDoubtful' in record)).toEqual(
    records.map((_, index) => index % 2 === 1),
  )
})

test('without WebAssembly SIMD there is no program', () => {
  expect(makeScan(grammar, program.with(-1, 0xff))).toBeUndefined()
})
