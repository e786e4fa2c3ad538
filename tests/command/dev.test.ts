import { spawnSync } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { copyProject } from '../helpers/serve.ts'

const ROOT = join(import.meta.dirname, '../..')
const PARTS = ['package.json', 'tsconfig.json', 'raw-batches', 'schema', 'scripts', 'src']

test.each([
  ['scripts/dev.ts', 'dev'],
  ['scripts/build.ts', 'build-data'],
])('%s says in one line what is wrong with content.ts', (script, name) => {
  const cwd = copyProject(PARTS)
  symlinkSync(join(ROOT, 'node_modules'), join(cwd, 'node_modules'), 'junction')
  writeFileSync(join(cwd, 'src/content.ts'), "throw new Error('no price')")

  const args = ['--import', 'tsx', script]
  const { status, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' })
  expect(stderr).toBe(`${name}: src/content.ts cannot be loaded: no price\n`)
  expect(status).toBe(2)
})
