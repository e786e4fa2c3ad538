import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fc, test } from '@fast-check/vitest'
import { afterAll, describe, expect } from 'vitest'
import schema from '../schema/batch.schema.json'
import { Allocator } from '../src/dataset/allocator.ts'
import { differingFields } from '../src/dataset/dedupe.ts'
import { toGrammar } from '../src/dataset/grammar.ts'
import { RecordReader } from '../src/dataset/records.ts'
import { Scanner } from '../src/dataset/scan.ts'
import { validate } from '../src/dataset/validate.ts'
import type { Page } from '../src/generated/dataset.json'
import { build } from '../src/pipeline/build.ts'
import { compileCheck, emailField, formOf, nameField, page } from './page.ts'
import { plainBuild } from './plain.ts'

const check = compileCheck()
const SCHEMA = join(import.meta.dirname, '../schema/batch.schema.json')
const grammar = toGrammar(schema)

// Batches that someone who wants to mislead the pipeline might deliver ------------------------------

const SPACES = ['', '', '', ' ', '\n', '\r\n', '\t', '  ', '\n      ']
const FRAGMENTS = [
  ...['A', 'text ', 'x'.repeat(70), '&amp;', '&#160;', '&#x1F600;', '/', '\\', '"', '\t', '\n'],
  ...['é', '’', '–', '漢字', '😀', '\u00a0', '\u2028', '\ufeff', '\uffff', '\u{10ffff}', '\u200b'],
  ...['},{', '",', '": "', '[', ']', '\\"', ',"title":', '\\u0041', '{"path":"/blog/001"}'],
]
const FAULTY_FRAGMENTS = [
  '<',
  '&',
  '\u0000',
  '\u007f',
  '\u0085',
  '</p><p>',
  '\ud800',
  '\udc00x',
  '<p>',
]

const anyText = fc
  .array(
    fc.oneof(
      { weight: 40, arbitrary: fc.constantFrom(...FRAGMENTS) },
      { weight: 1, arbitrary: fc.constantFrom(...FAULTY_FRAGMENTS) },
      { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 5 }) },
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((fragments) => fragments.join(''))
const anyBody = fc
  .array(anyText, { minLength: 1, maxLength: 5 })
  .map((texts) => texts.map((text) => `<p>${text}</p>`).join(''))
const anyId = fc.integer({ min: 1, max: 4 }).map((id) => `00${id}`)
const TIMES = [
  ...['2025-08-28T10:15:00.000Z', '2025-08-28T10:15:00.001Z', '2025-08-28T10:15:00Z'],
  ...['2025-08-28T12:15:00+02:00', '2025-08-28T23:59:60Z', '2024-02-29T00:00:00Z'],
  ...['2025-08-29T00:00:00.000Z', '2025-08-28T00:00:00.000Z'],
]
const FAULTY_TIMES = [
  '2025-02-30T00:00:00Z',
  '2025-08-28',
  '2025-08-28T10:15:61Z',
  '2025-08-28t10:15:00z',
]
const anyTimes = fc.oneof(
  { weight: 8, arbitrary: fc.constant([TIMES[0], TIMES[0]]) },
  { weight: 4, arbitrary: fc.constant([TIMES[0], TIMES[1]]) },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constantFrom(...TIMES), fc.constantFrom(...TIMES)),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom(...TIMES), fc.constantFrom(...FAULTY_TIMES)),
  },
)
const anyForm = fc.oneof(
  fc.constant(null),
  fc.constant({ fields: [nameField, emailField] }),
  fc.constant({ fields: [nameField, nameField] }),
  fc.constant(formOf({ label: 'Ä "quoted" \\ label 😀', required: false }) as Page['form']),
)
const anyPage: fc.Arbitrary<Page> = fc
  .record({
    id: anyId,
    contentHtml: fc.oneof(anyBody, fc.constant('<p>A</p>')),
    form: anyForm,
    times: anyTimes,
  })
  .map(({ id, contentHtml, form, times: [createdAt = '', updatedAt = ''] }) =>
    page({ path: `/blog/${id}`, contentHtml, form, createdAt, updatedAt }),
  )
