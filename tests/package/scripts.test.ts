/** The scripts that `init` adds to a `package.json`, and that messages then name. */
import {
  chmodSync,
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
import { Readable } from 'node:stream'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ask } from '../../src/package/init/ask.ts'
import { runInit } from '../../src/package/init/init.ts'
import { managerOf } from '../../src/package/installation.ts'
import { runIn } from '../helpers/collections.ts'
import { Text } from '../helpers/workspace.ts'

const CONFIG = `import { defineCollections } from 'manyurls'

export default defineCollections({
  trams: { files: 'trams.json', recordSchema: 'tram.schema.json', id: 'code' },
})
`

const TRAMS = '[{ "code": "T9", "kind": "Tram" }]'
const SCHEMA = '{ "type": "object", "properties": { "kind": { "enum": ["tram", "bus"] } } }'

/** Creates a repository with a mistake in one file. */
function lay(files: Record<string, string | Buffer>): string {
  const folder = mkdtempSync(join(tmpdir(), 'manyurls-scripts-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const all: Record<string, string | Buffer> = {
    'trams.json': TRAMS,
    'tram.schema.json': SCHEMA,
    ...files,
  }
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

describe('init', () => {
  /** Runs `init` beside a `package.json`. */
  async function initBeside(
    packageJson: string | Buffer,
    args: string[],
    answer?: (question: string) => Promise<boolean>,
    mode = 0o644,
  ) {
    const folder = lay({ 'package.json': packageJson })
    chmodSync(join(folder, 'package.json'), mode)
    const [stdout, stderr] = [new Text(), new Text()]
    const terminal = {
      stdout,
      stderr,
      call: 'npx --no manyurls',
      ask: answer,
      check: async () => {},
    }
    const status = await runInit(args, terminal, folder)

    const after = readFileSync(join(folder, 'package.json'), 'utf8')
    return { status, said: stdout.text, after, names: readdirSync(folder) }
  }

  const PLAIN = '{\n  "name": "trams"\n}\n'
  const ADDED = 'package.json has the new scripts "check-data" and "fix-data".\n'

  test.each([
    [
      'two spaces',
      PLAIN,
      '{\n  "name": "trams",\n  "scripts": {\n    "check-data": "manyurls check",\n    "fix-data": "manyurls fix"\n  }\n}\n',
    ],
    [
      'tabs, and other scripts',
      '{\n\t"scripts": {\n\t\t"test": "vitest"\n\t},\n\t"private": true\n}',
      '{\n\t"scripts": {\n\t\t"test": "vitest",\n\t\t"check-data": "manyurls check",\n\t\t"fix-data": "manyurls fix"\n\t},\n\t"private": true\n}',
    ],
    [
      'lines that end as on Windows',
      '{\r\n    "name": "trams",\r\n    "files": [ "a",  "b" ]\r\n}\r\n',
      '{\r\n    "name": "trams",\r\n    "files": [ "a",  "b" ],\r\n    "scripts": {\r\n        "check-data": "manyurls check",\r\n        "fix-data": "manyurls fix"\r\n    }\r\n}\r\n',
    ],
    [
      'no script yet',
      '{\n  "scripts": {}\n}\n',
      '{\n  "scripts": {\n    "check-data": "manyurls check",\n    "fix-data": "manyurls fix"\n  }\n}\n',
    ],
    [
      'a byte-order mark',
      '\ufeff{}\n',
      '\ufeff{\n  "scripts": {\n    "check-data": "manyurls check",\n    "fix-data": "manyurls fix"\n  }\n}\n',
    ],
    [
      'nothing in it',
      '{}\n',
      '{\n  "scripts": {\n    "check-data": "manyurls check",\n    "fix-data": "manyurls fix"\n  }\n}\n',
    ],
  ])(
    'adds two scripts to a package.json with %s, and keeps the rest',
    async (_, before, expected) => {
      const { status, said, after } = await initBeside(before, ['--scripts'])
      expect([status, after]).toEqual([0, expected])
      expect(said).toContain(ADDED)
    },
  )

  test('asks before it adds scripts, if somebody is there', async () => {
    const questions: string[] = []
    const answerWith = (answer: boolean) => async (question: string) => {
      questions.push(question)
      return answer
    }
    expect((await initBeside(PLAIN, [], answerWith(false))).after).toBe(PLAIN)
    expect((await initBeside(PLAIN, [], answerWith(true))).said).toContain(ADDED)
    expect(new Set(questions)).toEqual(
      new Set(['Add the scripts "check-data" and "fix-data" to package.json? [Y/n] ']),
    )
  })

  test('only names the option, if nobody can be asked', async () => {
    const { said, after } = await initBeside(PLAIN, [])
    expect(after).toBe(PLAIN)
    expect(said).toContain(
      '\n"npx --no manyurls init --scripts" adds the scripts "check-data" and "fix-data" to package.json.\n',
    )
  })

  test.each([
    '{ "scripts": { "lint": "manyurls check", "repair": "manyurls fix" } }',
    '{ "scripts": { "check-data": "manyurls check --strict", "fix-data": "manyurls fix" } }',
  ])('adds no second script for a command: %s', async (before) => {
    const { said, after } = await initBeside(before, ['--scripts'])
    expect(after).toBe(before)
    expect(said).not.toContain('script')
  })

  test.each(['manyurls check-all', 'manyurls check --json | jq', 'manyurls check a.json'])(
    'adds a script for check beside "%s"',
    async (command) => {
      const before = JSON.stringify({ scripts: { lint: command, repair: 'manyurls fix' } })
      const { said, after } = await initBeside(before, ['--scripts'])
      expect(JSON.parse(after).scripts).toHaveProperty('check-data', 'manyurls check')
      expect(said).toContain('package.json has the new script "check-data".\n')
    },
  )

  test('asks for one script in the singular', async () => {
    const before = '{ "scripts": { "lint": "manyurls check" } }'
    const questions: string[] = []
    const refuse = async (question: string) => {
      questions.push(question)
      return false
    }
    await initBeside(before, [], refuse)
    expect(questions).toEqual(['Add the script "fix-data" to package.json? [Y/n] '])
  })

  test('adds scripts after the configuration, and checks then', async () => {
    const { said } = await initBeside(PLAIN, ['--scripts'])
    expect(said).toContain(
      `manyurls.config.ts is written. Read it, and correct it.\n${ADDED}This is what "check" says:\n`,
    )
  })

  test('adds no scripts if the configuration cannot be written', async () => {
    const folder = lay({ 'package.json': PLAIN })
    symlinkSync('nowhere/config.ts', join(folder, 'manyurls.config.ts'))
    const [stdout, stderr] = [new Text(), new Text()]
    const terminal = { stdout, stderr, call: '', check: async () => {} }
    expect(await runInit(['--scripts'], terminal, folder)).toBe(2)
    expect(readFileSync(join(folder, 'package.json'), 'utf8')).toBe(PLAIN)
  })

  test.each([
    ['says so with --scripts', ['--scripts'], true],
    ['is silent without it', [], false],
  ])('without a package.json, it %s', async (_, args, isSaid) => {
    const [stdout, stderr] = [new Text(), new Text()]
    const terminal = { stdout, stderr, call: '', check: async () => {} }
    expect(await runInit(args, terminal, lay({}))).toBe(0)
    const line = 'There is no package.json here, so no script was added.\n'
    expect(stdout.text.includes(line)).toBe(isSaid)
  })

  test.each([
    ['with', { 'package.json': PLAIN }, ADDED],
    ['without', {}, 'There is no package.json here, so no script was added.\n'],
  ])('--scripts works without records and %s a package.json', async (_, files, expected) => {
    const folder = lay(files)
    rmSync(join(folder, 'trams.json'))
    const [stdout, stderr] = [new Text(), new Text()]
    const terminal = { stdout, stderr, call: '', check: async () => {} }
    expect(await runInit(['--scripts'], terminal, folder)).toBe(1)
    expect(stdout.text).toContain(expected)
  })

  test('keeps another script of such a name, and says so', async () => {
    const before = '{\n  "scripts": {\n    "fix-data": "node fix.js"\n  }\n}\n'
    const { said, after } = await initBeside(before, ['--scripts'])
    expect(JSON.parse(after).scripts).toEqual({
      'fix-data': 'node fix.js',
      'check-data': 'manyurls check',
    })
    expect(said).toContain(
      'package.json has a script "fix-data" already, and it isn\'t "manyurls fix". It stays as it is.\n',
    )
  })

  test.each([
    ['{ "name": "trams", }', "it isn't valid JSON"],
    ['["trams"]', "it isn't an object"],
    ['{ "scripts": [] }', 'its "scripts" isn\'t an object'],
  ])('writes the configuration beside %j all the same', async (before, reason) => {
    const { status, said, after, names } = await initBeside(before, ['--scripts'])
    expect(status).toBe(0)
    expect(names).toContain('manyurls.config.ts')
    expect(after).toBe(before)
    expect(said).toContain(`package.json stays without new scripts: ${reason}.\n`)
  })
  test('leaves a package.json that is not UTF-8 or is read-only', async () => {
    const latin = Buffer.from('{ "name": "Zürich" }', 'latin1')
    const { said } = await initBeside(latin, ['--scripts'])
    expect(said).toContain("package.json stays without new scripts: it isn't UTF-8.\n")

    const readOnly = await initBeside(PLAIN, ['--scripts'], undefined, 0o444)
    expect(readOnly.said).toContain('package.json stays without new scripts: it is read-only.\n')
    expect([readOnly.status, readOnly.after]).toEqual([0, PLAIN])
    expect(readOnly.names).toEqual([
      'manyurls.config.ts',
      'package.json',
      'tram.schema.json',
      'trams.json',
    ])
  })
})

test.each([
  ['\n', true],
  ['Y\n', true],
  ['yes\r\n', true],
  ['n\n', false],
  ['later\n', false],
  ['', false],
])('the answer %j to a question means %s', async (typed, expected) => {
  const stdout = new Text()
  expect(await ask('Add it? [Y/n] ', Readable.from([typed]), stdout)).toBe(expected)
  expect(stdout.text).toContain('Add it? [Y/n] ')
})

describe('messages', () => {
  const BOTH = { 'check-data': 'manyurls check', 'fix-data': 'manyurls fix' }
  const withScripts = (scripts: Record<string, string>) => {
    return { 'manyurls.config.ts': CONFIG, 'package.json': JSON.stringify({ scripts }) }
  }

  test.each([
    ['npm/10.8.2', 'npm run fix-data', 'npm run check-data -- --help'],
    ['pnpm/10.1.0', 'pnpm run fix-data', 'pnpm run check-data --help'],
    ['yarn/4.6.0', 'yarn run fix-data', 'yarn run check-data --help'],
    ['bun/1.2.0', 'bun run fix-data', 'bun run check-data --help'],
    ['', 'npm run fix-data', 'npm run check-data -- --help'],
  ])('name the scripts as %j runs them', async (agent, fix, help) => {
    const folder = lay(withScripts(BOTH))
    const manager = managerOf({ npm_config_user_agent: agent })

    const { stderr } = await runIn(folder, 'check', [], { manager })
    expect(stderr).toContain(`Nearest: "tram" ("${fix}" writes it).`)

    const misspelled = await runIn(folder, 'check', ['--strickt'], { manager })
    expect(misspelled.stderr).toContain(`; "${help}" lists the options\n`)
  })

  const manager = managerOf({ npm_config_user_agent: 'npm/10.8.2' })

  test('name a script of any name whose command is exactly ours', async () => {
    const folder = lay(withScripts({ repair: 'manyurls fix' }))
    const { stderr } = await runIn(folder, 'check', [], { manager })
    expect(stderr).toContain('("npm run repair" writes it)')
  })

  test.each([
    ['there is none', undefined],
    ['its command is another one', { 'fix-data': 'manyurls fix --strict' }],
    ['it is no text', { 'fix-data': 1 }],
  ])('name no script if %s', async (_, scripts) => {
    const packageJson = JSON.stringify({ scripts })
    const folder = lay({ 'manyurls.config.ts': CONFIG, 'package.json': packageJson })
    const { stderr } = await runIn(folder, 'check', [], { manager })
    expect(stderr).toContain('("npx --no manyurls fix" writes it)')
  })

  test('name no script of a package.json that is not valid', async () => {
    const folder = lay({ 'manyurls.config.ts': CONFIG, 'package.json': '{ "scripts": ' })
    const { stderr } = await runIn(folder, 'check', [], { manager })
    expect(stderr).toContain('("npx --no manyurls fix" writes it)')
  })

  test('in a folder below, name the scripts only if the same configuration is theirs', async () => {
    const folder = lay({
      ...withScripts(BOTH),
      'sub/notes.txt': '',
      'other/package.json': '{}',
      'own/manyurls.config.ts': CONFIG,
      'own/trams.json': TRAMS,
      'own/tram.schema.json': SCHEMA,
    })
    const fixIn = async (name: string) => {
      const { stderr } = await runIn(join(folder, name), 'check', [], { manager })
      return /\("(.*)" writes it\)/.exec(stderr)?.[1]
    }
    expect(await fixIn('sub')).toBe('npm run fix-data')
    expect(await fixIn('other')).toBe('npx --no manyurls fix')

    expect(await fixIn('own')).toBe('npx --no manyurls fix')
  })
})

test('a check refuses options that npm keeps for itself, and says how to pass them on', async () => {
  const folder = lay({
    'manyurls.config.ts': CONFIG,
    'package.json': '{ "scripts": { "check-data": "manyurls check" } }',
  })
  const manager = managerOf({ npm_config_user_agent: 'npm/10.8.2' })
  const { status, stderr } = await runIn(folder, 'check', [], {
    manager,
    env: { npm_config_strict: 'true' },
  })
  expect(status).toBe(2)
  expect(stderr).toContain(
    'npm kept --strict for itself; to pass it on, write npm run check-data -- --strict',
  )
})

test('a check reads the options after the "--" that pnpm passes on', async () => {
  const folder = lay({ 'manyurls.config.ts': CONFIG })
  const { stdout } = await runIn(folder, 'check', ['--', '--json'])
  expect(JSON.parse(stdout)).toMatchObject({ collections: { trams: { problems: [{}] } } })
})
