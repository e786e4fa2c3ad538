import { appendFileSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { expect, it } from 'vitest'
import { versionOf } from '../../src/pipeline/cache/code-digest.ts'
import { copyProject } from '../helpers/serve.ts'
import { run } from '../helpers/workspace.ts'

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
    const program = `require('./src/command/command.ts')
      .buildData([], { ...process, env: {} }, { largeFrom: 0 })`
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

  appendFileSync(join(cwd, 'src/batch/json/decimal.ts'), '// Changed.\n')
  const changed = await build()
  expect(changed.files).toEqual(first.files)
  expect(changed.caches).toHaveLength(first.caches.length)
  expect(changed.caches.filter((name) => first.caches.includes(name))).toEqual([])
})

it('covers every room and package that reading a batch reaches', () => {
  const [rooms, packages, seen] = [new Set<string>(), new Set<string>(), new Set<string>()]
  const follow = (file: string) => {
    if (seen.has(file)) return
    seen.add(file)
    rooms.add(relative(join(ROOT, 'src'), file).split(sep)[0] ?? '')
    const code = readFileSync(file, 'utf8').replace(/^import type .*$/gm, '')
    for (const [, name = ''] of code.matchAll(/(?:from|import|import\(|require\()\s*'([^']+)'/g)) {
      if (name.startsWith('.')) follow(join(dirname(file), name))
      else if (!name.startsWith('node:')) packages.add(name.split('/')[0] ?? '')
    }
  }
  follow(join(ROOT, 'src/pipeline/reader.ts'))
  // A new name here also goes into code-digest.ts, unless it only words messages, as leven does.
  expect([...rooms].sort()).toEqual([
    'batch',
    'content.ts',
    'dataset',
    'machine',
    'page',
    'pipeline',
    'sample',
    'text',
  ])
  expect([...packages].sort()).toEqual(['ajv', 'ajv-formats', 'jsonc-parser', 'leven', 'parse5'])
  for (const name of packages) expect(versionOf(name), name).toMatch(/^\d+\.\d+\.\d+/)
})
