/** `__proto__` is a key like any other, whichever keyword of a schema names it. */
import { expect, test } from 'vitest'
import { compileSchema, loadCheck } from '../../src/accept/compile.ts'
import { compileCheck, refusedBy } from '../helpers/page.ts'

// As texts: in code, `{ "__proto__": 1 }` would have no key.
test.each<[schema: string, right: string, wrong: string]>([
  [
    '{ "properties": { "__proto__": { "type": "number" } } }',
    '{ "__proto__": 1 }',
    '{ "__proto__": "1" }',
  ],
  ['{ "properties": { "__proto__": false } }', '{}', '{ "__proto__": 1 }'],
  [
    '{ "properties": { "__proto__": { "minimum": 2 } }, "patternProperties": { "^__proto__$": { "maximum": 4 } } }',
    '{ "__proto__": 3 }',
    '{ "__proto__": 1 }',
  ],
  [
    '{ "properties": { "__proto__": { "minimum": 2 } }, "patternProperties": { "^__proto__$": { "maximum": 4 } } }',
    '{ "__proto__": 3 }',
    '{ "__proto__": 5 }',
  ],
  [
    '{ "patternProperties": { "__proto__": { "type": "number" } } }',
    '{ "a__proto__b": 1 }',
    '{ "__proto__": "1" }',
  ],
  [
    '{ "properties": { "__proto__": {} }, "additionalProperties": false }',
    '{ "__proto__": 1 }',
    '{ "a": 1 }',
  ],
  [
    '{ "properties": { "a": {} }, "additionalProperties": false }',
    '{ "a": 1 }',
    '{ "__proto__": 1 }',
  ],
  [
    '{ "properties": { "__proto__": {} }, "unevaluatedProperties": false }',
    '{ "__proto__": 1 }',
    '{ "a": 1 }',
  ],
  [
    '{ "patternProperties": { "^a": {} }, "unevaluatedProperties": false }',
    '{ "a": 1 }',
    '{ "__proto__": 1 }',
  ],
  ['{ "required": ["__proto__"] }', '{ "__proto__": 1 }', '{}'],
  [
    '{ "dependentRequired": { "__proto__": ["a"] } }',
    '{ "__proto__": 1, "a": 1 }',
    '{ "__proto__": 1 }',
  ],
  ['{ "dependentRequired": { "a": ["__proto__"] } }', '{ "__proto__": 1, "a": 1 }', '{ "a": 1 }'],
  [
    '{ "dependentSchemas": { "__proto__": { "required": ["a"] } } }',
    '{ "a": 1 }',
    '{ "__proto__": 1 }',
  ],
  [
    '{ "dependencies": { "__proto__": { "required": ["a"] } } }',
    '{ "a": 1 }',
    '{ "__proto__": 1 }',
  ],
  ['{ "propertyNames": { "pattern": "^_" } }', '{ "__proto__": 1 }', '{ "proto": 1 }'],
  ['{ "const": { "__proto__": 1 } }', '{ "__proto__": 1 }', '{}'],
  ['{ "enum": [{ "__proto__": 1 }] }', '{ "__proto__": 1 }', '{ "__proto__": 2 }'],
  [
    '{ "uniqueItems": true }',
    '[{ "__proto__": 1 }, { "__proto__": 2 }]',
    '[{ "__proto__": 1 }, { "__proto__": 1 }]',
  ],
  ['{ "$ref": "#/$defs/__proto__", "$defs": { "__proto__": { "type": "number" } } }', '1', '"1"'],
  [
    '{ "anyOf": [{ "properties": { "__proto__": { "const": "a" } } }, { "properties": { "__proto__": { "const": "b" } } }] }',
    '{ "__proto__": "b" }',
    '{ "__proto__": "c" }',
  ],
])('%s accepts %s and refuses %s', (schema, right, wrong) => {
  const check = compileCheck(JSON.parse(schema))
  expect(refusedBy(check, JSON.parse(right))).toEqual([])
  expect(refusedBy(check, JSON.parse(wrong))).not.toEqual([])
})

test('a number in quotes is repaired there, too, but only to one that is accepted', () => {
  const schema = '{ "properties": { "__proto__": { "type": "number", "minimum": 5 } } }'
  const check = compileCheck(JSON.parse(schema))
  expect(refusedBy(check, JSON.parse('{ "__proto__": "5" }'))[0]?.instead).toBe(5)
  expect(refusedBy(check, JSON.parse('{ "__proto__": "4" }'))[0]?.instead).toBeUndefined()
})

test('a key that every object inherits is unevaluated like any other, also by reference', () => {
  const closed = { $ref: '#/$defs/open', unevaluatedProperties: false }
  const $defs = { open: { properties: { inner: { $ref: '#/$defs/closed' } } }, closed }
  const check = loadCheck(compileSchema({ $ref: '#/$defs/open', $defs }))
  expect(check({ inner: { inner: {} } }).faults).toEqual([])
  expect(check({ inner: { constructor: 1 } }).faults).toHaveLength(1)
})
