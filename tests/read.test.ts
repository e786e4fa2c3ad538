import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import schema from '../schema/batch.schema.json'
import { plainReader, type ReadBatch } from '../src/dataset/validate.ts'
import { compileScanner, readByScanning } from '../src/scanner/scanner.ts'
import { anyBatch, FAULTY_TIMES, TIMES } from './hostile-batches.ts'
import { times } from './long.ts'
import { compileCheck, formOf, page } from './page.ts'
import { property } from './property.ts'

/** Both readers for a schema, and whether the scanner itself reads a batch. */
function readersOf(of: object) {
  const compiled = compileScanner(of)
  if ('declined' in compiled) throw new Error(JSON.stringify(compiled.declined))
  const check = compileCheck(of)
  const plain = plainReader(check, 20)
  let isLeft = false
  const scanning = readByScanning(compiled.text, check, 20, (name, bytes) => {
    isLeft = true
    return plain(name, bytes)
  })
  const isScanned = (bytes: Buffer) => {
    isLeft = false
    scanning('a.json', bytes)
    return !isLeft
  }
  return { plain, scanning, isScanned }
}

function show(bytes: Buffer, read: ReadBatch) {
  const { records, problems, pages, locate } = read('a.json', bytes)
  const shown = [...pages].map(({ index, path, hasForm, bytes }) => {
    return { index, path, hasForm, text: bytes.toString('utf8') }
  })
  const violations = shown.map(({ index }) => {
    return { pointer: [index], at: 'value' as const, message: 'must be new' }
  })
  return { records, problems, pages: shown, located: locate(violations) }
}

const { plain, scanning, isScanned } = readersOf(schema)
function expectPlain(bytes: Buffer) {
  expect(show(bytes, scanning)).toEqual(show(bytes, plain))
}
const toBytes = (value: unknown) => Buffer.from(JSON.stringify(value, null, 2))

describe('the scanner reads the same as the plain reader', () => {
  property([anyBatch], { numRuns: times(600) })('from any bytes', expectPlain)

  const FIXTURES = join(import.meta.dirname, 'fixtures')
  test.each(readdirSync(FIXTURES))('from %s', (name) => {
    expectPlain(readFileSync(join(FIXTURES, name)))
  })

  test('wherever a batch is cut off, and whichever of its bytes changes', () => {
    const form = formOf({ label: 'Ä "quoted" \\ label 😀' })
    const whole = Buffer.from(JSON.stringify([page(), page({ path: '/api/001', form })], null, 1))
    expect(show(whole, scanning).pages).toHaveLength(2)
    for (let at = 0; at < whole.length; at++) {
      expectPlain(whole.subarray(0, at))
      for (const byte of [0x20, 0x22, 0x2c, 0x5c, 0x7d, 0x80]) {
        expectPlain(Buffer.from(whole.with(at, byte)))
      }
    }
  })

  test('when one record has a megabyte and others are tiny', () => {
    const long = page({ contentHtml: `<p>${'long – '.repeat(150_000)}</p>` })
    expectPlain(toBytes([page(), long, {}, [], 0, '', null, page()]))
  })

  test('when a record has the maximum length, or a byte more', () => {
    const { length } = JSON.stringify(page({ contentHtml: '<p></p>' }))
    for (const more of [-1, 0, 1]) {
      const contentHtml = `<p>${'x'.repeat(2 ** 20 - length + more)}</p>`
      expectPlain(toBytes([page({ contentHtml }), page()]))
    }
  })

  test('when a text is too long for its pattern', () => {
    const bytes = toBytes([page(), page({ contentHtml: `<p>${'&amp;'.repeat(4_000_000)}</p>` })])
    expectPlain(bytes)
  })

  test('when there are more records than in any batch before', () => {
    for (const count of [1, 3_000, 2, 9_000]) {
      expectPlain(Buffer.from(JSON.stringify(Array.from({ length: count }, () => page()))))
    }
    expectPlain(Buffer.from(`[${'{},'.repeat(5_000)}{}]`))
  })

  test('when bytes are not UTF-8, in a value or in a key', () => {
    const text = JSON.stringify([page(), { ...page(), extra: 'é' }])
    for (const broken of [text, text.replace('extra', 'é'), text.replace('Text', 'é')]) {
      expectPlain(Buffer.from(broken, 'latin1'))
    }
  })

  test.each([', ', ',\n', ',\n\n\n\n', ','])(
    'when some records are faulty and others are not, with %j between them',
    (between) => {
      const records = Array.from({ length: 40 }, (_, index) => {
        const title = [3, 4, 20].includes(index) ? 'Größe 漢字 😀' : 'Blog Page 029'
        const updatedAt = index === 38 ? 'today' : '2025-08-28T10:17:30.000Z'
        return page({ title, updatedAt, contentHtml: `<p>${'Ä漢😀'.repeat(index + 1)}</p>` })
      })
      for (const indent of [0, 2]) {
        const texts = records.map((record) => JSON.stringify(record, null, indent))
        const bytes = Buffer.from(`[${texts.join(between)}]`)
        expect(show(bytes, scanning).problems).toHaveLength(4)
        expectPlain(bytes)
      }
    },
  )
})

