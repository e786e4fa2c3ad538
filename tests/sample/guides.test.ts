/** What the guides show: each shape of files, the site of places, and every command. */
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { FormDefinition } from '../../src/page/form-fields.ts'
import { type Block, blocksOf, commandsOf, NOT_RUN } from '../helpers/guides.ts'
import { createWorkspace } from '../helpers/workspace.ts'

const ROOT = join(import.meta.dirname, '../..')

/** The guides whose commands tests/package/guide.test.ts and own-content.test.ts run. */
const RUN_BY_TESTS = ['src/package/README.md', 'src/collections/README.md', 'src/page/README.md']
const OTHERS = ['schema', 'src/forms', 'deploy', 'raw-batches'].map((room) => `${room}/README.md`)

const listed = Object.values(NOT_RUN).flat()

test('each command of the other guides is in the list of those that no test runs', () => {
  const commands = OTHERS.flatMap((guide) => commandsOf(guide)).map(({ command }) => command)
  expect(commands.filter((command) => !listed.includes(command))).toEqual([])
})

test('each command of the guide of a site is in one of the two parts that tests follow', () => {
  const [, , site = ''] = RUN_BY_TESTS
  const parts = ['## Build a site of your own', '## A later version']
  expect(commandsOf(site)).toEqual(parts.flatMap((heading) => commandsOf(site, heading)))
})

test('the list of commands that no test runs has only those of the guides', () => {
  const guides = [...RUN_BY_TESTS, ...OTHERS]
  const all = guides.flatMap((guide) => commandsOf(guide)).map(({ command }) => command)
  expect(listed.filter((command) => !all.includes(command))).toEqual([])
})

test.each([...RUN_BY_TESTS, ...OTHERS])(
  'no block of %s is of a language that is never run',
  (file) => {
    const languages = new Set(blocksOf(file).map(({ language }) => language))
    const known = ['', 'console', 'sh', 'json', 'ts', 'diff', 'yaml', 'md', 'ini']
    expect([...languages].filter((language) => !known.includes(language))).toEqual([])
  },
)

const require = createRequire(import.meta.url)

/** The name of a package that is imported, such as "marked" in `from 'marked'`. */
const PACKAGE = /(?<=from ')[a-z][^']*(?=')/g

/** Replaces what a module outside of the project could not find. */
function withPlaces(content: string): string {
  const withPages = content.replace('./page/', `${join(ROOT, 'src/page')}/`)
  return withPages.replace(PACKAGE, (name) => require.resolve(name))
}

/** Lays the files that blocks show into a workspace. Of two of one name, the later one counts. */
function layFiles(blocks: Block[]) {
  const { folder, batch, build, read: readOutput } = createWorkspace()
  const content = join(folder, 'content.ts')
  const schema = join(folder, 'schema.json')

  for (const { file, text } of blocks) {
    if (file.startsWith('raw-batches/')) batch(file.replace('raw-batches/', ''), text)
    if (file === 'schema/batch.schema.json') writeFileSync(schema, text)
    if (file === 'schema/place.schema.json') writeFileSync(join(folder, 'place.schema.json'), text)
    if (file === 'src/content.ts') writeFileSync(content, withPlaces(text))
  }

  const run = async (...args: string[]) => {
    const { stdout, stderr } = await build(['--schema', schema, '--config', content, ...args])
    return stdout + stderr
  }
  return { run, pages: () => JSON.parse(readOutput('dataset.json')) }
}

/** What the guide shows of the site of places. */
const PLACES = blocksOf('src/page/README.md', '## Build a site of your own')

test('the site of places has the mistake that the guide names', async () => {
  expect(await layFiles(PLACES).run()).toContain('"Tour" isn\'t allowed here.')
})

/** The schema and the `content.ts` of places, without their files. */
const LIST = PLACES.filter(({ file }) => !file.startsWith('raw-batches/'))

const SHAPES = 'schema/README.md'
const RECORD = blocksOf(SHAPES).filter(({ file }) => file === 'schema/place.schema.json')

test.each([
  ['### A list under a key', []],
  ['### Objects by name', []],
  ['### One record per file', []],
  ['### YAML', LIST],
  ['### A folder of Markdown', []],
])('the files that the guide shows under "%s" make pages', async (heading, list) => {
  const { run, pages } = layFiles([...list, ...RECORD, ...blocksOf(SHAPES, heading)])
  await run()
  expect(pages()).toContainEqual(
    expect.objectContaining({
      path: '/places/tram-9',
      title: 'Tram 9',
      contentHtml: '<p>Hop!</p>',
    }),
  )
})

test('a copied record fails the build with the content.ts of the guide that refuses duplicates', async () => {
  const blocks = [...RECORD, ...blocksOf(SHAPES, '### A list under a key')]
  const copied = blocks.map((block) => ({
    ...block,
    text: block.text.replace('"Bread Museum"', '"Tram 9"'),
  }))
  expect(await layFiles(copied).run()).toMatch(/^No dataset was written\.\n.*: 1 problem\n/)
})

test('the form that the guide of forms shows is on each page', async () => {
  const places = PLACES.filter(({ file }) => file !== 'raw-batches/south.json')
  const { run, pages } = layFiles([...places, ...blocksOf('src/forms/README.md')])
  await run()

  const names = pages().map(({ form }: { form: FormDefinition }) => {
    return form.fields.map(({ name }) => name)
  })
  const expected = ['name', 'email', 'visit', 'message']
  expect(names).toEqual([expected, expected])
})
