import { expect, test } from 'vitest'
import { acceptsEverything } from '../../src/schema/vet.ts'

test.each([
  [{}],
  [{ title: 'Any', properties: { a: { description: 'Anything' } } }],
  [{ properties: { a: true }, additionalProperties: {} }],
  [{ allOf: [true, {}], oneOf: [true] }],
  [{ oneOf: [{}], discriminator: { propertyName: 'kind' } }],
])('%j accepts everything', (schema) => {
  expect(acceptsEverything(schema)).toBe(true)
})

test.each([
  [{ properties: { bar: false } }],
  [{ items: { allOf: [true, false] } }],
  [{ oneOf: [true, true] }],
  [{ patternProperties: { '^x': false } }],
  [{ dependentSchemas: { a: false } }],
  [{ if: true, else: { type: 'array' } }],
  [{ additionalProperties: { formatExclusiveMinimum: '2026-01-01' } }],
])('%j may refuse something', (schema) => {
  expect(acceptsEverything(schema)).toBe(false)
})
