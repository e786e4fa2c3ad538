/** Which branch of a union an author meant, shown by the faults that are left. */
import { expect, test } from 'vitest'
import { compileCheck, refusedBy } from '../helpers/page.ts'

const text = { type: 'string' }

/** A value with some keys, some of them required. */
const objectOf = (properties: object, required: string[]) => {
  return { type: 'object', properties, required }
}

const ADDRESS = objectOf({ street: text, town: text, country: text }, ['street', 'town'])
const POINT = objectOf({ latitude: text, longitude: text }, ['latitude', 'longitude'])

/** Returns what is wrong with a record whose "place" must be an address or a point. */
function faultsOf(place: object) {
  const properties = { path: text, place: { anyOf: [ADDRESS, POINT] } }
  const items = { type: 'object', required: ['path'], properties }
  return refusedBy(compileCheck({ type: 'array', items }), [{ path: '/a', place }])
}

test('the only branch that lacks no key was meant', () => {
  expect(faultsOf({ street: 'Mill Lane', town: 7 })).toMatchObject([
    { code: 'schema.type', pointer: ['0', 'place', 'town'] },
  ])
})

test('if each branch lacks a key, all of them are named, even if the value has more keys of one', () => {
  expect(faultsOf({ street: 'Mill Lane', country: 'UK' })).toMatchObject([
    { code: 'schema.one-key', facts: { choices: [['town'], ['latitude', 'longitude']] } },
  ])
})

/** Returns the messages about a value that must fit one branch of a union. */
function messagesOf(branches: object[], value: unknown): string[] {
  const properties = { path: text, value: { oneOf: branches } }
  const items = { type: 'object', required: ['path'], properties }
  const check = compileCheck({ type: 'array', items })
  return refusedBy(check, [{ path: '/a', value }]).map(({ message }) => message)
}

const AT_LEAST_0 = { type: 'integer', minimum: 0 }

test.each([
  [[{ enum: [-4, -3] }, AT_LEAST_0], 'be -4 or -3, or be at least 0'],
  [[{ const: -2 }, { type: 'null' }, AT_LEAST_0], 'be -2, be null, or be at least 0'],
])('values that a branch lists are named beside the limit of another one', (branches, demand) => {
  expect(messagesOf(branches, -14)).toEqual([
    `The number -14 isn't allowed here. It must ${demand}.`,
  ])
})

test('texts that a branch lists are not named for a number', () => {
  expect(messagesOf([{ enum: ['none'] }, AT_LEAST_0], -14)).toEqual([
    'The number -14 is too small. It must be at least 0.',
  ])
})

const closed = (properties: object) => {
  return {
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  }
}

test('a branch that a "not" keeps the value out of was not meant', () => {
  const branches = [
    closed({ kind: { const: 'a' }, page: {} }),
    closed({ kind: { const: 'b' }, path: {} }),
    { properties: { kind: { not: { enum: ['a', 'b'] } } }, required: ['kind'] },
  ]
  expect(messagesOf(branches, { kind: 'b', paths: 'x' })).toEqual([
    'The key "paths" isn\'t allowed here. Nearest: "path", which is missing.',
  ])
})

test('a branch was meant also if it does not allow two of its keys together', () => {
  const fixture = closed({ fixture: text, before: text, after: text })
  const branches = [closed({ case: text }), { ...fixture, not: { required: ['before', 'after'] } }]
  expect(messagesOf(branches, { fixture: 'a', before: 'b', after: 'c' })).toEqual([
    'The keys "before" and "after" aren\'t allowed together.',
  ])
})

test('a branch without the key whose value is wrong was not meant', () => {
  const parameter = closed({ name: text, in: { enum: ['path', 'query'] } })
  const reference = objectOf({ $ref: text }, ['$ref'])
  const messages = messagesOf([parameter, reference], { name: 'a', in: 'querry' })
  expect(messages).toEqual([
    '"querry" isn\'t allowed here. Allowed: "path", "query". Nearest: "query".',
  ])
})

