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
import { describe, expect, it, vi } from 'vitest'
import { digestCode, digestModules } from '../../src/machine/code-digest.ts'
import { copyProject } from '../helpers/serve.ts'
import { createWorkspace, importing, Text } from '../helpers/workspace.ts'

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

describe('a digest of the modules that content.ts loads', () => {
  function createProject() {
    const { folder } = createWorkspace()
    const digest = (...names: string[]) =>
      digestModules(
        names.map((name) => join(folder, name)),
        folder,
        folder,
      )
    const write = (name: string, text: string) => {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), text)
    }
    return { digest, write }
  }

  it.each(['data/content.ts', '../elsewhere/table.json', 'src/generated/dataset.json'])(
    'changes with %s',
    (name) => {
      const { digest, write } = createProject()
      write(name, '[1]')
      const before = digest(name)
      write(name, '[2]')
      expect(before).toMatch(/^[0-9a-f]{64}$/)
      expect(digest(name)).not.toBe(before)
    },
  )

  it('changes with a module more', () => {
    const { digest, write } = createProject()
    for (const name of ['a.ts', 'b.ts']) write(name, '')
    expect(digest('a.ts', 'b.ts')).not.toBe(digest('a.ts'))
    expect(digest('a.ts', 'b.ts')).toBe(digest('b.ts', 'a.ts'))
  })

  it.each(['src/content.ts', 'lib/index.js'])(
    'does not have %s, which the digest of the code has',
    (name) => {
      const { digest, write } = createProject()
      write(PACKAGES, '{}')
      write(name, '')
      expect(digest(name)).toBe(digest())
    },
  )

  it('has the list of the packages of another project, from which a module was loaded', () => {
    const { digest, write } = createProject()
    write('other/node_modules/ajv/index.js', '')
    const digests = ['1', '2'].map((version) => {
      write(`other/${PACKAGES}`, version)
      return digest('other/node_modules/ajv/index.js')
    })
    expect(digests[0]).not.toBe(digests[1])
  })

  it('has a module of a package that nothing lists', () => {
    const { digest, write } = createProject()
    const digests = ['1', '2'].map((code) => {
      write('node_modules/ajv/index.js', code)
      return digest('node_modules/ajv/index.js')
    })
    expect(digests[0]).not.toBe(digests[1])
  })

  it.each([
    ['content.ts', "const { prices } = await import('./prices.mjs')"],
    ['src/content.ts', "void import ('../prices.mjs')"],
  ])('is not known if %s has an import()', (name, code) => {
    const { digest, write } = createProject()
    write(name, code)
    expect(digest(name)).toBeUndefined()
  })

  it('is known if only data has a text such as import()', () => {
    const { digest, write } = createProject()
    write('table.json', '["import (duty-free)"]')
    expect(digest('table.json')).toBeDefined()
  })

  it('is not known if a module is gone, or some modules are not known', () => {
    const { digest } = createProject()
    expect(digest('gone.ts')).toBeUndefined()
    expect(digestModules(undefined, '/')).toBeUndefined()
  })
})

it('after a change of the code, no cache from before is used, and the dataset stays', async () => {
  const cwd = copyProject(['package.json', 'src'])
  symlinkSync(join(ROOT, 'node_modules'), join(cwd, 'node_modules'), 'junction')
  const out = join(cwd, 'src/generated')
  const build = async () => {
    // A process finds out once what its code is.
    vi.resetModules()
    const { buildData } = await import(join(cwd, 'src/command/build-data.ts'))
    const [stdout, stderr] = [new Text(), new Text()]
    const args = ['--batches', join(ROOT, 'raw-batches'), '--out', out]
    await buildData(args, { stdout, stderr, env: {}, ...importing() }, { largeFrom: 0 })
    expect(stderr.text).toBe('')
    expect(stdout.text).toContain('SHA-256')
    const names = ['dataset.json', 'dataset.d.json.ts', 'manifest.json']
    const files = names.map((name) => readFileSync(join(out, name), 'utf8'))
    return { files, caches: readdirSync(join(out, '.cache')).sort() }
  }
  const first = await build()
  const kinds = first.caches.map((name) => name.replace(/-[0-9a-f]+$/, ''))
  expect(new Set(kinds)).toEqual(new Set(['batch', 'build', 'check', 'types']))
  appendFileSync(join(cwd, 'src/text/decimal.ts'), '// Changed.\n')
  const changed = await build()
  expect(changed.files).toEqual(first.files)
  expect(changed.caches).toHaveLength(first.caches.length)
  expect(changed.caches.filter((name) => first.caches.includes(name))).toEqual([])
})
