import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { commitPackage } from '../../scripts/pack/commit-package.ts'
import { makePackage } from '../../scripts/pack/make-package.ts'
import { makeBatches } from '../../scripts/samples/command.ts'
import { createWorkspace, runBuildData, SCHEMA } from '../helpers/workspace.ts'

const ROOT = join(import.meta.dirname, '../..')
const DOCUMENTS = [
  'README.md',
  '.github/CONTRIBUTING.md',
  '.github/SECURITY.md',
  ...[
    'raw-batches',
    'schema',
    'src/formats',
    'src/accept',
    'src/explain',
    'src/dataset',
    'src/build',
    'src/collections',
    'src/page',
    'src/package',
    'src/report',
    'src/schema',
    'src/command',
    'src/app',
    'src/forms',
    'src/notify',
    'src/owner',
    'src/static',
    'src/store',
    'deploy',
  ].map((folder) => `${folder}/README.md`),
  'src/build/engines.md',
  'tests/bench/README.md',
  'tests/README.md',
]
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const readme = read('README.md')
const contributing = read('.github/CONTRIBUTING.md')
const { scripts, version } = JSON.parse(read('package.json'))

/** Returns the paths of the folders and files in the tree of CONTRIBUTING.md. */
function filesInTree(): string[] {
  const [, tree = ''] = /```\n(package\.json[\s\S]*?)```/.exec(contributing) ?? []
  const folders: string[] = []
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', name] = /^( *)(\S+)/.exec(line) ?? []
    if (!name) return []
    folders.splice(indent.length / 2)
    const path = [...folders, name].join('')
    if (name.endsWith('/')) folders.push(name)
    return [path]
  })
}

/** Returns the npm scripts that a text names. */
function commandsIn(text: string): Set<string | undefined> {
  const named = new Set(
    [...text.matchAll(/\bnpm (?:run )?([a-z][\w:-]*)/g)].map(([, name]) => name),
  )
  for (const command of ['ci', 'i', 'install', 'prune', 'version']) named.delete(command)
  return named
}

/** The scripts that `manyurls init` adds to another repository. */
const ADDED_BY_INIT = ['check-data', 'fix-data']

it.each(DOCUMENTS)('every npm command in %s exists', (file) => {
  const known = [...Object.keys(scripts), ...ADDED_BY_INIT]
  expect(known).toEqual(expect.arrayContaining([...commandsIn(read(file))]))
})

it('CONTRIBUTING.md lists every npm script', () => {
  expect([...commandsIn(contributing)].sort()).toEqual(Object.keys(scripts).sort())
})

it('every path in the tree of CONTRIBUTING.md exists', () => {
  const places = filesInTree()
  expect(places.length).toBeGreaterThan(15)
  expect(places.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})

it('the tree of CONTRIBUTING.md has every room of src, and every script', () => {
  const places = filesInTree()
  const rooms = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ parentPath, name }) => `${relative(ROOT, join(parentPath, name))}/`)
  const scripts = readdirSync(join(ROOT, 'scripts'), { withFileTypes: true }).map((entry) => {
    return `scripts/${entry.name}${entry.isDirectory() ? '/' : ''}`
  })
  for (const place of [...rooms, ...scripts]) expect(places).toContain(place)
})

it.each(DOCUMENTS)('every picture and file that %s links to exists', (file) => {
  const text = read(file)
  const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, path]) => path as string)
  const pictures = [...text.matchAll(/(?:src|srcset)="([^"]+)"/g)].map(([, path]) => path as string)
  const places = [...links, ...pictures].map((path) => join(ROOT, dirname(file), path))
  expect(places.filter((place) => !existsSync(place))).toEqual([])
})

