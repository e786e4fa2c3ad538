import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fixBatch } from '../../src/explain/fix.ts'
import { toAscii } from '../../src/text/lookalikes.ts'
import { times } from '../helpers/long.ts'
import { compileCheck, read } from '../helpers/page.ts'
import { property } from '../helpers/property.ts'

/** Flags that differ only in characters that are invisible. */
const ENGLAND = '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'
const SCOTLAND = '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'

/** Fixes one record of a schema with these properties. Returns the record and the messages about it. */
function fixRecord(record: object, properties: object, required: string[] = []) {
  const items = {
    type: 'object',
    required: ['path', ...required],
    additionalProperties: false,
    properties: { path: {}, ...properties },
  }
  const compiled = compileCheck({ type: 'array', items })
  const problemsOf = (bytes: Buffer) => read('a.json', bytes, compiled, 0, {}).problems
  const bytes = Buffer.from(JSON.stringify([{ path: '/a', ...record }]))

  const fixed = fixBatch(bytes, problemsOf)
  const [{ path, ...rest }] = JSON.parse(Buffer.from(fixed.bytes).toString())
  return { record: rest, messages: problemsOf(bytes).map(({ message }) => message) }
}

describe('a key in another spelling is fixed', () => {
  test.each([
    ['Title', 'title'],
    ['TITLE', 'title'],
    ['contentHTML', 'contentHtml'],
    ['created_at', 'createdAt'],
    ['created-at', 'createdAt'],
    ['created at', 'created_at'],
    ['e-mail', 'email'],
    [' title ', 'title'],
    ['ti\u200btle', 'title'],
    ['tіtle', 'title'],
    ['рубpика', 'рубрика'],
    ['cafe\u0301', 'café'],
    ['서울'.normalize('NFD'), '서울'],
    ['start–date', 'start-date'],
    ['duration_ms', 'durationMs'],
  ])('%j to %j', (key, known) => {
    const { record, messages } = fixRecord({ [key]: 1 }, { [known]: {}, other: {} })
    expect(record).toEqual({ [known]: 1 })
    expect(messages).toEqual([expect.stringMatching(/ \(--fix writes it\)\.$/)])
  })
})

describe('a key that may be a word of its own is left alone, and the near one is named', () => {
  test.each([
    ['county', 'country'],
    ['stage', 'state'],
    ['from', 'form'],
    ['train', 'rain'],
    ['parent', 'patent'],
    ['licence', 'license'],
    ['titel', 'title'],
    ['_title', 'title'],
    ['title:', 'title'],
    ['power_MW', 'power_mW'],
    ['power_mw', 'power_MW'],
    ['rate_Mb', 'rate_MB'],
    ['phone_1_2', 'phone_12'],
  ])('%j near %j', (key, known) => {
    const { record, messages } = fixRecord({ [key]: 1 }, { [known]: {}, other: {} })
    expect(record).toEqual({ [key]: 1 })
    expect(messages).toEqual([`The key "${key}" isn't allowed here. Nearest: "${known}".`])
  })

  test.each([
    ['height', 'weight'],
    ['game', 'name'],
    ['altitude', 'latitude'],
    ['phone2', 'phone'],
    ['titel', 'title'],
    ['MW', 'mW'],
  ])('%j near %j, which is missing', (key, known) => {
    const { record, messages } = fixRecord({ [key]: 1 }, { [known]: {} }, [known])
    expect(record).toEqual({ [key]: 1 })
    expect(messages).toEqual([
      `The key "${key}" isn't allowed here. Nearest: "${known}", which is missing.`,
    ])
  })

  test('a word of another alphabet that only looks the same', () => {
    expect(fixRecord({ сор: 1 }, { cop: {} }, ['cop']).record).toEqual({ сор: 1 })
  })

  test.each([
    ['UK', 'uk'],
    ['a-1', 'a1'],
  ])('the short %j, if %j may be missing', (key, known) => {
    expect(fixRecord({ [key]: 1 }, { [known]: {} }).record).toEqual({ [key]: 1 })
  })

  test('one that is another spelling of two', () => {
    const { record, messages } = fixRecord(
      { createdAt: 1 },
      { created_at: {}, created: {}, 'created-at': {} },
    )
    expect(record).toEqual({ createdAt: 1 })
    expect(messages).toEqual([
      'The key "createdAt" isn\'t allowed here. Nearest: "created_at", "created-at".',
    ])
  })
})

