/** Follows the newest "Upgrade" in CHANGELOG.md, with a dataset and a store of 0.3.0. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'libsql'
import { expect, test } from 'vitest'
import { SQLITE_MIGRATIONS } from '../../src/store/tables.ts'
import { isLong } from '../helpers/long.ts'
import { copyProject, start } from '../helpers/serve.ts'
import { copyAll } from './follow.ts'

const ROOT = join(import.meta.dirname, '../..')
const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')
const PARTS = ['package.json', 'tsconfig.json', 'raw-batches', 'schema', 'scripts', 'src']

const [upgrade = ''] = /^### Upgrade$.*?(?=^### )/ms.exec(changelog) ?? []
const blockOf = (kind: string) => new RegExp(`\`\`\`${kind}\\n(.*?)\`\`\``, 's').exec(upgrade)?.[1]

/** Released migrations never change: these make the tables of 0.3.0. */
const MIGRATIONS = SQLITE_MIGRATIONS.slice(0, 6)

function createFormerStore(file: string) {
  const database = new Database(file)
  database.exec(`${MIGRATIONS.join(';')}; PRAGMA user_version = ${MIGRATIONS.length}`)
  for (const [receipt, name] of [
    ['abcd-abcd', 'Ada'],
    ['bcde-bcde', 'Bob'],
  ]) {
    database.exec(`INSERT INTO submissions (receipt, path, received_at, dataset, content_hash, status, fields)
      VALUES ('${receipt}', '/blog/029', '2026-11-20T10:00:00.000Z', '', '', 'received', '[["name","${name}"]]')`)
  }
  database.close()
}

test.runIf(isLong)('from 0.3.0, every submission and every byte of the dataset stays', async () => {
  const folder = copyProject(PARTS)
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction')
  const sh = (line: string) => execFileSync('sh', ['-c', line], { cwd: folder, encoding: 'utf8' })
  const dataset = () => readFileSync(join(folder, 'src/generated/dataset.json'), 'utf8')
  mkdirSync(join(folder, 'data'))
  createFormerStore(join(folder, 'data/submissions.db'))
  sh('npm run build-data')
  const before = dataset()
  // Its manifest, types and cache differ from those of now.
  const manifest = join(folder, 'src/generated/manifest.json')
  const types = join(folder, 'src/generated/dataset.d.json.ts')
  replaceIn(manifest, '"ManyURLs"', '"npm run build-data"')
  replaceIn(types, 'Made by ManyURLs', 'Made by `npm run build-data`')
  writeFileSync(join(folder, 'src/generated/.cache/check-fbf6a304d93be6e2'), 'module.exports = 0')

  const lines = blockOf('sh')?.trim().split('\n') ?? []
  expect(lines.at(-1)).toBe('npm start')
  const said = lines.slice(0, -1).map((line) => sh(line.replace('npm ci && ', '')))

  expect(said.join('')).toContain('The site is built')
  expect(dataset()).toBe(before)
  expect(readFileSync(manifest, 'utf8')).toContain('"generatedBy": "ManyURLs"')
  expect(readFileSync(types, 'utf8')).toContain('Made by ManyURLs')
  const { origin } = await start({ cwd: folder, env: { SUBMISSIONS_FILE: 'data/submissions.db' } })
  expect((await fetch(`${origin}/readyz`)).status).toBe(200)
  expect(sh('npm run submissions -- show bcde-bcde')).toContain('Bob')
  expect(sh('npm run submissions -- count')).toContain('2 submissions')
  const [copy = ''] = /\S+-0\.3\.0\.db/.exec(lines[0] ?? '') ?? []
  expect(existsSync(join(folder, copy))).toBe(true)
  const former = new Database(join(folder, copy))
  expect(former.pragma('user_version')).toMatchObject([{ user_version: MIGRATIONS.length }])
  former.close()
})

test.runIf(isLong)(
  'the HTML that moves to content.ts compiles, allows what it names, and no more',
  () => {
    const folder = copyAll()
    const run = (command: string, ...args: string[]) => {
      return execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' })
    }
    const content = blockOf('ts src/content.ts') ?? ''
    writeFileSync(join(folder, 'src/content.ts'), content)
    // Otherwise, the sample's schema would refuse what `elements` allows.
    replaceIn(join(folder, 'schema/batch.schema.json'), BODY_PATTERN, '')

    replaceIn(join(folder, 'raw-batches/batch-01.json'), '<p>', '<p><em>A</em> ')
    expect(run('npm', 'run', 'build')).toContain('The site is built')
    expect(run('npx', 'tsc')).toBe('')

    replaceIn(join(folder, 'raw-batches/batch-01.json'), '<em>A</em>', '<code>A</code>')
    expect(() => run('npm', 'run', 'build-data')).toThrow('<code>')
  },
)

/** In the schema: what a body has to match, and what authors read of it. */
const BODY_PATTERN = /,\s*"pattern": "\^\(\?:<p>[^\n]*\n[^\n]*"patternErrorMessage"[^\n]*/

function replaceIn(file: string, part: string | RegExp, replacement: string) {
  const before = readFileSync(file, 'utf8')
  const after = before.replace(part, replacement)
  expect(after).not.toBe(before)
  writeFileSync(file, after)
}

/** A row of the table of moved files: `| from | to |`. */
const MOVED = /^\| (`(?:src|tests)\/[^|]*) \| (`[^|]*) \|$/gm

/** A file or a folder in a row, such as `src/build/`. */
const PLACE = /`((?:src|tests)\/[^`]*)`/g

const [, moved = ''] = /^\*\*Files that have moved\*\*(.*?)^\*\*/ms.exec(upgrade) ?? []
const moves = [...moved.matchAll(MOVED)].map(([, from = '', to = '']) => ({ from, to }))

test('the upgrade has a table of moved files', () => {
  expect(moves).not.toEqual([])
})

test.each(moves)('what was in $from is in $to', ({ from, to }) => {
  expect(placesIn(from).filter(isThere)).toEqual([])
  expect(placesIn(to)).not.toEqual([])
  expect(placesIn(to).filter(isThere)).toEqual(placesIn(to))
})

function placesIn(cell: string): string[] {
  return [...cell.matchAll(PLACE)].map(([, place = '']) => place)
}

function isThere(place: string): boolean {
  return existsSync(join(ROOT, place))
}

test('each setting that the upgrade names is one of the receiver, or refused', () => {
  const config = readFileSync(join(ROOT, 'src/forms/config.ts'), 'utf8')
  const [, table = ''] = /^\*\*The receiver\*\*$(.*)/ms.exec(upgrade) ?? []
  const settings = [...table.matchAll(/`([A-Z]+_[A-Z]+)[=`]/g)].map(([, name = '']) => name)

  expect(settings).toContain('NOTIFY_EVERY')
  expect(settings.filter((name) => !config.includes(name))).toEqual([])
})
