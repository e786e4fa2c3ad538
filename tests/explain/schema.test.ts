import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileSchema } from '../../src/accept/compile.ts'
import { formatPointer } from '../../src/text/pointer.ts'
import { show } from '../../src/text/wording.ts'
import schema from '../helpers/batch.schema.json'
import { times } from '../helpers/long.ts'
import {
  type Compiled,
  compileCheck,
  emailField,
  page,
  refusedBy,
  without,
} from '../helpers/page.ts'
import { property } from '../helpers/property.ts'

const checkBatch = compileCheck()

/** Violations as `pointer code`; one that is shown at its key has `(key)` after the pointer. */
const faultsOf = (batch: unknown, check: Compiled = checkBatch) =>
  refusedBy(check, batch).map(({ pointer, at, code }) => {
    return `${formatPointer(pointer)}${at === 'key' ? ' (key)' : ''} ${code.replace('schema.', '')}`
  })

describe('a misspelled key is one problem', () => {
  test.each([
    ['titel', 'title'],
    ['contentHTML', 'contentHtml'],
    ['tіtle', 'title'],
    ['ti\u200btle', 'title'],
    ['created_at', 'createdAt'],
    ['nobody', 'title'],
  ])('%s for %s', (key, meant) => {
    expect(faultsOf([{ ...without(page(), meant), [key]: Object(page())[meant] }])).toEqual([
      `/0/${key} (key) misspelled-key`,
    ])
  })

  test('also in a field of a form', () => {
    const { type, ...rest } = emailField
    expect(faultsOf([page({ form: { fields: [{ ...rest, tpye: type }] } })])).toEqual([
      '/0/form/fields/0/tpye (key) misspelled-key',
    ])
  })

  test('and each of several has its own', () => {
    const { createdAt, updatedAt, ...rest } = page()
    expect(faultsOf([{ ...rest, creatdAt: createdAt, pdatedAt: updatedAt }])).toEqual([
      '/0/creatdAt (key) misspelled-key',
      '/0/pdatedAt (key) misspelled-key',
    ])
  })
})

test('two unknown keys and a missing one that are far apart are three problems', () => {
  expect(faultsOf([{ ...without(page(), 'title'), nobody: 'A', x: 'B' }])).toEqual([
    '/0/nobody (key) unknown-key',
    '/0/x (key) unknown-key',
    '/0 missing-key',
  ])
})

test('up to three values that are equally near are named', () => {
  const near = (...tags: string[]) =>
    refusedBy(compileCheck({ type: 'array', items: { enum: tags } }), ['tag9'])[0]?.message
  expect(near('tag1', 'tag2', 'tag3', 'other')).toMatch(/Nearest: "tag1", "tag2", "tag3"\.$/)
  expect(near('tag1', 'tag2', 'tag3', 'tag4')).not.toMatch(/Nearest/)
})

test('where no fraction may be, one in quotes is not near', () => {
  const kinds = [{ type: 'integer' }, { enum: ['1.5x', '2.0'] }]
  const check = compileCheck({ type: 'array', items: { anyOf: kinds } })
  expect(refusedBy(check, ['1.5'])[0]?.message).not.toMatch(/Nearest: 1.5/)
})

test('a pointer leads through keys with slashes and tildes', () => {
  expect(faultsOf([{ ...page(), 'a/~1~0': 1 }], checkBatch)[0]).toBe(
    '/0/a~1~01~00 (key) unknown-key',
  )
})

test('a key that every object inherits counts only if a record itself has it', () => {
  const named = (required: string[]) =>
    compileCheck({
      type: 'array',
      items: {
        ...{ type: 'object', required: ['path', ...required], additionalProperties: false },
        properties: { path: {}, constructor: { type: 'string' } },
      },
    })
  expect(faultsOf([{ path: '/a' }, { path: '/a', constructor: 'b' }], named([]))).toEqual([])
  expect(faultsOf([{ path: '/a' }], named(['constructor']))).toEqual(['/0 missing-key'])
  expect(faultsOf([{ path: '/a', toString: 1 }], named([]))).toEqual([
    '/0/toString (key) unknown-key',
  ])
})