describe('a value that is certainly the same is fixed', () => {
  test.each<[string, object, unknown, unknown]>([
    ['a number in quotes', { type: 'number' }, '1.5', 1.5],
    ['a boolean in quotes', { type: 'boolean' }, 'false', false],
    ['a listed value in another case', { enum: ['tour', 'bath'] }, 'Tour', 'tour'],
    ['a listed value with a space', { enum: ['in-progress'] }, 'In Progress', 'in-progress'],
    ['a listed value with spaces around it', { enum: ['a', 'b'] }, ' b ', 'b'],
    ['a listed value with a dash', { enum: ['2020-21'] }, '2020–21', '2020-21'],
    ['a listed value with a Cyrillic letter', { enum: ['draft', 'live'] }, 'drаft', 'draft'],
    ['a listed value with an invisible character', { enum: ['draft'] }, '\ufeffdraft', 'draft'],
    ['the only value, in another case', { const: 'video' }, 'VIDEO', 'video'],
    ['spaces around a text', { pattern: '^\\S+$' }, ' a ', 'a'],
  ])('%s', (_, schema, value, right) => {
    expect(fixRecord({ value }, { value: schema }).record).toEqual({ value: right })
  })
})

describe('a value that its author may want as it is, is left alone, and the near one is named', () => {
  const url = { type: 'string', format: 'uri' }
  test.each<[string, object, unknown, string?]>([
    ['a scheme that nobody has tried', { pattern: '^https://' }, 'http://a.example'],
    ['a host without a scheme', url, 'a.example.org', 'https://a.example.org'],
    ['the slash of a path', { pattern: '^/[a-z]+$' }, '/about/'],
    ['the case of a slug', { pattern: '^[a-z0-9]+$' }, 'IGARSS2024', 'igarss2024'],
    ['the dots of a month', { pattern: '^\\d{4}-\\d{2}$' }, '2020.06', '2020-06'],
    [
      'a day without its zero',
      { pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}$' },
      '2024-12-3 9:00',
      '2024-12-03 09:00',
    ],
    ['spaces in a slug', { pattern: '^[a-z]+$' }, 'north sea'],
    ['a unit', { enum: ['MWh', 'GWh'] }, 'mWh', 'MWh'],
    ['bytes', { enum: ['Mbps', 'Gbps'] }, 'MBps', 'Mbps'],
    ['bytes for each second', { enum: ['Mb/s', 'Gb/s'] }, 'MB/s', 'Mb/s'],
    ['a short code', { enum: ['en', 'uk'] }, 'UK', 'uk'],
    ['a short code with a hyphen', { enum: ['A1', 'B1'] }, 'A-1', 'A1'],
    ['a flag', { enum: [ENGLAND] }, SCOTLAND],
    ['the beginning of a word', { enum: ['NGPL', 'LGPL-2.1'] }, 'LGPL', 'LGPL-2.1'],
    ['a mistyped word', { enum: ['tour', 'bath'] }, 'tuor', 'tour'],
    ['a power', { enum: ['x2', 'x3'] }, 'x²'],
    ['only spaces', { pattern: '^\\S*$' }, '  '],
  ])('%s', (_, schema, value, near) => {
    const { record, messages } = fixRecord({ value }, { value: { type: 'string', ...schema } })
    expect(record).toEqual({ value })
    expect(messages).toEqual([
      near === undefined
        ? expect.not.stringContaining('Nearest')
        : expect.stringContaining(` Nearest: "${near}".`),
    ])
  })
})

