/** The commands of the package in a repository, whose configuration is loaded as its owner writes it. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { managerOf } from '../../src/package/installation.ts'
import { readRequest } from '../../src/package/manyurls.ts'
import { runIn } from '../helpers/collections.ts'

const CONFIG = `import path from 'node:path'
import { defineCollections } from 'manyurls'
import { prefix } from './prefix'

export default defineCollections({
  trams: { files: 'trams.json', id: ({ code }, { file }) => prefix + code + path.extname(file) },
})
`

const NPM = managerOf({ npm_config_user_agent: 'npm/10.8.2' })
const PNPM = managerOf({ npm_config_user_agent: 'pnpm/10.1.0' })

const TRAM = { code: 'T9', name: 'Nine' }

/** Creates a repository. A file of another content than a text is JSON. */
function createRepository(files: Record<string, unknown> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'manyurls-repository-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const all = { 'trams.json': [TRAM], 'prefix.ts': "export const prefix: string = '-'\n", ...files }
  for (const [name, content] of Object.entries(all)) {
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    writeFileSync(join(folder, name), text)
  }
  return folder
}

test.each([
  ['manyurls.config.ts', CONFIG],
  ['manyurls.config.mts', CONFIG],
  ['manyurls.config.cts', CONFIG],
  ['manyurls.config.cjs', asCommonJs(CONFIG)],
])('the configuration may be %s', async (name, text) => {
  const folder = createRepository({ [name]: text })
  const { status, stderr } = await runIn(folder, 'check')
  expect([status, stderr]).toEqual([0, ''])
})

function asCommonJs(text: string): string {
  return text
    .replaceAll(/import (.*?) from (\S+)/g, 'const $1 = require($2)')
    .replace("'./prefix'", "'./prefix.ts'")
    .replace('export default ', 'module.exports = ')
}

test('the configuration may use await at its top, and what only TypeScript has', async () => {
  const folder = createRepository({
    'manyurls.config.ts': `import { readFile } from 'node:fs/promises'
enum Kind { Tram = 'trams' }
const read = await readFile(new URL('trams.json', import.meta.url), 'utf8')
${CONFIG.replace('trams:', '[Kind.Tram]:').replace('prefix + code', 'read.length + code')}`,
  })
  const { status, stderr } = await runIn(folder, 'check')
  expect([status, stderr]).toEqual([0, ''])
})

test.each([
  ['export const trams = {}', 'has no default export. '],
  ['await 1; export const trams = {}', 'has no default export. '],
  ['export default Promise.resolve({})', 'but its default export is a Promise. '],
  ['export default () => ({})', 'but its default export is a function. '],
  ['', 'exports no collections. '],
])(
  'a configuration with %j is refused, and the message says what it exports',
  async (text, told) => {
    const folder = createRepository({ 'manyurls.config.ts': text })
    const { status, stderr } = await runIn(folder, 'check')
    expect(status).toBe(2)
    expect(stderr).toContain(`${told}Write export default defineCollections({`)
  },
)

test('a path of references that leads to a list is named', async () => {
  const text = CONFIG.replace('id:', "references: { 'on[]': ['trams', 'lines'] }, id:")
  const { status, stderr } = await runIn(createRepository({ 'manyurls.config.ts': text }), 'check')
  expect(status).toBe(2)
  expect(stderr).toContain(
    'has a collection "trams" whose "references" at "on[]" must be the name of one collection, but is a list',
  )
})

test('an import by an alias of tsconfig.json fails, and the message says that "paths" are not read', async () => {
  const folder = createRepository({
    'manyurls.config.ts': CONFIG.replace('./prefix', '@/prefix'),
    'tsconfig.json': { compilerOptions: { paths: { '@/*': ['./*'] } } },
  })
  const { status, stderr } = await runIn(folder, 'check')
  expect(status).toBe(2)
  expect(stderr).toContain("manyurls.config.ts cannot be loaded: Cannot find module '@/prefix'")
  expect(stderr).toContain(
    '"paths" in a tsconfig.json isn\'t read: import the file by its relative path',
  )
})

test('an import of a missing file is no alias', async () => {
  const folder = createRepository({ 'manyurls.config.ts': CONFIG.replace('./prefix', './prefiks') })
  const { status, stderr } = await runIn(folder, 'check')
  expect(status).toBe(2)
  expect(stderr).toContain("Cannot find module './prefiks'")
  expect(stderr).not.toContain('tsconfig.json')
})

