/** Follows the newest "Upgrade" in CHANGELOG.md, with a `content.ts`, a dataset and a store of 0.5.0. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'libsql'
import { expect, test } from 'vitest'
import { run } from '../../src/command/run.ts'
import { SQLITE_MIGRATIONS } from '../../src/store/tables.ts'
import { sha256Of } from '../../src/text/digest.ts'
import { createCollections, runIn } from '../helpers/collections.ts'
import { isLong } from '../helpers/long.ts'
import { copyProject, start } from '../helpers/serve.ts'
import { createWorkspace, importing, Text } from '../helpers/workspace.ts'

const ROOT = join(import.meta.dirname, '../..')
const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')
const PARTS = ['package.json', 'tsconfig.json', 'raw-batches', 'schema', 'scripts', 'src']

/** What an owner of the last release must do. */
const [upgrade = ''] = /^### Upgrade$.*?(?=^### )/ms.exec(changelog) ?? []

/** The commands of the upgrade: "```sh", its lines and "```". */
const COMMANDS = /```sh\n(.*?)```/s

/** The version of the tables of 0.5.0. */
const FORMER_TABLES = 7

/** Puts two submissions into a store as 0.5.0 has it. */
function createFormerStore(file: string) {
  const database = new Database(file)
  const steps = SQLITE_MIGRATIONS.slice(0, FORMER_TABLES).join(';')
  database.exec(`${steps}; PRAGMA user_version = ${FORMER_TABLES}`)
  for (const [receipt, name] of [
    ['abcd-abcd', 'Ada'],
    ['bcde-bcde', 'Bob'],
  ]) {
    database.exec(`INSERT INTO submissions (receipt, path, received_at, dataset, content_hash, status, fields)
      VALUES ('${receipt}', '/blog/029', '2026-11-20T10:00:00.000Z', '', '', 'received', '[["name","${name}"]]')`)
  }
  database.close()
}

test.runIf(isLong)('from 0.5.0, every submission and every byte of the dataset stays', async () => {
  const folder = copyProject(PARTS)
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction')
  const sh = (line: string) => execFileSync('sh', ['-c', line], { cwd: folder, encoding: 'utf8' })
  mkdirSync(join(folder, 'data'))
  createFormerStore(join(folder, 'data/submissions.db'))

  const lines = COMMANDS.exec(upgrade)?.[1]?.trim().split('\n') ?? []
  expect(lines.at(-1)).toBe('npm start')
  const outputs = lines.slice(0, -1).map((line) => sh(line.replace('npm ci && ', '')))
  expect(outputs.join('')).toContain('The site is built')

  const dataset = readFileSync(join(folder, 'src/generated/dataset.json'))
  expect(sha256Of(dataset)).toBe(DATASET_OF_0_5)
  const { origin } = await start({ cwd: folder, env: { SUBMISSIONS_FILE: 'data/submissions.db' } })
  expect((await fetch(`${origin}/readyz`)).status).toBe(200)
  expect(sh('npm run submissions -- count')).toContain('2 submissions')
})

const HELPERS = JSON.stringify(join(ROOT, 'src/page/content.ts'))

/** The files of a site of 0.5.0 whose pages refer to each other. */
function laySiteOf050() {
  const { folder, out, read } = createWorkspace()
  const text = { type: 'string' }
  const properties = { id: text, near: { type: 'array', items: text } }
  const items = { type: 'object', required: ['id', 'near'], properties }
  const schema = join(folder, 'schema.json')
  writeFileSync(schema, JSON.stringify({ type: 'array', items }))
  const batch = join(folder, 'places.json')
  writeFileSync(batch, '[{ "id": "a", "near": ["b"] }, { "id": "b", "near": [] }]')

  const content = `import { defineContent } from ${HELPERS}

export const delivery = ${JSON.stringify({ batches: batch, schema })}

export const content = defineContent({
  page: ({ id }) => ({ path: '/places/' + id, title: id, contentHtml: '' }),
  identity: ({ id }) => id,
  references: ({ near }) => near,
})
`
  let version = 0
  const build = (changed: string) => {
    // A module is only loaded once.
    const file = join(folder, `content-${++version}.ts`)
    writeFileSync(file, changed)
    return runTask(['--config', file, '--out', out])
  }
  return { content, build, pages: () => JSON.parse(read('dataset.json')) }
}