test('a form that is refused does not hide the other problems of its record', () => {
  const record = { ...page({ form: 1, updatedAt: 2 }), title: 3 }
  expect(faultsOf([record, null])).toEqual([
    '/0/title type',
    '/0/form type',
    '/0/updatedAt type',
    '/1 type',
  ])
})

describe('when a value may be one of several kinds', () => {
  const kind = (name: string) => ({
    type: 'object',
    properties: { kind: { const: name } },
    required: ['kind', name],
  })
  const oneOfTwo = { oneOf: [kind('a'), kind('b')] }
  const eitherKey = { oneOf: ['a', 'b'].map((key) => ({ type: 'object', required: [key] })) }
  const open = (keys: string[]) => ({ additionalProperties: false, required: keys, properties: {} })
  const eitherKeys = { oneOf: [open(['a', 'b']), open(['c'])] }
  const nested = { anyOf: [{ type: 'null' }, { anyOf: [{ const: 1 }, { enum: [2, 3] }] }] }
  const typed = {
    oneOf: [
      { type: 'string', const: 'a' },
      { type: 'object', const: { a: 1 } },
    ],
  }
  const long = { anyOf: [{ type: 'null' }, { type: 'string', minLength: 3, pattern: '^a' }] }
  test.each<[object, unknown, string]>([
    [{ anyOf: [{ type: 'integer' }, { enum: ['a', null] }] }, 'b', 'type'],
    [{ type: ['string', 'null'] }, 3, 'type'],
    [{ enum: ['live', null] }, 'Live', 'enum'],
    [nested, 4, 'type'],
    [typed, 3, 'type'],
    [long, 3, 'type'],
    [long, 'bbb', 'pattern'],
    [oneOfTwo, 3, 'type'],
    [eitherKey, { a: 1, b: 2 }, 'too-many-keys'],
    [eitherKey, { c: 1 }, 'one-key'],
    [{ anyOf: eitherKey.oneOf }, { c: 1 }, 'one-key'],
    [eitherKeys, { a: 1 }, 'one-key'],
    [eitherKeys, { b: 1, other: 1 }, 'one-key'],
  ])('%j refuses %j in one sentence', (items, value, code) => {
    expect(faultsOf([value], compileCheck({ type: 'array', items }))).toEqual([`/0 ${code}`])
  })

  test('the errors of the one kind that fits its type are reported', () => {
    const check = compileCheck({ type: 'array', items: { anyOf: [{ type: 'null' }, kind('a')] } })
    expect(faultsOf([{ kind: 'b' }], check)).toEqual(['/0 missing-key', '/0/kind enum'])
  })

  describe('and a discriminator tells them apart', () => {
    const image = {
      ...kind('image'),
      properties: { kind: { enum: ['image', 'photo'] }, image: {} },
    }
    const text = {
      ...{ ...kind('text'), additionalProperties: false },
      properties: { kind: { const: 'text' }, text: { minLength: 2 } },
    }
    const discriminator = { propertyName: 'kind' }
    const either = { type: 'object', discriminator, oneOf: [{ $ref: '#/$defs/text' }, image] }
    const items = { anyOf: [{ type: 'null' }, either] }
    const check = compileCheck({ type: 'array', items, $defs: { text } })

    test.each<[string, unknown, string[]]>([
      ['none of a valid one', { kind: 'photo', image: 1 }, []],
      [
        'those of the kind that was meant',
        { kind: 'text', text: 'a', x: 1 },
        ['/0/x (key) unknown-key', '/0/text limit'],
      ],
      ['a missing key', { kind: 'photo' }, ['/0 missing-key']],
      ['another kind', { kind: 'foto', image: 1 }, ['/0/kind enum']],
      ['a missing kind', { image: 1 }, ['/0 missing-key']],
      ['another type', 3, ['/0 type']],
    ])('the errors are %s', (_, value, expected) => {
      expect(faultsOf([value], check).sort()).toEqual(expected.sort())
    })
  })

  test('a rule beside the kinds is reported too, once', () => {
    const kinds = [{ type: 'string', minLength: 2 }, { type: 'null' }]
    const items = { type: ['string', 'null'], anyOf: kinds }
    const check = compileCheck({ type: 'array', items })
    expect(faultsOf([3], check)).toEqual(['/0 type'])
  })
})

