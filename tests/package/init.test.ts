import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { runInit } from '../../src/package/init.ts'
import { Text } from '../helpers/workspace.ts'

/** Creates a repository of JSON files, and runs `manyurls init` in it. */
async function init(files: Record<string, unknown>, ...args: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'manyurls-init-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, value] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), typeof value === 'string' ? value : JSON.stringify(value))
  }

  const [stdout, stderr] = [new Text(), new Text()]
  const status = await runInit(args, { stdout, stderr }, folder)
  const file = join(folder, 'manyurls.config.ts')
  const config = existsSync(file) ? readFileSync(file, 'utf8') : ''
  return { status, said: stdout.text, stderr: stderr.text, config }
}

const TRAMS = [
  { code: 'T9', name: { short: 'Nine' }, stops: 12 },
  { code: 'T10', name: { short: 'Ten' }, stops: 12 },
]

describe('init sees, and writes accordingly,', () => {
  test('a list in one file', async () => {
    const { status, said, config } = await init({ 'trams.json': TRAMS, 'package.json': {} })
    expect(status).toBe(0)
    expect(said).toContain('trams.json: a list of 2 records.\n"code" differs in each')
    expect(config).toBe(`import { type DeliveryPlace, defineContent, slug } from 'manyurls'

export const content = defineContent({
  page: (record) => ({
    path: \`/trams/\${slug(String(record.code))}\`,
    title: record.name.short,
    contentHtml: '',
  }),
  identity: (record) => record.code,
  duplicates: 'refuse', // two records with one path and other values are a mistake; 'drop' keeps the first
  site: false, // true checks what only a site needs
})

export const delivery: DeliveryPlace = {
  batches: 'trams.json',
  schema: 'schema.json',
  out: 'generated',
}
`)
  })

  test('a list under a key', async () => {
    const { config } = await init({ 'trams.json': { version: 1, trams: [...TRAMS, ...TRAMS] } })
    expect(config).toContain('records: (file) => file.trams,')
  })

  test('objects by name, with a text for the body', async () => {
    const { config } = await init({
      'games.json': { chess: { about: 'Kings.', min: 2 }, go: { min: 2 } },
    })
    expect(config).toContain('records: Object.values,')
    expect(config).toContain("page: (record, { key = '' }) => ({\n")
    expect(config).toContain(`path: \`/games/\${slug(key)}\`,`)
    expect(config).toContain('contentHtml: paragraphs(record.about),')
  })

  test('one record a file, and names another file of the folder that is none', async () => {
    const { said, config } = await init({
      'apps/chess.json': { owner: 'Ada' },
      'apps/go.json': { owner: 'Ada' },
      'apps/all.json': ['chess', 'go'],
    })
    expect(said).toContain(
      'apps: 2 files of one record each.\nThe name of the file differs in each.',
    )
    expect(config).toContain('records: (file) => [file],')
    expect(config).toContain("batches: ['apps', '!apps/all.json'],")
  })

  test('files of one name in many folders', async () => {
    const names = ['a', 'b', 'c'].map((folder) => [`${folder}/chain.json`, { id: folder }])
    const { config } = await init(Object.fromEntries(names))
    expect(config).toContain("batches: '**/chain.json',")
  })

  test('what differs only within a file', async () => {
    const file = { list: [{ step: 1 }, { step: 2 }, { step: 3 }] }
    const { config } = await init({ 'ways/a.json': file, 'ways/b.json': file })
    expect(config).toContain(
      `path: \`/ways/\${slug(file.replace(/\\.\\w+$/, ''))}/\${slug(String(record.step))}\`,`,
    )
  })

  test('that one record of a hundred has the identity of another: a mistake', async () => {
    const records = Array.from({ length: 100 }, (_, index) => ({ id: Math.min(index, 98) }))
    const { said, config } = await init({ 'a.json': records })
    expect(said).toContain('"id" differs in all but 1 record: 98 is there more than once.')
    expect(config).toContain('identity: (record) => record.id,')
  })

  test('a file that is called like a parameter', async () => {
    const records = [{ id: 1 }, { id: 2 }]
    expect((await init({ 'key.json': records })).config).toContain('page: (record) => ({')
    expect((await init({ 'file.json': records })).config).toContain('page: (record) => ({')
  })

  test('a code that was copied with its record, though another key differs in each', async () => {
    const records = [
      { code: 'AT', name: 'Austria', population: 9 },
      { code: 'DE', name: 'Germany', population: 84 },
      { code: 'DE', name: 'Denmark', population: 6 },
    ]
    const { said, config } = await init({ 'countries.json': records })
    expect(said).toContain('"code" differs in all but 1 record: "DE" is there more than once.')
    expect(config).toContain('identity: (record) => record.code,')
  })

  test('the schema that fits best, though a record is wrong', async () => {
    const list = { type: 'array', items: { type: 'object', required: ['code', 'name'] } }
    const { said, config } = await init({
      'trams.json': [...TRAMS, { code: 'T11' }],
      'schema/list.json': { $schema: 'https://json-schema.org/draft/2020-12/schema', ...list },
      'schema/other.schema.json': { type: 'object', properties: { list } },
    })
    expect(said).toContain('schema/list.json: a draft-2020-12 schema. It accepts 66 % of the data.')
    expect(config).toContain("schema: 'schema/list.json',")
  })
})

test('of the schemas that accept the data, init takes that of the same name, and none that accepts anything', async () => {
  const $schema = 'https://json-schema.org/draft/2020-12/schema'
  const list = { $schema, type: 'array', items: { type: 'object', required: ['code'] } }
  const { config } = await init({
    'trams.json': TRAMS,
    'schema/all.json': list,
    'schema/definitions.json': { $schema, $defs: { list } },
    'schema/trams.json': list,
  })
  expect(config).toContain("schema: 'schema/trams.json',")
})

test('without a schema, init names a tool that makes one', async () => {
  const { said } = await init({ 'trams.json': TRAMS })
  expect(said).toContain(
    'There is no JSON Schema here. Let quicktype make a first one from the data, and correct it:\n' +
      '  npx quicktype trams.json --src-lang json --lang schema --out schema.json\n',
  )
})

test('a file that is not JSON is named', async () => {
  const { said } = await init({ 'trams.json': TRAMS, 'broken.json': '[' })
  expect(said).toContain('broken.json is not JSON; "check" says where.')
})

test.each(['manyurls.config.ts', 'manyurls.config.mjs'])('init overwrites no %s', async (name) => {
  const { status, stderr, config } = await init({ [name]: '// Mine.', 'trams.json': TRAMS })
  expect(status).toBe(2)
  expect(stderr).toBe(`manyurls init: ${name} is there already, and init overwrites nothing\n`)
  expect(config).toBe(name.endsWith('.ts') ? '// Mine.' : '')
})

test('init says that there are no records, and writes nothing', async () => {
  const { status, said, config } = await init({ 'package.json': {}, 'settings.json': { a: 1 } })
  expect([status, config]).toEqual([1, ''])
  expect(said).toContain('There are no records here')
})

test('init refuses an option that it does not have', async () => {
  const { status, stderr } = await init({}, '--force')
  expect([status, stderr]).toEqual([2, "manyurls init: Unknown option '--force'\n"])
})