/** Runs build-data without the content and the schema of the tests. */
async function runTask(args: string[]) {
  const [stdout, stderr] = [new Text(), new Text()]
  const status = await run(args, { stdout, stderr, env: {}, ...importing() })
  return { status, stdout: stdout.text, stderr: stderr.text }
}

test('build-data names each outdated key of a content.ts of 0.5.0 and its new form, which builds', async () => {
  const { content, build, pages } = laySiteOf050()

  const { status, stderr } = await build(content)
  const [, files] = /Instead of "batches", write (files: .*?) in defineContent/.exec(stderr) ?? []
  const [, schema] = /Instead of "schema", write (schema: .*?) in defineContent/.exec(stderr) ?? []
  expect([status, stderr]).toEqual([2, expect.stringContaining('Remove "delivery"')])

  const withFiles = content
    .replace(/^export const delivery.*\n/m, '')
    .replace('defineContent({', `defineContent({\n  ${files},\n  ${schema},`)
  const refused = await build(withFiles)
  expect(refused).toMatchObject({ status: 1 })
  expect(refused.stderr).toContain(
    '"content.references" must return ids under the names of collections, such as { pages: ["/about"] }',
  )

  const followed = withFiles.replace('=> near', '=> ({ pages: near })')
  expect(await build(followed)).toMatchObject({ status: 0, stderr: '' })
  expect(pages()).toMatchObject([{ path: '/places/a' }, { path: '/places/b' }])

  const broken = followed.replace('pages: near', "pages: ['c']")
  expect(await build(broken)).toMatchObject({ status: 1 })
})

test('the upgrade has a line for each key that build-data names', () => {
  for (const change of [
    "| `export const delivery = { batches: 'data' }` | `files: 'data'` in `defineContent` |",
    '| `references: ({ near }) => near` | `references: ({ near }) => ({ pages: near })`,',
  ])
    expect(upgrade).toContain(change)
})

/** A configuration as the guide of 0.5.0 explains it. */
const CONFIG_OF_0_5 = `import path from 'node:path'
import { defineCollections } from 'manyurls'

function fileIsNamedAfterCode({ code }, { file }) {
  if (path.basename(file) === code + '.json') return []
  return [{ pointer: ['code'], message: 'Call this file ' + code + '.json.' }]
}

export default defineCollections({
  countries: {
    files: ['countries/*.json', '!countries/package*.json'],
    recordSchema: 'country.json',
    id: 'code',
    references: (country) => ({ currencies: country.currencies }),
    rules: [fileIsNamedAfterCode],
  },
  currencies: {
    files: 'currencies.json',
    records: 'currencies',
    id: (currency, { key }) => key,
    sorted: 'name',
    duplicates: 'drop',
  },
})
`

test('a manyurls.config.ts of 0.5.0 stays as it is, checks the same and builds the same datasets', async () => {
  const peru = { code: 'PE', currencies: ['PEN'] }
  const currencies = { currencies: { PEN: { name: 'Sol' }, USD: { name: 'US Dollar' } } }
  const { write, folder, read } = createCollections(
    {
      'countries/PE.json': peru,
      'currencies.json': currencies,
      'country.json': { type: 'object', required: ['code'] },
    },
    {},
  )
  write('manyurls.config.ts', CONFIG_OF_0_5)

  expect(await runIn(folder, 'build')).toMatchObject({ status: 0, stderr: '' })
  expect(JSON.parse(read('generated/countries.json'))).toEqual([peru])
  expect(JSON.parse(read('generated/currencies.json'))).toEqual(currencies.currencies)

  write('countries/CL.json', { code: 'CL', currencies: ['CLP'] })
  write('countries/peru.json', { code: 'PE2', currencies: [] })
  const { status, stderr } = await runIn(folder, 'check')
  expect(status).toBe(1)
  expect(stderr).toContain('No record of "currencies" has the id "CLP".')
  expect(stderr).toContain('Call this file PE2.json.')
})

/** The SHA-256 of the sample's dataset, as 0.4.0 and 0.5.0 make it. */
const DATASET_OF_0_5 = '38d8d657c310901cb8c9292c18653fadee50ad9847dc084339464371d893d1c6'
