import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileSchema, loadCheck } from '../../src/batch/schema/schema.ts'
import { checkAsMeant } from '../../src/batch/schema/shapes.ts'
import { formatPointer, type SchemaCheck } from '../../src/batch/violation.ts'
import { show } from '../../src/text/wording.ts'
import schema from '../helpers/batch.schema.json'
import { times } from '../helpers/long.ts'
import { compileCheck, emailField, formOf, nameField, page, without } from '../helpers/page.ts'
import { property } from '../helpers/property.ts'

const checkBatch = compileCheck()

/** Violations as `pointer: message`; one that is shown at its key has `(key)` after the pointer. */
const tell = (batch: unknown, check: SchemaCheck = checkBatch) =>
  check(batch).map(({ pointer, at, message }) => {
    return `${formatPointer(pointer)}${at === 'key' ? ' (key)' : ''}: ${message}`
  })

describe('a misspelled key is one problem', () => {
  test.each([
    ['titel', 'title'],
    ['from', 'form'],
    ['paht', 'path'],
    ['TITLE', 'title'],
    ['pat', 'path'],
    ['contentHTML', 'contentHtml'],
    ['content', 'contentHtml'],
    ['created', 'createdAt'],
    ['created_at', 'createdAt'],
    ['updated', 'updatedAt'],
  ])('%s for %s', (key, meant) => {
    expect(tell([{ ...without(page(), meant), [key]: null }])).toEqual([
      `/0/${key} (key): unknown key "${key}"; did you mean "${meant}"?`,
    ])
  })

  test('also in a field of a form', () => {
    const { type, ...rest } = emailField
    expect(tell([page({ form: { fields: [{ ...rest, tpye: type }] } })])).toEqual([
      '/0/form/fields/0/tpye (key): unknown key "tpye"; did you mean "type"?',
    ])
  })

  test('and the nearest of the missing keys is named', () => {
    const { createdAt, updatedAt, ...rest } = page()
    expect(tell([{ ...rest, creatdAt: createdAt, updatdAt: updatedAt }])).toEqual([
      '/0/creatdAt (key): unknown key "creatdAt"; did you mean "createdAt"?',
    ])
    expect(tell([{ ...rest, pdatedAt: updatedAt }])).toEqual([
      '/0/pdatedAt (key): unknown key "pdatedAt"; did you mean "updatedAt"?',
    ])
  })
})

const KEYS = Object.keys(schema.$defs.page.properties)
const LOST =
  'move what it says to another key (it was not checked), or remove it, its value and the comma before it (the value is lost)'
const KNOWN = `known here: ${KEYS.map((key) => `"${key}"`).join(', ')}`

test('a text that is too long is refused with its length', () => {
  const text = { type: 'string', maxLength: 3 }
  const check = compileCheck({
    type: 'array',
    items: { required: ['path'], properties: { path: text } },
  })
  expect(tell([{ path: '😀😀😀' }], check)).toEqual([])
  expect(tell([{ path: 'abcd' }], check)).toEqual([
    '/0/path: must have at most 3 characters, but has 4',
  ])
})

test('an unknown key is not a misspelling of a key that is present', () => {
  expect(tell([{ ...page(), titel: 'x' }])).toEqual([
    `/0/titel (key): unknown key "titel"; ${LOST}; ${KNOWN}`,
  ])
})

test('an unknown key and a missing one that are far apart are two problems', () => {
  expect(tell([{ ...without(page(), 'title'), nobody: 'A' }])).toEqual([
    '/0: must have the key "title"',
    `/0/nobody (key): unknown key "nobody"; ${LOST}; ${KNOWN}`,
  ])
})

test('two unknown keys of one object are two problems', () => {
  expect(tell([{ ...page(), a: 1, b: 2 }]).map((told) => told.split(';')[0])).toEqual([
    '/0/a (key): unknown key "a"',
    '/0/b (key): unknown key "b"',
  ])
})