describe('an & that is text in a body is fixed, and not one that may begin a reference', () => {
  const contentHtml = { type: 'string', pattern: '^<p>(?:[^<&]|&(?:amp|lt);)*</p>$' }
  test.each([
    [
      'A & ; B',
      'A &amp; ; B',
      'Write &amp; for this &. It is in "<p>A & ; B</p>" (--fix writes it).',
    ],
    [
      'A & B; C',
      'A &amp; B; C',
      'Write &amp; for this &. It is in "<p>A & B; C</p>" (--fix writes it).',
    ],
    ['A &&amp; B', 'A &&amp; B', 'Write &amp; for this &. It is in "<p>A &&amp; B</".'],
    ['A & amp; B', 'A & amp; B', 'Write &amp; for this &. It is in "<p>A & amp; B</".'],
  ])('%s', (before, after, message) => {
    const body = { contentHtml: `<p>${before}</p>` }
    const { record, messages } = fixRecord(body, { contentHtml })
    expect(messages).toEqual([message])
    expect(record).toEqual({ contentHtml: `<p>${after}</p>` })
  })
})

describe('nothing is near', () => {
  test.each(['README.md', 'logo.avif', 'install.sh', 'pages.zip', 'Mr.Smith'])(
    'to the name %s, which is not an address',
    (value) => {
      const { messages } = fixRecord({ value }, { value: { type: 'string', format: 'uri' } })
      expect(messages).toEqual([
        `"${value}" isn't a full address such as "https://example.com/about" (format "uri").`,
      ])
    },
  )

  test.each(['a/b', '(a)', 'see http://a'])('to %j, where one word must be', (value) => {
    const { messages } = fixRecord({ value }, { value: { type: 'string', pattern: '^[a-z]+$' } })
    expect(messages).toEqual([`"${value}" doesn't match the pattern ^[a-z]+$ of the schema.`])
  })
})

const PARTS = [
  'county',
  'country',
  'state',
  'stage',
  'game',
  'Name',
  'phone',
  'id',
  'ID',
  'kWh',
  'MW',
]
const MORE_PARTS = ['mW', 'max', 'x', '1', '2', '20', 'café', 'рост', 'С', 'µ', 'Ⅳ', '²', '👍', '.']
const SIGNS = ['', '', '_', '-', ' ', '__', '–', '\u00a0', '\u200b', '.']
const LETTERS = [
  'a',
  'e',
  'О',
  'о',
  'і',
  'α',
  'ｍ',
  'm',
  'M',
  '0',
  '9',
  '+',
  '$',
  '\u00ad',
  '\u0301',
]

const anyWord = fc
  .array(fc.tuple(fc.constantFrom(...PARTS, ...MORE_PARTS), fc.constantFrom(...SIGNS)), {
    minLength: 1,
    maxLength: 3,
  })
  .map((pieces) => pieces.flat().join(''))

/** Changes a word at a place: its case, or one character, which is added, replaced or removed. */
const anyDamage = fc.record({
  kind: fc.constantFrom('upper', 'lower', 'capital', 'add', 'replace', 'remove', 'swap', 'none'),
  at: fc.nat(20),
  with: fc.constantFrom(...LETTERS, ...SIGNS),
})

function damaged(word: string, damage: { kind: string; at: number; with: string }): string {
  const characters = Array.from(word)
  const at = damage.at % (characters.length + 1)
  const here = characters[at] ?? ''
  const [head, tail] = [characters.slice(0, at).join(''), characters.slice(at + 1).join('')]

  if (damage.kind === 'upper') return word.toUpperCase()
  if (damage.kind === 'lower') return word.toLowerCase()
  if (damage.kind === 'capital') return head + here.toUpperCase() + tail
  if (damage.kind === 'add') return head + damage.with + here + tail
  if (damage.kind === 'replace') return head + damage.with + tail
  if (damage.kind === 'remove') return head + tail
  if (damage.kind === 'swap') return head + tail.slice(0, 1) + here + tail.slice(1)
  return word
}

