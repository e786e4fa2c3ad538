/** What is corrected in the code of ajv. If another release writes it in another way, these are red. */
import { expect, test } from 'vitest'
import { compileSchema, correctCode } from '../../src/accept/compile.ts'

const OBJECT = { type: 'object', properties: { a: { type: 'string' } } }

test('the errors of what a schema refers to are added to those before, and not copied', () => {
  const tree = { ...OBJECT, items: { $ref: '#/$defs/tree' } }
  const code = compileSchema({ items: { $ref: '#/$defs/tree' }, $defs: { tree } })
  expect(code).toMatch(/^vErrors = .*\.errors\.reduce\(.*vErrors \?\? \[\]\);$/m)
  expect(code).not.toContain('.concat(')
})

test('the keys that are evaluated are those of the record, and not of every object', () => {
  const code = compileSchema({ anyOf: [OBJECT, { required: ['b'] }], unevaluatedProperties: false })
  expect(code).toMatch(/^var props\d+ = Object\.create\(null\);$/m)
  expect(code).toMatch(/^props\d+ = props\d+ \|\| Object\.create\(null\);$/m)
  expect(code).toMatch(/^if\(!props\d+ \|\| !Object\.hasOwn\(props\d+, key\d+\)\)\{$/m)
})

test.each([
  'vErrors = vErrors == null ? validate1.errors : vErrors.concat(validate1.errors);',
  'var props0 = ({});',
  'props0 ||= {};',
  'if(!props0?.a || !props0[key0]){',
])('code that ajv has never written is refused: %s', (line) => {
  expect(() => correctCode(`\n${line}\n`)).toThrow('this release of ajv writes')
})