test('a pointer leads through keys with slashes and tildes', () => {
  const check = loadCheck(
    compileSchema({
      type: 'array',
      items: { type: 'object', additionalProperties: { type: 'array' }, required: ['a'] },
    }),
  )
  expect(check([{ 'a/~1~0': 1, a: [] }])).toEqual([
    expect.objectContaining({ pointer: ['0', 'a/~1~0'], at: 'value' }),
  ])
  expect(checkBatch([{ ...page(), 'a/~1': 1 }])[0]?.pointer).toEqual(['0', 'a/~1'])
})

test('a key that every object inherits counts only if a record itself has it', () => {
  const named = (required: string[]) =>
    loadCheck(
      compileSchema({
        type: 'array',
        items: {
          type: 'object',
          required: ['path', ...required],
          additionalProperties: false,
          properties: { path: {}, constructor: { type: 'string' } },
        },
      }),
    )
  expect(named([])([{ path: '/a' }, { path: '/a', constructor: 'b' }])).toEqual([])
  const missing = 'must have the key "constructor"'
  expect(named(['constructor'])([{ path: '/a' }])).toEqual([
    { pointer: ['0'], at: 'value', message: missing },
  ])
  const [refused] = named([])([{ path: '/a', toString: 1 }])
  expect(refused?.message).toContain('unknown key "toString"')
})

test('a valid batch has no problem, whatever was checked before', () => {
  expect(tell([null])).toHaveLength(1)
  expect(tell([page()])).toEqual([])
})

describe('a form that is refused', () => {
  test.each<[string, unknown, string[]]>([
    ['for its type is one problem', 'x', [': must be null or an object, but is "x"']],
    [
      'for one field has no other problem',
      { fields: [nameField, { ...emailField, type: 'e-mail' }] },
      ['/fields/1/type: must be one of "text", "email", "textarea", but is "e-mail"'],
    ],
    [
      'for two of its fields has two',
      { fields: [without(nameField, 'label'), { ...emailField, required: 'yes' }] },
      [
        '/fields/0: must have the key "label"',
        '/fields/1/required: must be true or false, but is "yes"',
      ],
    ],
  ])('%s', (_, form, told) => {
    expect(tell([page({ form })])).toEqual(told.map((each) => `/0/form${each}`))
  })

  test('does not hide the other problems of its record, before and after it', () => {
    const record = { ...page({ form: 1, updatedAt: 2 }), title: 3 }
    expect(tell([record, null])).toEqual([
      '/0/title: must be a string, but is 3',
      '/0/form: must be null or an object, but is 1',
      '/0/updatedAt: must be a string, but is 2',
      '/1: must be an object, but is null',
    ])
  })
})

