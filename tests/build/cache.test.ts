import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Cache } from '../../src/build/disk/cache.ts'
import { page } from '../helpers/page.ts'
import { createWorkspace, isWhole, runBuildData } from '../helpers/workspace.ts'

/** A cache with one entry, as a build leaves it. */
function createCache() {
  const out = mkdtempSync(join(tmpdir(), 'manyurls-cache-'))
  onTestFinished(() => rmSync(out, { recursive: true }))
  const folder = join(out, '.cache')
  const cache = new Cache(out)
  cache.add('types', 'a schema', 'its types')
  cache.save()
  return { out, folder, entries: () => readdirSync(folder).filter(isEntry) }
}

function isEntry(name: string): boolean {
  return name !== '.gitignore'
}

describe('an entry', () => {
  it('is found by what it was made from, and by nothing else', () => {
    const { out } = createCache()
    const cache = new Cache(out)
    expect(cache.get('types', 'a schema')).toBe('its types')
    expect(cache.get('types', 'another schema')).toBeUndefined()
    expect(cache.get('check', 'a schema')).toBeUndefined()
  })

  const faults: Record<string, (file: string) => void> = {
    'that is cut off': (file) => truncateSync(file, 34),
    'in which a byte was changed': (file) => {
      const bytes = readFileSync(file)
      bytes[bytes.length - 1] = 0x7a
      writeFileSync(file, bytes)
    },
    'that is a folder': (file) => {
      rmSync(file)
      mkdirSync(file)
    },
    'that is gone': (file) => rmSync(file),
  }

  it.each(Object.entries(faults))('%s is not used', (_, spoil) => {
    const { out, folder, entries } = createCache()
    const [name = ''] = entries()
    spoil(join(folder, name))
    expect(new Cache(out).get('types', 'a schema')).toBeUndefined()
  })

  it('in the place of another one is not used', () => {
    const { out, folder, entries } = createCache()
    const [name = ''] = entries()
    const cache = new Cache(out)
    cache.get('types', 'a schema')
    cache.add('types', 'another schema', 'other types')
    cache.save()
    const [otherName = ''] = entries().filter((entry) => entry !== name)

    cpSync(join(folder, name), join(folder, otherName))
    expect(new Cache(out).get('types', 'another schema')).toBeUndefined()
  })

  it('that is not used is removed, but nothing of another program that has a folder .cache', () => {
    const { out, folder, entries } = createCache()
    mkdirSync(join(folder, 'batch-loader'))
    writeFileSync(join(folder, 'check-list.json'), '{}')
    new Cache(out).save()
    expect(entries()).toEqual(['batch-loader', 'check-list.json'])
  })
})

describe('a build with the cache of another one', () => {
  /** Builds a batch in a new folder, which has the cache of another batch or nothing. */
  async function buildWith(records: unknown[], isWarm: boolean) {
    const { folder, batches, batch, build, digests, out } = createWorkspace()
    if (isWarm) {
      batch('a.json', [page()])
      const other = join(folder, 'other')
      await runBuildData(['--batches', batches, '--out', other])
      cpSync(join(other, '.cache'), join(out, '.cache'), { recursive: true })
    }

    batch('a.json', records)
    const { status, stdout, stderr } = await build()
    const [output, errors] = [stdout, stderr].map((text) => {
      return text.replaceAll(folder, '').replace(TIME, '')
    })
    return { status, output, errors, digests: digests() }
  }

  it.each([
    ['a valid batch', 0, page({ contentHtml: '<p>Other.</p>' })],
    ['a batch with a mistake', 1, page({ title: '' })],
  ])('says and writes the same, from %s', async (_, status, record) => {
    const cold = await buildWith([record], false)
    expect(cold.status).toBe(status)
    expect(await buildWith([record], true)).toEqual(cold)
  })
})

/** Such as `Time     0.40 s`. */
const TIME = /^Time .*$/m

describe('a build', () => {
  it('keeps its cache out of Git, also where the dataset is committed', async () => {
    const { batch, build, out } = createWorkspace()
    batch('a.json', [page()])
    await build()
    expect(readFileSync(join(out, '.cache/.gitignore'), 'utf8')).toBe('*\n')
  })

  it('that only checks leaves no cache', async () => {
    const { batch, batches, out } = createWorkspace()
    batch('a.json', [page()])
    await runBuildData(['--batches', batches, '--out', out, '--check'])
    expect(existsSync(out)).toBe(false)
  })

  it('has no cache if a file is in the place of its folder', async () => {
    const { batch, build, out } = createWorkspace()
    mkdirSync(out)
    writeFileSync(join(out, '.cache'), '')
    batch('a.json', [page()])
    for (let round = 0; round < 2; round++)
      expect(await build()).toMatchObject({ status: 0, stderr: '' })
  })

  it('may run beside others that use the same cache', async () => {
    const { batch, build, folder, out } = createWorkspace()
    for (const letter of ['A', 'B'])
      batch(`../${letter}/a.json`, [page({ contentHtml: `<p>${letter}</p>` })])
    const buildOf = (letter: string) => build(['--batches', join(folder, letter)])
    for (let round = 0; round < 3; round++) {
      const ends = await Promise.all([buildOf('A'), buildOf('B'), buildOf('A')])
      for (const end of ends) expect(end).toMatchObject({ status: 0, stderr: '' })
      expect(isWhole(out)).toBe(true)
    }
  })
})
