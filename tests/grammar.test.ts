import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { compileSchema, loadCheck } from '../src/dataset/schema.ts'
import { compileGrammar, type Grammar } from '../src/scanner/grammar.ts'
import { makeScan, NORMAL, strideOf } from '../src/scanner/scan.ts'
import { assemble } from '../src/scanner/scanner.ts'
import { times } from './long.ts'
import { property } from './property.ts'

/** A schema of a batch whose records have a path and one value. */
function batchOf(value: object, others: object = {}) {
  const properties = { path: { type: 'string' }, value }
  const record = { type: 'object', required: ['path', 'value'], properties, ...others }
  return { type: 'array', items: { title: 'Page', additionalProperties: false, ...record } }
}

const program = assemble()

/** Returns a function that says which of some records a grammar accepts. */
function acceptorOf(grammar: Grammar): (records: readonly unknown[]) => boolean[] {
  const scan = makeScan(grammar, program)
  return (records) => {
    const scanned = scan?.(Buffer.from(JSON.stringify(records)))
    if (!scanned) throw new Error('the batch cannot be scanned')
    const { rows } = scanned
    return records.map((_, index) => (rows[index * strideOf(grammar) + NORMAL] as number) >= 0)
  }
}

/** Returns a function that says which of some values the grammar of their schema accepts. */
function valueAcceptorOf(value: object) {
  const compiled = compileGrammar(batchOf(value))
  if ('declined' in compiled) throw new Error(JSON.stringify(compiled.declined))
  const accepts = acceptorOf(compiled.grammar)
  return (values: readonly unknown[]) => accepts(values.map((value) => ({ path: '', value })))
}

const PATTERNS = [
  ...[
    '',
    'a',
    '^a',
    'a$',
    '^a$',
    '^$',
    '^a|b$',
    '(a|b)c',
    '^(?:a|bc)*$',
    'a?',
    '^a{2}$',
    '^a{2,}$',
  ],
  ...[
    '^a{1,3}b+$',
    '^[abc]+$',
    '^[^abc]+$',
    '^.$',
    '^\\s+$',
    '^\\S$',
    '^\\d\\w\\W$',
    '^[\\s\\d]*$',
  ],
  ...[
    '^(?!a)',
    '^(?=a)',
    '^(?!\\s*$).+$',
    'a(?!b)',
    '(?=.*b)a',
    '^(?:a(?!bb)b){1,2}$',
    '(?:(?!ab)a){2}',
  ],
  ...[
    '^\\p{L}+$',
    '^[\\p{Lu}é]$',
    '^\\u{1F600}$',
    '^[\\u{1F600}-\\u{1F64F}]$',
    '^[à-ÿ]*$',
    '"',
    '\\\\',
  ],
  ...[
    '^[\\u0000-\\u001f]$',
    '^[^"\\\\]*$',
    '^\\/',
    '[\\ud7ff-\\ue000]',
    '^[\\u07ff\\u0800\\uffff]$',
  ],
]
const anyText = fc.oneof(
  fc.string({
    unit: fc.constantFrom(
      ...'aaabbbc1 "\\/\n\t\u0000\u001f\u007f\u0085éàÿĀ漢😀😃🙏\u07ff\u0800\uffff\ud7ff\ue000\u2028',
    ),
  }),
  fc.string({ unit: 'binary', maxLength: 3 }),
)

describe('a pattern', () => {
  const acceptors = PATTERNS.map((pattern) => [pattern, valueAcceptorOf({ pattern })] as const)
  const someTexts = fc.array(anyText, { minLength: 10, maxLength: 30 })

  property([someTexts], { numRuns: times(20) })('is matched as the engine matches it', (texts) => {
    for (const [pattern, accepts] of acceptors) {
      const matches = texts.map((text) => new RegExp(pattern, 'u').test(text))
      expect([pattern, texts, accepts(texts)]).toEqual([pattern, texts, matches])
    }
  })

  test.each(['\\bword', '(a)\\1', '(?<=a)b', 'a^b', '(?:(?!ab)a)*', '(?<!a)b', 'a{2000}'])(
    '%j is left to the check',
    (pattern) => {
      const declined = { keyword: 'pattern', pointer: '/items/properties/value' }
      expect(compileGrammar(batchOf({ pattern }))).toEqual({ declined })
    },
  )
})