describe('when a value may be one of several kinds', () => {
  const kind = (name: string) => ({
    type: 'object',
    properties: { kind: { const: name } },
    required: ['kind', name],
  })
  const oneOfTwo = { oneOf: [kind('a'), kind('b')] }
  const eitherKey = { oneOf: ['a', 'b'].map((key) => ({ type: 'object', required: [key] })) }
  const nested = { anyOf: [{ type: 'null' }, { anyOf: [{ const: 1 }, { enum: [2, 3] }] }] }
  const typed = {
    oneOf: [
      { type: 'string', const: 'a' },
      { type: 'object', const: { a: 1 } },
    ],
  }
  const long = { anyOf: [{ type: 'null' }, { type: 'string', minLength: 3, pattern: '^a' }] }
  const UNCHECKED = ' (what is in it was not checked)'
  const exactly = 'must match exactly one of the 2 kinds that the schema allows'
  test.each<[object, unknown, string]>([
    [{ anyOf: [{ const: 1 }, { const: 'b' }] }, 3, 'must be 1 or "b", but is 3'],
    [
      { anyOf: [{ type: 'integer' }, { enum: ['a', null] }] },
      'b',
      'must be an integer or "a" or null, but is "b"',
    ],
    [{ type: ['string', 'null'] }, 3, 'must be a string or null, but is 3'],
    [nested, 4, 'must be null or 1 or 2 or 3, but is 4'],
    [typed, 3, 'must be "a" or {"a":1}, but is 3'],
    [long, 3, 'must be null or a string, but is 3'],
    [long, 'bbb', 'must match the pattern ^a of the schema, but is "bbb"'],
    [{ const: 'a' }, 'b', 'must be "a", but is "b"'],
    [oneOfTwo, 3, 'must be an object, but is 3'],
    [eitherKey, { a: 1, b: 2 }, `${exactly}, but matches more than one`],
    [
      { oneOf: [kind('a'), kind('a')] },
      { kind: 'a', a: 1 },
      `${exactly}, but matches more than one`,
    ],
    [eitherKey, { c: 1 }, `${exactly}, but is an object${UNCHECKED}`],
    [
      { anyOf: eitherKey.oneOf },
      { c: 1 },
      `${exactly.replace('exactly ', '')}, but is an object${UNCHECKED}`,
    ],
  ])('%j refuses %j in one sentence', (items, value, message) => {
    expect(tell([value], loadCheck(compileSchema({ type: 'array', items })))).toEqual([
      `/0: ${message}`,
    ])
  })

  test('the errors of the one kind that fits its type are reported', () => {
    const check = loadCheck(
      compileSchema({ type: 'array', items: { anyOf: [{ type: 'null' }, kind('a')] } }),
    )
    expect(tell([{ kind: 'b' }], check)).toEqual([
      '/0: must have the key "a"',
      '/0/kind: must be "a", but is "b"',
    ])
  })

  describe('and a key tells them apart, only the errors of the kind that was meant are reported', () => {
    const text = { ...kind('text'), additionalProperties: false }
    const image = {
      ...kind('image'),
      properties: { kind: { enum: ['image', 'photo'] }, image: {} },
    }
    const $defs = {
      text: { ...text, properties: { ...text.properties, text: { minLength: 2 } } },
      image,
    }
    const ref = { anyOf: [{ $ref: '#/$defs/text' }, { type: 'null' }, { $ref: '#/$defs/image' }] }
    const BESIDE = ' (what is beside it was not checked)'
    test.each<[string, object, string[]]>([
      [
        'its own',
        { kind: 'text', text: 'a', x: 1 },
        [
          `/0/x (key): unknown key "x"; ${LOST}; known here: "kind", "text"`,
          '/0/text: must have at least 2 characters, but has 1',
        ],
      ],
      ['that of a missing key', { kind: 'photo' }, ['/0: must have the key "image"']],
      [
        'a kind that no branch has',
        { kind: 'foto', image: 1 },
        [`/0/kind: must be one of "text", "image", "photo", but is "foto"${BESIDE}`],
      ],
      [
        'such a kind alone',
        { kind: 5 },
        ['/0/kind: must be one of "text", "image", "photo", but is 5'],
      ],
      ['a missing kind', { image: 1 }, [`/0: must have the key "kind"${BESIDE}`]],
      ['a missing kind of nothing', {}, ['/0: this record is empty; fill it in, or remove it']],
    ])('%s', (_, value, told) => {
      const check = loadCheck(compileSchema({ type: 'array', items: ref, $defs }))
      expect(tell([value], check).sort()).toEqual(told.sort())
      expect(
        tell([null, { kind: 'text', text: 'ab' }, { kind: 'photo', image: 1 }], check),
      ).toEqual([])
    })
  })

  test.each<[string, object[]]>([
    ['the empty text', [kind('a'), kind('')]],
    ['a name that every object has', [kind('a'), kind('constructor')]],
    ['a number', [kind('a'), { ...kind('b'), properties: { kind: { const: 5 } } }]],
    ['a key that may be missing', [kind('a'), { ...kind('b'), required: ['b'] }]],
    ['a key with any value', [kind('a'), { ...kind('b'), properties: { kind: {} } }]],
    [
      'a key that every object has',
      ['a', 'b'].map((name) => ({
        ...kind(name),
        required: ['constructor'],
        properties: { constructor: { const: name } },
      })),
    ],
    ['a branch that may be null', [kind('a'), { ...kind('b'), nullable: true }]],
    ['a $ref with another keyword beside it', [kind('a'), { $ref: '#/$defs/b', minProperties: 3 }]],
  ])('branches that differ in %s are checked as they are', (_, oneOf) => {
    const schema = { type: 'array', items: { oneOf }, $defs: { b: kind('b') } }
    const isValid = new Ajv2020({ strict: false, allErrors: true, ownProperties: true }).compile(
      schema,
    )
    const check = loadCheck(compileSchema(schema))
    for (const tag of ['a', 'b', '', 'constructor', 5, undefined]) {
      for (const value of [
        { kind: tag },
        { kind: tag, [String(tag)]: 1 },
        { kind: tag, b: 1, c: 1 },
        { constructor: tag },
        null,
      ])
        expect(check([value]).length === 0, JSON.stringify(value)).toBe(isValid([value]))
    }
  })

  test.each<[string, object]>([
    [
      'to a branch leads to it',
      { items: { anyOf: [kind('a'), kind('b')] }, contains: { $ref: '#/items/anyOf/1' } },
    ],
    [
      'to a branch, percent-encoded, leads to it',
      { items: { anyOf: [kind('a'), kind('b')] }, contains: { $ref: '#/items/any%4ff/1' } },
    ],
    [
      'below an $id is relative to it',
      {
        items: {
          $id: 'https://a.example/',
          anyOf: [{ $ref: '#/$defs/a' }, kind('b')],
          $defs: { a: kind('a') },
        },
        $defs: { a: kind('c') },
      },
    ],
  ])('a reference %s', (_, schema) => {
    const check = loadCheck(compileSchema({ type: 'array', ...schema }))
    expect(
      tell(
        [
          { kind: 'a', a: 1 },
          { kind: 'b', b: 1 },
        ],
        check,
      ),
    ).toEqual([])
    expect(
      tell(
        [
          { kind: 'a', a: 1 },
          { kind: 'c', c: 1 },
        ],
        check,
      ),
    ).not.toEqual([])
  })

  describe('a key that tells them apart is named once, with what it leaves unchecked', () => {
    const BESIDE = ' (what is beside it was not checked)'
    const anyOf = [kind('a'), kind('b')]
    const closed = {
      ...{ type: 'object', additionalProperties: false, properties: { kind: {}, a: {}, b: {} } },
      anyOf: [{ ...kind('a'), type: undefined }, kind('b')],
    }
    const title = { type: 'object', required: ['title', 'kind'] }
    const listed = { properties: { kind: { enum: ['a', 'b'] } }, anyOf }
    const some = { type: 'array', contains: { anyOf: [{ $ref: '#/$defs/a' }, kind('b')] } }
    const oneOf = [kind('a'), kind('b'), { const: 1 }, { enum: [1, 2] }]
    test.each<[string, object, unknown, string[]]>([
      [
        'if it is misspelled',
        closed,
        { kidn: 'a', a: 1 },
        ['/0/kidn (key): unknown key "kidn"; did you mean "kind"?'],
      ],
      [
        'if there is nothing beside the misspelled key',
        closed,
        { kidn: 'a' },
        ['/0/kidn (key): unknown key "kidn"; did you mean "kind"?'],
      ],
      [
        'if others are missing, too',
        { ...title, anyOf },
        { a: 1 },
        [`/0: must have the keys "kind" and "title"${BESIDE}`],
      ],
      [
        'if another rule lists its values, too',
        listed,
        { kind: 'c', a: 1 },
        [`/0/kind: must be one of "a", "b", but is "c"${BESIDE}`],
      ],
      [
        'if its value is an object',
        { anyOf },
        { kind: { x: 1 }, a: 1 },
        [
          '/0/kind: must be one of "a", "b", but is an object (what is in and beside it was not checked)',
        ],
      ],
      [
        'but not where only one of several items has to fit',
        some,
        [{ kind: 'a' }],
        ['/0: must have at least 1 item of this kind: what the schema describes there'],
      ],
      [
        'and counts as a kind each where it does not help',
        { oneOf },
        1,
        [
          '/0: must match exactly one of the 4 kinds that the schema allows, but matches more than one',
        ],
      ],
    ])('%s', (_, items, value, told) => {
      const check = loadCheck(compileSchema({ type: 'array', items, $defs: { a: kind('a') } }))
      expect(tell([value], check)).toEqual(told)
    })

    test('of a record that is in one of the same name', () => {
      const child = { anyOf: [kind('a'), kind('b')] }
      const check = loadCheck(
        compileSchema({ type: 'array', items: { required: ['child'], properties: { child } } }),
      )
      expect(tell([{ child: { child: 'x' } }], check)).toEqual([
        `/0/child: must have the key "kind"${BESIDE}`,
      ])
    })
  })

  test('a value that looks like a schema is compared as it is', () => {
    const union = { oneOf: [kind('a'), kind('b')] }
    const discriminator = { propertyName: 'kind' }
    const items = { enum: [union, { discriminator }], properties: { discriminator: {} } }
    const check = loadCheck(compileSchema({ type: 'array', items }))
    expect(tell([union, { discriminator }], check)).toEqual([])
  })

  test('a rule beside the kinds is reported too, once', () => {
    const kinds = [{ type: 'string', minLength: 2 }, { type: 'null' }]
    const items = { type: ['string', 'null'], anyOf: kinds }
    const check = loadCheck(compileSchema({ type: 'array', items }))
    expect(tell([3], check)).toEqual(['/0: must be a string or null, but is 3'])
  })
})

