/** Follows the steps under "Upgrade" in CHANGELOG.md, with a dataset and a store of 0.1.0. */
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import Database from 'libsql'
import { expect, test } from 'vitest'
import { SQLITE_MIGRATIONS } from '../../src/server/store/tables.ts'
import { isLong } from '../helpers/long.ts'
import { copyProject, start } from '../helpers/serve.ts'

const ROOT = join(import.meta.dirname, '../..')
const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')
const PARTS = ['package.json', 'tsconfig.json', 'raw-batches', 'schema', 'scripts', 'src']

/** Released migrations never change: the first one makes the tables of 0.1.0. */
function createFormerStore(file: string) {
  const database = new Database(file)
  database.exec(`${SQLITE_MIGRATIONS[0]}; PRAGMA user_version = 1`)
  for (const [receipt, name] of [
    ['abcd', 'Ada'],
    ['bcde', 'Bob'],
  ]) {
    database.exec(`INSERT INTO submissions (receipt, path, received_at, dataset, content_hash, status, fields)
      VALUES ('${receipt}', '/blog/029', '2026-11-20T10:00:00.000Z', '', '', 'received', '[["name","${name}"]]')`)
  }
  database.close()
}

test.runIf(isLong)('from 0.1.0, every submission and every byte of the dataset stays', async () => {
  const folder = copyProject(PARTS)
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction')
  const sh = (line: string) => execFileSync('sh', ['-c', line], { cwd: folder, encoding: 'utf8' })
  const dataset = () => readFileSync(join(folder, 'src/generated/dataset.json'), 'utf8')
  mkdirSync(join(folder, 'data'))
  createFormerStore(join(folder, 'data/submissions.db'))
  sh('npm run build-data')
  const before = dataset()
  // Its types and its cache differ from those of now.
  const types = join(folder, 'src/generated/dataset.d.json.ts')
  appendFileSync(types, '// Made by 0.1.0\n')
  writeFileSync(join(folder, 'src/generated/.cache/check-fbf6a304d93be6e2'), 'module.exports = 0')

  const [, steps = ''] = /### Upgrade\n.*?```sh\n(.*?)```/s.exec(changelog) ?? []
  const lines = steps.trim().split('\n')
  expect(lines.at(-1)).toBe('npm start')
  const said = lines.slice(0, -1).map((line) => sh(line.replace('npm ci && ', '')))

  expect(said.join('')).toContain('The site is built')
  expect(dataset()).toBe(before)
  expect(readFileSync(types, 'utf8')).not.toContain('Made by 0.1.0')
  const { origin } = await start({ cwd: folder, env: { SUBMISSIONS_FILE: 'data/submissions.db' } })
  expect((await fetch(`${origin}/readyz`)).status).toBe(200)
  expect(sh('npm run submissions -- show bcde')).toContain('Bob')
  expect(sh('npm run submissions -- count')).toContain('2 submissions')
  const [copy = ''] = /\S+-before\.db/.exec(steps) ?? []
  expect(existsSync(join(folder, copy))).toBe(true)
  const former = new Database(join(folder, copy))
  expect(former.pragma('user_version')).toMatchObject([{ user_version: 1 }])
  former.close()
})
