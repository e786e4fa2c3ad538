import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { digestCode } from '../../src/machine/code-digest.ts'
import { page } from '../helpers/page.ts'
import { copyProject } from '../helpers/serve.ts'
import { CONTENT, createWorkspace, importing, SCHEMA, Text } from '../helpers/workspace.ts'

const ROOT = join(import.meta.dirname, '../..')
const PACKAGES = 'node_modules/.package-lock.json'

it('a digest changes with the code, what lies in src or a package, and needs the list of those', () => {
  const { folder } = createWorkspace()
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  write(PACKAGES, '{}')
  write('src/a.ts', '')
  const digests = new Set([digestCode(folder)])
  write('src/generated/dataset.json', '[]')
  expect(digestCode(folder)).toBe([...digests][0])
  for (const name of ['src/a.ts', 'src/page/banned.json', PACKAGES]) {
    write(name, '["spam"]')
    digests.add(digestCode(folder))
  }
  expect(digests.size).toBe(4)
  rmSync(join(folder, PACKAGES))
  expect(digestCode(folder)).toBeUndefined()
})

it('a digest of the package is the one that was made with it, wherever it is installed', () => {
  const { folder } = createWorkspace()
  const digestOf = (packed: string) => {
    mkdirSync(join(folder, 'lib'), { recursive: true })
    writeFileSync(join(folder, 'lib/code.sha256'), packed)
    return digestCode(folder)
  }
  expect(digestOf('1')).toMatch(/^[0-9a-f]{64}$/)
  expect(digestOf('1')).not.toBe(digestOf('2'))
})

it('after a change of the code, no cache from before is used, and the dataset stays', async () => {
  const cwd = copyProject(['package.json', 'src'])
  symlinkSync(join(ROOT, 'node_modules'), join(cwd, 'node_modules'), 'junction')
  const out = join(cwd, 'src/generated')
  // Not those of the site, which may have other collections beside its pages.
  const { batches, batch } = createWorkspace()
  batch('a.json', [page()])
  const args = ['--batches', batches, '--schema', SCHEMA, '--config', CONTENT, '--out', out]
  const build = async () => {
    // A process finds out once what its code is.
    vi.resetModules()
    const { run } = await import(join(cwd, 'src/command/run.ts'))
    const [stdout, stderr] = [new Text(), new Text()]
    await run(args, { stdout, stderr, env: {}, ...importing() })
    expect(stderr.text).toBe('')
    expect(stdout.text).toContain('SHA-256')
    const names = ['dataset.json', 'dataset.d.ts', 'dataset.d.json.ts', 'manifest.json']
    const files = names.map((name) => readFileSync(join(out, name), 'utf8'))
    const entries = readdirSync(join(out, '.cache')).filter((name) => name !== '.gitignore')
    return { files, caches: entries.sort() }
  }
  const first = await build()
  const kinds = first.caches.map((name) => name.replace(/-[0-9a-f]+$/, ''))
  expect(new Set(kinds)).toEqual(new Set(['check', 'types']))
  appendFileSync(join(cwd, 'src/text/decimal.ts'), '// Changed.\n')
  const changed = await build()
  expect(changed.files).toEqual(first.files)
  expect(changed.caches).toHaveLength(first.caches.length)
  expect(changed.caches.filter((name) => first.caches.includes(name))).toEqual([])
})