const TAGGED = ['t', 'u', 5].flatMap((b) => [{ b }, { a: null, b }, { b, c: { b: 't' } }])
const VALUES = [
  null,
  0,
  'a',
  'b',
  [],
  {},
  { a: 0 },
  { a: null, b: 'a' },
  { b: {} },
  { c: 0 },
  ...TAGGED,
]
const { kind } = fc.letrec<{ kind: object }>((tie) => ({
  kind: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom({ type: 'null' }, { const: 'a' }, { enum: [0, 'b'] }, { type: 'string' }),
    fc.record({ oneOf: fc.array(tie('kind'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ anyOf: fc.array(tie('kind'), { minLength: 1, maxLength: 3 }) }),
    tie('kind').map((a) => ({ type: 'object', properties: { a }, required: ['a'] })),
    fc
      .tuple(fc.constantFrom({ const: 't' }, { const: 'u' }, { enum: ['t', 'u'] }), tie('kind'))
      .map(([b, c]) => ({ type: 'object', properties: { b, c }, required: ['b'] })),
    tie('kind').map((b) => ({ type: 'object', properties: { b }, additionalProperties: false })),
  ),
}))

property([kind], { numRuns: times(50) })(
  'whatever the kinds, only the values that fit none have a problem',
  (x) => {
    const items = { type: 'object', properties: { x }, required: ['x'] }
    const isValid = new Ajv2020().compile({ type: 'array', items })
    const check = loadCheck(compileSchema({ type: 'array', items }))
    for (const value of VALUES) {
      expect(check([{ x: value }]).length === 0).toBe(isValid([{ x: value }]))
    }
  },
)

describe('a schema is refused in one line', () => {
  const ACCEPTS = 'it accepts a batch of one empty record, so it checks nothing'
  test.each<[unknown, string | RegExp]>([
    [{}, ACCEPTS],
    [{ type: 'array' }, ACCEPTS],
    [
      { type: 'array', items: { type: 'object', properties: { path: { type: 'string' } } } },
      ACCEPTS,
    ],
    [{ type: 'aray' }, /^at \/type it must be "array" or .* or an array, but is "aray"$/],
    [{ type: 'array', items: 5 }, 'at /items it must be an object or true or false, but is 5'],
    [{ type: 'array', itms: {} }, 'at /itms: unknown keyword: "itms"'],
    [
      { type: 'array', items: { discriminator: { propertyName: 'kind' } } },
      'at /items/discriminator: unknown keyword: "discriminator"',
    ],
    [
      { type: 'array', items: { discriminator: false } },
      'at /items/discriminator: unknown keyword: "discriminator"',
    ],
    [
      { type: 'array', items: { $ref: '#/$defs/page' } },
      "at /items/$ref: can't resolve reference #/$defs/page",
    ],
    [
      { $schema: 'http://json-schema.org/draft-07/schema#' },
      'at /$schema it must be "https://json-schema.org/draft/2020-12/schema", but is "http://json-schema.org/draft-07/schema#"',
    ],
    [
      { type: 'array', items: { type: 'string', pattern: '(' } },
      /^at \/items\/pattern: Invalid regular expression/,
    ],
    [
      { type: 'array', items: { type: 'string', format: 'e-mail' } },
      'at /items/format: unknown format "e-mail"',
    ],
    [{ type: 'array', items: { enum: [] } }, 'at /items/enum it must have items'],
    [
      { type: 'array', items: { type: 'array', minItems: 5, maxItems: 2 } },
      'at /items its "maxItems" is less than its "minItems"',
    ],
    [
      { type: 'array', items: { $ref: '#/$defs/a' }, $defs: { a: { $ref: '#/$defs/a' } } },
      'a "$ref" in it refers to itself',
    ],
    [null, 'it must be an object, but is null'],
    [true, 'it must be an object, but is true'],
    [[], 'it must be an object, but is an empty array'],
    ['schema', 'it must be an object, but is "schema"'],
  ])('%j', (faulty, message) => {
    const compile = () => compileSchema(faulty as object)
    expect(compile).toThrow(message)
    expect(compile).not.toThrow('\n')
  })
})

test('the same schema is compiled to the same code', () => {
  const code = compileSchema(schema)
  expect(compileSchema(structuredClone(schema))).toBe(code)
  expect(loadCheck(code)([{ ...page(), form: formOf({ name: 'A' }) }])).toHaveLength(1)
})

test.each([
  ['a "b"\n', '"a \\"b\\"\\n"'],
  ['x'.repeat(60), `"${'x'.repeat(60)}"`],
  ['x'.repeat(61), `"${'x'.repeat(59)}…"`],
  [`${'x'.repeat(58)}😀x`, `"${'x'.repeat(58)}…"`],
  ['\ud800', '"\\ud800"'],
  [-1.5e-7, '-1.5e-7'],
  [true, 'true'],
  [null, 'null'],
  [[], 'an empty array'],
  [[1], 'an array'],
  [{}, 'an object'],
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
  expect(
    check([78.1, 0.07, 1.15, 4.35, 1e6, 1234567890.12].map((price) => ({ ...good, price }))),
  ).toEqual([])
  const faulty = {
    path: '/a',
    image: 'a b',
    mail: 'a',
    day: '28.8.',
    updatedAt: '28.8.',
    price: 0.015,
  }
  expect(check([faulty]).map(({ pointer }) => pointer[1])).toEqual(Object.keys(faulty).slice(1))
})

/** Keywords, a value that they refuse, and what is said where. */
const KEYWORDS: [rule: object, value: unknown, ...told: string[]][] = [
  [{ not: { const: 'a' } }, 'a', ': must not be "a", but is "a"'],
  [{ not: { type: ['string', 'null'] } }, 'a', ': must not be a string or null, but is "a"'],
  [{ not: { pattern: '^a' } }, 'a', ': must not be what the schema describes there, but is "a"'],
  [{ contains: { const: 'a' } }, ['b', 'c'], ': must have at least 1 item of this kind: "a"'],
  [
    { items: { type: 'string' }, contains: { $ref: '#/$defs/a' } },
    ['b', 5],
    '/1: must be a string, but is 5',
    ': must have at least 1 item of this kind: what the schema describes there',
  ],
  [
    { contains: { type: 'string' }, minContains: 2, maxContains: 3 },
    ['b', 1],
    ': must have at least 2 items and at most 3 of this kind: a string',
  ],
  [
    { propertyNames: { pattern: '^[a-z]+$', maxLength: 2 } },
    { ABC: 1, b: 2 },
    '/ABC (key): the name of this key must have at most 2 characters, but has 3',
    '/ABC (key): the name of this key must match the pattern ^[a-z]+$ of the schema, but is "ABC"',
  ],
  [
    { dependentRequired: { a: ['b', 'c'] } },
    { a: 1 },
    ': must have the key "b", because it has the key "a"',
    ': must have the key "c", because it has the key "a"',
  ],
  [
    { dependentSchemas: { a: { properties: { b: { type: 'string' } } } } },
    { a: 1, b: 2 },
    '/b: must be a string, but is 2',
  ],
  [
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    { if: { required: ['a'] }, then: { required: ['b'] }, else: { required: ['c'] } },
    { a: 1 },
    ': must have the key "b"',
  ],
  [
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    { if: { required: ['a'] }, then: { required: ['b'] }, else: { required: ['c'] } },
    {},
    ': must have the key "c"',
  ],
  [
    { properties: { a: {} }, unevaluatedProperties: false },
    { b: 1 },
    '/b (key): unknown key "b"; move what it says to another key (it was not checked), or remove it and its value (the value is lost)',
  ],
  [
    { allOf: [{ properties: { a: {} } }], unevaluatedProperties: false },
    { a: 1, b: 1 },
    `/b (key): unknown key "b"; ${LOST}`,
  ],
  [{ prefixItems: [{}], unevaluatedItems: false }, [1, 2], ': must have at most 1 item, but has 2'],
  [{ prefixItems: [{}], items: false }, [1, 2], ': must have at most 1 item, but has 2'],
  [{ properties: { a: false } }, { a: 1 }, '/a: is not allowed here; remove it'],
  [{ maximum: 5 }, 6, ': must be at most 5, but is 6'],
  [{ exclusiveMinimum: 0 }, 0, ': must be more than 0, but is 0'],
  [{ exclusiveMaximum: 5 }, 5, ': must be less than 5, but is 5'],
  [{ minProperties: 1 }, {}, ': must have at least 1 key, but has 0'],
  [{ maxProperties: 1 }, { a: 1, b: 2 }, ': must have at most 1 key, but has 2'],
  [
    { uniqueItems: true },
    ['a', 'b', 'a', 'b', 'a', { x: 1, y: [2] }, { y: [2], x: 1 }],
    '/2: must differ from item 0 (the first is item 0), but is "a" too',
    '/3: must differ from item 1 (the first is item 0), but is "b" too',
    '/4: must differ from item 0 (the first is item 0), but is "a" too',
    '/6: must differ from item 5 (the first is item 0), but is an object too',
  ],
  [
    { minLength: 3, pattern: '^a', format: 'email' },
    'b',
    ': must have at least 3 characters, but has 1',
    ': must match the pattern ^a of the schema, but is "b"',
    ': must have the format "email", such as "ada@example.com", but is "b"',
  ],
  [
    { type: 'string', anyOf: [{ const: 'a' }, { const: 'b' }] },
    5,
    ': must be "a" or "b", but is 5',
  ],
  [{ const: { a: [1] } }, {}, ': must be {"a":[1]}, but is an object'],
  [{ type: 'string', enum: ['a', 'b'] }, 5, ': must be one of "a", "b", but is 5'],
  [
    { uniqueItems: true },
    [{ toString: 1 }, { valueOf: 2 }, { valueOf: 2, toString: 1 }, { toString: 1, valueOf: 2 }],
    '/3: must differ from item 2 (the first is item 0), but is an object too',
  ],
  [
    { uniqueItems: true, items: { type: 'string' } },
    ['__proto__', '__proto__'],
    '/1: must differ from item 0 (the first is item 0), but is "__proto__" too',
  ],
  [
    { const: { a: 1 } },
    { valueOf: 1 },
    ': must be {"a":1}, but is an object (what is in it was not checked)',
  ],
  [{ multipleOf: 10_000_000 }, 7, ': must be a multiple of 10000000, but is 7'],
  [
    { minimum: 5, multipleOf: 2 },
    3,
    ': must be at least 5, but is 3',
    ': must be a multiple of 2, but is 3',
  ],
]

test.each(KEYWORDS)('%j refuses %j in plain words, for each keyword', (rule, value, ...told) => {
  const items = { type: 'object', required: ['path'], properties: { value: rule } }
  const check = compileCheck({ type: 'array', items, $defs: { a: { const: 'a' } } })
  expect(tell([{ path: '/a', value }], check)).toEqual(told.map((each) => `/0/value${each}`))
})

test('a fault beside a list that lacks an item is reported, though both have one definition', () => {
  const a = { $ref: '#/$defs/a' }
  const properties = { other: a, list: { contains: a } }
  const items = { type: 'object', required: ['list'], properties }
  const check = compileCheck({ type: 'array', items, $defs: { a: { type: 'string' } } })
  expect(
    tell(
      [
        { other: 1, list: [2] },
        { list: ['x'], other: 3 },
      ],
      check,
    ),
  ).toEqual([
    '/0/other: must be a string, but is 1',
    '/0/list: must have at least 1 item of this kind: what the schema describes there',
    '/1/other: must be a string, but is 3',
  ])
})

test.each(['password', 'binary'])('the format %s, which refuses nothing, is no error', (format) => {
  const title = { type: 'string', format, pattern: '^[a-c]+$' }
  const check = compileCheck({
    type: 'array',
    items: { required: ['title'], properties: { title } },
  })
  expect(tell([{ title: 'аb' }], check)).toEqual([
    expect.stringMatching(/; did you mean "ab"\? \(а is a Cyrillic letter; write a\)$/),
  ])
})

test('a list is named by its key only if it has pages', () => {
  const told = (batch: object) => tell(batch)
  expect(told({ error: [], pages: [page()] })).toEqual([
    ': must be an array, but is an object; keep only the list of the key "pages"',
  ])
  expect(told({ error: [], pages: [] })).toEqual([
    ': must be an array, but is an object (what is in it was not checked)',
  ])
  expect(told({ pages: null })).toEqual([
    ': must be an array, but is an object (what is in it was not checked)',
  ])
})

test('a list where there must be a text is not taken for a form', () => {
  const check = compileCheck({
    type: 'array',
    items: { required: ['form'], properties: { form: { type: 'string' } } },
  })
  expect(tell([{ form: [{ name: 'a' }] }], check)).toEqual([
    '/0/form: must be a string, but is an array (what is in it was not checked)',
  ])
})

test('a format of numbers refuses a number in one sentence', () => {
  const views = { type: 'integer', format: 'int32' }
  const check = compileCheck({
    type: 'array',
    items: { required: ['views'], properties: { views } },
  })
  expect(tell([{ views: 3_000_000_000 }], check)).toEqual([
    '/0/views: must have the format "int32", but is 3000000000',
  ])
})

test('a list of pages is refused once by a schema that wants an object', () => {
  const check = compileCheck({ type: 'object', required: ['pages'] })
  const { shapes, violations } = checkAsMeant([page(), page()], check)
  expect([...shapes, ...violations].map(({ message }) => message)).toEqual([
    'must be an object, but is an array; put { "pages": before it and } after it',
  ])
})

test('a form that has a name is taken for a field only where a form has fields', () => {
  const form = { type: 'object', required: ['name', 'email'] }
  const check = compileCheck({ type: 'array', items: { required: ['form'], properties: { form } } })
  expect(tell([{ form: { name: 'x' } }], check)).toEqual(['/0/form: must have the key "email"'])
})
