/** What the guides show: each shape of files, the site of places, and every command. */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { FormDefinition } from '../../src/page/form-fields.ts'
import { blocksIn, commandsOf, isRun, NOT_RUN } from '../helpers/guides.ts'
import { createWorkspace } from '../helpers/workspace.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

/** The guides whose commands tests/package/guide.test.ts and own-content.test.ts run. */
const RUN_BY_TESTS = ['src/package/README.md', 'src/collections/README.md', 'src/page/README.md']
const OTHERS = ['schema', 'src/forms', 'deploy', 'raw-batches'].map((room) => `${room}/README.md`)

test('each command of the guides is run by a test, or listed with the reason', () => {
  const commands = OTHERS.flatMap(commandsOf).filter(isRun)
  expect(commands.map(({ command }) => command)).toEqual([])
})

test('the list of commands that no test runs has only those of the guides', () => {
  const all = [...RUN_BY_TESTS, ...OTHERS].flatMap(commandsOf).map(({ command }) => command)
  const listed = Object.values(NOT_RUN).flat()
  expect(listed.filter((command) => !all.includes(command))).toEqual([])
})

test.each([...RUN_BY_TESTS, ...OTHERS])(
  'no block of %s is of a language that is never run',
  (file) => {
    const languages = new Set(blocksIn(read(file)).map(({ language }) => language))
    const known = ['', 'console', 'sh', 'json', 'ts', 'diff', 'yaml', 'md', 'ini']
    expect([...languages].filter((language) => !known.includes(language))).toEqual([])
  },
)

/** Returns the part of a document below a heading, up to the next one of its level or a higher one. */
function partBelow(heading: string, document: string): string {
  const [level = ''] = heading.split(' ')
  const [, part] = document.split(`\n${heading}\n`)
  expect(part).toBeDefined()
  const nextHeading = new RegExp(`\\n#{1,${level.length}} `)
  const [text = ''] = (part ?? '').split(nextHeading)
  return text
}

const require = createRequire(import.meta.url)

/** The name of a package that is imported, such as "marked" in `from 'marked'`. */
const PACKAGE = /(?<=from ')[a-z][^']*(?=')/g

/** Replaces what a module outside of the project could not find. */
function withPlaces(content: string): string {
  const withPages = content.replace('./page/', `${join(ROOT, 'src/page')}/`)
  return withPages.replace(PACKAGE, (name) => require.resolve(name))
}

/** Lays the files that a part of a document shows into a workspace. Of two of one name, the later one counts. */
function layFiles(part: string) {
  const { folder, batch, build, read: readOutput } = createWorkspace()
  const content = join(folder, 'content.ts')
  const schema = join(folder, 'schema.json')

  for (const { file, text } of blocksIn(part)) {
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
const PLACES = partBelow('## Build a site of your own', read('src/page/README.md'))

test('the site of places has the mistake that the guide names', async () => {
  expect(await layFiles(PLACES).run()).toContain('"Tour" isn\'t allowed here.')
})

/** Returns what the guide shows of a shape of files. */
function shapeBelow(heading: string): string {
  const guide = partBelow('## The shape of your files', read('schema/README.md'))
  const [record = ''] = guide.split('\n### ')
  return record + partBelow(heading, guide)
}

/** The schema and the `content.ts` of places, without their files. */
const LIST = PLACES.replace(/^```json raw-.*$/gm, '```')

test.each([
  ['### A list under a key', ''],
  ['### Objects by name', ''],
  ['### One record per file', ''],
  ['### YAML', LIST],
  ['### A folder of Markdown', ''],
])('the files that the guide shows under "%s" make pages', async (heading, list) => {
  const { run, pages } = layFiles(list + shapeBelow(heading))
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
  const part = shapeBelow('### A list under a key').replace('"Bread Museum"', '"Tram 9"')
  expect(await layFiles(part).run()).toMatch(/^No dataset was written\.\n.*: 1 problem\n/)
})

test('the form that the guide of forms shows is on each page', async () => {
  const { run, pages } = layFiles(PLACES.replace('"Tour"', '"tour"') + read('src/forms/README.md'))
  await run()

  const names = pages().map(({ form }: { form: FormDefinition }) => {
    return form.fields.map(({ name }) => name)
  })
  const expected = ['name', 'email', 'visit', 'message']
  expect(names).toEqual([expected, expected])
})