const VALUES = [null, 0, 'a', 'b', [], {}, { a: 0 }, { a: null, b: 'a' }, { b: {} }, { c: 0 }]
const { kind } = fc.letrec<{ kind: object }>((tie) => ({
  kind: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom({ type: 'null' }, { const: 'a' }, { enum: [0, 'b'] }, { type: 'string' }),
    fc.record({ oneOf: fc.array(tie('kind'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ anyOf: fc.array(tie('kind'), { minLength: 1, maxLength: 3 }) }),
    tie('kind').map((a) => ({ type: 'object', properties: { a }, required: ['a'] })),
    tie('kind').map((b) => ({ type: 'object', properties: { b }, additionalProperties: false })),
  ),
}))

/** The same schema, with each branch of a union by reference. */
function byReference(schema: object) {
  const $defs: Record<string, unknown> = {}
  const refer = (branch: unknown) => {
    const name = `kind${Object.keys($defs).length}`
    $defs[name] = branch
    return { $ref: `#/$defs/${name}` }
  }
  const inside = JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
    return /^(?:any|one)Of$/.test(key) && Array.isArray(value) ? value.map(refer) : value
  })
  return { ...refer(inside), $defs }
}

const ajv = new Ajv2020()

property([kind], { numRuns: times(50) })(
  'whatever the kinds, only the values that fit none have a problem, the same by reference',
  (x) => {
    const items = { type: 'object', properties: { x }, required: ['x'] }
    const batch = { type: 'array', items }
    const isValid = ajv.compile(batch)
    const [check, same] = [compileCheck(batch), compileCheck(byReference(batch))]
    for (const value of VALUES) {
      const faults = faultsOf([{ x: value }], check)
      expect(faults.length === 0).toBe(isValid([{ x: value }]))
      expect(faultsOf([{ x: value }], same)).toEqual(faults)
    }
  },
)

test('the same schema is compiled to the same code', () => {
  expect(compileSchema(structuredClone(schema))).toBe(compileSchema(schema))
})

test.each([
  ['a "b"\n', '"a \\"b\\"\\n"'],
  ['x'.repeat(61), `"${'x'.repeat(59)}…"`],
  [`${'x'.repeat(58)}😀x`, `"${'x'.repeat(58)}…"`],
  [null, 'null'],
  [[], 'an empty list'],
])('the value %j is shown as %s', (value, shown) => {
  expect(show(value)).toBe(shown)
})

test('every format of ajv-formats is known, and a price is a multiple of a cent', () => {
  const check = compileCheck({
    type: 'array',
    items: {
      type: 'object',
      required: ['path'],
      properties: {
        image: { type: 'string', format: 'uri' },
        mail: { type: 'string', format: 'email' },
        day: { type: 'string', format: 'date' },
        updatedAt: { type: 'string', format: 'date' },
        price: { type: 'number', multipleOf: 0.01 },
      },
    },
  })
  const good = { path: '/a', image: 'https://a.example/b', mail: 'a@b.example', day: '2025-08-28' }
  const prices = [78.1, 0.07, 1.15, 4.35, 1e6, 1234567890.12].map((price) => ({ ...good, price }))
  expect(faultsOf(prices, check)).toEqual([])
  const faulty = { image: 'a b', mail: 'a', day: '28.8.', updatedAt: '28.8.', price: 0.015 }
  expect(refusedBy(check, [{ path: '/a', ...faulty }]).map(({ pointer }) => pointer[1])).toEqual(
    Object.keys(faulty),
  )
})

/** Violations as `pointer: message`. */
const messagesOf = (batch: unknown, check: Compiled) =>
  refusedBy(check, batch).map(({ pointer, at, message }) => {
    return `${formatPointer(pointer)}${at === 'key' ? ' (key)' : ''}: ${message}`
  })

