/** The package that `npm run pack` makes: its files, run in place, and installed. */
import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makePackage } from '../../scripts/pack/make-package.ts'
import { isLong } from '../helpers/long.ts'
import { run } from '../helpers/workspace.ts'

const ROOT = join(import.meta.dirname, '../..')
/** Within this repository, so that the package finds what it needs of other packages. */
const PACKAGE = join(ROOT, 'tests/.workspaces/package')
const BIN = join(PACKAGE, 'lib/bin.js')

const CONFIG = `import { type DeliveryPlace, defineContent, paragraphs, slug } from 'manyurls'
import { prefix } from './prefix'

export const content = defineContent({
  page: ({ code, name, about }) => ({
    path: \`\${prefix}/\${slug(code)}\`, title: name, contentHtml: paragraphs(about),
  }),
  identity: ({ code }) => code,
})
export const delivery: DeliveryPlace = {
  batches: ['*.json', '!schema.json', '!package*.json', '!tsconfig.json'],
  schema: 'schema.json',
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
  write('prefix.ts', "export const prefix: string = '/trams'\n")
  write('schema.json', JSON.stringify(SCHEMA))
  write('trams.json', `${JSON.stringify(records, null, 2)}\n`)
  const manyurls = (args: string[], env = {}, cwd = folder) => run([BIN, ...args], { cwd, env })
  return { folder, write, manyurls, files: () => readdirSync(folder).sort() }
}

beforeAll(async () => {
  await makePackage(PACKAGE)
})

test('check is green, and changes nothing', async () => {
  const { manyurls, files } = createRepository()
  const before = files()
  const { status, stdout, stderr } = await manyurls(['check'])
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toContain('trams.json  1 record: 1 kept, 0 dropped')
  expect(stdout).toContain(
    'Output   generated/dataset.json is not there yet; "npx --no manyurls build" writes it',
  )
  expect(files()).toEqual(before)
})

test('build writes the dataset and its types; check knows whether it is current', async () => {
  const { folder, manyurls, write } = createRepository()
  expect(await manyurls(['build'])).toMatchObject({ status: 0, stderr: '' })
  const page = { path: '/trams/t9', title: 'Nine', contentHtml: '<p>Every ten minutes.</p>' }
  const dataset = readFileSync(join(folder, 'generated/dataset.json'), 'utf8')
  expect(JSON.parse(dataset)).toEqual([{ ...TRAM, ...page }])
  expect(readdirSync(join(folder, 'generated'))).toContain('dataset.d.json.ts')

  expect((await manyurls(['check'])).stdout).toContain('dataset.json (137 B, unchanged)')
  write('prefix.ts', "export const prefix = '/lines'\n")
  expect((await manyurls(['check'])).stdout).toContain('is out of date')
})

test('a command also runs in a folder of the repository, and spells its files from there', async () => {
  const { folder, manyurls } = createRepository([{ code: 'T9' }])
  const sub = join(folder, 'sub')
  mkdirSync(sub)
  const { status, stderr } = await manyurls(['check'], {}, sub)
  expect(status).toBe(1)
  expect(stderr).toContain('../trams.json:2:3  record 0')
})

test('fix fixes the delivered files, and makes no dataset', async () => {
  const { folder, manyurls, files } = createRepository()
  const before = files()
  const file = join(folder, 'trams.json')
  const bytes = readFileSync(file, 'utf8')
  writeFileSync(file, bytes.replace(' "name"', ',"name"'))
  const { stdout } = await manyurls(['fix'])
  expect(stdout).toContain('trams.json:4:4  ,  ->  (removed)\n1 place fixed in 1 batch of 1.\n')
  expect(files()).toEqual(before)
})

test('on GitHub, a mistake is annotated at its place in the repository, and the step has a summary', async () => {
  const { folder, manyurls } = createRepository([TRAM, { code: 'T10', name: 10 }])
  const summary = join(folder, 'summary.md')
  const { status, stderr } = await manyurls(['check'], {
    GITHUB_ACTIONS: 'true',
    GITHUB_WORKSPACE: join(folder, '..'),
    GITHUB_STEP_SUMMARY: summary,
  })
  expect(status).toBe(1)
  expect(stderr).toContain('::error file=trams.json,line=9,col=13,endColumn=15,title=/1/name::')
  expect(readFileSync(summary, 'utf8')).toMatch(
    /^### manyurls check\n\n```text\nNo dataset was written: 1 problem in 1 of 1 batch\.\n.*\n```\n\n$/s,
  )
})

test('a report is written on request', async () => {
  const { folder, manyurls } = createRepository()
  const { status } = await manyurls(['check', '--report', 'report.html'])
  expect(status).toBe(0)
  expect(readFileSync(join(folder, 'report.html'), 'utf8')).toContain('<style>')
})

test('the README of the package links to nothing that only this repository has', () => {
  const readme = readFileSync(join(PACKAGE, 'README.md'), 'utf8')
  expect(readme).toContain('Each shape of files has a whole example.')
  expect(readme).not.toContain('](../')
})

test('what the package says of itself is short', async () => {
  const { manyurls } = createRepository()
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  expect((await manyurls(['--version'])).stdout).toBe(`${version}\n`)
  const help = await manyurls(['help'])
  expect(help.stdout).toContain('  check    say what is wrong; change nothing\n')
  expect((await manyurls(['--help'])).stdout).toBe(help.stdout)
})

test.each([
  [[], 'name a command: check, fix, build or init'],
  [['chek'], 'there is no command "chek" (did you mean check?)'],
  [['check', '--strickt'], "Unknown option '--strickt' (did you mean --strict?)"],
])('%j ends with exit status 2 and one line', async (args, says) => {
  const { manyurls } = createRepository()
  const { status, stdout, stderr } = await manyurls(args)
  expect([status, stdout]).toEqual([2, ''])
  expect(stderr).toContain(says)
  expect(stderr.match(/\n/g)).toHaveLength(1)
})

test('without a configuration, check says how to get one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'manyurls-empty-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const { status, stderr } = await run([BIN, 'check'], { cwd: folder })
  expect([status, stderr]).toEqual([
    2,
    'manyurls check: there is no manyurls.config.ts here or in a folder above; "npx --no manyurls init" writes one\n',
  ])
})

test('a package that is missing is named, with what to do', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'manyurls-alone-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  symlinkSync(join(PACKAGE, 'lib'), join(folder, 'lib'), 'junction')
  symlinkSync(join(PACKAGE, 'package.json'), join(folder, 'package.json'))
  const args = ['--preserve-symlinks', '--preserve-symlinks-main', join(folder, 'lib/bin.js')]
  const { status, stderr } = await run([...args, 'check'], { cwd: folder })
  expect(stderr).toMatch(
    /^manyurls: the package [\w-]+ is missing; install manyurls again: npm i -D \.\/manyurls-[\d.]+\.tgz\n$/,
  )
  expect(status).toBe(2)
})

test('the package needs only what its code loads, and has no file of the site or of the receiver', () => {
  const { dependencies } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'))
  const names = readdirSync(join(PACKAGE, 'lib'), { recursive: true, encoding: 'utf8' })
  const code = names
    .filter((name) => name.endsWith('.js'))
    .map((name) => readFileSync(join(PACKAGE, 'lib', name), 'utf8'))
    .join('\n')
  const IMPORTED =
    /(?:\bfrom |\bimport |\bimport\(|\brequire\()["']((?:@[\w.-]+\/)?[a-z][\w.-]*)["'/]/g
  const imported = [...code.matchAll(IMPORTED)].map(([, name]) => name)
  // What init writes imports the package itself.
  const known = [...Object.keys(dependencies), 'manyurls']
  expect([...new Set(imported)].sort()).toEqual(known.sort())
  // The bundler names the module of each part of the code.
  expect(code).toMatch(/^\/\/ src\/accept\//m)
  expect(code).not.toMatch(/^\/\/ src\/(?:app|static|forms|store|notify|owner)\//m)
})

describe('the declarations', () => {
  test('let a strict TypeScript compile a configuration, with the types of the records or without', () => {
    const { folder, write } = createRepository()
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(PACKAGE, join(folder, 'node_modules/manyurls'), 'junction')
    write(
      'typed.ts',
      `import { defineContent, type Rule, slug, WIDE } from 'manyurls'
