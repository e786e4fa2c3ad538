import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { findNamedPlace, findPlace } from '../../src/build/place.ts'
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

const WORDS = { folder: 'batch folder', nothing: 'no batches found', hint: 'name another' }

/** Returns the names of the batches that somebody names from a folder. */
async function list(base: string, files: string[], ...leftOut: string[]) {
  const place = findPlace(files, { base, words: WORDS, leftOut })
  const { all, missed, unmatched } = await batchSource(place).list()
  return { names: all.sort(), missed: missed.map(({ file }) => file), unmatched }
}

async function namesIn(base: string, files: string[], ...leftOut: string[]): Promise<string[]> {
  const { names } = await list(base, files, ...leftOut)
  return names
}

describe('batches are', () => {
  test('one file in the root', async () => {
    const folder = createFiles('countries.json', 'package.json')
    expect(await namesIn(folder, ['countries.json'])).toEqual(['countries.json'])
  })

  test('all files of a folder but some', async () => {
    const folder = createFiles('data/a.json', 'data/b.json', 'data/drafts/c.json')
    expect(await namesIn(folder, ['data', '!data/drafts', '!data/b.json'])).toEqual(['data/a.json'])
  })

  test('what a pattern matches', async () => {
    const folder = createFiles('a/chain.json', 'b/chain.json', 'b/assets.json', 'tsconfig.json')
    expect(await namesIn(folder, ['*/chain.json'])).toEqual(['a/chain.json', 'b/chain.json'])
    expect(await namesIn(folder, ['**/*.json', '!tsconfig*.json', '!b/**'])).toEqual([
      'a/chain.json',
    ])
  })

  test('several files and folders', async () => {
    const folder = createFiles('data/2025/a.json', 'data/2026/b.json', 'data/c.json')
    expect(await namesIn(folder, ['data/2025', 'data/2026/b.json'])).toEqual([
      'data/2025/a.json',
      'data/2026/b.json',
    ])
  })

  test('not in node_modules, wherever they are', async () => {
    const folder = createFiles('a.json', 'node_modules/ajv/package.json', 'in/b.json')
    expect(await namesIn(folder, ['**/*.json'])).toEqual(['a.json', 'in/b.json'])
    expect(await namesIn(folder, ['.'])).toEqual(['a.json', 'in/b.json'])
    expect(await namesIn(join(folder, 'in'), ['../**/*.json'])).toEqual(['../a.json', 'b.json'])
  })

  test('also a file whose name has the signs of a pattern', async () => {
    const folder = createFiles('[a].json', 'a.json')
    expect(await namesIn(folder, ['[a].json'])).toEqual(['[a].json'])
  })
})

describe('outside of the folder that names are relative to', () => {
  test('names lead there', async () => {
    const folder = createFiles('config/a.json', 'data/b.json', 'data/lib/c.json')
    const files = ['../data/**/*.json', 'a.json', '!../data/lib']
    expect(await namesIn(join(folder, 'config'), files)).toEqual(['../data/b.json', 'a.json'])
  })

  test('a file has one name, however it is reached', async () => {
    const folder = createFiles('config/a.json', 'config/lib/b.json', 'c.json')
    const files = ['../**/*.json', '*.json', '!lib']
    expect(await namesIn(join(folder, 'config'), files)).toEqual(['../c.json', 'a.json'])
  })

  test('an absolute place has the names that a relative one has', async () => {
    const folder = createFiles('config/a.json', 'data/b.json')
    const files = [join(folder, 'data/*.json'), join(folder, 'config')]
    expect(await namesIn(join(folder, 'config'), files)).toEqual(['../data/b.json', 'a.json'])
  })
})

test('files that a command line names are relative to the folder that all are in', async () => {
  const folder = createFiles('data/2025/a.json', 'data/2026/b.json', 'data/2026/lib/c.json')
  const named = ['data/2025', 'data/2026/*.json'].map((file) => join(folder, file))
  const place = findNamedPlace(named)
  const { all } = await batchSource(place).list()
  expect([relative(folder, place.folder), all.sort()]).toEqual([
    'data',
    ['2025/a.json', '2026/b.json'],
  ])
})

