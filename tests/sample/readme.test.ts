import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { expect, it } from 'vitest'
import { makeBatches } from '../../scripts/samples/command.ts'
import type { FormDefinition } from '../../src/page/form-fields.ts'
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
  const named = new Set(
    [...text.matchAll(/\bnpm (?:run )?([a-z][\w:-]*)/g)].map(([, name]) => name),
  )
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

it('the README shows the real output of build-data', async () => {
  const { out, folder } = createWorkspace()
  const batches = join(folder, 'raw-batches')
  // Not the committed batches, which you may edit.
  await makeBatches(['--out', batches])
  const config = join(folder, 'content.ts')
  const content = JSON.stringify({ files: batches, schema: SCHEMA })
  writeFileSync(config, `export const content = ${content}`)

  const { stdout } = await runBuildData(['--config', config, '--out', out])

  const placed = stdout.replaceAll(relative('', batches), 'raw-batches')
  const lines = placed.trimEnd().replace(out, 'src/generated').split('\n')
  expect(lines).toHaveLength(4 + 1 + 6 + 2)
  expect(lines.filter((line) => !readme.split('\n').includes(line))).toEqual([])
})

/** A block of code, such as "```json raw-batches/north.json", its lines and "```": its first line, its text. */
const BLOCK = /^```(.*)\n([\s\S]*?)^```$/gm

/** Returns the files that a part of the README shows whole, by their names. */
function filesShownIn(part: string): Map<string, string> {
  const blocks = Array.from(part.matchAll(BLOCK), ([, info = '', text = '']) => ({ info, text }))
  const named = blocks.filter(({ info }) => info.includes(' '))
  return new Map(named.map(({ info, text }) => [info.slice(info.indexOf(' ') + 1), text]))
}

/** Returns what the README shows of the output of commands. */
function outputsShown(): string[] {
  const blocks = Array.from(readme.matchAll(BLOCK), ([, info, text = '']) => ({ info, text }))
  return blocks.filter(({ info }) => info === '').map(({ text }) => text)
}

/** Returns the part of a document below a heading, up to the next one of its level or a higher one. */
function partBelow(heading: string, document = readme): string {
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

/** Lays the files that a part of a document shows into a workspace. */
function layFiles(part: string) {
  const { folder, batches, batch, build, read } = createWorkspace()
  const content = join(folder, 'content.ts')
  const schema = join(folder, 'schema.json')

  for (const [name, text] of filesShownIn(part)) {
    if (name.startsWith('raw-batches/')) batch(name.replace('raw-batches/', ''), text)
    if (name === 'schema/batch.schema.json') writeFileSync(schema, text)
    if (name === 'schema/place.schema.json') writeFileSync(join(folder, 'place.schema.json'), text)
    if (name === 'src/content.ts') writeFileSync(content, withPlaces(text))
  }

  const run = async (...args: string[]) => {
    const { stdout, stderr } = await build(['--schema', schema, '--config', content, ...args])
    return (stdout + stderr).replaceAll(batches, 'raw-batches')
  }
  return { run, pages: () => JSON.parse(read('dataset.json')) }
}

it('the README shows what a mistake in its first example leads to, and its fix', async () => {
  const { run, pages } = layFiles(partBelow('## 3. Build a site of your own'))
  const [problem, , fix = ''] = outputsShown()

  expect(await run()).toBe(problem)

  const fixed = await run('--fix', '--verbose')
  expect(fixed).toContain(fix.trim())
  expect(pages()[1]).toMatchObject({
    path: '/places/tram-9',
    title: 'Tram 9',
    contentHtml: '<p>Hop!</p>',
  })
})

/** Returns what the guide shows of a shape of files. */
function shapeBelow(heading: string): string {
  const guide = partBelow('## The shape of your files', read('schema/README.md'))
  const [record = ''] = guide.split('\n### ')
  return record + partBelow(heading, guide)
}

/** What the README shows of a list of records, without its file. */
const LIST = partBelow('## 3. Build a site of your own').replace(/^```json raw-.*$/gm, '```')

it.each([
  ['### A list under a key', ''],
  ['### Objects by name', ''],
  ['### One record per file', ''],
  ['### JSON Lines', LIST],
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

it('the form that the guide of forms shows is on each page', async () => {
  const places = partBelow('## 3. Build a site of your own').replace('"Tour"', '"tour"')
  const { run, pages } = layFiles(places + read('src/forms/README.md'))
  await run()

  const names = pages().map(({ form }: { form: FormDefinition }) => {
    return form.fields.map(({ name }) => name)
  })
  const expected = ['name', 'email', 'visit', 'message']
  expect(names).toEqual([expected, expected])
})

it('a copied record fails the build with the content.ts of the guide that refuses duplicates', async () => {
  const part = shapeBelow('### A list under a key').replace('"Bread Museum"', '"Tram 9"')
  expect(await layFiles(part).run()).toMatch(/^No dataset was written\.\n.*: 1 problem\n/)
})

it('the README gives the figures of the benchmark', () => {
  const figures = read('tests/bench/figures.md').split('\n\n')
  const ofMany = figures.find((table) => table.startsWith('| 130,000 records'))?.split('\n') ?? []
  const rows = partBelow('## How fast').match(/^\| (?!---|130,000).*$/gm) ?? []
  const numbersOfAll = ofMany.map((row) => numbersIn(row))

  expect(rows).toHaveLength(3)
  for (const row of rows) {
    const figuresOfRow = numbersIn(row).slice(-3)
    const isMeasured = numbersOfAll.some((numbers) =>
      figuresOfRow.every((figure) => numbers.includes(figure)),
    )
    expect([row, isMeasured]).toEqual([row, true])
  }
})

it('VS Code checks the batches by the schema, without any setup', () => {
  const settings = JSON.parse(read('.vscode/settings.json'))
  const [{ fileMatch, url }] = settings['json.schemas']
  expect(fileMatch).toEqual(['raw-batches/**/*.json', 'raw-batches/**/*.jsonc'])
  expect(settings['yaml.schemas']).toEqual({ [url]: 'raw-batches/**/*.{yaml,yml}' })
  expect(JSON.parse(read(url))).toHaveProperty('$schema')
  expect(read('raw-batches/README.md')).toContain('**VS Code** needs no setup')
})