interface Tram { code: string; stops?: number }
const stops: Rule<Tram> = ({ stops = 2 }) => stops > 1 ? [] : [{ pointer: ['stops'], message: 'x' }]
export const content = defineContent<Tram>({
  records: Object.values,
  page: ({ code }, { file }) => ({ path: \`/\${slug(code)}\`, title: file, contentHtml: '' }),
  elements: { p: {}, a: WIDE.a },
  rules: [stops],
  card: ({ title, code }) => [title, code],
})
// @ts-expect-error: a record has no such key
export const other = defineContent<Tram>({ identity: ({ cod }) => cod })
// @ts-expect-error: content has no such key
export const misspelled = defineContent({ pgae: 1 })
`,
    )
    const settings = {
      ...{ strict: true, noEmit: true, noUncheckedIndexedAccess: true, skipLibCheck: false },
      ...{ exactOptionalPropertyTypes: true, noPropertyAccessFromIndexSignature: true, types: [] },
      ...{ target: 'es2022', module: 'esnext', moduleResolution: 'bundler' },
    }
    write('tsconfig.json', JSON.stringify({ compilerOptions: settings, include: ['*.ts'] }))
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
    expect(String(execFileSync(process.execPath, [tsc, '-p', folder]))).toBe('')
  })
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
  expect(manyurls('init')).toContain('trams.json: a list of 2 records.')
  expect(manyurls('check')).toContain('2 records: 2 kept')
  expect(JSON.parse(manyurls('build', '--json'))).toMatchObject({ ok: true })
})