test('a command also runs in a folder of the repository, and spells its files from here', async () => {
  const folder = createRepository({
    'manyurls.config.ts': CONFIG,
    'trams.json': '[{ "code": "T9", }]',
  })
  mkdirSync(join(folder, 'sub'))
  const { status, stderr } = await runIn(join(folder, 'sub'), 'check')
  expect(status).toBe(1)
  expect(stderr).toContain(`\n${relative('', join(folder, 'trams.json'))}:1:16\n`)
})

test('fix fixes the delivered files, and makes no dataset', async () => {
  const folder = createRepository({
    'manyurls.config.ts': CONFIG,
    'trams.json': '[{ "code": "T9", }]',
  })
  const { status, stdout } = await runIn(folder, 'fix')
  expect(stdout).toBe(
    'trams.json:1:16  ,  ->  (removed)\n1 place fixed in 1 file of 1.\n\ntrams: 1 record, no mistake, no schema\n',
  )
  expect(status).toBe(0)
  expect(readFileSync(join(folder, 'trams.json'), 'utf8')).toBe('[{ "code": "T9" }]')
  expect(() => readFileSync(join(folder, 'generated'))).toThrow('ENOENT')
})

test('without a configuration, check says how to get one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'manyurls-empty-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const { status, stderr } = await runIn(folder, 'check', [], { manager: PNPM })
  expect([status, stderr]).toEqual([
    2,
    'manyurls check: there is no manyurls.config.ts here or in a folder above; "pnpm manyurls init" writes one\n',
  ])
})

test('an unknown option ends with exit status 2 and one line', async () => {
  const folder = createRepository({ 'manyurls.config.ts': CONFIG })
  const { status, stdout, stderr } = await runIn(folder, 'check', ['--strickt'])
  expect([status, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(
    /^manyurls check: Unknown option '--strickt' \(did you mean --strict\?\).*\n$/,
  )
})

test.each([
  ['check', ['--fix'], '"check" makes no fixes; "fix" does'],
  ['build', ['--fix'], '"build" makes no fixes; "fix" does'],
  ['build', ['--check'], '--check is for fix; "check" says what is wrong, and writes nothing'],
] as const)('%s %j is refused in one line', async (task, args, sentence) => {
  const folder = createRepository({ 'manyurls.config.ts': CONFIG })
  const { status, stdout, stderr } = await runIn(folder, task, [...args])
  expect([status, stdout]).toEqual([2, ''])
  expect(stderr).toBe(
    `manyurls ${task}: ${sentence}; "manyurls ${task} --help" lists the options\n`,
  )
})

test.each([
  [[], 'manyurls: name a command: check, fix, build, init, version or help; "npx'],
  [['chek'], 'manyurls: there is no command "chek" (did you mean check?)'],
])('%j is refused in one line', (args, sentence) => {
  expect(readRequest(args, NPM)).toEqual({
    kind: 'refuse',
    sentence: expect.stringContaining(sentence),
  })
})

test.each(['help', '--help', '-h'])('%s lists the commands', (name) => {
  const text = expect.stringContaining('  check    say what is wrong; change nothing\n')
  expect(readRequest([name], NPM)).toEqual({ kind: 'print', text })
})

test('help names the option of init', () => {
  const text = expect.stringContaining('\nWith init, --scripts adds the scripts "check-data"')
  expect(readRequest(['help'], NPM)).toEqual({ kind: 'print', text })
})

test('the version can be asked for by an option, too', () => {
  const version = readRequest(['version'], NPM)
  expect(version.kind).toBe('print')
  for (const option of ['--version', '-v']) expect(readRequest([option], NPM)).toEqual(version)
})

test.each([
  ['npm/10.8.2 node/v20.19.0 linux x64 workspaces/false', 'npx --no manyurls'],
  ['yarn/1.22.22 npm/? node/v20.19.0 linux x64', 'yarn manyurls'],
  ['bun/1.2.0 npm/? node/v24.3.0 linux x64', 'bun run manyurls'],
  ['', 'manyurls'],
])('messages name the command of the package manager that runs it: %j', (agent, call) => {
  expect(managerOf({ npm_config_user_agent: agent }).call).toBe(call)
})