/** A word without all that a fix may change. */
function bare(word: string): string {
  const visible = word.normalize('NFC').replace(/[\p{Cc}\p{Cf}\p{DI}\s]/gu, '')
  const latin = Array.from(visible, (character) => {
    // The Cyrillic т looks like no Latin letter, but Т does.
    const isCyrillic = /\p{sc=Cyrl}/u.test(character)
    return toAscii(isCyrillic ? character.toUpperCase() : character)
  })
  return latin.join('').toLowerCase().replace(/[-_]/g, '')
}

const anyWords = fc.uniqueArray(anyWord, { minLength: 1, maxLength: 6 })
const anyDamages = fc.array(fc.array(anyDamage, { maxLength: 3 }), { minLength: 6, maxLength: 6 })

property([anyWords, anyDamages, fc.boolean()], { numRuns: times(500) })(
  'whatever the keys and what is wrong with them, a fix changes no more than their spelling',
  (known, damages, areRequired) => {
    const keys = known.map((word, index) => damages[index]?.reduce(damaged, word) ?? word)
    const before = Object.fromEntries(keys.map((key, index) => [key, index]))
    const properties = Object.fromEntries(known.map((key) => [key, { type: 'number' }]))

    const after = fixRecord(before, properties, areRequired ? known : []).record

    // By its value, because a key such as "1" is put before all others.
    const keysAfter = new Map(Object.entries(after).map(([key, value]) => [value, key]))
    expect(keysAfter.size).toBe(Object.keys(before).length)
    for (const [key, value] of Object.entries(before))
      expect(bare(keysAfter.get(value) ?? 'none')).toBe(bare(key))
  },
)

property([anyWords, anyDamages], { numRuns: times(500) })(
  'whatever the listed values and what is wrong with one, a fix changes no more than its spelling',
  (known, damages) => {
    const values = known.map((word, index) => damages[index]?.reduce(damaged, word) ?? word)
    const before = Object.fromEntries(values.map((value, index) => [`key${index}`, value]))
    const properties = Object.fromEntries(Object.keys(before).map((key) => [key, { enum: known }]))

    const after: Record<string, string> = fixRecord(before, properties).record

    expect(Object.values(after).map(bare)).toEqual(values.map(bare))
  },
)

const ADDRESS = [
  'https://',
  'HTTP://',
  'http://',
  'a.example',
  'README.md',
  '/',
  '/b',
  '.',
  ' ',
  '<',
  '>',
]
const TEXT = ['@', 'Inc.', '&', '&amp;', '<p>', '</p>', '\n']
const anyText = fc.array(fc.constantFrom(...ADDRESS, ...TEXT), { maxLength: 6 })
const anyRule = fc.constantFrom<object>(
  ...['uri', 'hostname', 'email', 'uri-reference'].map((format) => ({ format })),
  ...['^https://', '^\\S*$', '[^.]$', '[^/]$', '^[a-z.]+$', '^(?:[^&]|&amp;)*$'].map((pattern) => ({
    pattern,
  })),
)

property([anyText, anyRule], { numRuns: times(500) })(
  'whatever a text and its rule, a fix keeps its scheme, its host, and all its visible characters',
  (pieces, rule) => {
    const value = pieces.join('')
    const after = String(fixRecord({ value }, { value: { type: 'string', ...rule } }).record.value)

    const visible = (text: string) =>
      text
        .trim()
        .replace(/^https?:/i, (scheme) => scheme.toLowerCase())
        .replace(/^(https?:\/\/[^\s/?#]+)\/$/, '$1')
        .replaceAll('&amp;', '&')
    expect(visible(after)).toBe(visible(value))
  },
)