/** Keywords, a value that they refuse, and the messages with their places. */
const KEYWORDS: [rule: object, value: unknown, ...expected: string[]][] = [
  [{ not: { const: 'a' } }, 'a', ': "a" isn\'t allowed here.'],
  [
    { items: { type: 'string' }, contains: { const: 'a' } },
    ['b', 5],
    '/1: This must be text, but it is the number 5.',
    ': At least 1 item of this list must be "a"; there is none.',
  ],
  [
    { propertyNames: { pattern: '^[a-z]+$', maxLength: 2 } },
    { ABC: 1, b: 2 },
    '/ABC (key): The name of this key has 3 characters. It must have at most 2.',
    '/ABC (key): The name of this key isn\'t allowed. "ABC" doesn\'t match the pattern ^[a-z]+$ of the schema.',
  ],
  [
    { dependentRequired: { a: ['b', 'c'] } },
    { a: 1 },
    ': The keys "b" and "c" are missing. They are required when "a" is there.',
  ],
  [
    { dependentSchemas: { a: { properties: { b: { type: 'string' } } } } },
    { a: 1, b: 2 },
    '/b: This must be text, but it is the number 2. This is required when "a" is there.',
  ],
  [
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    { if: { required: ['a'] }, then: { required: ['b'] }, else: { required: ['c'] } },
    { a: 1 },
    ': The key "b" is missing. It is required when "a" is there.',
  ],
  [
    { allOf: [{ properties: { a: {} } }], unevaluatedProperties: false },
    { a: 1, b: 1 },
    '/b (key): The key "b" isn\'t allowed here. Allowed: "a".',
  ],
  [{ prefixItems: [{}], items: false }, [1, 2], ': This list has 2 items. It must have at most 1.'],
  [{ properties: { a: false } }, { a: 1 }, '/a (key): The key "a" isn\'t allowed here.'],
  [{ maximum: 5 }, 6, ': The number 6 is too large. It must be at most 5.'],
  [{ exclusiveMinimum: 5 }, 5, ': The number 5 is too small. It must be more than 5.'],
  [{ exclusiveMaximum: 5 }, 5, ': The number 5 is too large. It must be less than 5.'],
  [{ minProperties: 2 }, { a: 1 }, ': This object has 1 key. It must have at least 2.'],
  [
    { uniqueItems: true },
    ['a', 'b', 'a', 'b', 'a', { x: 1, y: [2] }, { y: [2], x: 1 }],
    '/2: "a" is already in this list, as item 1.',
    '/3: "b" is already in this list, as item 2.',
    '/4: "a" is already in this list, as item 1.',
    '/6: The same object is already in this list, as item 6.',
  ],
  [
    { minLength: 3, pattern: '^a', format: 'email' },
    'b',
    ': This text has 1 character. It must have at least 3.',
    ': "b" doesn\'t match the pattern ^a of the schema.',
    ': "b" isn\'t an email address such as "you@example.com" (format "email").',
  ],
  [
    { type: 'string', anyOf: [{ const: 'a' }, { const: 'b' }] },
    5,
    ': This must be "a" or "b", but it is the number 5.',
  ],
  [
    { uniqueItems: true },
    [{ toString: 1 }, { valueOf: 2 }, { valueOf: 2, toString: 1 }, { toString: 1, valueOf: 2 }],
    '/3: The same object is already in this list, as item 3.',
  ],
  [
    { uniqueItems: true, items: { type: 'string' } },
    ['__proto__', '__proto__'],
    '/1: "__proto__" is already in this list, as item 1.',
  ],
  [{ const: { a: 1 } }, { valueOf: 1 }, ': This object isn\'t allowed here. Allowed: {"a":1}.'],
  [
    { minimum: 5, multipleOf: 2 },
    3,
    ': The number 3 is too small. It must be at least 5.',
    ": The number 3 isn't a multiple of 2. Nearest: 2, 4.",
  ],
]

