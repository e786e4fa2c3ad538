import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { copyProject } from '../helpers/serve.ts'
import { run } from '../helpers/workspace.ts'

const ROOT = join(import.meta.dirname, '../..')
const PACKAGES = 'node_modules/.package-lock.json'

it('after a change of the code, of what lies in src or of a package, no cache from before is used, and the dataset stays', async () => {
  const cwd = copyProject([
    'package.json',
    'tsconfig.json',
    'raw-batches',
    'schema',
    'scripts',
    'src',
  ])
  mkdirSync(join(cwd, 'node_modules'))
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (name.startsWith('.')) continue
    symlinkSync(join(ROOT, 'node_modules', name), join(cwd, 'node_modules', name), 'junction')
  }
  cpSync(join(ROOT, PACKAGES), join(cwd, PACKAGES))
  const out = join(cwd, 'src/generated')
  const build = async () => {
    const program = `require('./src/command/command.ts')
      .buildData([], { ...process, env: {}, load: async (file) => require(file) }, { largeFrom: 0 })`
    const { stdout } = await run(['--require', 'tsx/cjs', '-e', program], { cwd })
    expect(stdout).toContain('SHA-256')
    const names = ['dataset.json', 'dataset.d.json.ts', 'manifest.json']
    const files = names.map((name) => readFileSync(join(out, name), 'utf8'))
    return { files, caches: readdirSync(join(out, '.cache')).sort() }
  }
  const first = await build()
  const kinds = first.caches.map((name) => name.replace(/-[0-9a-f]+$/, ''))
  expect(new Set(kinds)).toEqual(new Set(['batch', 'build', 'check', 'types']))
  expect(await build()).toEqual(first)

  const known = new Set(first.caches)
  for (const change of [
    () => appendFileSync(join(cwd, 'src/batch/json/decimal.ts'), '// Changed.\n'),
    () => writeFileSync(join(cwd, 'src/page/banned.json'), '["spam"]'),
    () => appendFileSync(join(cwd, PACKAGES), '\n'),
  ]) {
    change()
    const changed = await build()
    expect(changed.files).toEqual(first.files)
    expect(changed.caches).toHaveLength(first.caches.length)
    expect(
      changed.caches.filter((name) => known.has(name)),
      String(change),
    ).toEqual([])
    for (const name of changed.caches) known.add(name)
  }

  // Without the list of packages, nothing is remembered.
  rmSync(join(cwd, PACKAGES))
  expect(await build()).toEqual({ files: first.files, caches: [] })
})
