/** What the guides of the package show: their commands, as they're printed, their files and their workflows. */
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { makePackage } from '../../scripts/pack/make-package.ts'
import { runIn } from '../helpers/collections.ts'
import { blocksOf, commandsOf, NOT_RUN } from '../helpers/guides.ts'
import { run } from '../helpers/workspace.ts'

const ROOT = join(import.meta.dirname, '../..')
const GUIDE = 'src/collections/README.md'
const OF_PACKAGE = 'src/package/README.md'
const OF_REPORT = 'src/report/README.md'
const blocks = [...blocksOf(GUIDE), ...blocksOf(OF_PACKAGE)]
const workflows = blocks.filter(({ language }) => language === 'yaml').map(({ text }) => text)

const notRun = Object.values(NOT_RUN).flat()
const commands = [GUIDE, OF_PACKAGE]
  .flatMap((document) => commandsOf(document))
  .filter(({ command }) => !notRun.includes(command))
const withOutput = commands.filter(({ output }) => output.trim() !== '')

const PACKAGE = mkdtempSync(join(tmpdir(), 'manyurls-package-'))

beforeAll(() => makePackage(PACKAGE))

afterAll(() => rmSync(PACKAGE, { recursive: true, force: true }))

/** Returns the texts of a file that the guides show, perhaps several times. */
function textsOf(name: string): string[] {
  const texts = blocks.filter(({ file }) => file === name).map(({ text }) => text)
  expect(texts).not.toEqual([])
  return texts
}

/** Returns the text of a file that the guides show, the first one of its name. */
function fileShown(name: string): string {
  return textsOf(name)[0] ?? ''
}

/** Lays files into a new repository in which the package is installed. */
function layRepository(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'manyurls-guide-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }

  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
  symlinkSync(PACKAGE, join(folder, 'node_modules/manyurls'), 'junction')
  symlinkSync('../manyurls/lib/bin.js', join(folder, 'node_modules/.bin/manyurls'))
  return folder
}

/** Lays the guide's repository of countries, without a configuration. */
function layCountries(countries = fileShown('countries.json')): string {
  return layRepository({ 'countries.json': countries, 'schema.json': fileShown('schema.json') })
}

/** Lays the guide's repository with its configuration. */
function layWithConfig(countries?: string): string {
  const folder = layCountries(countries)
  writeFileSync(join(folder, 'manyurls.config.ts'), fileShown('manyurls.config.ts'))
  return folder
}

/** What npm prints before the output of a script. */
const SCRIPT_LINES = /^\n?(?:> .*\n)+\n/

/** Runs a command in a shell, as in a new terminal: a test that npm runs has settings of its own. */
function type(command: string, cwd: string) {
  const { PATH, HOME, TMPDIR } = process.env
  const options = { cwd, encoding: 'utf8', env: { PATH, HOME, TMPDIR } } as const
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], options)
  return { status, printed: stdout.replace(SCRIPT_LINES, '') + stderr }
}

const SETUP = 'npx --no manyurls init --scripts'

/** The commands that make a hook of Git. */
const HOOK = commandsOf(OF_PACKAGE, '## Before each commit').map(({ command }) => command)

test('the commands of the package run one after the other', () => {
  const folder = layCountries()
  type('git init', folder)
  const results = commands
    .filter(({ output }) => output.trim() === '')
    .map(({ command }) => [command, type(command, folder).status])

  expect(results).toEqual([
    [SETUP, 0],
    ['npm run check-data', 1],
    ['npm run fix-data', 0],
    ['npx --no manyurls build', 0],
    ...HOOK.map((command) => [command, 0]),
  ])
  expect(existsSync(join(folder, 'generated/countries.d.ts'))).toBe(true)
})

/** Only "init" succeeds: the countries have a mistake. */
const STATUSES: Readonly<Record<string, number>> = { [SETUP]: 0, 'npm run check-data': 1 }

