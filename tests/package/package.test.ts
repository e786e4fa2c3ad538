/** The package that `npm run pack` makes: its files, run in place, and installed. */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { commitPackage } from '../../scripts/pack/commit-package.ts'
import { makePackage } from '../../scripts/pack/make-package.ts'
import { isLong } from '../helpers/long.ts'
import { run } from '../helpers/workspace.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Outside of this repository: the package needs no other. */
const PACKAGE = mkdtempSync(join(tmpdir(), 'manyurls-package-'))
const BIN = join(PACKAGE, 'lib/bin.js')

const CONFIG = `import path from 'node:path'
import { defineCollections } from 'manyurls'
import { prefix } from './prefix'

export default defineCollections({
  trams: {
    files: ['*.json', '!schema.json'],
    schema: 'schema.json',
    id: ({ code }, { file }) => path.basename(file, '.json') + prefix + code,
  },
})
`
/** Says that a file was read, just before the schema checks its records. */
const SLOW_CONFIG = `import fs from 'node:fs'
const noteStart = (file) => {
  fs.writeFileSync('started', '')
  return file
}
export default {
  trams: { files: 'trams.json', recordSchema: 'schema.json', records: noteStart, id: 'code' },
}
`
/** What the configuration needs of Node. */
const NODE = `declare module 'node:path' {
  const path: { basename(file: string, end: string): string }
  export default path
}
`
const text = { type: 'string' }
const SCHEMA = {
  type: 'array',
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['code', 'name'],
    properties: { code: text, name: text, about: text },
  },
}
const TRAM = { code: 'T9', name: 'Nine', about: 'Every ten minutes.' }

