/** Which branch of a union an author meant, shown by the faults that are left. */
import { expect, test } from 'vitest'
import { compileCheck, refusedBy } from '../helpers/page.ts'

const text = { type: 'string' }

/** A value with some keys, of which some are required. */
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
