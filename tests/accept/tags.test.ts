/** Unions: the check compares the tags of their branches first, and decides as ajv does without that. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileSchema, loadCheck } from '../../src/accept/compile.ts'
import { tagsOfBranches } from '../../src/schema/tags.ts'
import { times } from '../helpers/long.ts'
import { compileCheck, refusedBy } from '../helpers/page.ts'
import { property } from '../helpers/property.ts'

const key = fc.constantFrom('type', 'kind', 'content')
const scalar = fc.constantFrom('a', 'b', '', 1, 0, true, null)
const listed = fc.oneof(
  { arbitrary: scalar, weight: 3 },
  fc.constantFrom<unknown>({ type: 'a' }, ['a']),
)

/** Values with the keys and the values that the schemas name. */
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'medium' },
    fc.oneof(listed, fc.constantFrom<unknown>({}, [])),
    fc.dictionary(key, tie('value'), { maxKeys: 3 }),
    fc.dictionary(key, listed, { maxKeys: 3 }),
    fc.array(tie('value'), { maxLength: 2 }),
  ),
}))

const ofKey = fc.oneof(
  { arbitrary: listed.map((one): object => ({ const: one })), weight: 4 },
  {
    arbitrary: fc.array(listed, { minLength: 1, maxLength: 3 }).map((all) => ({ enum: all })),
    weight: 2,
  },
  { arbitrary: fc.constant({ $ref: '#/$defs/node' }), weight: 2 },
  fc.constantFrom({ $ref: '#/$defs/tag' }, { type: 'string' }, { type: 'null' }, {}),
)
const properties = fc.dictionary(key, ofKey, { maxKeys: 3 })

/** Of an object with some keys, or of anything. */
const plain = fc.record(
  {
    type: fc.constantFrom('object', 'string', 'null', ['object', 'null'], ['array', 'string']),
    properties,
    required: fc.uniqueArray(key, { maxLength: 2 }),
    additionalProperties: fc.constantFrom(false, { type: 'string' }),
    minProperties: fc.constantFrom(1, 2),
  },
  { requiredKeys: ['properties'] },
)

/** A union, with or without something beside it. */
const unionOf = (branch: fc.Arbitrary<unknown>) => {
  const branches = fc.array(branch, { minLength: 1, maxLength: 4 })
  const beside = fc.oneof(plain, fc.constant({}))
  return fc
    .tuple(fc.constantFrom('anyOf', 'oneOf'), branches, beside)
    .map(([keyword, all, rest]): object => ({ ...rest, [keyword]: all }))
}

const branch = fc.oneof(
  { arbitrary: plain, weight: 4 },
  { arbitrary: fc.constantFrom({ $ref: '#/$defs/one' }, { $ref: '#/$defs/other' }), weight: 2 },
  fc.tuple(plain, plain).map(([a, b]) => ({ ...a, allOf: [b, { $ref: '#/$defs/one' }] })),
  fc.record({ not: unionOf(plain), properties }),
  fc.record({ if: unionOf(plain), else: plain, properties }),
  fc.constantFrom<unknown>(true, false, { type: 'string' }, { type: 'null' }),
  unionOf(plain),
)

const parts = fc.record({ whole: unionOf(branch), node: unionOf(branch), one: plain, other: plain })
const schema = parts.map(({ whole, node, one, other }) => {
  return { ...whole, $defs: { node, one, other, tag: { enum: ['a', 'b'] } } }
})
const values = fc.array(value, { minLength: 30, maxLength: 30 })

const ajv = new Ajv2020({ strict: false, ownProperties: true })

property([schema, values], { numRuns: times(200) })(
  'whatever the branches of a union and their tags, the check decides as ajv does',
  (random, candidates) => {
    const isValid = ajv.compile(random)
    const check = compileCheck(random)
    for (const one of candidates) expect(refusedBy(check, one).length === 0).toBe(isValid(one))
  },
)

property([schema, values], { numRuns: times(100) })(
  'a union with unevaluated keys decides of a value in a list as it does of the value alone',
  (random, candidates) => {
    const closed = { ...random, unevaluatedProperties: false }
    const { $defs, ...items } = closed
    const alone = loadCheck(compileSchema(closed))
    const inList = loadCheck(compileSchema({ items, $defs }))

    const isRefused = (position: number) => alone(candidates[position]).faults.length > 0
    const refused = new Set(inList(candidates).faults.map(({ pointer }) => Number(pointer[0])))
    expect([...refused]).toEqual([...candidates.keys()].filter(isRefused))
  },
)

const branchOf = (properties: object, required: string[] = []) => ({ properties, required })

test('a tag may be in what a branch refers to, or in a part of it', () => {
  const node = { anyOf: [{ $ref: '#/$defs/a' }, { allOf: [branchOf({ type: { enum: ['b'] } })] }] }
  const $defs = { a: branchOf({ type: { $ref: '#/$defs/name' } }, ['type']), name: { const: 'a' } }
  expect(tagsOfBranches(node, 'anyOf', { ...node, $defs })).toEqual([
    [{ key: 'type', values: ['a'], isRequired: true }],
    [{ key: 'type', values: ['b'], isRequired: false }],
  ])
})

test('a key that all branches have alike is not a tag', () => {
  const level = { enum: ['low', 'high'] }
  const node = { oneOf: [branchOf({ level, type: { const: 'a' } }), branchOf({ level })] }
  const [first, second] = tagsOfBranches(node, 'oneOf', node)
  expect(first?.map(({ key }) => key)).toEqual(['type'])
  expect(second).toEqual([])
})

test('a key that every object inherits is a tag of an object that has it', () => {
  const union = ['a', 'b'].map((one) => branchOf({ constructor: { const: one } }))
  const check = loadCheck(compileSchema({ anyOf: union }))
  expect(check({}).faults).toEqual([])
  expect(check({ constructor: 'c' }).faults).toHaveLength(1)
})

test('a value that is an object is compared with all its keys, not as a tag', () => {
  const union = [1, 2].map((a) => branchOf({ type: { const: { a } } }))
  const check = loadCheck(compileSchema({ oneOf: union }))
  expect(check({ type: { a: 2 } }).faults).toEqual([])
})

test('a key that a branch declares is not evaluated where the branch refuses the object', () => {
  const union = [branchOf({ type: { const: 1 }, x: {} }), branchOf({ type: { const: 2 } })]
  const items = { anyOf: union, unevaluatedProperties: false }
  const { faults } = loadCheck(compileSchema({ items }))([
    { type: 1, x: 1 },
    { type: 2, x: 1 },
  ])
  expect(faults.map(({ pointer }) => pointer)).toEqual([['1', 'x']])
})

test('a key of an "if" is evaluated only where the "if" holds', () => {
  const schema = {
    if: branchOf({ a: { const: 1 } }),
    else: { required: ['a'] },
    unevaluatedProperties: false,
  }
  const check = loadCheck(compileSchema(schema))
  expect(check({ a: 1 }).faults).toEqual([])
  expect(check({ a: 2 }).faults).toHaveLength(1)
})

test('"constructor" is unevaluated like any other key', () => {
  const schema = { patternProperties: { '^a': {} }, unevaluatedProperties: false }
  expect(loadCheck(compileSchema(schema))({ constructor: 1 }).faults).toHaveLength(1)
})
