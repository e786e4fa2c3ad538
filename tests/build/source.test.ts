import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { findPlace } from '../../src/build/place.ts'
import { batchSource } from '../../src/build/source.ts'

/** Creates files, all with `[]`. */
function createFiles(...names: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'manyurls-source-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const name of names) {
    const file = join(folder, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, '[]')
  }
  return folder
}

/** Returns the folder of a place, from that of the files, and the names of its batches. */
async function list(folder: string, ...named: string[]) {
  const place = findPlace(named, folder)
  const { all, missed, unmatched } = await batchSource(place).list()
  const names = all.sort()
  const from = relative(folder, place.folder)
  return { from, names, missed: missed.map(({ file }) => file), unmatched }
}

describe('batches are', () => {
  test('one file in the root', async () => {
    const folder = createFiles('countries.json', 'package.json')
    expect(await list(folder, 'countries.json')).toMatchObject({
      from: '',
      names: ['countries.json'],
    })
  })

  test('all files of a folder but some', async () => {
    const folder = createFiles('data/a.json', 'data/b.json', 'data/drafts/c.json')
    expect(await list(folder, 'data', '!data/drafts', '!data/b.json')).toMatchObject({
      from: 'data',
      names: ['a.json'],
    })
  })

  test('what a pattern matches', async () => {
    const folder = createFiles('a/chain.json', 'b/chain.json', 'b/assets.json', 'tsconfig.json')
    expect((await list(folder, '*/chain.json')).names).toEqual(['a/chain.json', 'b/chain.json'])
    expect(await list(folder, '**/*.json', '!tsconfig*.json', '!b/**')).toMatchObject({
      from: '',
      names: ['a/chain.json'],
    })
  })

  test('several files and folders, named from the folder that all are in', async () => {
    const folder = createFiles('data/2025/a.json', 'data/2026/b.json', 'data/c.json')
    expect(await list(folder, 'data/2025', 'data/2026/b.json')).toMatchObject({
      from: 'data',
      names: ['2025/a.json', '2026/b.json'],
    })
  })

  test('not in node_modules', async () => {
    const folder = createFiles('a.json', 'node_modules/ajv/package.json')
    expect((await list(folder, '**/*.json')).names).toEqual(['a.json'])
    expect((await list(folder, '.')).names).toEqual(['a.json'])
  })

  test('also a file whose name has the signs of a pattern', async () => {
    const folder = createFiles('[a].json', 'a.json')
    expect((await list(folder, '[a].json')).names).toEqual(['[a].json'])
  })
})

test.each([
  [['countries.jsn'], 'there is no batch folder'],
  [['countries.json'], 'there is no file'],
  [['*.jsonl', 'a.json'], 'there is no file'],
  [['!a.json'], 'no batches are named'],
])('%j is refused if nothing is there', async (named, says) => {
  const folder = createFiles('a.json')
  await expect((async () => list(folder, ...named))()).rejects.toThrow(says)
})

describe('an exclusion', () => {
  test.each([['!**/lib/**'], ['!data/lib'], ['!data/lib/b.json'], ['!**/b.json'], ['!d*/lib/**']])(
    '%j leaves out what it matches in a folder',
    async (exclusion) => {
      const folder = createFiles('data/a.json', 'data/lib/b.json')
      expect(await list(folder, 'data', exclusion)).toEqual({
        from: 'data',
        names: ['a.json'],
        missed: [],
        unmatched: [],
      })
    },
  )

  test('of a pattern is relative to the same folder as that', async () => {
    const folder = createFiles('data/2026/a.json', 'data/2026/lib/b.json', 'lib/c.json')
    expect(await list(folder, 'data/2026/**/*.json', '!**/lib/**')).toMatchObject({
      from: 'data/2026',
      names: ['a.json'],
    })
  })

  test('that matches nothing is named', async () => {
    const folder = createFiles('data/a.json', 'data/c.json')
    const { unmatched } = await list(folder, 'data', '!**/lib/**', '!data/b.json', '!data/a*')
    expect(unmatched).toEqual(['!**/lib/**', '!data/b.json'])
  })
})