/** Creates a repository that nothing is installed in. */
function createRepository(records: unknown[] = [TRAM]) {
  const folder = mkdtempSync(join(tmpdir(), 'manyurls-repository-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const write = (name: string, content: string) => writeFileSync(join(folder, name), content)
  mkdirSync(join(folder, '.git'))
  write('manyurls.config.ts', CONFIG)
  write('prefix.ts', "export const prefix: string = '-'\n")
  write('schema.json', JSON.stringify(SCHEMA))
  write('trams.json', `${JSON.stringify(records, null, 2)}\n`)
  const manyurls = (args: string[], env = {}, cwd = folder) =>
    run([BIN, ...args], { cwd, env: { npm_config_user_agent: 'npm/10.8.2', ...env } })
  return { folder, write, manyurls, files: () => readdirSync(folder).sort() }
}

beforeAll(async () => {
  await makePackage(PACKAGE)
})

afterAll(() => rmSync(PACKAGE, { recursive: true, force: true }))

test('check is green, and changes nothing', async () => {
  const { manyurls, files } = createRepository()
  const before = files()
  const { status, stdout, stderr } = await manyurls(['check'])
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toBe('trams: 1 record, no mistake\n')
  expect(files()).toEqual(before)
})

/** Fails if jiti has compiled it. */
const BY_NODE = `import { defineCollections, type Rule } from 'manyurls'
import { prefix } from './prefix.ts'
if (new Error().stack?.includes('jiti')) throw new Error('compiled by jiti')
const isNamed: Rule = () => []
export default defineCollections({
  trams: { files: 'trams.json', rules: [isNamed], id: ({ code }) => prefix + code },
})
`

test.each([
  ['without a package.json', undefined],
  ['without a type in package.json', '{}'],
  ['of CommonJS', '{ "type": "commonjs" }'],
])(
  'where Node reads TypeScript, it loads the configuration of a repository %s, without a warning',
  async (_, packageJson) => {
    const { manyurls, write } = createRepository()
    write('manyurls.config.ts', BY_NODE)
    if (packageJson !== undefined) write('package.json', packageJson)
    const { status, stderr } = await manyurls(['check'])

    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
    const isOf22 = major === 22 && minor >= 18
    const readsTypeScript = isOf22 || (major === 24 && minor >= 3) || major > 24
    const byJiti = 'manyurls check: manyurls.config.ts cannot be loaded: compiled by jiti\n'
    expect([status, stderr]).toEqual(readsTypeScript ? [0, ''] : [2, byJiti])
  },
)

test.each([
  ['an enum', "enum Kind { Tram = 'trams' }", '[Kind.Tram]', "'./prefix.ts'"],
  ['a name without its ending', '', 'trams', "'./prefix'"],
  ['JSON', "import schema from './schema.json'", '[schema ? "trams" : ""]', "'./prefix.ts'"],
  ['require', "const { sep } = require('node:path')", '[sep ? "trams" : ""]', "'./prefix.ts'"],
])('a configuration may have %s, which Node cannot load', async (_, line, name, file) => {
  const { manyurls, write } = createRepository()
  const text = CONFIG.replace("'./prefix'", file).replace('trams', name)
  write('manyurls.config.ts', `${line}\n${text}`)
  const { status, stdout, stderr } = await manyurls(['check'])
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toBe('trams: 1 record, no mistake\n')
})

test.each([
  ['a package of CommonJS', "import slug from 'slug'", 'slug(code)'],
  ['__dirname in a function', '', "__dirname === '' ? '' : code"],
  ['require in a function', '', "require('node:path').basename(code)"],
  ['a script that another one requires', "import name from './name.cjs'", 'name(code)'],
])('a configuration may use %s', async (_, line, id) => {
  const { folder, manyurls, write } = createRepository()
  mkdirSync(join(folder, 'node_modules/slug'), { recursive: true })
  const compiled = 'exports.__esModule = true; exports.default = (text) => text'
  write('node_modules/slug/index.js', compiled)
  write('name.cjs', "module.exports = require('./helper.js')")
  write('helper.js', "if (typeof module !== 'undefined') module.exports = (text) => text")
  const trams = `{ files: 'trams.json', id: ({ code }) => ${id} }`
  write('manyurls.config.ts', `${line}\nexport default { trams: ${trams} }\n`)
  const { status, stdout, stderr } = await manyurls(['check'])
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toBe('trams: 1 record, no mistake, no schema\n')
})

test('build writes each dataset and its types; check knows that they are out of date', async () => {
  const { folder, manyurls, write } = createRepository()
  expect(await manyurls(['build'])).toMatchObject({ status: 0, stderr: '' })
  const dataset = readFileSync(join(folder, 'generated/trams.json'), 'utf8')
  expect(JSON.parse(dataset)).toEqual({ 'trams-T9': TRAM })
  expect(readdirSync(join(folder, 'generated'))).toEqual(
    expect.arrayContaining(['trams.d.ts', 'trams.d.json.ts']),
  )

  write('prefix.ts', "export const prefix = '/'\n")
  expect((await manyurls(['check'])).stdout).toContain(
    'generated/trams.json (1 new, 0 changed, 1 gone) is out of date; "npx --no manyurls build" writes it',
  )
})

test('in a folder below, files are named from there; in JSON, from the configuration', async () => {
  const { folder, manyurls, write } = createRepository()
  mkdirSync(join(folder, 'data'))
  write('data/trams.json', '[{ "code": 9 }]')
  write('manyurls.config.ts', CONFIG.replace("['*.json', '!schema.json']", "'data/*.json'"))
  const below = join(folder, 'data')
  const { stderr } = await manyurls(['check'], {}, below)
  expect(stderr).toMatch(/^trams\.json: \d problems?\n\ntrams\.json:1:/)
  const { stdout } = await manyurls(['check', '--json'], {}, below)
  expect(stdout).toContain('"file":"data/trams.json"')
})

test('with --json, what the configuration writes to the console is not in the JSON', async () => {
  const { manyurls, write } = createRepository()
  const noisy = CONFIG.replace('=> path', '=> console.info("called") || path')
  write('manyurls.config.ts', `console.log('loaded')\n${noisy}`)
  const { stdout, stderr } = await manyurls(['check', '--json'])
  expect(JSON.parse(stdout)).toMatchObject({ ok: true })
  expect(stderr).toMatch(/^loaded\ncalled\ntrams: /)
  expect((await manyurls(['check'])).stdout).toMatch(/^loaded\ncalled\ntrams: /)
})

describe.each([
  ['check', 'SIGINT'],
  ['check', 'SIGTERM'],
  ['fix', 'SIGTERM'],
  ['build', 'SIGINT'],
] as const)('in the middle of a pattern that never ends, %s', (task, signal) => {
  test(`is ended at once by ${signal}; the next one leaves no temporary folder`, async () => {
    const { folder, manyurls, write } = createRepository()
    const temporary = join(folder, 'temporary')
    mkdirSync(temporary)
    write('manyurls.config.ts', SLOW_CONFIG)
    write('schema.json', JSON.stringify({ properties: { code: { pattern: '^([a-z0-9]+-?)+$' } } }))
    write('trams.json', JSON.stringify([{ code: `${'a'.repeat(40)}_` }]))

    const env = { TMPDIR: temporary }
    const endWhen = () => existsSync(join(folder, 'started'))
    const ended = await run([BIN, task], { cwd: folder, env, endWhen, signal })
    expect(ended).toEqual({ status: null, signal, stdout: '', stderr: '' })

    write('trams.json', '[{ "code": "a" }]')
    expect((await manyurls([task], env)).status).toBe(0)
    const left = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    expect(left.filter((name) => name.includes('.tmp-'))).toEqual([])
  })
})

test('a configuration that waits for what never happens is named', async () => {
  const { manyurls, write } = createRepository()
  write('manyurls.config.ts', 'await new Promise(() => {})\n')
  const { status, stdout, stderr } = await manyurls(['check'])
  expect([status, stdout]).toEqual([2, ''])
  expect(stderr).toBe(
    'manyurls check: manyurls.config.ts cannot be loaded: an "await" in it, or in a file that it imports, waits for something that never happens\n',
  )
})

test('a configuration that ends the process is named, and nothing counts as checked', async () => {
  const { manyurls, write } = createRepository()
  write('script.mjs', 'process.exit()\n')
  write('manyurls.config.ts', "import './script.mjs'\n")
  const { status, stderr } = await manyurls(['check'])
  expect(status).toBe(2)
  expect(stderr).toBe(
    'manyurls check: nothing was checked: manyurls.config.ts, or a file that it imports, ended the process by process.exit()\n',
  )
})

test('a timer of the configuration keeps no command from ending', async () => {
  const { manyurls, write } = createRepository([TRAM])
  write('script.mjs', 'setInterval(() => {}, 1000)\n')
  write('manyurls.config.ts', `import './script.mjs'\n${CONFIG}`)
  expect((await manyurls(['check'])).status).toBe(0)
})

test('what nothing catches in a configuration is no problem in the data: the status is 2', async () => {
  const { manyurls, write } = createRepository([TRAM])
  write('script.mjs', "Promise.reject(new Error('no connection'))\n")
  write('manyurls.config.ts', `import './script.mjs'\nawait new Promise(setImmediate)\n${CONFIG}`)
  const { status, stderr } = await manyurls(['check'])
  expect(status).toBe(2)
  expect(stderr).toContain('no connection')
})

test('version prints the version', async () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  expect((await createRepository().manyurls(['version'])).stdout).toBe(`${version}\n`)
})

test('a misspelled command ends with exit status 2 and one line', async () => {
  const { status, stdout, stderr } = await createRepository().manyurls(['chek'])
  expect([status, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(/^manyurls: there is no command "chek" .*"npx --no manyurls help".*\n$/)
})

test('init writes a configuration, and ends with what check says', async () => {
  const { folder, manyurls } = createRepository([TRAM, { ...TRAM, code: 'T10' }])
  rmSync(join(folder, 'manyurls.config.ts'))
  const { status, stdout, stderr } = await manyurls(['init'])
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^trams: 2 records in trams\.json.*\n\ntrams: 2 records, no mistake\n$/s)
})

/** A link to a document, such as `[each shape](docs/schemas.md#yaml)`, or to a heading of the same one. */
const LINK = /\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g

/** A heading as the end of its address: "manyurls.config.ts" as "manyurlsconfigts". */
function anchorsOf(file: string): string[] {
  const headings = readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm)
  return Array.from(headings, ([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  )
}

test.each(['README.md', 'docs/configuration.md', 'docs/schemas.md'])(
  'each link of %s in the package leads to a heading there',
  (name) => {
    const document = join(PACKAGE, name)
    const links = [...readFileSync(document, 'utf8').matchAll(LINK)]
    expect(links).not.toEqual([])

    for (const [, path = '', anchor] of links) {
      const target = path === '' ? document : join(dirname(document), path)
      expect(target.startsWith(PACKAGE)).toBe(true)
      expect(existsSync(target)).toBe(true)
      if (anchor) expect(anchorsOf(target)).toContain(anchor)
    }
  },
)

test('the package has its guide, but no part for those who change our code', () => {
  const { files } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'))
  expect(files).toContain('docs')
  const guide = readFileSync(join(PACKAGE, 'docs/configuration.md'), 'utf8')
  expect(guide).toContain('\n## Rules\n')
  expect(guide).not.toContain('\n## The code\n')
})

test('the action checks the folder that its inputs name, with their options, as GitHub runs it', async () => {
  const { folder } = createRepository([TRAM, { code: 'T10', name: 10 }])
  const summary = join(folder, 'summary.md')
  const { status, stderr } = await run([join(PACKAGE, 'lib/action.js')], {
    cwd: join(folder, '..'),
    env: {
      INPUT_ARGS: '--strict --report="the report.html"',
      'INPUT_WORKING-DIRECTORY': folder,
      GITHUB_ACTIONS: 'true',
      GITHUB_WORKSPACE: join(folder, '..'),
      GITHUB_STEP_SUMMARY: summary,
    },
  })
  expect(status).toBe(1)
  expect(stderr).toContain('::error file=trams.json,line=9,col=13,endColumn=15,title=/1/name::')
  expect(readFileSync(summary, 'utf8')).toMatch(
    /^### manyurls check\n\n```text\ntrams\.json: 1 problem\n.*\n```\n\n$/s,
  )
  expect(readFileSync(join(folder, 'the report.html'), 'utf8')).toContain('<style>')
})

test('the action ends with status 2 if its folder is not there, and shows why beside the workflow', async () => {
  const { folder } = createRepository()
  const env = { 'INPUT_WORKING-DIRECTORY': 'data' }
  const { status, stderr } = await run([join(PACKAGE, 'lib/action.js')], { cwd: folder, env })
  const line =
    'manyurls check: the input "working-directory" is "data", but there is no such folder\n'
  expect([status, stderr]).toEqual([2, `${line}::error::${line}`])
})

test('the action ends with status 2 and one sentence if a quote in its input is open', async () => {
  const { folder } = createRepository()
  const env = { INPUT_ARGS: '--report="the report.html', 'INPUT_WORKING-DIRECTORY': folder }
  const { status, stdout, stderr } = await run([join(PACKAGE, 'lib/action.js')], { env })
  expect([status, stdout]).toEqual([2, ''])
  const line = 'manyurls check: a quote in the input "args" isn\'t closed\n'
  expect(stderr).toBe(`${line}::error::${line}`)
})

test('the package needs no other, and has no file of the site or of the receiver', () => {
  const { dependencies } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'))
  expect(dependencies).toBeUndefined()

  const names = readdirSync(join(PACKAGE, 'lib'), { recursive: true, encoding: 'utf8' })
  const code = names
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(join(PACKAGE, 'lib', name), 'utf8'))
    .join('\n')
  // The bundler names the module of each part of the code.
  expect(code).toMatch(/^\/\/ src\/accept\//m)
  expect(code).not.toMatch(/^\/\/ src\/(?:app|static|forms|store|notify|owner)\//m)
})

test('the package has the licence of each package that is a part of it', () => {
  const licences = readFileSync(join(PACKAGE, 'THIRD_PARTY_LICENSES.md'), 'utf8')
  for (const name of ['ajv', 'jiti', 'parse5', 'prettier', 'react-dom', 'string-width'])
    expect(licences).toMatch(new RegExp(`^## ${name} - [\\d.]+ \\(MIT\\)$`, 'm'))
})

test('as a release, the package is a commit without history that Git can install from', () => {
  const { folder } = createRepository()
  const identity = { NAME: 'A', EMAIL: 'a@example.com' }
  const env = { ...process.env }
  for (const [key, value] of Object.entries(identity)) {
    vi.stubEnv(`GIT_AUTHOR_${key}`, value)
    vi.stubEnv(`GIT_COMMITTER_${key}`, value)
  }
  const date = '2026-03-28T09:30:00+01:00'
  expect(commitPackage(PACKAGE, '0.5.0', date)).toBe('package-v0.5.0')
  vi.unstubAllEnvs()

  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, env }).toString()
  git(
    '-c',
    'advice.detachedHead=false',
    'clone',
    '--quiet',
    '--branch',
    'package-v0.5.0',
    `file://${PACKAGE}`,
    'clone',
  )
  const files = git('-C', 'clone', 'ls-files').split('\n')
  for (const file of ['package.json', 'action.yml', '.pre-commit-hooks.yaml', 'lib/bin.js'])
    expect(files).toContain(file)
  expect(git('-C', 'clone', 'rev-list', '--count', 'HEAD')).toBe('1\n')
  // Another time would make another commit, and a release couldn't be repeated.
  expect(git('-C', 'clone', 'log', '--format=%aI %cI')).toBe(`${date} ${date}\n`)
})

describe('the declarations', () => {
  test('let a strict TypeScript compile a configuration, with the types of the records or without', () => {
    const { folder, write } = createRepository()
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(PACKAGE, join(folder, 'node_modules/manyurls'), 'junction')
    write('node.d.ts', NODE)
    write(
      'typed.ts',
      `import { defineCollections, type Rule } from 'manyurls'
interface Tram { code: string; stops?: number; lines?: string[] }
const stops: Rule<Tram> = ({ stops = 2 }) => stops > 1 ? [] : [{ pointer: ['stops'], message: 'x' }]
export default defineCollections({
  trams: {
    files: '*.json',
    records: Object.values,
    id: (tram: Tram, { key, file, index }) => tram.code + file + (key ?? index),
    references: (tram: Tram) => ({ lines: tram.lines }),
    rules: [stops],
    sorted: (a: Tram, b: Tram) => (a.stops ?? 0) - (b.stops ?? 0),
  },
  lines: { files: 'lines', recordSchema: 'line.json', id: (_, { key }) => key, duplicates: 'drop' },
})
export const other = defineCollections({
  // @ts-expect-error: a record has no such key
  trams: { files: 'a', id: (tram: Tram) => tram.cod },
})
export const misspelled = defineCollections({
  // @ts-expect-error: a collection has no such key
  trams: { files: 'a', id: 'code', recordSchma: 'a' },
})
`,
    )
    const settings = {
      ...{ strict: true, noEmit: true, noUncheckedIndexedAccess: true, skipLibCheck: false },
      ...{ exactOptionalPropertyTypes: true, noPropertyAccessFromIndexSignature: true, types: [] },
      ...{ target: 'es2022', module: 'esnext', moduleResolution: 'bundler' },
    }
    write('tsconfig.json', JSON.stringify({ compilerOptions: settings, include: ['*.ts'] }))
    expect(compile(folder)).toBe('')
  })

  test('let TypeScript compile a configuration in a project of CommonJS', () => {
    const { folder, write } = createRepository()
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(PACKAGE, join(folder, 'node_modules/manyurls'), 'junction')
    write('package.json', '{ "type": "commonjs" }')
    write('node.d.ts', NODE)
    const settings = {
      strict: true,
      noEmit: true,
      module: 'node16',
      esModuleInterop: true,
      types: [],
    }
    write('tsconfig.json', JSON.stringify({ compilerOptions: settings }))
    expect(compile(folder)).toBe('')
  })

  /** Returns what the compiler reports of a folder. */
  function compile(folder: string): string {
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' })
    return stdout
  }
})

test.runIf(isLong)('installed from its tarball, it checks what init has found', () => {
  const { folder, write } = createRepository()
  rmSync(join(folder, 'manyurls.config.ts'))
  write('package.json', '{ "private": true }')
  const npm = (...args: string[]) => execFileSync('npm', args, { cwd: folder, encoding: 'utf8' })
  const [tarball] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
      cwd: PACKAGE,
      encoding: 'utf8',
    }),
  )
  npm('install', '--save-dev', '--no-audit', '--no-fund', `./${tarball.filename}`)
  write('trams.json', JSON.stringify([TRAM, { ...TRAM, code: 'T10' }]))
  const manyurls = (...args: string[]) =>
    execFileSync('npx', ['--no', 'manyurls', ...args], { cwd: folder, encoding: 'utf8' })
  expect(manyurls('init')).toMatch(
    /^trams: 2 records in trams.json\n.*trams: 2 records, no mistake\n$/s,
  )
  expect(JSON.parse(manyurls('build', '--json'))).toMatchObject({ ok: true })
})
