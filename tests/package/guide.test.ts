/** What the guide of the package shows: its commands, and its example of countries. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { run } from '../helpers/workspace.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Runs TypeScript as it is. */
const TSX = join(ROOT, 'node_modules/tsx/dist/esm/index.mjs')
const guide = readFileSync(join(ROOT, 'src/package/README.md'), 'utf8')

/** Such as "```json countries.json", the lines of a block, and "```". */
const BLOCK = /^```(.*)\n([\s\S]*?)^```$/gm

/** Returns the blocks whose first line begins with a word, without that line. */
function blocks(kind: string): string[] {
  return [...guide.matchAll(BLOCK)]
    .filter(([, info = '']) => info.split(' ')[0] === kind)
    .map(([, , text = '']) => text)
}

/** Returns the text of a file that the guide shows. */
function fileShown(name: string): string {
  const [, , text] =
    [...guide.matchAll(BLOCK)].find(([, info = '']) => info.endsWith(` ${name}`)) ?? []
  expect(text).toBeDefined()
  return text ?? ''
}

/** Returns what the guide shows below a command. */
function outputOf(command: string): string {
  const block = blocks('console').find((text) => text.startsWith(`$ ${command}\n`)) ?? ''
  return block.replace(`$ ${command}\n`, '')
}

/** Lays the guide's repository of countries into a new folder. */
function layCountries(countries = fileShown('countries.json')): string {
  const folder = mkdtempSync(join(tmpdir(), 'manyurls-guide-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'countries.json'), countries)
  writeFileSync(join(folder, 'schema.json'), fileShown('schema.json'))
  return folder
}

/** Runs a command as npx does. */
function manyurls(command: string, folder: string) {
  const env = { npm_config_user_agent: 'npm/10.8.2' }
  const bin = join(ROOT, 'src/package/bin.ts')
  return run(['--import', TSX, bin, command], { cwd: folder, env })
}

/** Runs the check on countries, with the configuration that the guide shows. */
async function check(countries?: string) {
  const folder = layCountries(countries)
  writeFileSync(join(folder, 'manyurls.config.ts'), fileShown('manyurls.config.ts'))

  const { status, stderr } = await manyurls('check', folder)
  return { status, stderr }
}

test('a workflow and a hook have at most ten lines', () => {
  expect(blocks('yaml')).toHaveLength(3)
  for (const workflow of blocks('yaml')) expect(workflow.trim().split('\n').length).toBeLessThan(11)
})

test('no command runs a package of the name from elsewhere', () => {
  const commands = [...guide.matchAll(/\bnpx .*/g)].map(([command]) => command)
  expect(commands.length).toBeGreaterThan(5)
  expect(commands.filter((command) => !command.startsWith('npx --no manyurls'))).toEqual([])
})

test('init says what the guide shows, and ends with what check says of the configuration that it shows', async () => {
  const folder = layCountries()
  const { status, stdout, stderr } = await manyurls('init', folder)
  const said = outputOf('npx --no manyurls init').replace('…\n', '')
  expect([status, stdout]).toEqual([0, said])
  expect(stderr).toBe(outputOf('npx --no manyurls check'))
  expect(readFileSync(join(folder, 'manyurls.config.ts'), 'utf8')).toBe(
    fileShown('manyurls.config.ts'),
  )
})

test('check says what the guide shows', async () => {
  const { status, stderr } = await check()
  expect([status, stderr]).toEqual([1, outputOf('npx --no manyurls check')])
})

test('a copied record fails the check as the guide shows', async () => {
  const copy =
    '  { "code": "PE", "name": "Chile", "continent": "South America", "capital": "Santiago" }\n'
  const countries = fileShown('countries.json')
    .replace('"europe"', '"Europe"')
    .replace('"Oslo" }\n', `"Oslo" },\n${copy}`)
  const { status, stderr } = await check(countries)
  expect([status, stderr]).toEqual([1, blocks('')[0]])
})
