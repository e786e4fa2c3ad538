import { fc, test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import schema from '../schema/batch.schema.json'
import { parseGrammar, stringifyGrammar, toGrammar } from '../src/dataset/grammar.ts'
import { Scanner } from '../src/dataset/scan.ts'
import { compileSchema, loadCheck, loadGrammar } from '../src/dataset/schema.ts'
import { page } from './page.ts'

/** A schema of a batch whose records have a path and one value. */
function batchOf(value: object, others: object = {}) {
  const properties = { path: { type: 'string' }, value }
  const record = { type: 'object', required: ['path', 'value'], properties, ...others }
  return { type: 'array', items: { title: 'Page', additionalProperties: false, ...record } }
}

/** Whether the grammar of a schema accepts a record with a value, in its normal form. */
function acceptorOf(value: object) {
  const grammar = toGrammar(batchOf(value))
  if (!grammar) throw new Error('there is no grammar')
  const scanner = new Scanner(grammar)
  return (value: unknown) => {
    expect(scanner.scan(Buffer.from(JSON.stringify([{ path: '', value }])))).toBe(true)
    return scanner.doubtful.length === 0
  }
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
  test.prop([anyText], { numRuns: 500 })('is matched as by the engine', (text) => {
    for (const [pattern, accepts] of acceptors) {
      expect([pattern, accepts(text)]).toEqual([pattern, new RegExp(pattern, 'u').test(text)])
    }
  })
  const acceptors = PATTERNS.map((pattern) => [pattern, acceptorOf({ pattern })] as const)

  test.each(['\\bword', '(a)\\1', '(?<=a)b', 'a^b', '(?:(?!ab)a)*', '(?<!a)b', 'a{2000}'])(
    '%j is left to the check',
    (pattern) => {
      expect(toGrammar(batchOf({ pattern }))).toBeUndefined()
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
    const accepts = acceptorOf(value)
    const check = loadCheck(compileSchema(batchOf(value)))
    const isValid = (value: unknown) => check([{ path: '', value }]).length === 0
    for (const each of valid)
      expect([each, accepts(each), isValid(each)]).toEqual([each, true, true])
    for (const each of invalid)
      expect([each, accepts(each), isValid(each)]).toEqual([each, false, false])
  })

  test.each([
    ['says more of a batch', { ...batchOf({ type: 'null' }), minItems: 1 }],
    ['says more of a record', batchOf({ type: 'null' }, { minProperties: 1 })],
    ['admits a record without a path', batchOf({ type: 'null' }, { required: ['value'] })],
    [
      'admits a path that is no string',
      batchOf({}, { properties: { path: { type: ['string', 'null'] } } }),
    ],
    ['has a number, which can be written in many ways', batchOf({ type: 'number' })],
    ['has a rule that is not known here', batchOf({ type: 'string', contentEncoding: 'base64' })],
    ['refuses what another rule admits', batchOf({ type: 'string', not: { const: 'a' } })],
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
    [
      'has more to say than a table can hold',
      batchOf({ pattern: `^${'(?=.*a{9}b{9}c)'.repeat(3)}(?:x?y?){900}$`, minLength: 900 }),
    ],
  ])('that %s has no grammar', (_, schema) => {
    expect(toGrammar(schema)).toBeUndefined()
  })

  test('is known by its grammar in the next build', () => {
    const grammar = toGrammar(schema)
    if (!grammar) throw new Error('there is no grammar')
    expect(parseGrammar(stringifyGrammar(grammar))).toEqual(grammar)
    expect(loadGrammar(compileSchema(schema))).toEqual(grammar)
    expect(loadGrammar(compileSchema(batchOf({ type: 'number' })))).toBeUndefined()
    const scanner = new Scanner(parseGrammar(stringifyGrammar(grammar)) ?? grammar)
    expect(scanner.scan(Buffer.from(JSON.stringify([page()])))).toBe(true)
    expect(scanner.doubtful).toEqual([])
  })
})
