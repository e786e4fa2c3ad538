import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Page } from '../src/generated/dataset.json'
import { createWorkspace, runBuildData } from './workspace.ts'

const ROOT = join(import.meta.dirname, '..')
const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

/** What stands in the tree of the README: folders and files, by their paths. */
function filesInTree(): string[] {
  const [, tree = ''] = /```\n(package\.json[\s\S]*?)```/.exec(readme) ?? []
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

it('every npm command of the README exists, and every npm script is in the README', () => {
  const named = new Set(
    [...readme.matchAll(/npm (?:run )?([a-z][\w:-]*)/g)].map(([, name]) => name),
  )
  for (const command of ['ci', 'install']) named.delete(command)
  expect([...named].sort()).toEqual(Object.keys(scripts).sort())
})

it('every place in the tree of the README exists', () => {
  const places = filesInTree()
  expect(places.length).toBeGreaterThan(15)
  expect(places.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})

it('every module of the pipeline and every script is in the tree of the README', () => {
  const places = filesInTree()
  for (const folder of ['scripts/', 'src/dataset/', 'src/pipeline/']) {
    const files = readdirSync(join(ROOT, folder), { withFileTypes: true })
    for (const file of files)
      expect(places).toContain(`${folder}${file.name}${file.isDirectory() ? '/' : ''}`)
  }
})

it('every picture and file that the README links to exists', () => {
  const links = [...readme.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, path]) => path as string)
  const pictures = [...readme.matchAll(/(?:src|srcset)="([^"]+)"/g)].map(
    ([, path]) => path as string,
  )
  expect(pictures.length).toBeGreaterThan(1)
  expect([...links, ...pictures].filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})

it('what the README shows of build-data is what build-data says', async () => {
  const { out } = createWorkspace()
  const { stdout } = await runBuildData(['--out', out, '--verbose'])
  const isOfThisRun = (line: string) => /^(Output|Time) /.test(line)
  const said = stdout
    .trimEnd()
    .split('\n')
    .filter((line) => !isOfThisRun(line))
  const firstDrop = said[0] ?? ''
  const summary = said.slice(said.findIndex((line) => line.startsWith('batch-01.json ')))
  expect(summary).toHaveLength(5 + 1 + 6)
  for (const line of [firstDrop, ...summary]) expect(readme).toContain(`\n${line}\n`)
})

it('the pages in what the README shows of commands are there, with a form where one was sent', async () => {
  const { out, read } = createWorkspace()
  await runBuildData(['--out', out])
  const pages: Page[] = JSON.parse(read('dataset.json'))
  const pathsOf = (all: { path: string }[]) => all.map(({ path }) => path)

  const blocks = [...readme.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)]
  const outputs = blocks.flatMap(([, language, text = '']) => (language === '' ? [text] : []))
  const shown = (text: string) => text.match(/(?<![^\s(])\/[a-z]+\/\d{3}\b/g) ?? []
  const all = outputs.flatMap(shown)
  const sent = outputs.filter((text) => text.startsWith('Received (UTC)')).flatMap(shown)
  expect(all.length).toBeGreaterThan(sent.length)
  expect(sent).toHaveLength(3)
  expect(pathsOf(pages)).toEqual(expect.arrayContaining(all))
  expect(pathsOf(pages.filter(({ form }) => form))).toEqual(expect.arrayContaining(sent))
})