test('a branch without any key was not meant if the value has those of another one', () => {
  const branches = [
    closed({ kind: { enum: ['a', 'b'] } }),
    { type: 'object', required: ['nothing'] },
  ]
  expect(messagesOf(branches, { kind: 'c' })).toEqual([
    '"c" isn\'t allowed here. Allowed: "a", "b".',
  ])
})

test('a key that each branch requires, and is misspelled, is named as one that none allows', () => {
  const branches = [closed({ fullName: text, a: text }), closed({ fullName: text, b: text })]
  expect(messagesOf(branches, { full_name: 'x', a: 'y' })).toEqual([
    'The key "full_name" isn\'t allowed here. Nearest: "fullName", which is missing.',
  ])
})

test('a key that is declared beside a union shows which branch was meant', () => {
  const check = compileCheck({
    properties: { kind: {}, size: {} },
    anyOf: [{ properties: { kind: { const: 'a' } }, required: ['color'] }, { required: ['size'] }],
  })
  expect(refusedBy(check, { kind: 'b' }).map(({ message }) => message)).toEqual([
    'The key "size" is missing.',
  ])
})

test('the values of a tag that are also listed beside the union are named once', () => {
  const kinds = ['a', 'b'].map((kind) => ({ properties: { kind: { const: kind } } }))
  const check = compileCheck({ properties: { kind: { enum: ['a', 'b'] } }, oneOf: kinds })
  expect(refusedBy(check, { kind: 'c' }).map(({ message }) => message)).toEqual([
    '"c" isn\'t allowed here. Allowed: "a", "b".',
  ])
})

test('an object that fits a kind, but for a key that is required beside the union, only lacks that key', () => {
  const kinds = ['a', 'b'].map((kind) => ({ properties: { kind: { const: kind }, size: {} } }))
  const check = compileCheck({ required: ['kind'], oneOf: kinds })
  expect(refusedBy(check, { size: 1 }).map(({ message }) => message)).toEqual([
    'The key "kind" is missing.',
  ])
})

test('of kinds and one without a kind, the values of all kinds are named', () => {
  const kinds = ['a', 'b'].map((kind) => objectOf({ kind: { const: kind } }, ['kind']))
  const messages = messagesOf([...kinds, { type: 'object', maxProperties: 0 }], { kind: 'c' })
  expect(messages).toEqual(['"c" isn\'t allowed here. Allowed: "a", "b".'])
})

test('a key in another case shows which branch was meant', () => {
  const messages = messagesOf([closed({ css: {} }), closed({ id: {} })], { CSS: 'x' })
  expect(messages).toEqual(['The key "CSS" isn\'t allowed here. Nearest: "css", which is missing.'])
})

test('the kind of list with the mistake further inside was meant', () => {
  const licences = { type: 'array', items: closed({ license: closed({ id: { enum: ['MIT'] } }) }) }
  const expressions = { type: 'array', items: closed({ expression: text }) }
  const messages = messagesOf([licences, expressions], [{ license: { id: 'mitt' } }])
  expect(messages).toEqual(['"mitt" isn\'t allowed here. Allowed: "MIT".'])
})

test('a misspelled key in a union within a union is named', () => {
  const inner = {
    anyOf: [
      closed({ kind: { const: 'b' }, width: {} }),
      closed({ kind: { const: 'b' }, size: {} }),
    ],
  }
  const messages = messagesOf([closed({ kind: { const: 'a' }, page: {} }), inner], {
    kind: 'b',
    widht: 1,
  })
  expect(messages).toEqual([
    'The key "widht" isn\'t allowed here. Nearest: "width", which is missing.',
  ])
})

test('a key that a condition forbids is shown at the key', () => {
  const schema = {
    if: { properties: { v: { const: 3 } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { not: { required: ['action'] } },
  }
  expect(refusedBy(compileCheck(schema), { v: 3, action: 1 })).toMatchObject([
    { pointer: ['action'], message: '"action" isn\'t allowed when "v" is 3.' },
  ])
})