describe('a schema', () => {
  const VALUES: [object, unknown[], unknown[]][] = [
    [{ type: 'null' }, [null], [false, 0, 'null']],
    [{ type: 'boolean' }, [true, false], [null, 'true']],
    [{ type: ['boolean', 'null'] }, [true, null], ['']],
    [{ enum: ['a', null, 'é"'] }, ['a', null, 'é"'], ['b', 'A', '']],
    [{ const: 'a' }, ['a'], ['aa', null]],
    [{ type: 'string', minLength: 2, maxLength: 3 }, ['ab', '😀😀😀', '\n\n'], ['a', 'abcd', '']],
    [{ anyOf: [{ type: 'null' }, { type: 'string', maxLength: 1 }] }, [null, 'a'], ['ab', true]],
    [{ type: 'string', pattern: 'a', maxLength: 2 }, ['a', 'ba'], ['b', 'aaa']],
    [{ type: 'array', items: { type: 'null' } }, [[], [null], [null, null]], [[1], null]],
    [
      { type: 'array', minItems: 2, maxItems: 3, items: { type: 'null' } },
      [[null, null]],
      [[], [null], Array(4).fill(null)],
    ],
    [{ type: 'array', maxItems: 1, items: { type: 'null' } }, [[], [null]], [[null, null]]],
    [{ type: 'array', maxItems: 0, items: { type: 'null' } }, [[]], [[null]]],
    [
      {
        type: 'object',
        required: ['b'],
        properties: { a: { type: 'null' }, b: { type: 'null' }, c: { type: 'null' } },
      },
      [{ b: null }, { a: null, b: null }, { b: null, c: null }, { a: null, b: null, c: null }],
      [{}, { a: null }, { b: 1 }, null],
    ],
    [{ type: 'object', properties: {} }, [{}], [null, []]],
    [
      { format: 'date-time', type: 'string' },
      ['2025-12-31T23:59:59.1+23:59'],
      ['2025-02-30T00:00:00Z', '2025-01-01'],
    ],
  ]
  test.each(VALUES)('%j accepts what the check accepts', (value, valid, invalid) => {
    const accepts = valueAcceptorOf(value)
    const check = loadCheck(compileSchema(batchOf(value)))
    const values = [...valid, ...invalid]
    const isRight = values.map((_, index) => index < valid.length)
    expect([values, accepts(values)]).toEqual([values, isRight])
    const isValid = values.map((value) => check([{ path: '', value }]).length === 0)
    expect([values, isValid]).toEqual([values, isRight])
  })

  test.each([
    ['has further keywords for the batch', { ...batchOf({ type: 'null' }), minItems: 1 }],
    ['has further keywords for a record', batchOf({ type: 'null' }, { minProperties: 1 })],
    ['allows a record without a path', batchOf({ type: 'null' }, { required: ['value'] })],
    [
      'allows a path that is not a string',
      batchOf({}, { properties: { path: { type: ['string', 'null'] } } }),
    ],
    ['has a number, which can be written in many ways', batchOf({ type: 'number' })],
    ['has an unknown keyword', batchOf({ type: 'string', contentEncoding: 'base64' })],
    ['has a negation', batchOf({ type: 'string', not: { const: 'a' } })],
    [
      'has keys that JavaScript sorts',
      batchOf({ type: 'object', properties: { 1: { type: 'null' } } }),
    ],
    [
      'refers to itself',
      {
        ...batchOf({ $ref: '#/$defs/a' }),
        $defs: { a: { type: 'array', items: { $ref: '#/$defs/a' } } },
      },
    ],
    ['needs more states than a table can have', batchOf({ pattern: '^(?:a|b)*a(?:a|b){14}$' })],
    [
      'takes too long to compile',
      batchOf({ pattern: `^${'(?=.*a{9}b{9}c)'.repeat(3)}(?:x?y?){900}$`, minLength: 900 }),
    ],
  ])('that %s has no grammar', (_, schema) => {
    expect(compileGrammar(schema)).toHaveProperty('declined')
  })

  const elsewhere = { $id: 'https://elsewhere.example/', $defs: { a: { type: 'null' } } }
  test.each<[string, string, object]>([
    ['minItems', '', { ...batchOf({}), minItems: 1 }],
    ['minProperties', '/items', batchOf({ type: 'null' }, { minProperties: 1 })],
    ['required', '/items', batchOf({ type: 'null' }, { required: ['value'] })],
    ['uniqueItems', '/items/properties/value', batchOf({ type: 'array', uniqueItems: true })],
    ['type', '/items/properties/value', batchOf({})],
    ['type', '/items/properties/value', batchOf({ type: ['null', 'number'] })],
    ['pattern', '/items/properties/value', batchOf({ pattern: '(?<=a)b' })],
    // The engine may support what the parser of patterns does not.
    ['pattern', '/items/properties/value', batchOf({ pattern: '\\p{Script=Unknown_to_it}' })],
    ['maxLength', '/items/properties/value', batchOf({ type: 'string', maxLength: 5_000 })],
    [
      'maxItems',
      '/items/properties/value',
      batchOf({ type: 'array', items: { type: 'null' }, maxItems: 5_000 }),
    ],
    ['enum', '/items/properties/value/anyOf/1', batchOf({ anyOf: [{ const: '' }, { enum: [1] }] })],
    ['enum', '/$defs/a', { ...batchOf({ $ref: '#/$defs/a' }), $defs: { a: { enum: ['\ud800'] } } }],
    ['$ref', '/items/properties/value', batchOf({ $ref: '#/items' })],
    [
      '$ref',
      '/$defs/a/items',
      {
        ...batchOf({ $ref: '#/$defs/a' }),
        $defs: { a: { type: 'array', items: { $ref: '#/$defs/a' } } },
      },
    ],
    ['$id', '/$defs/b', { ...batchOf({ type: 'null' }), $defs: { b: elsewhere } }],
    [
      'properties',
      '/items/properties/value',
      batchOf({ type: 'object', properties: { '\ud800': { type: 'null' } } }),
    ],
    [
      'not',
      '/items/properties/value/properties/a~1b',
      batchOf({ type: 'object', properties: { 'a/b': { not: { type: 'null' } } } }),
    ],
    ['properties', '/items', batchOf({ pattern: '^(?:a|b)*a(?:a|b){14}$' })],
  ])('without a grammar is reported by its keyword %j at %j', (keyword, pointer, schema) => {
    expect(compileGrammar(schema)).toEqual({ declined: { keyword, pointer } })
  })
})