test.each(KEYWORDS)(
  '%j refuses %j in plain words, for each keyword',
  (rule, value, ...expected) => {
    const items = { type: 'object', required: ['path'], properties: { value: rule } }
    const check = compileCheck({ type: 'array', items })
    expect(messagesOf([{ path: '/a', value }], check)).toEqual(
      expected.map((each) => `/0/value${each}`),
    )
  },
)

test('a fault beside a list that lacks an item is reported, though both have one definition', () => {
  const a = { $ref: '#/$defs/a' }
  const properties = { other: a, list: { contains: a } }
  const items = { type: 'object', required: ['list'], properties }
  const check = compileCheck({ type: 'array', items, $defs: { a: { type: 'string' } } })
  const records = [
    { other: 1, list: [2] },
    { list: ['x'], other: 3 },
  ]
  expect(faultsOf(records, check)).toEqual(['/0/other type', '/0/list contains', '/1/other type'])
})

test('a format of numbers refuses a number', () => {
  const views = { type: 'integer', format: 'int32' }
  const check = compileCheck({
    type: 'array',
    items: { required: ['views'], properties: { views } },
  })
  expect(faultsOf([{ views: 3_000_000_000 }], check)).toEqual(['/0/views format'])
})

describe('a fault is one problem, and nothing else is reported', () => {
  const unevaluated = { type: 'object', required: ['type'], unevaluatedProperties: false }
  const kinds = {
    ...unevaluated,
    properties: { name: {} },
    anyOf: [
      { properties: { type: { const: 'a' }, n: { type: 'number' }, m: {}, o: {} } },
      { properties: { type: { const: 'b' } } },
    ],
  }
  const event = {
    ...unevaluated,
    properties: { type: {} },
    if: { properties: { type: { const: 'event' } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ['date'], properties: { date: {}, place: {} } },
  }
  const dependent = {
    ...unevaluated,
    properties: { type: {} },
    dependentSchemas: { type: { properties: { b: { type: 'number' }, c: {} } } },
  }
  const records = {
    ...{ type: 'object', required: ['records'], additionalProperties: false },
    properties: {
      records: {
        ...{ type: 'object', additionalProperties: false },
        properties: { A: { type: 'array' } },
      },
      proxied: { type: 'boolean' },
    },
  }
  const url = { type: 'string', format: 'uri' }
  const kind = (name: string, key: string) => ({
    ...{ type: 'object', additionalProperties: false, required: ['type', key] },
    properties: { type: { const: name }, [key]: { $ref: '#/$defs/url' } },
  })
  const union = { oneOf: [{ $ref: '#/$defs/video' }, { $ref: '#/$defs/text' }] }
  const named = {
    oneOf: [
      { ...{ type: 'object', additionalProperties: false }, properties: { type: {} } },
      { ...{ type: 'object' }, properties: { type: { const: 'own' }, url: { type: 'string' } } },
    ],
  }
  const either = { type: 'object', oneOf: [{ required: ['a'] }, { required: ['b'] }] }
  const decided = {
    ...{ type: 'object', required: ['kind'] },
    properties: { kind: { enum: ['event', 'place'] }, start: {} },
    if: { properties: { kind: { const: 'event' } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ['start', 'end'] },
    else: { properties: { start: false } },
  }
  const lang = { type: 'object', required: ['l'], properties: { l: { enum: ['eng', 'deu'] } } }
  test.each<[string, object, unknown, string[]]>([
    ['a number in a union', kinds, { name: 1, type: 'a', n: 'x', m: 1, o: 1 }, ['/n type']],
    ['a kind of a union', kinds, { name: 1, type: 'c', n: 1 }, ['/type enum']],
    ['an unknown key', kinds, { type: 'a', z: 1 }, ['/z (key) unknown-key']],
    ['a key that "then" requires', event, { type: 'event', place: 'x' }, [' missing-key']],
    ['a key of "then"', event, { type: 'post', place: 'x' }, ['/place (key) excluded-key']],
    [
      'a key that "else" refuses',
      decided,
      { kind: 'place', start: 1 },
      ['/start (key) excluded-key'],
    ],
    [
      'a value that decides what else is right',
      decided,
      { kind: 'evnt', start: 1 },
      ['/kind enum'],
    ],
    ['a missing one', decided, { start: 1 }, [' missing-key']],
    ['a dependent value', dependent, { type: 1, b: 'x', c: 1 }, ['/b type']],
    ['a key', records, { record: { A: '1.2.3.4' } }, ['/record (key) misspelled-key']],
    [
      'a key one level too deep',
      records,
      { records: { proxied: true } },
      ['/records/proxied (key) misplaced-key'],
    ],
    ['a key one level too high', records, { records: {}, A: [] }, ['/A (key) misplaced-key']],
    [
      'a key in itself',
      records,
      { records: { records: {} } },
      ['/records/records (key) unknown-key'],
    ],
    ['a text where a list must be', records, { records: { A: '1.2.3.4' } }, ['/records/A type']],
    ['a value of a list', lang, { l: 'en' }, ['/l enum']],
    ['a text in a kind', union, { type: 'video', src: 'a' }, ['/src format']],
    ['a kind by reference', union, { type: 'vidoe', src: 'http://a.example' }, ['/type enum']],
    ['a missing kind by reference', union, { src: 'http://a.example' }, [' missing-key']],
    [
      'a misspelled kind by reference',
      union,
      { tpye: 'video', src: 'http://a.example' },
      ['/tpye (key) misspelled-key'],
    ],
    ['a value of the kind that knows all keys', named, { type: 'own', url: 1 }, ['/url type']],
    ['a list of an object that has one of two keys', either, [{ a: 1 }], [' type']],
  ])('%s', (_, items, value, expected) => {
    const $defs = { url, video: kind('video', 'src'), text: kind('text', 'body') }
    const check = compileCheck({ type: 'array', items, $defs })
    expect(faultsOf([value], check)).toEqual(expected.map((each) => `/0${each}`))
  })
})

test('a missing key is reported once, with all reasons why it is required', () => {
  const dependentSchemas = { a: { required: ['z'] }, b: { required: ['z'] } }
  const check = compileCheck({ type: 'array', items: { required: ['id'], dependentSchemas } })
  expect(messagesOf([{ id: 1, a: 1, b: 1 }], check)).toEqual([
    '/0: The key "z" is missing. It is required when "a" is there and "b" is there.',
  ])
  const anyway = compileCheck({ type: 'array', items: { required: ['id', 'z'], dependentSchemas } })
  expect(messagesOf([{ id: 1, a: 1 }], anyway)).toEqual(['/0: The key "z" is missing.'])
})

test('a key is known by a reference with signs that are encoded', () => {
  const rec = { required: ['id'], additionalProperties: false, properties: { author: {} } }
  const check = compileCheck({ type: 'array', items: { $ref: '#/%24defs/rec' }, $defs: { rec } })
  const expected = [
    '/0/Author (key): The key "Author" isn\'t allowed here. Nearest: "author".',
    '/0: The key "id" is missing.',
  ]
  expect(messagesOf([{ Author: 1 }], check)).toEqual(expected)
})

test('a discriminator allows what its kinds do, also if the object allows more', () => {
  const items = {
    ...{ type: 'object', discriminator: { propertyName: 'kind' }, required: ['kind'] },
    properties: { kind: { enum: ['a', 'b', 'c'] } },
    oneOf: [{ properties: { kind: { const: 'a' } } }, { properties: { kind: { const: 'b' } } }],
  }
  const expected = ['/0/kind: "c" isn\'t allowed here. Allowed: "a", "b".']
  expect(messagesOf([{ kind: 'c' }], compileCheck({ type: 'array', items }))).toEqual(expected)
})

test('each of many records is reported with the demand of "else", also beside one of an unknown kind', () => {
  const items = {
    required: ['kind'],
    properties: { kind: { enum: ['event', 'note'] } },
    if: { properties: { kind: { const: 'event' } } },
    else: { required: ['place'] },
  }
  const records = [{ kind: 'note' }, { kind: 'nte' }, { kind: 'note' }]
  const expected = ['/0 missing-key', '/1/kind enum', '/2 missing-key']
  expect(faultsOf(records, compileCheck({ type: 'array', items }))).toEqual(expected)
})