test.each(withOutput)('"$command" prints what the guide shows', ({ command, output }) => {
  const folder = layCountries()
  if (command !== SETUP) type(SETUP, folder)

  const { status, printed } = type(command, folder)
  expect(status).toBe(STATUSES[command])

  const [shown = '', ...rest] = output.split(/^…\n/m)
  if (rest.length === 0) expect(printed).toBe(shown)
  else expect(printed.slice(0, shown.length)).toBe(shown)
})

test('the command of the package that the README of reports shows writes one', () => {
  const inPackage = commandsOf(OF_REPORT).filter(({ command }) => command.startsWith('npx '))
  const folder = layWithConfig()
  const statuses = inPackage.map(({ command }) => type(command, folder).status)
  expect(statuses).toEqual([1])
  expect(readFileSync(join(folder, 'report.html'), 'utf8')).toContain('countries.json')
})

test('the guide of the configuration has no command without its output', () => {
  expect(commandsOf(GUIDE).filter(({ output }) => output.trim() === '')).toEqual([])
})

test('init writes the configuration that the guide shows', () => {
  const folder = layCountries()
  expect(type(SETUP, folder).status).toBe(0)
  const written = readFileSync(join(folder, 'manyurls.config.ts'), 'utf8')
  expect(written).toBe(fileShown('manyurls.config.ts'))
})

/** What is said of Chile with the code of Peru. */
const COPIED = `
countries.json:5:13  record 4 (code "PE")  /3/code
  The record at line 3 has the same "code" ("PE"), but other values of "name", "continent" and "capital". If one is a copy, change its id, or remove it.
    3 |   { "code": "PE", "name": "Peru", "continent": "South America", "capita…
    4 |   { "code": "NO", "name": "Norway", "continent": "Europe", "capital": "…
  > 5 |   { "code": "PE", "name": "Chile" }
      |             ^^^^
  and countries.json:3:13
  > 3 |   { "code": "PE", "name": "Peru", "continent": "South America", "capita…
      |             ^^^^
`

test('a copied record fails the check, with both places', () => {
  const copy = '  { "code": "PE", "name": "Chile" }\n'
  const countries = fileShown('countries.json')
    .replace('"europe"', '"Europe"')
    .replace('"Oslo" }\n', `"Oslo" },\n${copy}`)
  const { status, printed } = type('npx --no manyurls check', layWithConfig(countries))
  expect([status, printed]).toEqual([1, expect.stringContaining(COPIED)])
})

const [, REFERENCES = '', RULES = ''] = textsOf('manyurls.config.ts')

test('the references that the guide shows find a record that does not exist', () => {
  const check = (twins: string) => {
    const folder = layRepository({
      'manyurls.config.ts': REFERENCES,
      'countries.json': '[{ "code": "PE", "borders": ["PE"], "capital": { "id": "lima" } }]',
      'cities.json': JSON.stringify([{ id: 'lima', twins }]),
    })
    return type('npx --no manyurls check', folder)
  }
  expect(check('lima lima').status).toBe(0)
  expect(check('lima oslo').printed).toContain('No record of "cities" has the id "oslo".')
})

test('the rule that the guide shows wants another name of a file', () => {
  const check = (name: string) => {
    const files = { 'manyurls.config.ts': RULES, [`countries/${name}`]: '{ "code": "PE" }' }
    return type('npx --no manyurls check', layRepository(files))
  }
  expect(check('PE.json').status).toBe(0)
  expect(check('CL.json').printed).toContain('Call this file PE.json.')
})

test('a workflow and a hook have at most ten lines', () => {
  expect(workflows).toHaveLength(3)
  for (const workflow of workflows) expect(workflow.trim().split('\n').length).toBeLessThan(11)
})

/** The inputs of the action, with their defaults. */
const { inputs: INPUTS } = parse(readFileSync(join(ROOT, 'src/package/action.yml'), 'utf8'))

/** Runs the action of the workflow that the guide shows, as GitHub does. */
function runWorkflow(folder: string, workingDirectory?: string) {
  const { steps } = parse(workflows[0] ?? '').jobs.check
  const { with: inputs } = steps.find(({ uses }: { uses: string }) => uses.includes('manyurls'))
  const byDefault = inputs['working-directory'] ?? INPUTS['working-directory'].default
  return run([join(PACKAGE, 'lib/action.js')], {
    cwd: folder,
    env: {
      INPUT_ARGS: inputs.args,
      'INPUT_WORKING-DIRECTORY': workingDirectory ?? byDefault,
      GITHUB_ACTIONS: 'true',
      GITHUB_WORKSPACE: folder,
    },
  })
}