describe('no grammar accepts what the check refuses', () => {
  const TEXTS = [
    ...[
      '',
      'a',
      'b',
      'ab',
      'ba',
      'aab',
      'A',
      '1',
      '\u00e9',
      '\u{1f600}',
      'a\u{1f600}',
      '"',
      '\\',
      '/',
    ],
    ...['\n', '\u0000', '\u001f', '\u007f', '\u2028', '\ud800', 'a\udc00', '\ufeff', '\uffff'],
    ...['2024-02-29T00:00:00Z', '2023-02-29T00:00:00Z', '2025-08-28t10:15:00z'],
    ...['1985-04-12T00:59:59.999999999999999Z', '1985-04-12T00:59:59.999999999Z'],
    ...['2016-12-31T23:59:60Z', '2025-04-31T00:00:00Z', '2025-08-28T24:00:00Z'],
    ...['2025-08-28T10:15:00+2400', '2025-08-28T10:15:00+23:59', '2025-08-28T10:15:00-24:00'],
  ]
  const SCALARS = [null, true, false, 0, 1, -1.5, 1e21, ...TEXTS]
  const anyScalar = fc.constantFrom(...SCALARS)
  const anyItem = fc.constantFrom<unknown>(null, true, 'a', 'ab', 1, [], {})
  const KEYS = ['a', 'b', 'c/"\u00e9', 'constructor', '__proto__', '1', '\ud800']
  const someKeys = fc.uniqueArray(
    fc.oneof({ weight: 12, arbitrary: fc.constantFrom('a', 'b') }, fc.constantFrom(...KEYS)),
    { maxLength: 3 },
  )
  /** An object with exactly these members, including `__proto__`. */
  const objectOf = (entries: [string, unknown][]) =>
    JSON.parse(`{${entries.map((entry) => entry.map((each) => JSON.stringify(each)).join(':'))}}`)
  const anyObject = fc.array(fc.tuple(fc.constantFrom(...KEYS), anyItem), { maxLength: 3 })
  const someValues = fc.array(
    fc.oneof(anyScalar, fc.array(anyItem, { maxLength: 4 }), anyObject.map(objectOf)),
    { minLength: 20, maxLength: 40 },
  )

  const anyLength = fc.nat(3)
  const textKeywords = fc.record({
    type: fc.constant('string'),
    pattern: fc.constantFrom(...PATTERNS),
    format: fc.constant('date-time'),
    minLength: anyLength,
    maxLength: anyLength,
    enum: fc.uniqueArray(anyScalar, { minLength: 1, maxLength: 4 }),
  })
  const TEXT_KEYWORDS = ['type', 'pattern', 'format', 'minLength', 'maxLength', 'enum'] as const
  const { value: anySchema } = fc.letrec<{ value: object }>((tie) => ({
    value: fc
      .tuple(
        fc.oneof(
          { depthSize: 'small', withCrossShrink: true, maxDepth: 3 },
          fc.constantFrom(
            ...[
              'null',
              'boolean',
              'string',
              'number',
              ['string', 'null'],
              ['boolean', 'array'],
            ].map((type) => ({ type })),
          ),
          // Hardly any text would be valid by all keywords at once.
          fc
            .tuple(textKeywords, fc.subarray([...TEXT_KEYWORDS], { maxLength: 3 }))
            .map(([all, some]) =>
              Object.fromEntries(some.map((keyword) => [keyword, all[keyword]])),
            ),
          fc.constantFrom(
            ...['#/$defs/a', '#/$defs/b', '#/$defs/c', '#'].map(($ref) => ({ $ref })),
          ),
          fc.oneof(anyScalar, anyItem).map((value) => ({ const: value })),
          fc
            .uniqueArray(fc.oneof(anyScalar, anyItem), { minLength: 1, maxLength: 4 })
            .map((values) => {
              return { enum: values }
            }),
          fc.record(
            {
              type: fc.constant('array'),
              items: tie('value'),
              minItems: anyLength,
              maxItems: anyLength,
            },
            { requiredKeys: ['type', 'items'] },
          ),
          fc
            .record({
              keys: someKeys,
              schemas: fc.array(tie('value'), { minLength: 3, maxLength: 3 }),
              required: fc.option(someKeys, { nil: undefined }),
              additionalProperties: fc.constantFrom(undefined, false, true, { type: 'null' }),
            })
            .map(({ keys, schemas, ...others }) => {
              const properties = objectOf(keys.map((key, index) => [key, schemas[index]]))
              return JSON.parse(JSON.stringify({ type: 'object', properties, ...others }))
            }),
          fc.array(tie('value'), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
          fc.tuple(tie('value'), tie('value')).map(([one, other]) => ({ ...one, ...other })),
        ),
        fc.oneof(
          { weight: 60, arbitrary: fc.constant({}) },
          { weight: 1, arbitrary: fc.constantFrom({ $anchor: 'a' }, { uniqueItems: true }) },
          { weight: 1, arbitrary: fc.constantFrom({ default: 1 }, { $comment: 'a' }) },
          { weight: 1, arbitrary: tie('value').map((value) => ({ not: value })) },
        ),
      )
      .map(([schema, more]) => ({ ...schema, ...more })),
  }))

  // ajv warns about keywords that do not apply to a value's type.
  beforeAll(() => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
  })
  afterAll(() => void vi.restoreAllMocks())

  /** @returns how many of the values the grammar accepts */
  const expectSound = (value: object, $defs: object, values: readonly unknown[]) => {
    const schema = { $id: 'https://here.example/', ...batchOf(value), $defs }
    const compiled = compileGrammar(schema)
    if ('declined' in compiled) return 0
    let code: string
    try {
      code = compileSchema(schema)
    } catch {
      // For example a reference to nothing.
      return 0
    }
    const check = loadCheck(code)
    const batch = values.map((value) => ({ path: '', value }))
    const isAccepted = acceptorOf(compiled.grammar)(batch)
    const those = batch.filter((_, index) => isAccepted[index])
    expect(those.filter((record) => check([record]).length > 0)).toEqual([])
    return those.length
  }
  const anyDefs = fc.record({ a: anySchema, b: anySchema })

  property([anySchema, anyDefs, someValues], { numRuns: times(100) })(
    'whatever the schema',
    (value, $defs, values) => {
      expectSound(value, $defs, [...values, ...SCALARS])
    },
  )
  test('and many of these schemas have a grammar that accepts some of these values', () => {
    const samples = fc.sample(fc.tuple(anySchema, anyDefs), { seed: 1, numRuns: 60 })
    const fruitful = samples.filter(([value, $defs]) => expectSound(value, $defs, SCALARS) > 0)
    expect(fruitful.length).toBeGreaterThan(10)
  })

  const inScope = fc.record({
    $id: fc.constantFrom('a', 'https://elsewhere.example/'),
    $defs: anyDefs,
  })
  const anyReference = fc.constantFrom({ $ref: '#/$defs/a' }, { $ref: '#/$defs/b' })
  const anyScoped = fc.oneof(
    fc.tuple(inScope, anyReference).map(([scope, reference]) => ({ ...scope, ...reference })),
    fc.tuple(inScope, anyReference).map(([scope, items]) => ({ ...scope, type: 'array', items })),
    fc
      .tuple(inScope, anyReference)
      .map(([scope, kind]) => ({ anyOf: [{ ...scope, anyOf: [kind] }] })),
  )
  property([anyScoped, anyDefs, someValues], { numRuns: times(200) })(
    'even if an $id changes the meaning of references',
    (value, $defs, values) => {
      expectSound(value, $defs, [...values, ...SCALARS])
    },
  )
})