/** Returns the anchors of a document as GitHub makes them of its headings. */
function anchorsOf(file: string): string[] {
  const headings = read(file).matchAll(/^#+ (.*)$/gm)
  return Array.from(headings, ([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  )
}

it.each(DOCUMENTS)('every heading that %s links to exists', (file) => {
  for (const [, path, anchor] of read(file).matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g))
    expect(anchorsOf(path ? join(dirname(file), path) : file)).toContain(anchor)
})

it.each(DOCUMENTS)('a link of %s that names PowerShell leads to a part that does, too', (file) => {
  for (const [, path, anchor] of read(file).matchAll(/\[in PowerShell\]\(([^)#]*)#([^)]+)\)/g)) {
    const target = path ? join(dirname(file), path) : file
    const parts = read(target).split(/^#+ /m)
    const part = parts[anchorsOf(target).indexOf(anchor as string) + 1]
    expect(part).toContain('PowerShell')
  }
})

/** Returns the numbers of a text; `1,300` and `1300` are one, as are `4` and `4.0`. */
function numbersIn(text: string): number[] {
  return (text.match(/\d[\d,]*(?:\.\d+)?/g) ?? []).map((digits) =>
    Number(digits.replaceAll(',', '')),
  )
}

it.each(DOCUMENTS)('every figure in %s that a benchmark gives is in the table of all', (file) => {
  const known = numbersIn(read('tests/bench/figures.md'))
  for (const paragraph of read(file).split('\n')) {
    if (!paragraph.includes('npm run bench')) continue
    const figures = paragraph.match(/\d[\d,]*\.\d+|\d[\d,]*(?= (?:seconds|ms|MB|GB|kB)\b)/g)
    expect(known).toEqual(expect.arrayContaining(numbersIn((figures ?? []).join(' '))))
  }
})

/** How many files the sample has, as the README says it. */
const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six']

/** What `build-data` says at the end, such as "pages: 100 of 132 records, no mistake, 32 duplicates dropped". */
const SUMMARY = /^pages: (\d+) of (\d+) records, .*, (\d+) duplicates dropped$/m

it('the README says what the sample has, and what it becomes', async () => {
  const { out, folder } = createWorkspace()
  const batches = join(folder, 'raw-batches')
  // Not the committed batches, which you may edit.
  await makeBatches(['--out', batches])
  const config = join(folder, 'content.ts')
  const content = JSON.stringify({ files: batches, schema: SCHEMA })
  writeFileSync(config, `export const content = ${content}`)

  const { stdout } = await runBuildData(['--config', config, '--out', out])

  const [, pages, records, duplicates] = SUMMARY.exec(stdout) ?? []
  const files = NUMBERS[readdirSync(batches).length]
  expect(readme).toContain(
    `The sample has ${files} delivered files with ${records} records, of which ${duplicates} are duplicates. They become a site of ${pages} pages`,
  )
})

/** A block of code, such as "```sh", its lines and "```": its language, its text. */
const BLOCK = /^```(.*)\n([\s\S]*?)^```$/gm

const blocks = Array.from(readme.matchAll(BLOCK), ([, language, text = '']) => ({ language, text }))

/** The commands that the README shows, line by line. */
const commands = blocks
  .filter(({ language }) => language === 'sh')
  .flatMap(({ text }) => text.trim().split('\n'))

/** The commands that no test runs as they're printed, by the reason. */
const NOT_RUN: Readonly<Record<string, readonly string[]>> = {
  'It needs the address of this repository. own-content.test.ts clones a copy.': [
    'git clone ADDRESS_OF_THIS_REPOSITORY manyurls && cd manyurls',
  ],
  "It doesn't end. tests/forms/serve.test.ts starts and stops the server.": ['npm ci && npm start'],
  'It is what runs these tests.': ['npm ci && npm test'],
}

it('the README shows each command that no test runs', () => {
  const notRun = Object.values(NOT_RUN).flat()
  expect(notRun.filter((command) => !commands.includes(command))).toEqual([])
})

it('no block of the README is of a language in which a command would not be run', () => {
  const languages = blocks.map(({ language }) => language)
  expect([...new Set(languages)].sort()).toEqual(['', 'sh'])
})

/** The example at the top, with its mistake. */
const FERRIES = `[
  { "code": "AL", "name": "Alder", "seats": 60 },
  { "code": "BE", "name": "Beech", "seats": 80 },
  { "code": "CE", "name": "Cedar", "seats": "95" }
]
`

const FERRIES_SCHEMA = `{
  "type": "array",
  "items": {
    "type": "object",
    "required": ["code", "name"],
    "properties": { "seats": { "type": "integer" } }
  }
}
`

/** Commits the package as a release does, and creates a repository with the ferries. */
async function layFerries() {
  const folder = mkdtempSync(join(tmpdir(), 'manyurls-readme-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const released = join(folder, 'package')
  const repository = join(folder, 'ferries')

  await makePackage(released)
  for (const name of ['GIT_AUTHOR', 'GIT_COMMITTER']) {
    vi.stubEnv(`${name}_NAME`, 'Ada')
    vi.stubEnv(`${name}_EMAIL`, 'ada@example.com')
  }
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  commitPackage(released, version, '2026-11-29T12:00:00Z')

  mkdirSync(repository)
  writeFileSync(join(repository, 'ferries.json'), FERRIES)
  writeFileSync(join(repository, 'ferries.schema.json'), FERRIES_SCHEMA)
  return { released, repository }
}

it('the commands of the README check and fix the ferries at its top', async () => {
  const { released, repository } = await layFerries()
  const settings = { offline: 'true', audit: 'false', fund: 'false', update_notifier: 'false' }
  const names = Object.entries(settings).map(([name, value]) => [`npm_config_${name}`, value])
  const env = { ...process.env, ...Object.fromEntries(names) }

  const results = new Map<string, { status: number | null; stderr: string }>()
  const notRun = Object.values(NOT_RUN).flat()
  for (const command of commands.filter((name) => !notRun.includes(name))) {
    // From the commit that a release pushes, but on this disk.
    const here = command.replace('github:OWNER/manyurls', `git+file://${released}`)
    const { status, stderr } = spawnSync(here, {
      cwd: repository,
      env,
      shell: true,
      encoding: 'utf8',
    })
    results.set(command, { status, stderr })
  }

  const [shown = ''] = blocks.filter(({ language }) => language === '').map(({ text }) => text)
  const [command = '', ...output] = shown.split('\n')
  expect(results.get(command.replace('$ ', ''))).toEqual({ status: 1, stderr: output.join('\n') })

  const statuses = Array.from(results.values(), ({ status }) => status)
  expect(statuses).toEqual([0, 0, 1, 0])
  const ferries = readFileSync(join(repository, 'ferries.json'), 'utf8')
  expect(ferries).toBe(FERRIES.replace('"95"', '95'))
})

it('the README installs the version of package.json', () => {
  const tags = [...readme.matchAll(/package-v([\d.]+\d)/g)].map(([, tag]) => tag)
  expect(tags).toEqual([version, version])
})

/** Returns the paragraph of a document that begins with some words. */
function paragraphOf(start: string): string {
  const paragraph = readme.split('\n').find((line) => line.startsWith(start))
  expect(paragraph).toBeDefined()
  return paragraph ?? ''
}

/** Such as "130,000 records in 143.6 MB". */
const LOAD = /[\d,]+ records in [\d.]+ MB/

/** Such as "6.3 seconds and 286 MB". */
const COST = /([\d.]+) seconds and ([\d,]+) MB/g

it('the README gives the figures of the benchmark', () => {
  const paragraph = paragraphOf('**How fast:**')
  const [load = ''] = LOAD.exec(paragraph) ?? []
  const tables = read('tests/bench/figures.md').split('\n\n')
  const table = tables.find((text) => text.startsWith(`| ${load.replace(' in ', ', ')} |`)) ?? ''
  const rowOf = (name: string) => {
    const row = table.split('\n').find((text) => text.startsWith(`| ${name} |`)) ?? ''
    return row.split(' | ').map((cell) => cell.split(' (')[0])
  }

  const costs = [...paragraph.matchAll(COST)]
  const [ours, plainLoop] = costs.map(([, seconds, memory]) => ({ seconds, memory }))
  const measured = ['ManyURLs', 'a plain loop'].map((name) => {
    const [, seconds, , memory] = rowOf(name)
    return { seconds, memory }
  })
  expect([ours, plainLoop]).toEqual(measured)
})

it('VS Code checks the batches by the schema, without any setup', () => {
  const settings = JSON.parse(read('.vscode/settings.json'))
  const [{ fileMatch, url }] = settings['json.schemas']
  expect(fileMatch).toEqual(['raw-batches/**/*.json', 'raw-batches/**/*.jsonc'])
  expect(settings['yaml.schemas']).toEqual({ [url]: 'raw-batches/**/*.{yaml,yml}' })
  expect(JSON.parse(read(url))).toHaveProperty('$schema')
  expect(read('raw-batches/README.md')).toContain('**VS Code** needs no setup')
})