const anyRecord: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 12, arbitrary: anyPage },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        anyPage,
        fc.constantFrom('path', 'title', 'form', 'createdAt', 'extra', '__proto__', '1'),
        fc.jsonValue({ depthSize: 'small', maxDepth: 3 }),
      )
      .map(([page, key, value]) => ({ ...page, [key]: value })),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
)

/** How to write JSON: a source of choices, each a whole number below a limit. */
type Choose = (limit: number) => number

/** Writes a value as JSON in one of its many spellings, and now and then not quite. */
function write(value: unknown, choose: Choose, isWild: boolean): string {
  const space = () => SPACES[choose(SPACES.length)] as string
  const string = (text: string) => {
    const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
    if (!isWild) return JSON.stringify(text)
    const units = text.split('').map((unit) => {
      if (choose(12) === 0) return escaped(unit)
      return unit === '/' && choose(3) === 0
        ? '\\/'
        : unit < ' ' || /["\\]/.test(unit)
          ? JSON.stringify(unit).slice(1, -1)
          : unit
    })
    return `"${units.join('')}"`
  }
  if (typeof value === 'string') return string(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) {
    const items = value.map((item) => `${space()}${write(item, choose, isWild)}${space()}`)
    return `[${items.join(',') || space()}]`
  }
  let entries = Object.entries(value)
  if (isWild && choose(4) === 0) entries = entries.reverse()
  if (isWild && choose(8) === 0) entries.push(entries[0] ?? ['a', 1])
  const members = entries.map(
    ([key, item]) =>
      `${space()}${string(key)}${space()}:${space()}${write(item, choose, isWild)}${space()}`,
  )
  return `{${members.join(',') || space()}}`
}

const anyBatch = fc
  .record({
    records: fc.array(fc.tuple(anyRecord, fc.boolean()), { maxLength: 6 }),
    choices: fc.infiniteStream(fc.nat()),
    damage: fc.option(
      fc.record({
        at: fc.double({ min: 0, max: 1, noNaN: true }),
        remove: fc.nat(3),
        insert: fc.constantFrom(
          '',
          ',',
          ']',
          '}',
          '"',
          '\\',
          ' ',
          'x',
          ':',
          '\u00ff',
          '\ufeff',
          '0',
        ),
        isRaw: fc.boolean(),
      }),
      { freq: 6 },
    ),
  })
  .map(({ records, choices, damage }) => {
    const choose: Choose = (limit) => (choices.next().value as number) % limit
    const space = () => SPACES[choose(SPACES.length)] as string
    const texts = records.map(
      ([record, isWild]) => `${space()}${write(record, choose, isWild)}${space()}`,
    )
    const bytes = Buffer.from(`${space()}[${texts.join(',') || space()}]${space()}`)
    if (!damage) return bytes
    const at = Math.floor(damage.at * bytes.length)
    return Buffer.concat([
      bytes.subarray(0, at),
      // As Latin-1 it is not always UTF-8.
      Buffer.from(damage.insert, damage.isRaw ? 'latin1' : 'utf8'),
      bytes.subarray(at + damage.remove),
    ])
  })

const toBytes = (value: unknown) => Buffer.from(JSON.stringify(value, null, 2))

describe('the records of a batch are those of the plain version', () => {
  const reader = new RecordReader({ check, grammar }, 20)
  const read = (bytes: Buffer, from = reader) => {
    const records = from.read('a.json', bytes)
    const pages: unknown[] = []
    while (records.next()) {
      const { index, pathBytes, pathStart, pathEnd, hasForm, size } = records
      const target = Buffer.alloc(size + 2, '#')
      const end = records.write(target, 1)
      expect(target[0]).toBe(0x23)
      expect(target[end]).toBe(0x23)
      const path = pathBytes.toString('utf8', pathStart, pathEnd)
      pages.push({ index, path, hasForm, json: target.toString('utf8', 1, end) })
    }
    return { records: records.records, problems: records.problems, pages }
  }
  const plain = (bytes: Buffer, by = check) => {
    const { records, problems, pages } = validate('a.json', bytes, by, 20)
    return {
      records,
      problems,
      pages: pages.map(({ index, page }) => ({
        index,
        path: JSON.stringify(page.path).slice(1, -1),
        hasForm: Boolean(page.form),
        json: JSON.stringify(page),
      })),
    }
  }

  test.prop([anyBatch], { numRuns: 3_000 })(
    'whatever its bytes',
    (bytes) => {
      expect(read(bytes)).toEqual(plain(bytes))
    },
    120_000,
  )

  const FIXTURES = join(import.meta.dirname, 'fixtures')
  test.each(readdirSync(FIXTURES))('in %s', (name) => {
    const bytes = readFileSync(join(FIXTURES, name))
    expect(read(bytes)).toEqual(plain(bytes))
  })

  test('wherever a batch is cut off, and whichever byte of it is another', () => {
    const form = formOf({ label: 'Ä "quoted" \\ label 😀' })
    const whole = Buffer.from(JSON.stringify([page(), page({ path: '/api/001', form })], null, 1))
    expect(read(whole).pages).toHaveLength(2)
    for (let at = 0; at < whole.length; at++) {
      const cut = whole.subarray(0, at)
      expect(read(cut)).toEqual(plain(cut))
      for (const byte of [0x20, 0x22, 0x2c, 0x5c, 0x7d, 0x80]) {
        const changed = Buffer.from(whole)
        changed[at] = byte
        expect(read(changed)).toEqual(plain(changed))
      }
    }
  }, 120_000)

  test('wherever in sixteen bytes their texts have what is not plain, or their white space ends', () => {
    for (let length = 0; length < 40; length++) {
      for (const part of ['é', '漢', '\\n', '\\"', '\\u0041', '<', '"', '\n', '\0', '\x7f', '']) {
        const text = 'x'.repeat(length)
        const written = JSON.stringify([page({ contentHtml: '<p>#</p>' }), page()])
        const space = ' '.repeat(length)
        const bytes = Buffer.from(
          `${space}${written.replace('#', `${text}${part}x`).replaceAll(',"', `,${space}\n"`)}${space}`,
        )
        expect(read(bytes)).toEqual(plain(bytes))
      }
    }
  })

  test('where one is a megabyte and others are next to nothing', () => {
    const long = page({ contentHtml: `<p>${'long – '.repeat(150_000)}</p>` })
    const bytes = Buffer.from(JSON.stringify([page(), long, {}, [], 0, '', null, page()], null, 2))
    expect(read(bytes)).toEqual(plain(bytes))
  })

  test('where there are more of them than ever before', () => {
    const pages = Array.from({ length: 3_000 }, () => page())
    const bytes = Buffer.from(JSON.stringify(pages))
    expect(read(bytes)).toEqual(plain(bytes))
    const most = Buffer.from(`[${'{},'.repeat(5_000)}{}]`)
    expect(read(most)).toEqual(plain(most))
  })

  test.each([', ', ',\n', ',\n\n\n\n', ','])(
    'where some are faulty, between others that are not, with %j between them',
    (between) => {
      const records = Array.from({ length: 40 }, (_, index) => {
        const title = [3, 4, 20].includes(index) ? 'Größe 漢字 😀' : 'Blog Page 029'
        const updatedAt = index === 38 ? 'today' : '2025-08-28T10:17:30.000Z'
        return page({ title, updatedAt, contentHtml: `<p>${'Ä漢😀'.repeat(index + 1)}</p>` })
      })
      for (const indent of [0, 2]) {
        const texts = records.map((record) => JSON.stringify(record, null, indent))
        const bytes = Buffer.from(`[${texts.join(between)}]`)
        expect(read(bytes).problems).toHaveLength(4)
        expect(read(bytes)).toEqual(plain(bytes))
      }
    },
  )

  test('where the processor does not know the instructions of the program', () => {
    if (!grammar) throw new Error('the schema has no grammar')
    const unknown = { ...grammar, program: grammar.program.with(-1, 0xff) }
    const reader = new RecordReader({ check, grammar: unknown }, 20)
    const bytes = toBytes([page(), {}, page()])
    expect(read(bytes, reader)).toEqual(plain(bytes))
  })

  describe('by a schema that leaves all but the kinds of values to the rules', () => {
    const text = { type: 'string' }
    const toObject = (properties: object, required: string[]) => {
      return { type: 'object', required, additionalProperties: false, properties }
    }
    const field = toObject({ label: text, name: text, required: { type: 'boolean' } }, ['name'])
    const form = toObject({ fields: { type: 'array', items: field } }, ['fields'])
    const toLaxSchema = (more: object = {}) => {
      const forms = { anyOf: [{ type: 'null' }, form] }
      const ours = { path: text, title: text, form: forms, createdAt: text, updatedAt: text }
      return {
        type: 'array',
        items: toObject({ ...ours, ...more }, ['path', ...Object.keys(more)]),
      }
    }
    const lax = toLaxSchema()
    const laxCheck = compileCheck(lax)
    const laxReader = new RecordReader({ check: laxCheck, grammar: toGrammar(lax) }, 20)

    const anyPath = fc.constantFrom(
      ...['/blog/029', '/blog/029/', '/blog/0291', '/blog/02', '/blog', 'blog/029', '/', '', '/b/'],
      ...['/Blog/029', '/blog/"', '/größe/1', '/blog/\\', '//029', '/ablog/029', '/{log/029'],
    )
    const anyTitle = fc.constantFrom(
      ...['Blog Page 029', 'Blog Page 0291', 'Blog Page 02', 'Blog Page ', 'Blog Page', 'Blog'],
      ...['blog Page 029', 'Blog page 029', 'Blog Page "', 'Größe Page 1', 'Blog Page \\', ''],
      ...['Blog Page 029/', ' Page 029', 'Ablog Page 029', 'B Page ', '[log Page 029'],
    )
    const anyName = fc.constantFrom(
      ...['name', 'mail', 'a', 'ab', 'a"', 'a\\', '', 'name":"mail', '"name"', 'n'.repeat(20)],
    )
    const anyField = fc.record(
      { label: anyName, name: anyName, required: fc.boolean() },
      { requiredKeys: ['name'] },
    )
    const anyInstant = fc.constantFrom(
      ...TIMES,
      ...FAULTY_TIMES,
      ...[
        '2025-08-28T23:00:00Z',
        '2025-08-28T24:00:00Z',
        'Z',
        '',
        '2025-08-28T10:15Z',
        '2025-08-28T10:15:00.0Z',
        '2025-08-27T23:15:00.000Z',
      ],
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
    const agree = (bytes: Buffer) => {
      expect(read(bytes, laxReader)).toEqual(plain(bytes, laxCheck))
    }

    test.prop([fc.array(anyLaxRecord), fc.nat(2)], { numRuns: 3_000 })(
      'whatever the rules read',
      (records, indent) => agree(Buffer.from(JSON.stringify(records, null, indent))),
      120_000,
    )

    test('whichever two of many fields have one name', () => {
      const names = Array.from({ length: 300 }, (_, index) => `name ${index}`)
      const toRecord = (all: string[]) => {
        return { path: '/a/1', form: { fields: all.map((name) => ({ name })) } }
      }
      const some = [0, 1, 20, 255, 256, 257, 298]
      const repeated = some.flatMap((first) =>
        some.map((second) => toRecord(names.with(first, names[second] as string))),
      )
      for (const records of [[toRecord(names)], [toRecord(names.slice(0, 9))], repeated]) {
        for (const indent of [0, 2]) agree(Buffer.from(JSON.stringify(records, null, indent)))
      }
    })

    test('where a form has more names than there is room for; they take none of another batch', () => {
      // The longer the shortest record, the less room there is for many.
      const key = 'x'.repeat(5_000)
      const schema = toLaxSchema({ [key]: text })
      const reader = new RecordReader(
        { check: compileCheck(schema), grammar: toGrammar(schema) },
        20,
      )
      const fields = Array.from({ length: 250 }, (_, index) => ({ name: `${index}` }))
      const json = Buffer.from(JSON.stringify([{ path: '', form: { fields }, [key]: '' }]))
      const bytes = reader.allocateBatch(json.length)
      const other = reader.allocateBatch(json.length)
      json.copy(bytes)
      other.fill('#')
      expect(read(bytes, reader).pages).toHaveLength(1)
      expect(other.toString()).toBe('#'.repeat(json.length))
    })
  })

  // Enough for nothing, for a part of the tables, for these and small batches.
  test.each([1, 10, 40])('in a memory of %d pages', (pages) => {
    const bytes = [
      toBytes([page(), {}, page()]),
      toBytes(Array.from({ length: 9_000 }, () => page())),
    ]
    const reader = new RecordReader({ check, grammar }, 20, new Allocator(pages))
    for (const each of bytes) expect(read(each, reader)).toEqual(plain(each))
  })

  test('at whichever byte they differ', () => {
    const kept = page({ contentHtml: `<p>${'x'.repeat(40)}</p>`, form: formOf({}) })
    const json = Buffer.from(JSON.stringify(kept))
    for (let at = 0; at < json.length; at++) {
      const other = Buffer.from(json)
      other[at] = other[at] === 0x78 ? 0x79 : 0x78
      const records = reader.read('a.json', Buffer.from(`[${other}]`))
      const { pages } = validate('a.json', Buffer.from(`[${other}]`), check, 20)
      for (const { page } of pages) {
        expect(records.next()).toBe(true)
        const dropped = Buffer.alloc(records.size)
        const end = records.write(dropped, 0)
        expect(reader.differingFields(json, 0, json.length, dropped, 0, end)).toEqual(
          differingFields(kept, page),
        )
      }
      expect(records.next()).toBe(false)
    }
  })

  test('in values of which one begins as the other', () => {
    const properties = { path: { type: 'string' }, note: { pattern: '^a' } }
    const required = ['path', 'note']
    const items = {
      title: 'Page',
      type: 'object',
      additionalProperties: false,
      required,
      properties,
    }
    const reader = new RecordReader({ check, grammar: toGrammar({ type: 'array', items }) }, 20)
    for (const [one, other] of [
      [1, 12],
      ['a', 'ab'],
      [true, true],
    ]) {
      const [a, b] = [one, other].map((note) => Buffer.from(JSON.stringify({ path: '', note })))
      if (!a || !b) throw new Error('there are two')
      const differing = one === other ? [] : ['note']
      expect(reader.differingFields(a, 0, a.length, b, 0, b.length)).toEqual(differing)
      expect(reader.differingFields(b, 0, b.length, a, 0, a.length)).toEqual(differing)
    }
  })

  // The program says so in two bits of one number for each.
  test.each([15, 16, 17, 40])('in which of %d fields they differ', (count) => {
    const keys = ['path', ...Array.from({ length: count - 1 }, (_, index) => `key${index}`)]
    const properties = Object.fromEntries(keys.map((key) => [key, { type: 'string' }]))
    const items = { type: 'object', additionalProperties: false, required: ['path'], properties }
    const reader = new RecordReader({ check, grammar: toGrammar({ type: 'array', items }) }, 20)
    const differing = (one: object, other: object) => {
      const [a, b] = [one, other].map((each) => Buffer.from(JSON.stringify(each))) as [
        Buffer,
        Buffer,
      ]
      return reader.differingFields(a, 0, a.length, b, 0, b.length)
    }
    const all = Object.fromEntries(keys.map((key) => [key, 'a']))
    expect(differing(all, all)).toEqual([])
    expect(differing(all, { path: 'a' })).toEqual(keys.slice(1))
    expect(differing({ path: 'a' }, all)).toEqual(keys.slice(1))
    for (const key of keys) expect(differing(all, { ...all, [key]: 'b' })).toEqual([key])
  })

  test.prop([anyRecord, anyBatch], { numRuns: 2_000 })(
    'in which fields they differ',
    (kept, bytes) => {
      fc.pre(typeof kept === 'object' && kept !== null)
      const json = Buffer.from(`#${JSON.stringify(kept)}#`)
      const records = reader.read('a.json', bytes)
      const fields: string[][] = []
      while (records.next()) {
        const dropped = Buffer.alloc(records.size)
        const end = records.write(dropped, 0)
        fields.push(reader.differingFields(json, 1, json.length - 1, dropped, 0, end))
      }
      const { pages } = validate('a.json', bytes, check, 20)
      const page = JSON.parse(JSON.stringify(kept))
      expect(fields).toEqual(pages.map((dropped) => differingFields(page, dropped.page)))
    },
    120_000,
  )
})

test('a valid record in a usual spelling is never in doubt', () => {
  if (!grammar) throw new Error('the schema has no grammar')
  const scanner = new Scanner(grammar)
  const records = [
    page({ contentHtml: '<p>Ä’ &amp; 😀 "quoted" \\ \n</p><p>/</p>' }),
    page({ path: '/api/001', form: { fields: [nameField, emailField] } }),
    page({ createdAt: '2025-08-28T10:15:00Z', updatedAt: '2025-08-28T10:15:00Z' }),
  ]
  for (const indent of [0, 1, 2, '\t']) {
    expect(scanner.scan(Buffer.from(JSON.stringify(records, null, indent)))).toBe(true)
    expect(scanner.doubtful).toEqual([])
    expect(scanner.records).toBe(3)
  }
})

describe('the build is the plain one', () => {
  const out = mkdtempSync(join(tmpdir(), 'manyurls-'))
  afterAll(() => rmSync(out, { recursive: true, force: true }))
  const anyBatches = fc.array(fc.oneof(fc.array(anyPage).map(toBytes), anyBatch), { maxLength: 4 })

  const expectPlain = async (contents: readonly Buffer[], isStrict: boolean) => {
    const batches = contents.map((bytes, index) => [`${index}.json` as string, bytes] as const)
    const source = {
      list: async () => batches.map(([name]) => name),
      read: async (name: string, allocate: (bytes: number) => Buffer) => {
        const bytes = new Map(batches).get(name) as Buffer
        if (name === '0.json') return bytes
        const block = allocate(bytes.length)
        return block.subarray(0, bytes.copy(block))
      },
    }
    const plain = plainBuild(batches, check)
    const result = await build({ source, schema: SCHEMA, out, isStrict })
    if (result.ok) {
      expect(readFileSync(join(out, 'dataset.json'), 'utf8')).toBe(plain.dataset)
      expect([...result.manifest.duplicates]).toEqual(plain.duplicates)
      const digests = contents.map((bytes) => createHash('sha256').update(bytes).digest('hex'))
      expect(result.manifest.batches.map(({ sha256 }) => sha256)).toEqual(digests)
      expect(JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8'))).toEqual({
        ...result.manifest,
        duplicates: plain.duplicates,
      })
    }
    const isConflict = ({ message }: { message: string }) => message.endsWith('(--strict)')
    const problems = plain.problems.filter((problem) => isStrict || !isConflict(problem))
    expect(result.ok ? [] : result.problems).toEqual(problems)
  }

  test.prop([anyBatches, fc.boolean()], { numRuns: 300 })(
    'to the byte, and to the last problem',
    expectPlain,
    120_000,
  )

  test.each([true, false])(
    'where batches are large enough for the second thread (strict: %s)',
    async (isStrict) => {
      const batches = Array.from({ length: 12 }, (_, batch) =>
        Array.from({ length: 99 }, (_, id) => {
          const mark = batch % 5 === 4 ? 'é' : id === 7 ? `${batch}` : ''
          const contentHtml = `<p>${mark}${`${id}`.repeat(3_000)}</p>`
          return page({ path: `/blog/${String(id + 1).padStart(3, '0')}`, contentHtml })
        }),
      )
      await expectPlain(batches.map(toBytes), isStrict)
      const faulty = batches.map((pages) => [...pages, { ...page(), title: 'Blog' }, {}])
      await expectPlain(faulty.map(toBytes), isStrict)
    },
  )

  test.each([true, false])(
    'where more is dropped than memory holds (strict: %s)',
    async (isStrict) => {
      const pages = Array.from({ length: 15 }, (_, index) =>
        page({ contentHtml: `<p>${index % 3}${'x'.repeat(900_000)}</p>` }),
      )
      await expectPlain([toBytes(pages), toBytes([page(), page({ path: '/api/001' })])], isStrict)
    },
  )
})
