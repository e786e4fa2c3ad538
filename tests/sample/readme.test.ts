import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, it } from 'vitest'
import { makeBatches } from '../../scripts/samples/command.ts'
import { createWorkspace, runBuildData } from '../helpers/workspace.ts'

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
    'src/package',
    'src/report',
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
  for (const command of ['ci', 'i', 'install', 'prune', 'version']) named.delete(command)
  return named
}

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
  // Not the committed batches, which you may edit.
  await makeBatches(['--out', batches])

  const { stdout } = await runBuildData(['--batches', batches, '--out', out])

  const isOfThisRun = (line: string) => /^(Output|Time) /.test(line)
  const lines = stdout.trimEnd().split('\n')
  expect(lines).toHaveLength(5 + 1 + 8 + 4)
  const shown = readme.split('\n')
  expect(lines.filter((line) => !isOfThisRun(line) && !shown.includes(line))).toEqual([])
})

it('the README shows how records of your own become pages, what a mistake leads to, and its fix', async () => {
  const { folder, batches, batch, build, read } = createWorkspace()
  const [, shown = ''] = /```ts src\/content.ts\n(.*?)```/s.exec(readme) ?? []
  const content = join(folder, 'content.ts')
  writeFileSync(content, shown.replace('./page/', `${join(ROOT, 'src/page')}/`))
  const [, shownSchema = ''] = /```json schema\/batch.schema.json\n(.*?)```/s.exec(readme) ?? []
  const schema = join(folder, 'schema.json')
  writeFileSync(schema, shownSchema)
  const first = '  { "id": "bread", "name": "Bread Museum", "kind": "museum", "about": "Ovens." },'
  batch(
    'north.json',
    `[\n${first}\n  { "id": "tram-9", "name": "Tram 9", "kind": "tour", "about": "Hop!" }\n]\n`,
  )
  batch(
    'south.json',
    `[\n  { "id": "tram-9", "name": "Line 9", "kind": "Tour", "about": "Hop!" },\n${first.slice(0, -1)}\n]\n`,
  )

  const own = ['--schema', schema, '--content', content]
  const run = async (...args: string[]) => {
    const { stdout, stderr } = await build([...own, ...args])
    return (stdout + stderr).replaceAll(batches, 'raw-batches')
  }
  const blocks = [...readme.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)]
  const [problem, fix = ''] = blocks.flatMap(([, kind, text]) => (kind ? [] : [text]))
  expect(await run()).toBe(problem)
  const said = await run('--fix', '--verbose')
  for (const line of fix.trim().split('\n')) expect(said.split('\n')).toContain(line)
  expect(JSON.parse(read('dataset.json'))[1]).toMatchObject({
    ...{ path: '/places/tram-9', title: 'Tram 9', contentHtml: '<p>Hop!</p>' },
  })
})

it('VS Code checks the batches by the schema, without any setup', () => {
  const settings = JSON.parse(read('.vscode/settings.json'))
  const [{ fileMatch, url }] = settings['json.schemas']
  expect(fileMatch).toEqual(['raw-batches/**/*.json'])
  expect(JSON.parse(read(url))).toHaveProperty('$schema')
  expect(read('raw-batches/README.md')).toContain('**VS Code** needs no setup')
})
