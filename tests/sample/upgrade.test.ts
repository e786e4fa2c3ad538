/** Follows the newest "Upgrade" in CHANGELOG.md, with a dataset and a store of 0.4.0. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'libsql'
import { expect, test } from 'vitest'
import { SQLITE_MIGRATIONS } from '../../src/store/tables.ts'
import { sha256Of } from '../../src/text/digest.ts'
import { isLong } from '../helpers/long.ts'
import { copyProject, start } from '../helpers/serve.ts'

const ROOT = join(import.meta.dirname, '../..')
const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')
const PARTS = ['package.json', 'tsconfig.json', 'raw-batches', 'schema', 'scripts', 'src']

const [upgrade = ''] = /^### Upgrade$.*?(?=^### )/ms.exec(changelog) ?? []
const blockOf = (kind: string) => new RegExp(`\`\`\`${kind}\\n(.*?)\`\`\``, 's').exec(upgrade)?.[1]

/** Puts two submissions into a store as 0.4.0 has it. */
function createFormerStore(file: string) {
  const database = new Database(file)
  database.exec(`${SQLITE_MIGRATIONS.join(';')}; PRAGMA user_version = ${SQLITE_MIGRATIONS.length}`)
  for (const [receipt, name] of [
    ['abcd-abcd', 'Ada'],
    ['bcde-bcde', 'Bob'],
  ]) {
    database.exec(`INSERT INTO submissions (receipt, path, received_at, dataset, content_hash, status, fields)
      VALUES ('${receipt}', '/blog/029', '2026-11-20T10:00:00.000Z', '', '', 'received', '[["name","${name}"]]')`)
  }
  database.close()
}

test.runIf(isLong)('from 0.4.0, every submission and every byte of the dataset stays', async () => {
  const folder = copyProject(PARTS)
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction')
  const sh = (line: string) => execFileSync('sh', ['-c', line], { cwd: folder, encoding: 'utf8' })
  mkdirSync(join(folder, 'data'))
  createFormerStore(join(folder, 'data/submissions.db'))

  const lines = blockOf('sh')?.trim().split('\n') ?? []
  expect(lines.at(-1)).toBe('npm start')
  const said = lines.slice(0, -1).map((line) => sh(line.replace('npm ci && ', '')))
  expect(said.join('')).toContain('The site is built')

  const dataset = readFileSync(join(folder, 'src/generated/dataset.json'))
  expect(sha256Of(dataset)).toBe(DATASET_OF_0_4)
  const { origin } = await start({ cwd: folder, env: { SUBMISSIONS_FILE: 'data/submissions.db' } })
  expect((await fetch(`${origin}/readyz`)).status).toBe(200)
  expect(sh('npm run submissions -- count')).toContain('2 submissions')
})

/** The SHA-256 of the sample's dataset, as 0.4.0 makes it. */
const DATASET_OF_0_4 = '38d8d657c310901cb8c9292c18653fadee50ad9847dc084339464371d893d1c6'

test('the configuration that the upgrade shows is the one of the guide', () => {
  const guide = readFileSync(join(ROOT, 'src/package/README.md'), 'utf8')
  const configuration = blockOf('ts manyurls.config.ts')
  expect(configuration).toContain('defineCollections')
  expect(guide).toContain(configuration)
})

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