test('the workflow marks the mistake in the repository of the guide', async () => {
  const { status, stderr } = await runWorkflow(layWithConfig())
  expect([status, stderr]).toEqual([
    1,
    expect.stringContaining('::error file=countries.json,line=4,'),
  ])
})

test('the workflow also checks a configuration that is in a folder', async () => {
  const folder = layRepository({})
  cpSync(layWithConfig(), join(folder, 'data'), { recursive: true })
  const { status, stderr } = await runWorkflow(folder, 'data')
  expect([status, stderr]).toEqual([
    1,
    expect.stringContaining('::error file=data/countries.json,line=4,'),
  ])
})

test('the guide names each input of the action', () => {
  const guide = readFileSync(join(ROOT, OF_PACKAGE), 'utf8')
  for (const input of Object.keys(INPUTS)) expect(guide).toContain(`\`${input}\``)
})

test('each hook also runs at a commit that only deletes files', () => {
  const [byRepository, byHand] = workflows.slice(1).map((text) => parse(text).repos[0])
  const [delivered] = parse(readFileSync(join(ROOT, 'src/package/pre-commit-hooks.yaml'), 'utf8'))
  expect(byRepository.hooks).toEqual([{ id: delivered.id }])

  for (const hook of [delivered, byHand.hooks[0]]) {
    expect(hook).toMatchObject({ always_run: true, pass_filenames: false })
    expect(hook).not.toHaveProperty('files')
  }
})

test('the hook of an installed package fails at a mistake', () => {
  const [, , byHand = ''] = workflows
  const { status, printed } = type(parse(byHand).repos[0].hooks[0].entry, layWithConfig())
  expect([status, printed]).toEqual([1, expect.stringMatching(/^countries\.json: 1 problem\n/)])
})

test('the hook of Git stops a commit with a mistake', () => {
  const folder = layWithConfig()
  const commit =
    'git add --all && git -c user.name=Ada -c user.email=ada@example.com commit -m Data'
  const script = ['git init --quiet', SETUP, ...HOOK, commit].join('\n')
  const { status, printed } = type(script, folder)
  expect([status, printed]).toEqual([1, expect.stringContaining('\ncountries.json: 1 problem\n')])
})

test('no command runs a package of the name from elsewhere', () => {
  const guides = [GUIDE, OF_PACKAGE].map((name) => readFileSync(join(ROOT, name), 'utf8')).join('')
  const commands = [...guides.matchAll(/\bnpx .*/g)].map(([command]) => command)
  expect(commands.length).toBeGreaterThan(5)
  expect(commands.filter((command) => !/^npx (?:--no manyurls|could)/.test(command))).toEqual([])
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
/** What a module that reads a dataset needs of Node. */
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

  expect(compile(projects)).toMatchObject({ stdout: '', status: 0 })
})

function compile(projects: readonly string[]) {
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  return spawnSync(process.execPath, [tsc, '-b', ...projects], { encoding: 'utf8' })
}

/** What a rule of the guide needs of Node. */
const NODE_PATH = `declare module 'node:path' {
  export default path
  const path: { basename(file: string): string }
}
`

test('a strict TypeScript accepts each configuration that the guide shows', () => {
  const folder = layRepository({ 'node.d.ts': NODE_PATH })
  const configs = textsOf('manyurls.config.ts')
  for (const [at, text] of configs.entries()) writeFileSync(join(folder, `config${at}.ts`), text)

  const compilerOptions = { strict: true, noEmit: true, lib: ['es2022'], types: [] }
  const modules = { module: 'nodenext', skipLibCheck: false }
  const project = { compilerOptions: { ...compilerOptions, ...modules } }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project))
  expect(compile([folder])).toMatchObject({ stdout: '', status: 0 })
})
