import { appendFileSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { copyProject } from '../helpers/serve.ts'
import { BUILD_DATA, run } from '../helpers/workspace.ts'

const ROOT = join(import.meta.dirname, '../..')

it('after a change of the code no cache of the code before is used, and the dataset stays', async () => {
  const cwd = copyProject([
    'package.json',
    'tsconfig.json',
    'raw-batches',
    'schema',
    'scripts',
    'src',
  ])
  symlinkSync(join(ROOT, 'node_modules'), join(cwd, 'node_modules'), 'junction')
  const out = join(cwd, 'src/generated')
  const build = async () => {
    expect((await run(BUILD_DATA, { cwd })).status).toBe(0)
    const names = ['dataset.json', 'dataset.d.json.ts', 'manifest.json']
    const files = names.map((name) => readFileSync(join(out, name), 'utf8'))
    return { files, caches: readdirSync(join(out, '.cache')).sort() }
  }
  const first = await build()
  expect(first.caches).toEqual([expect.stringMatching(/^check-/), expect.stringMatching(/^types-/)])
  expect(await build()).toEqual(first)

  appendFileSync(join(cwd, 'src/batch/json/decimal.ts'), '// Changed.\n')
  const changed = await build()
  expect(changed.files).toEqual(first.files)
  expect(changed.caches).toHaveLength(2)
  expect(changed.caches.filter((name) => first.caches.includes(name))).toEqual([])
})
