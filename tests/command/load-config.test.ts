import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadConfig, openCollections } from '../../src/command/load-config.ts'
import { run } from '../../src/command/run.ts'
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
  // Errors in loading need no second build.
  const loaded = await runWith('./index.js', "await Promise.resolve('two')", 'throw Error(text)')
  expect(loaded.stderr).toMatch(/cannot be loaded: two\n$/)
})

test('the files may be elsewhere: content.ts says where, unless an option does', async () => {
  const { folder, batches, batch, out, read } = createWorkspace()
  batch('a.json', [page()])
  const [stdout, stderr] = [new Text(), new Text()]
  const load = async () => ({ content: { files: batches, schema: SCHEMA } })
  const build = (...args: string[]) =>
    run(['--out', out, ...args], { stdout, stderr, env: {}, ...importing(), load })
  expect([await build(), stderr.text]).toEqual([0, ''])
  expect(JSON.parse(read('dataset.json'))).toEqual([page()])
  expect(await build('--batches', join(folder, 'none'))).toBe(2)
})

/** Loads a configuration of a site that exports something. */
function loadSite(exported: unknown, file = 'tests/README.md') {
  const load = () =>
    exported instanceof Error ? Promise.reject(exported) : Promise.resolve(exported)
  return loadConfig(file, { load, command: TEMPLATE })
}

test('a site is a collection of pages, and perhaps others', async () => {
  const collections = { authors: { files: 'authors', id: 'code' } }
  const config = await loadSite({ content: {}, collections })
  expect(config.collections).toMatchObject([
    {
      name: 'pages',
      dataset: 'dataset',
      files: ['raw-batches'],
      schema: { kind: 'file', file: 'schema/batch.schema.json' },
      id: { key: 'path' },
      duplicates: 'drop',
    },
    { name: 'authors', dataset: 'authors', id: { key: 'code' }, duplicates: 'refuse' },
  ])
})

test('files and a schema of an option are those of one collection', async () => {
  const collections = { authors: { files: 'authors', id: 'code' } }
  const config = await loadSite({ content: {}, collections })
  const places = { batches: ['raw-batches'] }
  await expect(openCollections(config, config.collections, places, TEMPLATE)).rejects.toThrow(
    '--batches is about one collection, but there are "pages", "authors"',
  )
})

test.each([
  ['no price', 'no price'],
  [null, 'it throws null'],
  [undefined, 'it throws no value'],
])('one line says it if the file throws %o', async (thrown, why) => {
  const terminal = { load: () => Promise.reject(thrown), command: TEMPLATE }
  const loaded = loadConfig('tests/README.md', terminal)
  await expect(loaded).rejects.toThrow(`tests/README.md cannot be loaded: ${why}`)
})

test.each([
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
    'whose "rules" must be a list of functions, but item 2 is "isShort"',
  ],
  [
    'has a key that is misspelled',
    { content: { identiti: () => '' } },
    'exports a "content" with the key "identiti", which isn\'t known. Do you mean "identity"?',
  ],
  [
    'has another id than the path',
    { content: { id: 'code' } },
    'whose "id" must be "path": a page is known by its path. What it is about is its "identity", but is "code"',
  ],
  [
    'has files that are not a text',
    { content: { files: 5 } },
    'whose "files" must be a file, a folder or a pattern, such as "data/*.json", or a list of these, but is 5',
  ],
  ['has an empty place', { content: { schema: '' } }, 'but is ""'],
  [
    'has a collection of the name of the pages',
    { content: {}, collections: { pages: { files: 'a', id: 'b' } } },
    'has a collection "pages" among its "collections". That\'s the name of the pages',
  ],
  [
    'has a collection whose dataset is that of the pages',
    { content: {}, collections: { dataset: { files: 'a', id: 'b' } } },
    'has a collection "dataset", but this is the name of another file',
  ],
  [
    'has collections that are a list',
    { content: {}, collections: [] },
    'exports "collections" that must be an object, but are an empty list',
  ],
  [
    'exports collections by a misspelled name',
    { content: {}, colections: { authors: { files: 'a', id: 'b' } } },
    'exports "colections", which isn\'t read. Do you mean "collections"?',
  ],
  [
    'exports collections as its default',
    { content: {}, default: { authors: { files: 'a', id: 'b' } } },
    "has a default export, which isn't read.",
  ],
  [
    'refers to a collection that is not there',
    {
      content: { references: { 'by[]': 'author' } },
      collections: { authors: { files: 'a', id: 'b' } },
    },
    '"pages.references" names the collection "author", which isn\'t there; do you mean "authors"?',
  ],
])('one line says it if the file %s', async (_, exported, says) => {
  await expect(loadSite(exported)).rejects.toThrow(says)
})

test('a function gets the name of a file without its folder, however that is spelled', async () => {
  const { folder, batches, batch, out, read } = createWorkspace()
  batch('café/x/one.json'.normalize('NFD'), [{ a: 1 }])
  writeFileSync(join(folder, 's.json'), '{ "type": "array" }')
  const content = {
    files: join(batches, 'café/x'.normalize('NFD')),
    schema: join(folder, 's.json'),
    page: (_: unknown, { file }: { file: string }) => {
      return { path: `/${file.replace('.json', '')}`, title: 'A', contentHtml: '' }
    },
  }
  const [stdout, stderr] = [new Text(), new Text()]
  const load = async () => ({ content })
  await run(['--out', out], { stdout, stderr, env: {}, ...importing(), load })
  expect([stderr.text, JSON.parse(read('dataset.json'))]).toMatchObject(['', [{ path: '/one' }]])
})

test('one line says it if the file is not there', async () => {
  await expect(loadSite({}, 'none.ts')).rejects.toThrow(
    'cannot read none.ts (--config names another): no such file',
  )
})

test('a content.ts of 0.5 gets a sentence for each key of its "delivery"', async () => {
  const delivery = { batches: ['*.json', '!a.json'], schema: 'page.json', out: 'data' }
  await expect(loadSite({ content: {}, delivery })).rejects.toThrow(
    'exports a "delivery", which isn\'t read any more. Instead of "batches", write files: ["*.json","!a.json"] in defineContent. Instead of "schema", write schema: "page.json" in defineContent. Remove "out": the site reads its dataset from src/generated. Remove "delivery"',
  )
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