test('a batch is left to the plain reader only if it is not an array of values', () => {
  expect(isScanned(toBytes([page(), {}, null, page({ title: 'Größe' })]))).toBe(true)
  expect(isScanned(toBytes([]))).toBe(true)
  expect(isScanned(toBytes({}))).toBe(false)
  expect(isScanned(Buffer.from('[1,]'))).toBe(false)
})

describe('with a schema that leaves all but the types of values to the rules', () => {
  const text = { type: 'string' }
  const toObject = (properties: object, required: string[]) => {
    return { type: 'object', required, additionalProperties: false, properties }
  }
  const field = toObject({ label: text, name: text, required: { type: 'boolean' } }, ['name'])
  const form = toObject({ fields: { type: 'array', items: field } }, ['fields'])
  const forms = { anyOf: [{ type: 'null' }, form] }
  const ours = { path: text, title: text, form: forms, createdAt: text, updatedAt: text }
  const lax = readersOf({ type: 'array', items: toObject(ours, ['path']) })
  const agree = (bytes: Buffer) => {
    expect(lax.isScanned(bytes)).toBe(true)
    expect(show(bytes, lax.scanning)).toEqual(show(bytes, lax.plain))
  }

  const anyPath = fc.constantFrom(
    ...['/blog/029', '/blog/029/', '/blog/0291', '/blog/02', '/blog', 'blog/029', '/', '', '/b/'],
    ...['/Blog/029', '/blog/"', '/größe/1', '/blog/\\', '//029', '/ablog/029', '/{log/029'],
  )
  const anyTitle = fc.constantFrom(
    ...['Blog Page 029', 'Blog Page 0291', 'Blog Page 02', 'Blog Page ', 'Blog Page', 'Blog'],
    ...['blog Page 029', 'Blog page 029', 'Blog Page "', 'Größe Page 1', 'Blog Page \\', ''],
    ...['Blog Page 029/', ' Page 029', 'Ablog Page 029', 'B Page ', '[log Page 029', '😀 Page é'],
  )
  const anyName = fc.constantFrom(
    ...['name', 'mail', 'a', 'ab', 'a"', 'a\\', '', 'name":"mail', '"name"', 'n'.repeat(20), 'é'],
  )
  const anyField = fc.record(
    { label: anyName, name: anyName, required: fc.boolean() },
    { requiredKeys: ['name'] },
  )
  const anyInstant = fc.constantFrom(
    ...[...TIMES, ...FAULTY_TIMES, 'Z', '', '2025-08-28T10:15Z', '2025-08-28T10:15:00.0Z'],
    ...['2025-08-28T23:00:00Z', '2025-08-28T24:00:00Z', '2025-08-27T23:15:00.000Z', '\u0000é'],
  )
  const anyLaxRecord = fc.record(
    {
      path: anyPath,
      title: anyTitle,
      form: fc.option(fc.record({ fields: fc.array(anyField, { maxLength: 5 }) })),
      createdAt: anyInstant,
      updatedAt: anyInstant,
    },
    { requiredKeys: ['path'] },
  )

  property([fc.array(anyLaxRecord), fc.nat(2)], { numRuns: times(600) })(
    'the rules have the same result for a scanned record',
    (records, indent) => agree(Buffer.from(JSON.stringify(records, null, indent))),
  )

  test('cached forms are not mistaken for one another', () => {
    const records = Array.from({ length: 3_000 }, (_, index) => {
      const names = [`${index % 1_500}`, index % 7 === 0 ? `${index % 1_500}` : 'other']
      return { path: `/a/${index}`, form: { fields: names.map((name) => ({ name })) } }
    })
    agree(Buffer.from(JSON.stringify(records)))
  })
})
