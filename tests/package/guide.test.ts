/** What the guide of the package shows: its commands, and its example of countries. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { runInit } from '../../src/package/init/init.ts'
import { managerOf } from '../../src/package/installation.ts'
import { runIn } from '../helpers/collections.ts'
import { Text } from '../helpers/workspace.ts'

const ROOT = join(import.meta.dirname, '../..')
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

/** Runs the check, as npx names it. */
function check(folder: string) {
  return runIn(folder, 'check', [], { manager: managerOf({ npm_config_user_agent: 'npm/10.8.2' }) })
}

/** Lays the guide's repository with its configuration. */
function layWithConfig(countries?: string): string {
  const folder = layCountries(countries)
  writeFileSync(join(folder, 'manyurls.config.ts'), fileShown('manyurls.config.ts'))
  return folder
}

test('a workflow and a hook have at most ten lines', () => {
  expect(blocks('yaml')).toHaveLength(3)
  for (const workflow of blocks('yaml')) expect(workflow.trim().split('\n').length).toBeLessThan(11)
})

test('each hook also runs at a commit that only deletes files', () => {
  const [byRepository, byHand] = blocks('yaml')
    .slice(1)
    .map((text) => parse(text).repos[0])
  const [delivered] = parse(readFileSync(join(ROOT, 'src/package/pre-commit-hooks.yaml'), 'utf8'))
  expect(byRepository.hooks).toEqual([{ id: delivered.id }])

  for (const hook of [delivered, byHand.hooks[0]]) {
    expect(hook).toMatchObject({ always_run: true, pass_filenames: false })
    expect(hook).not.toHaveProperty('files')
  }
})

test('no command runs a package of the name from elsewhere', () => {
  const commands = [...guide.matchAll(/\bnpx .*/g)].map(([command]) => command)
  expect(commands.length).toBeGreaterThan(5)
  expect(commands.filter((command) => !command.startsWith('npx --no manyurls'))).toEqual([])
})

test('init says and writes what the guide shows, and then checks', async () => {
  const folder = layCountries()
  const [stdout, stderr] = [new Text(), new Text()]
  let checks = 0
  const call = 'npx --no manyurls'
  const status = await runInit([], { stdout, stderr, call, check: async () => checks++ }, folder)

  const said = outputOf('npx --no manyurls init').replace('…\n', '')
  expect([status, stdout.text, stderr.text, checks]).toEqual([0, said, '', 1])
  expect(readFileSync(join(folder, 'manyurls.config.ts'), 'utf8')).toBe(
    fileShown('manyurls.config.ts'),
  )
})

test('check says what the guide shows', async () => {
  const { status, stderr } = await check(layWithConfig())
  expect([status, stderr]).toEqual([1, outputOf('npx --no manyurls check')])
})

test('a copied record fails the check as the guide shows', async () => {
  const copy =
    '  { "code": "PE", "name": "Chile", "continent": "South America", "capital": "Santiago" }\n'
  const countries = fileShown('countries.json')
    .replace('"europe"', '"Europe"')
    .replace('"Oslo" }\n', `"Oslo" },\n${copy}`)
  const { status, stderr } = await check(layWithConfig(countries))
  expect([status, stderr]).toEqual([1, blocks('')[0]])
})

/** The settings of TypeScript that the guide names, each in a package of either type. */
const SETTINGS = ['module', 'commonjs'].flatMap((type) => [
  ...['nodenext', 'node20', 'node18', 'node16'].map((module) => {
    return { type, module, mayImport: type === 'commonjs' }
  }),
  ...['esnext', 'es2022', 'preserve', 'commonjs'].flatMap((module) => [
    { type, module, mayImport: true },
    { type, module, moduleResolution: 'bundler', mayImport: true },
  ]),
])

/** What TypeScript says of each dataset, whether a module reads or imports it. */
const USES = `
const europe = countries[0]?.continent
export const narrow: 'Africa' | 'Asia' | 'Europe' | 'Oceania' | 'South America' | undefined = europe
// @ts-expect-error: a record has no such key
export const misspelled = countries[0]?.capitol
// @ts-expect-error: this is no continent
export const other: Item = { code: 'IS', name: 'Iceland', continent: 'europe' }
`
/** What these modules need of Node. */
const NODE = `declare module 'node:fs' {
  export function readFileSync(file: string, encoding: 'utf8'): string
}
`

test('a strict TypeScript knows the type of a record with all settings that the guide names', async () => {
  const folder = layWithConfig(fileShown('countries.json').replace('"europe"', '"Europe"'))
  const schema = fileShown('schema.json').replace(
    '"required"',
    '"additionalProperties": false, "required"',
  )
  writeFileSync(join(folder, 'schema.json'), schema)
  expect(await runIn(folder, 'build')).toMatchObject({ status: 0, stderr: '' })

  const projects = SETTINGS.map(({ type, mayImport, ...compilerOptions }, at) => {
    const project = join(folder, `project${at}`)
    const write = (name: string, text: string) => writeFileSync(join(project, name), text)
    mkdirSync(project)
    cpSync(join(folder, 'generated'), join(project, 'generated'), { recursive: true })

    write('package.json', JSON.stringify({ type }))
    write('node.d.ts', NODE)
    write('read.ts', fileShown('read-countries.ts') + USES)
    if (mayImport) write('import.ts', fileShown('import-countries.ts') + USES)

    const strict = { strict: true, noEmit: true, lib: ['es2022'], types: [] }
    const json = mayImport && { resolveJsonModule: true, allowArbitraryExtensions: true }
    write(
      'tsconfig.json',
      JSON.stringify({ compilerOptions: { ...strict, ...json, ...compilerOptions } }),
    )
    return project
  })

  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  const compiled = spawnSync(process.execPath, [tsc, '-b', ...projects], { encoding: 'utf8' })
  expect(compiled).toMatchObject({ stdout: '', status: 0 })
})
