import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildData } from '../../src/command/build-data.ts'
import { loadContent } from '../../src/command/load-content.ts'
import { page } from '../helpers/page.ts'
import { createWorkspace, SCHEMA, Text } from '../helpers/workspace.ts'

test('content.ts may import packages that cannot be required', async () => {
  const { folder, batch, spawn, read } = createWorkspace()
  batch('a.json', [page()])
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const packages: [name: string, exports: object | string, code: string][] = [
    ['only-import', { import: './index.js' }, "export const text = 'one'"],
    ['waits', './index.js', "export const text = await Promise.resolve('two')"],
  ]
  for (const [name, exports, code] of packages) {
    const home = join(folder, 'node_modules', name)
    mkdirSync(home, { recursive: true })
    writeFileSync(join(home, 'package.json'), JSON.stringify({ name, type: 'module', exports }))
    writeFileSync(join(home, 'index.js'), code)
    const file = join(folder, `${name}.ts`)
    const made = "page: (record) => ({ title: '', contentHtml: '', ...record, path: '/' + text })"
    writeFileSync(file, `import { text } from '${name}'\nexport const content = { ${made} }`)
    const { status, stderr } = await spawn(['--content', file])
    expect([status, stderr]).toEqual([0, ''])
  }
  expect(JSON.parse(read('dataset.json'))).toMatchObject([{ path: '/two' }])
})

test('a delivery may lie elsewhere: content.ts says where, unless an option does', async () => {
  const { folder, batches, batch, out, read } = createWorkspace()
  batch('a.json', [page()])
  const [stdout, stderr] = [new Text(), new Text()]
  const load = async () => ({ content: {}, delivery: { batches, schema: SCHEMA } })
  const run = (...args: string[]) =>
    buildData(['--out', out, ...args], { stdout, stderr, env: {}, load })
  expect([await run(), stderr.text]).toEqual([0, ''])
  expect(JSON.parse(read('dataset.json'))).toEqual([page()])
  expect(await run('--batches', join(folder, 'none'))).toBe(2)
})

test.each([
  ['is not there', undefined, 'cannot read none.ts (--content names another): no such file'],
  ['does not say what it must', {}, 'tests/README.md does not say "export const content = '],
  ['fails', new Error('x is not defined'), 'tests/README.md cannot be loaded: x is not defined'],
])('one line says it if the file %s', async (_, loaded, says) => {
  const file = loaded ? 'tests/README.md' : 'none.ts'
  const load = () => (loaded instanceof Error ? Promise.reject(loaded) : Promise.resolve(loaded))
  await expect(loadContent(file, load)).rejects.toThrow(says)
})
