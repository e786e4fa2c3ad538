/** Follows the newest "Upgrade" in CHANGELOG.md, with a dataset and a store of 0.2.0. */
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
import { SQLITE_MIGRATIONS } from '../../src/store/tables.ts'
import { isLong } from '../helpers/long.ts'
import { copyProject, start } from '../helpers/serve.ts'
import { copyAll } from './follow.ts'

const ROOT = join(import.meta.dirname, '../..')
const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')
const PARTS = ['package.json', 'tsconfig.json', 'raw-batches', 'schema', 'scripts', 'src']

const [upgrade = ''] = /^### Upgrade$.*?(?=^### )/ms.exec(changelog) ?? []
const blockOf = (kind: string) => new RegExp(`\`\`\`${kind}\\n(.*?)\`\`\``, 's').exec(upgrade)?.[1]

/** Released migrations never change: these make the tables of 0.2.0. */
const MIGRATIONS = SQLITE_MIGRATIONS.slice(0, 5)

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

test.runIf(isLong)('from 0.2.0, every submission and every byte of the dataset stays', async () => {
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
  appendFileSync(types, '// Made by 0.2.0\n')
  writeFileSync(join(folder, 'src/generated/.cache/check-fbf6a304d93be6e2'), 'module.exports = 0')

  const lines = blockOf('sh')?.trim().split('\n') ?? []
  expect(lines.at(-1)).toBe('npm start')
  const said = lines.slice(0, -1).map((line) => sh(line.replace('npm ci && ', '')))

  expect(said.join('')).toContain('The site is built')
  expect(dataset()).toBe(before)
  expect(readFileSync(types, 'utf8')).not.toContain('Made by 0.2.0')
  const { origin } = await start({ cwd: folder, env: { SUBMISSIONS_FILE: 'data/submissions.db' } })
  expect((await fetch(`${origin}/readyz`)).status).toBe(200)
  expect(sh('npm run submissions -- show bcde-bcde')).toContain('Bob')
  expect(sh('npm run submissions -- count')).toContain('2 submissions')
  const [copy = ''] = /\S+-0\.2\.0\.db/.exec(lines[0] ?? '') ?? []
  expect(existsSync(join(folder, copy))).toBe(true)
  const former = new Database(join(folder, copy))
  expect(former.pragma('user_version')).toMatchObject([{ user_version: MIGRATIONS.length }])
  former.close()
})

test.runIf(isLong)(
  'what has moved compiles where the upgrade says, and its rule is applied',
  () => {
    const cwd = copyAll()
    const content = blockOf('ts src/content.ts') ?? ''
    for (const [, key = ''] of upgrade.matchAll(/`(\w+)`(?=.* in `src\/site\/site\.ts` \|)/g))
      expect(content).toContain(`  ${key}: `)
    writeFileSync(join(cwd, 'src/content.ts'), content)
    const run = (...args: string[]) =>
      execFileSync(args[0] ?? '', args.slice(1), { cwd, encoding: 'utf8', stdio: 'pipe' })
    expect(run('npm', 'run', 'build')).toContain('The site is built')
    expect(run('npx', 'tsc')).toBe('')
    writeFileSync(join(cwd, 'src/content.ts'), content.replace('<= 40', '<= 4'))
    expect(() => run('npm', 'run', 'build-data')).toThrow('must have at most 40 characters')
  },
)

test('the lines of nginx.conf that the upgrade names are in it', () => {
  const lines = blockOf('nginx')?.trimEnd().split('\n') ?? []
  const config = readFileSync(join(ROOT, 'deploy/nginx.conf'), 'utf8').split('\n')
  expect(lines).toHaveLength(2)
  expect(config).toEqual(expect.arrayContaining(lines))
})
