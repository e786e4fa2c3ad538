import { mkdirSync, readdirSync, realpathSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { buildData } from '../../src/command/build-data.ts'
import { loadContent } from '../../src/command/load-content.ts'
import { TEMPLATE } from '../../src/command/template.ts'
import { tsxLoader } from '../../src/machine/tsx-modules.ts'
import { isLong } from '../helpers/long.ts'
import { page } from '../helpers/page.ts'
import { createWorkspace, importing, run, SCHEMA, Text } from '../helpers/workspace.ts'

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

describe('a large delivery is read again', () => {
  test('when a module changes that content.ts loads', async () => {
    const { folder, batches, batch, out, read } = createWorkspace()
    const [content, table] = [join(folder, 'content.cjs'), join(folder, 'table.cjs')]
    batch('a.json', [page()])
    writeFileSync(table, "module.exports = 'before'")
    writeFileSync(
      content,
      `const title = require('./table.cjs')
       exports.content = { page: (record) => ({ ...record, title }) }`,
    )
    const require = createRequire(import.meta.url)
    const build = async () => {
      // As a new process would.
      for (const file of [content, table]) delete require.cache[realpathSync(file)]
      const [stdout, stderr] = [new Text(), new Text()]
      const terminal = { stdout, stderr, env: {}, ...importing(), ...tsxLoader(require) }
      const places = ['--batches', batches, '--out', out, '--schema', SCHEMA, '--content', content]
      const status = await buildData(places, terminal, { largeFrom: 0 })
      return { status, stdout: stdout.text, stderr: stderr.text }
    }

    expect(await build()).toMatchObject({ status: 0, stderr: '' })
    const remembered = readdirSync(join(out, '.cache')).map((name) => name.split('-')[0])
    expect(remembered.sort()).toEqual(['batch', 'build', 'check', 'types'])
    expect((await build()).stdout).toContain('unchanged')

    writeFileSync(table, "module.exports = 'after'")
    expect(await build()).toMatchObject({ status: 0, stderr: '' })
    expect(JSON.parse(read('dataset.json'))).toMatchObject([{ title: 'after' }])
  })

  /** Larger than 64 MB, from where on a delivery is remembered. */
  const LARGE = Array.from({ length: 9 }, (_, index) => {
    return { path: `/${index}`, title: 'x'.repeat(7_500_000) }
  })

  test.runIf(isLong)('when a TypeScript file changes that content.ts imports', async () => {
    const { folder, batch, spawn, out } = createWorkspace()
    const [schema, content] = [join(folder, 'schema.json'), join(folder, 'content.ts')]
    const table = join(folder, 'table.ts')
    writeFileSync(schema, '{ "type": "array", "items": { "required": ["path"] } }')
    writeFileSync(table, 'export const banned: string[] = []')
    writeFileSync(
      content,
      `import { banned } from './table'
       const isAllowed = ({ path }) => banned.includes(path) ? [{ pointer: ['path'], message: 'is banned' }] : []
       export const content = { site: false, rules: [isAllowed] }`,
    )
    batch('a.json', JSON.stringify(LARGE))
    const build = () => spawn(['--schema', schema, '--content', content])

    expect(await build()).toMatchObject({ status: 0, stderr: '' })
    const remembered = readdirSync(join(out, '.cache')).map((name) => name.split('-')[0])
    expect(remembered.sort()).toEqual(['batch', 'build', 'check', 'types'])
    expect((await build()).stdout).toContain('unchanged')

    writeFileSync(table, "export const banned: string[] = ['/5']")
    const { status, stderr } = await build()
    expect(status).toBe(1)
    expect(stderr).toContain('is banned')
  })

  test.each([
    ['an import()', "import('./table.cjs')\nexports.content = {}"],
    [
      'a function that loads a module when it runs',
      "exports.content = { rules: [() => require('./table.cjs')] }",
    ],
  ])('every time if content.ts has %s', async (_, code) => {
    const { folder, batches, batch, out } = createWorkspace()
    batch('a.json', [page()])
    writeFileSync(join(folder, 'table.cjs'), 'module.exports = []')
    const content = join(folder, 'content.cjs')
    writeFileSync(content, code)
    const [stdout, stderr] = [new Text(), new Text()]
    const modules = tsxLoader(createRequire(import.meta.url))
    const places = ['--batches', batches, '--out', out, '--schema', SCHEMA, '--content', content]

    const status = await buildData(
      places,
      { stdout, stderr, env: {}, ...importing(), ...modules },
      { largeFrom: 0 },
    )
    expect([status, stderr.text]).toEqual([0, ''])
    const remembered = readdirSync(join(out, '.cache')).map((name) => name.split('-')[0])
    expect(remembered.sort()).toEqual(['check', 'types'])
  })
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
  const terminal = { load: () => Promise.reject(thrown), loadedFiles: () => [], command: TEMPLATE }
  const loaded = loadContent('tests/README.md', terminal)
  await expect(loaded).rejects.toThrow(`tests/README.md cannot be loaded: ${why}`)
})

test('one line says it if src/content.ts moves the dataset, which the site reads from its place', async () => {
  const load = async () => ({ content: {}, delivery: { out: 'elsewhere' } })
  const loaded = loadContent(undefined, { load, loadedFiles: () => [], command: TEMPLATE })
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
  await expect(
    loadContent(file, { load, loadedFiles: () => [], command: TEMPLATE }),
  ).rejects.toThrow(says)
})

describe('a loader', () => {
  function createModules() {
    const { folder } = createWorkspace()
    const write = (name: string, code: string) => {
      const file = join(folder, name)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, code)
      return file
    }
    return { write, ...tsxLoader(createRequire(import.meta.url)) }
  }

  test('names the files that were loaded since it exists', async () => {
    const { write, load, loadedFiles } = createModules()
    const table = write('table.json', '{}')
    const content = write('content.cjs', "require('./table.json')")
    expect(loadedFiles()).toEqual([])
    await load(content)
    expect(loadedFiles()).toEqual([content, table])
  })

  test('names none once there is an ES module of Node, which may have imported others', async () => {
    const { write, load, loadedFiles } = createModules()
    write('table.mjs', "export const text = 'it'")
    const content = write('content.mjs', "export { text } from './table.mjs'")
    expect(await load(content)).toMatchObject({ text: 'it' })
    expect(loadedFiles()).toBeUndefined()
  })

  test('runs an installed ES module as Node does, and names it', async () => {
    const { write } = createModules()
    write('node_modules/it/package.json', '{ "type": "module", "exports": "./it.js" }')
    const installed = write(
      'node_modules/it/it.js',
      'export const isFunction = typeof arguments === "object"',
    )
    const content = write('content.ts', "export { isFunction } from 'it'")
    const script = `
      const { tsxLoader } = require('./src/machine/tsx-modules.ts')
      const { load, loadedFiles } = tsxLoader(require)
      load(${JSON.stringify(content)}).then(({ isFunction }) =>
        console.log(JSON.stringify([isFunction, ...loadedFiles()])))`
    const { stdout, stderr } = await run(['--require', './scripts/tsx.cjs', '-e', script])
    expect(stderr).toBe('')
    const [isFunction, ...files] = JSON.parse(stdout)
    expect(isFunction).toBe(false)
    expect(files).toEqual(expect.arrayContaining([content, installed]))
  })

  test('names none once it had to import a module, because a package cannot be required', async () => {
    const { write } = createModules()
    write('package.json', '{ "type": "module" }')
    write(
      'node_modules/it/package.json',
      '{ "type": "module", "exports": { "import": "./it.js" } }',
    )
    write('node_modules/it/it.js', "export const text = 'it'")
    const content = write('content.ts', "export { text } from 'it'")
    const script = `
      const { tsxLoader } = require('./src/machine/tsx-modules.ts')
      const { load, loadedFiles } = tsxLoader(require)
      load(${JSON.stringify(content)}).then(({ text }) => console.log(text, loadedFiles()))`
    const { stdout, stderr } = await run(['--require', './scripts/tsx.cjs', '-e', script])
    expect([stdout, stderr]).toEqual(['it undefined\n', ''])
  })
})
