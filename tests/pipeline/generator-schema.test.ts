import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { forGenerator } from '../../src/pipeline/generator-schema.ts'
import { createWorkspace, runBuildData } from '../helpers/workspace.ts'

const text = { type: 'string' }

/** Builds with a schema of records with these keys, and returns the types. */
async function typesOf(properties: object, more: object = {}): Promise<string> {
  const { folder, batches, out, batch } = createWorkspace()
  const schema = join(folder, 'own.schema.json')
  const items = { type: 'object', required: ['path'], properties: { path: text, ...properties } }
  writeFileSync(schema, JSON.stringify({ type: 'array', items, ...more }))
  batch('a.json', [{ path: '/a' }])
  const { status, stderr } = await runBuildData([
    ...['--schema', schema],
    ...['--batches', batches],
    ...['--out', out],
  ])
  expect(stderr).toBe('')
  expect(status).toBe(0)
  return readFileSync(join(out, 'dataset.d.json.ts'), 'utf8')
}

test('types come from the schema alone: nothing is fetched from the address in an $id', async () => {
  let requests = 0
  const server = createServer((_, response) => {
    requests++
    response.end('{"type": "number"}')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const $id = `http://127.0.0.1:${(server.address() as AddressInfo).port}/author.json`
  const author = {
    $id,
    title: 'Author',
    type: 'object',
    properties: { name: { $ref: '#/$defs/a' } },
  }
  const types = await typesOf(
    { author: { $ref: $id } },
    { $defs: { author: { ...author, $defs: { a: { enum: ['Ann'] } } } } },
  )
  expect(requests).toBe(0)
  expect(types).toMatch(/author\?: Author/)
  expect(types).toMatch(/name\?: "Ann"/)
})

test('every reference becomes a pointer, whatever it is resolved against', () => {
  const $defs = {
    one: { $anchor: 'one', items: { $ref: 'two.json#here' } },
    two: { $id: 'two.json', items: { $ref: '#/a~1b%20c%23' }, 'a/b c#': { $anchor: 'here' } },
  }
  const refs = ['#', '#one', '#/$defs/one', 'two.json', 'https://example.org/two.json#/a~1b%20c%23']
  const $id = 'https://example.org/batch.json'
  const within = '#/$defs/two/a~1b%20c%23'
  expect(forGenerator({ $id, $defs, anyOf: refs.map(($ref) => ({ $ref })) })).toMatchObject({
    anyOf: ['#', '#/$defs/one', '#/$defs/one', '#/$defs/two', within].map(($ref) => ({ $ref })),
    $defs: { one: { items: { $ref: within } }, two: { items: { $ref: within } } },
  })
})

test('an item of a list with prefixItems has the type of one of them, or of the others', async () => {
  const prefixItems = [text, { type: 'number' }]
  const types = await typesOf({
    pair: { type: 'array', prefixItems, items: false },
    more: { type: 'array', prefixItems, items: { type: 'boolean' } },
    any: { type: 'array', prefixItems },
  })
  expect(types).toContain('pair?: (string | number)[];')
  expect(types).toContain('more?: (string | number | boolean)[];')
  expect(types).toContain('any?: unknown[];')
})
