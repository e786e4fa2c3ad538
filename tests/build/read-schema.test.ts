import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { generateTypes } from '../../src/build/generate-types.ts'
import { createWorkspace } from '../helpers/workspace.ts'

test('an item of a list with prefixItems has the type of one of them, or of the others', async () => {
  const { folder, out, batch, build } = createWorkspace()
  const [text, number] = [{ type: 'string' }, { type: 'number' }]
  const list = { type: 'array', prefixItems: [text, number] }
  const properties = {
    path: text,
    pair: { ...list, items: false },
    more: { ...list, items: { type: 'boolean' } },
    any: list,
  }
  const schema = join(folder, 'own.schema.json')
  const items = { type: 'object', required: ['path'], properties }
  writeFileSync(schema, JSON.stringify({ type: 'array', items }))
  batch('a.json', [{ path: '/a' }])
  expect(await build(['--schema', schema])).toMatchObject({ status: 0, stderr: '' })
  const types = readFileSync(join(out, 'dataset.d.json.ts'), 'utf8')
  expect(types).toContain('pair?: (string | number)[];')
  expect(types).toContain('more?: (string | number | boolean)[];')
  expect(types).toContain('any?: unknown[];')
})

test('a reference to an $anchor has the type of its place', async () => {
  const { folder, out, batch, build } = createWorkspace()
  const kind = { $anchor: 'kind', title: 'Kind', enum: ['tool', 'game'] }
  const properties = { path: { type: 'string' }, kind: { $ref: '#kind' } }
  const items = { type: 'object', required: ['path'], properties }
  const schema = join(folder, 'own.schema.json')
  writeFileSync(schema, JSON.stringify({ type: 'array', items, $defs: { 'a b': kind } }))
  batch('a.json', [{ path: '/a', kind: 'game' }])
  expect(await build(['--schema', schema])).toMatchObject({ status: 0, stderr: '' })
  const types = readFileSync(join(out, 'dataset.d.json.ts'), 'utf8')
  expect(types).toContain('kind?: Kind;')
  batch('b.json', [{ path: '/b', kind: 'play' }])
  expect((await build(['--schema', schema])).stderr).toContain('b.json:')
})

test('a reference to another file is refused', async () => {
  const { folder, batch, build } = createWorkspace()
  const schema = join(folder, 'own.schema.json')
  writeFileSync(schema, JSON.stringify({ type: 'array', items: { $ref: 'two.json' } }))
  batch('a.json', [])
  const { status, stderr } = await build(['--schema', schema])
  expect([status, stderr]).toEqual([2, expect.stringContaining('but is "two.json"')])
})

test('the types say what they are made of, then those of the schema and that of the dataset', async () => {
  const items = { title: 'Delivered', type: 'object', additionalProperties: false }
  const types = await generateTypes({ type: 'array', items }, 'Schema: sha256 c0ffee', false)
  expect(
    types,
  ).toBe(`// Made by \`npm run build-data\`. Do not edit; edit the schema of a batch instead.
// Schema: sha256 c0ffee

export type Batch = Delivered[];

export interface Delivered {}

export type Page = Delivered

declare const pages: readonly Page[]
export default pages
`)
})
