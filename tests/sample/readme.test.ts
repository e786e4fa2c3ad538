import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, it } from 'vitest'
import type { Page } from '../../scripts/samples/batches.ts'
import { createWorkspace, runBuildData } from '../helpers/workspace.ts'
import { copyCommittedBatches } from './committed.ts'

const ROOT = join(import.meta.dirname, '../..')
const DOCUMENTS = [
  'README.md',
  '.github/CONTRIBUTING.md',
  '.github/SECURITY.md',
  ...[
    'raw-batches',
    'schema',
    'src/batch',
    'src/pipeline',
    'src/report',
    'src/server',
    'src/site',
    'deploy',
  ].map((folder) => `${folder}/README.md`),
  'src/pipeline/engines.md',
  'scripts/bench/README.md',
  'tests/README.md',
]
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const readme = read('README.md')
const contributing = read('.github/CONTRIBUTING.md')
const { scripts } = JSON.parse(read('package.json'))

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
  const named = new Set([...text.matchAll(/npm (?:run )?([a-z][\w:-]*)/g)].map(([, name]) => name))
  for (const command of ['ci', 'install', 'prune', 'version']) named.delete(command)
  return named
}

it('the README has at most 150 lines and 1,200 words, that of your own content 250 lines, all others 120', () => {
  expect(readme.split('\n').length).toBeLessThanOrEqual(151)
  expect(readme.split(/\s+/).length).toBeLessThanOrEqual(1_200)
  for (const file of DOCUMENTS.slice(3)) {
    const most = { schema: 250 }[file.split('/')[0] ?? ''] ?? 120
    expect(read(file).split('\n').length, file).toBeLessThanOrEqual(most + 1)
  }
})

it.each(DOCUMENTS)('every npm command in %s exists', (file) => {
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining([...commandsIn(read(file))]))
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

/** Returns the numbers of a text; `1,300` and `1300` are one, as are `4` and `4.0`. */
function numbersIn(text: string): number[] {
  return (text.match(/\d[\d,]*(?:\.\d+)?/g) ?? []).map((digits) =>
    Number(digits.replaceAll(',', '')),
  )
}

it.each(DOCUMENTS)('every figure in %s that a benchmark gives is in the table of all', (file) => {
  const known = numbersIn(read('scripts/bench/figures.md'))
  for (const paragraph of read(file).split('\n')) {
    if (!paragraph.includes('npm run bench')) continue
    const figures = paragraph.match(/\d[\d,]*\.\d+|\d[\d,]*(?= (?:seconds|ms|MB|GB|kB)\b)/g)
    expect(known).toEqual(expect.arrayContaining(numbersIn((figures ?? []).join(' '))))
  }
})

it('the README shows the real output of build-data', async () => {
  const { out, folder } = createWorkspace()
  const batches = join(folder, 'raw-batches')
  copyCommittedBatches(batches)
  const { stdout } = await runBuildData(['--batches', batches, '--out', out, '--verbose'])
  const isOfThisRun = (line: string) => /^(Output|Time) /.test(line)
  const said = stdout
    .replaceAll(batches, 'raw-batches')
    .trimEnd()
    .split('\n')
    .filter((line) => !isOfThisRun(line))
  const firstDrop = said[0] ?? ''
  const summary = said.slice(said.findIndex((line) => line.startsWith('batch-01.json ')))
  expect(summary).toHaveLength(5 + 1 + 6)
  for (const line of [firstDrop, ...summary]) expect(readme).toContain(`\n${line}\n`)
})

it('the pages in the output that documents show exist, with a form if one was sent', async () => {
  const workspace = createWorkspace()
  await runBuildData(['--schema', 'schema/batch.schema.json', '--out', workspace.out])
  const pages: Page[] = JSON.parse(workspace.read('dataset.json'))
  const pathsOf = (all: { path: string }[]) => all.map(({ path }) => path)

  const documents = readme + read('src/server/README.md')
  const blocks = [...documents.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)]
  const outputs = blocks
    .flatMap(([, language, text = '']) => (language === '' ? [text] : []))
    // A batch that has problems may have any paths.
    .filter((text) => !text.startsWith('Nothing was written'))
  const shown = (text: string) => text.match(/(?<![^\s(])\/[a-z]+\/\d{3}\b/g) ?? []
  const all = outputs.flatMap(shown)
  const sent = outputs.filter((text) => text.startsWith('Received (UTC)')).flatMap(shown)
  expect(all.length).toBeGreaterThan(sent.length)
  expect(sent).toHaveLength(3)
  expect(pathsOf(pages)).toEqual(expect.arrayContaining(all))
  expect(pathsOf(pages.filter(({ form }) => form))).toEqual(expect.arrayContaining(sent))
})
