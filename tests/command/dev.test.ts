import { spawnSync } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { copyProject } from '../helpers/serve.ts'

const ROOT = join(import.meta.dirname, '../..')
const PARTS = ['package.json', 'tsconfig.json', 'raw-batches', 'schema', 'scripts', 'src']

test('dev and build say in one line what is wrong with content.ts', () => {
  const cwd = copyProject(PARTS)
  symlinkSync(join(ROOT, 'node_modules'), join(cwd, 'node_modules'), 'junction')
  writeFileSync(join(cwd, 'src/content.ts'), "throw new Error('no price')")
  const run = (script: string) => {
    const args = ['--import', 'tsx', script]
    const { status, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' })
    return { status, stderr }
  }

  const why = 'src/content.ts cannot be loaded: no price\n'
  expect(run('scripts/dev.ts')).toEqual({ status: 2, stderr: `dev: ${why}` })
  expect(run('scripts/build.ts')).toEqual({ status: 2, stderr: `build-data: ${why}` })
})
