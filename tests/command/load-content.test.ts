import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildData } from '../../src/command/build-data.ts'
import { loadContent } from '../../src/command/load-content.ts'
import { TEMPLATE } from '../../src/command/template.ts'
import { page } from '../helpers/page.ts'
import { createWorkspace, importing, SCHEMA, Text } from '../helpers/workspace.ts'

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
    return spawn(['--config', file])
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
    buildData(['--out', out, ...args], { stdout, stderr, env: {}, ...importing(), load })
  expect([await run(), stderr.text]).toEqual([0, ''])
  expect(JSON.parse(read('dataset.json'))).toEqual([page()])
  expect(await run('--batches', join(folder, 'none'))).toBe(2)
})

test.each([
  ['no price', 'no price'],
  [null, 'it throws null'],
  [undefined, 'it throws no value'],
])('one line says it if the file throws %o', async (thrown, why) => {
  const terminal = { load: () => Promise.reject(thrown), command: TEMPLATE }
  const loaded = loadContent('tests/README.md', terminal)
  await expect(loaded).rejects.toThrow(`tests/README.md cannot be loaded: ${why}`)
})

test('one line says it if src/content.ts moves the dataset, which the site reads from its place', async () => {
  const load = async () => ({ content: {}, delivery: { out: 'elsewhere' } })
  const loaded = loadContent(undefined, { load, command: TEMPLATE })
  await expect(loaded).rejects.toThrow(
    'src/content.ts exports a "delivery" with "out", but the site reads the dataset and its types from src/generated. Remove "out"',
  )
})

test.each([
  ['is not there', undefined, 'cannot read none.ts (--content names another): no such file'],
  ['does not say what it must', {}, 'tests/README.md does not say "export const content = '],
  ['fails', new Error('x is not defined'), 'tests/README.md cannot be loaded: x is not defined'],
  [
    'exports a list',
    { content: [] },
    'exports a "content" that must be an object, but is an empty list',
  ],
  ['exports what must be awaited', { content: Promise.resolve({}) }, 'but is a Promise'],
  [
    'has a "page" that cannot be called',
    { content: { page: {} } },
    'exports a "content" whose "page" must be a function, but is an object',
  ],
  [
    'has "rules" that are not a list',
    { content: { rules: {} } },
    'whose "rules" must be a list of functions, but is an object',
  ],
  [
    'has a rule that cannot be called',
    { content: { rules: [() => [], 'isShort'] } },
    'whose "rules" must be a list of functions, but item 1 is "isShort"',
  ],
  [
    'has a place that is not a text',
    { content: {}, delivery: { batches: 5 } },
    'exports a "delivery" whose "batches" must be a place or a list of places, such as "data/*.json", but is 5',
  ],
  ['has an empty place', { content: {}, delivery: { schema: '' } }, 'but is ""'],
  ['has a delivery that is a text', { content: {}, delivery: 'data' }, 'must be an object'],
])('one line says it if the file %s', async (_, loaded, says) => {
  const file = loaded ? 'tests/README.md' : 'none.ts'
  const load = () => (loaded instanceof Error ? Promise.reject(loaded) : Promise.resolve(loaded))
  await expect(loadContent(file, { load, command: TEMPLATE })).rejects.toThrow(says)
})

test('a content.ts gets an installed ES module as Node runs it', async () => {
  const { folder, batch, spawn } = createWorkspace()
  batch('a.json', [page()])
  const home = join(folder, 'node_modules/it')
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, 'package.json'), '{ "type": "module", "exports": "./it.js" }')
  writeFileSync(join(home, 'it.js'), 'export const hasArguments = typeof arguments === "object"')
  const content = join(folder, 'content.ts')
  writeFileSync(content, "import { hasArguments } from 'it'\nthrow 'arguments: ' + hasArguments")

  const { stderr } = await spawn(['--config', content])
  expect(stderr).toMatch(/cannot be loaded: arguments: false\n$/)
})
