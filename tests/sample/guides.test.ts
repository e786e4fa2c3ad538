/** What the guides show: each shape of files, the site of places, and every command. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { FormDefinition } from '../../src/page/form-fields.ts'
import { type Block, blocksOf, commandsOf, NOT_RUN, type ShownCommand } from '../helpers/guides.ts'
import { createWorkspace } from '../helpers/workspace.ts'
import { AS_ADA, copyAll, git, makeRepository } from './follow.ts'

const ROOT = join(import.meta.dirname, '../..')

/** The guides whose commands tests/package/guide.test.ts and own-content.test.ts run. */
const RUN_BY_TESTS = ['src/package/README.md', 'src/collections/README.md', 'src/page/README.md']
/** Those of which this file runs some commands, if they can be run. */
const OTHERS = [
  '.github/CONTRIBUTING.md',
  'deploy/README.md',
  'raw-batches/README.md',
  'schema/README.md',
  'src/build/README.md',
  'src/explain/README.md',
  'src/forms/README.md',
  'src/report/README.md',
  'tests/README.md',
  'tests/bench/README.md',
]

/** Whose commands readme.test.ts and upgrade.test.ts run. */
const RUN_ELSEWHERE = ['README.md', 'CHANGELOG.md']

test('the commands of every document are followed by a test', () => {
  const documents = git(ROOT, 'ls-files', '*.md').split('\n')
  const withCommands = documents.filter((document) => commandsOf(document).length > 0)
  const known = [...RUN_BY_TESTS, ...OTHERS, ...RUN_ELSEWHERE]
  expect(withCommands.filter((document) => !known.includes(document))).toEqual([])
})

const RECORDS = commandsOf('src/build/README.md')
const REPORTS = commandsOf('src/report/README.md')
const RELEASE = commandsOf('.github/CONTRIBUTING.md', '## Release')
const followed = [...RECORDS, ...REPORTS, ...RELEASE].map(({ command }) => command)

const listed = Object.values(NOT_RUN).flat()

/** Runs commands as they're printed, one after the other. */
function runAll(cwd: string, commands: readonly ShownCommand[], env = process.env): string {
  const script = commands.map(({ command }) => command).join('\n')
  return execFileSync('sh', ['-ec', script], { cwd, env, encoding: 'utf8', stdio: 'pipe' })
}

test('the records that a shard writes begin as the README of build shows', () => {
  const folder = copyAll()
  runAll(folder, RECORDS)

  const isRecords = ({ text }: Block) => text.startsWith('{"rank":')
  const [shown = ''] = blocksOf('src/build/README.md').find(isRecords)?.text.split(' …\n') ?? []
  const [file = ''] = readdirSync(join(folder, 'parts/2')).filter((name) => name.endsWith('.jsonl'))
  const [line = ''] = readFileSync(join(folder, 'parts/2', file), 'utf8').split('\n')
  expect(line.slice(0, shown.length)).toBe(shown)
})

test('the command of a site that the README of reports shows writes one', () => {
  const folder = copyAll()
  const ofSite = REPORTS.filter(({ command }) => command.startsWith('npm '))
  expect(ofSite).toHaveLength(1)
  runAll(folder, ofSite)
  expect(readFileSync(join(folder, 'report.html'), 'utf8')).toContain('batch-01.json')
})

test('a release that is made as described pushes a commit with its version, and tags it', () => {
  const folder = copyAll()
  rmSync(join(folder, 'node_modules'))
  makeRepository(folder)
  const origin = join(folder, '.git/origin')
  git(folder, 'clone', '--quiet', '--bare', '.', origin)
  git(folder, 'remote', 'add', 'origin', origin)

  runAll(folder, RELEASE, AS_ADA)

  const tag = git(origin, 'describe', 'main')
  const { version } = JSON.parse(git(origin, 'show', `${tag}:package.json`))
  expect(`v${version}`).toBe(tag)
})

test('each command of the other guides is followed, or in the list of those that no test runs', () => {
  const commands = OTHERS.flatMap((guide) => commandsOf(guide)).map(({ command }) => command)
  expect(commands.filter((command) => ![...listed, ...followed].includes(command))).toEqual([])
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
    const known = ['', 'console', 'sh', 'json', 'ts', 'diff', 'yaml', 'md', 'ini', 'sql']
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

/** Such as "With `identity: ({ id }) => id`, `references: { 'near[]': 'pages' }` checks". */
const IDENTITY = /With `(identity: .*?)`, `(references: .*?)` checks/

test('a reference to a place by its identity is shown at its place, as the guide says', async () => {
  const guide = readFileSync(join(ROOT, 'src/page/README.md'), 'utf8')
  const [, identity = '', references = ''] = IDENTITY.exec(guide) ?? []
  const start = 'defineContent({\n'
  const places = PLACES.filter(({ file }) => file !== 'raw-batches/south.json')
  const withNear = places.map((block) => ({
    ...block,
    text: block.text
      .replace(start, `${start}  ${identity},\n  ${references},\n`)
      .replace('"Ovens."', '"Ovens.", "near": ["tram-9", "nowhere"]'),
  }))
  const printed = await layFiles(withNear).run()
  expect(printed).toMatch(/north\.json: 1 problem/)
  expect(printed).toContain('/0/near/1\n')
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