test.each([
  [['countries.jsn'], 'there is no batch folder'],
  [['countries.json'], 'there is no file'],
  [['*.jsonl', 'a.json'], 'there is no file'],
  [['drafts', 'a.json'], 'there is no batch folder'],
  [['!a.json'], 'all that is named is left out'],
  [['d*'], 'd* only matches folders; write /** at its end'],
  [['a.json', 'd*'], 'd* only matches folders; write /** at its end'],
])('%j is refused if nothing is there', async (named, says) => {
  const folder = createFiles('a.json', 'data/b.json')
  await expect((async () => list(folder, named))()).rejects.toThrow(says)
})

describe('an exclusion', () => {
  test.each([['!**/lib/**'], ['!data/lib'], ['!data/lib/b.json'], ['!**/b.json'], ['!d*/lib/**']])(
    '%j leaves out what it matches in a folder',
    async (exclusion) => {
      const folder = createFiles('data/a.json', 'data/lib/b.json')
      expect(await list(folder, ['data', exclusion])).toEqual({
        names: ['data/a.json'],
        missed: [],
        unmatched: [],
      })
    },
  )

  test('of a pattern is relative to the same folder as that', async () => {
    const folder = createFiles('data/2026/a.json', 'data/2026/lib/b.json', 'lib/c.json')
    expect(await namesIn(folder, ['data/2026/**/*.json', '!**/lib/**'])).toEqual([
      'data/2026/a.json',
    ])
  })

  test('that matches nothing is named', async () => {
    const folder = createFiles('data/a.json', 'data/c.json')
    const { unmatched } = await list(folder, ['data', '!**/lib/**', '!data/b.json', '!data/a*'])
    expect(unmatched).toEqual(['!**/lib/**', '!data/b.json'])
  })
})

describe('what the command writes', () => {
  test.each([['data'], ['data/**/*.json'], ['**/*.json'], ['.']])(
    'is left out of %j',
    async (files) => {
      const folder = createFiles('data/a.json', 'data/out/countries.json')
      expect(await namesIn(folder, [files], join(folder, 'data/out'))).toEqual(['data/a.json'])
    },
  )

  test.each([
    ['link', 'data/out'],
    ['data', 'link/out'],
  ])('is left out of %j if it is %j, and a link leads there', async (files, out) => {
    const folder = createFiles('data/a.json', 'data/out/countries.json')
    symlinkSync(join(folder, 'data'), join(folder, 'link'), 'dir')
    expect(await namesIn(folder, [files], join(folder, out))).toEqual([`${files}/a.json`])
  })

  test('is left out if it is a link that leads elsewhere', async () => {
    const folder = createFiles('data/a.json', 'elsewhere/countries.json')
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'data/out'), 'dir')
    const leftOut = [join(folder, 'data/out')]
    const place = findPlace(['data'], { base: folder, words: WORDS, leftOut })
    expect((await batchSource(place).list()).ignored).toEqual([])
  })

  test.each([['data'], ['data/*.json'], ['data/a.json'], ['link']])(
    'is refused in the folder of %j',
    async (files) => {
      const folder = createFiles('data/a.json')
      symlinkSync(join(folder, 'data'), join(folder, 'link'), 'dir')
      await expect(async () => namesIn(folder, [files], join(folder, 'data'))).rejects.toThrow(
        'would be read as data; name another folder',
      )
    },
  )

  test('may be above the data, or beside it', async () => {
    const folder = createFiles('data/2025/a.json', 'data/2026/b.json')
    const files = ['data/2025', 'data/2026']
    expect(await namesIn(folder, files, join(folder, 'data'), join(folder, 'data/2025..'))).toEqual(
      ['data/2025/a.json', 'data/2026/b.json'],
    )
  })
})
