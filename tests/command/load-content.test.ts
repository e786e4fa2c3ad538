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
  const home = join(folder, 'node_modules/it')
  mkdirSync(home, { recursive: true })
  const file = join(folder, 'content.ts')
  const runWith = (exports: object | string, text: string, code: string) => {
    writeFileSync(join(home, 'package.json'), JSON.stringify({ type: 'module', exports }))
    writeFileSync(join(home, 'index.js'), `export const text = ${text}`)
    writeFileSync(file, `import { text } from 'it'\n${code}`)
    return spawn(['--content', file])
  }
  const made = "page: (record) => ({ title: '', contentHtml: '', ...record, path: '/' + text })"
  const built = await runWith(
    { import: './index.js' },
    "'one'",
    `export const content = { ${made} }`,
  )
  expect(built).toMatchObject({ status: 0, stderr: '' })
  expect(JSON.parse(read('dataset.json'))).toMatchObject([{ path: '/one' }])
  // What is said as it is loaded needs no second build.
  const loaded = await runWith('./index.js', "await Promise.resolve('two')", 'throw Error(text)')
  expect(loaded.stderr).toMatch(/cannot be loaded: two\n$/)
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
