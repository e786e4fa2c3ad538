/** Follows "A later version" (src/page/README.md) in a site of one's own that was made of an older one. */
import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { blocksOf } from '../helpers/guides.ts'
import { isLong } from '../helpers/long.ts'
import {
  AS_ADA,
  commitAll,
  copyAll,
  followGuide,
  GUIDE,
  git,
  linkPackages,
  makeRepository,
  npm,
} from './follow.ts'

const ROOT = join(import.meta.dirname, '../..')

/** The changes of the later version: in the sample, in the owner's files, in everyone's. */
const CHANGED = [
  ...['raw-batches/batch-01.json', 'src/sample/rules.ts', 'tests/sample/rules.test.ts'],
  ...['schema/batch.schema.json', 'src/content.ts', 'src/site.ts'],
  ...['src/app/screens/PageScreen.tsx', 'src/words.ts', 'src/accept/accept.ts'],
]

test.runIf(isLong)('a later version leaves what is yours, and brings everything else', async () => {
  const theirs = copyAll()
  rmSync(join(theirs, 'node_modules'))
  for (const file of CHANGED) appendFileSync(join(theirs, file), '\n')
  makeRepository(theirs)

  const mine = mkdtempSync(join(tmpdir(), 'manyurls-mine-'))
  onTestFinished(() => rmSync(mine, { recursive: true, force: true }))
  git(mine, 'clone', '--quiet', '--origin', 'upstream', theirs, '.')
  followGuide(mine)
  commitAll(mine)
  const before = git(mine, 'ls-files', 'raw-batches', 'src', 'tests').split('\n')

  for (const file of CHANGED) writeFileSync(join(theirs, file), readFileSync(join(ROOT, file)))
  for (const file of ['raw-batches/batch-06.json', 'src/sample/more.ts', 'src/accept/more.ts'])
    writeFileSync(join(theirs, file), '\n')
  commitAll(theirs)

  const scripts = blocksOf(GUIDE).filter(({ language }) => language === 'sh')
  expect(scripts).toHaveLength(1)
  const outputs = scripts
    .map(({ text }) => text)
    .join('')
    .trim()
    .split('\n')
    .map((line) => {
      const own = line.replace(' && npm ci && npm test', '')
      const { stdout, stderr } = spawnSync('sh', ['-c', own], {
        cwd: mine,
        env: AS_ADA,
        encoding: 'utf8',
      })
      return stdout + stderr
    })

  expect(outputs[0]).toContain('CONFLICT')
  expect(outputs.at(-2)).not.toMatch(/both modified|deleted by/)
  expect(git(mine, 'status', '--porcelain')).toBe('')
  expect(git(mine, 'rev-list', '--count', 'HEAD..upstream/main')).toBe('0')
  const after = git(mine, 'ls-files', 'raw-batches', 'src', 'tests').split('\n')
  expect(after.filter((file) => file !== 'src/accept/more.ts')).toEqual(before)
  const differing = git(mine, 'diff', '--name-only', '--diff-filter=AM', 'upstream/main')
  expect(differing.split('\n')).toEqual([
    'authors/people.json',
    'raw-batches/north.json',
    'raw-batches/south.json',
    'schema/batch.schema.json',
    'src/app/screens/PageScreen.tsx',
    'src/content.ts',
    'src/german.ts',
    'src/site.ts',
    'src/static/policy.ts',
  ])
  rmSync(join(mine, 'src/accept/more.ts'))
  linkPackages(mine)
  await npm(mine, 'format')
  await npm(mine, 'check')
  await npm(mine, 'build')
  expect(existsSync(join(mine, 'dist/places/bread.html'))).toBe(true)
})
