/** If ManyURLs itself fails on a file, that file is named, and the others are checked. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { CollectionConfig } from '../../src/collections/config.ts'
import { createCollections } from '../helpers/collections.ts'
import { page } from '../helpers/page.ts'
import { createWorkspace, pagesOf } from '../helpers/workspace.ts'

const SENTENCE =
  'ManyURLs failed on this file: TypeError: no tree here. This is a fault in ManyURLs, not in your file. Please report it with the file.'

/** Makes a check by a schema throw: it reads each key of a file. */
function breakFile(file: Record<string, unknown>) {
  Object.defineProperty(file, 'broken', {
    enumerable: true,
    get() {
      throw new TypeError('no tree here\nat line 1')
    },
  })
}

const pets: CollectionConfig = {
  files: 'pets/*.json',
  id: 'id',
  schema: 'pet.schema.json',
  records(file: Record<string, unknown>) {
    if (file.id === 'b') breakFile(file)
    return [file]
  },
}
const owners: CollectionConfig = {
  files: 'owners.json',
  id: 'id',
  references: ({ pets }) => ({ pets }),
}
const FILES = {
  'pet.schema.json': { properties: { id: { type: 'string' } }, additionalProperties: false },
  'pets/a.json': { id: 'a' },
  'pets/b.json': { id: 'b' },
  'pets/c.json': '{"id": "c",}',
  'owners.json': [{ id: 'o', pets: ['a', 'b'] }, { pets: [] }],
}

describe('if accepting a file fails', () => {
  test('it is named, the others are checked, and the status is 2', async () => {
    const { run, problems, built } = createCollections(FILES, { pets, owners })
    expect(await problems()).toEqual([
      `pets/b.json:1:1 : ${SENTENCE}`,
      expect.stringMatching(/^pets\/c\.json:1:11 : Nothing comes after this comma\./),
      'owners.json:1:30 /1: This record has no "id", so it has no id.',
    ])

    const { status, stderr } = await run('build')
    expect(status).toBe(2)
    expect(stderr).toContain(`pets/b.json:1:1\n  ${SENTENCE}\n`)
    expect(stderr).toContain(
      '1 reference to "pets" wasn\'t checked, because of what is wrong in pets/b.json.',
    )
    expect(built().filter((name) => name.endsWith('.json'))).toEqual([])
  })

  test('fix fixes the others, and says it, too', async () => {
    const { run, read } = createCollections(FILES, { pets, owners })
    const { status, stderr } = await run('fix')
    expect(status).toBe(2)
    expect(stderr).toContain(`manyurls fix: pets/b.json: ${SENTENCE}\n`)
    expect(read('pets/c.json')).toBe('{"id": "c"}')
  })

  test('nor is a site built', async () => {
    const workspace = createWorkspace()
    const content = join(workspace.folder, 'content.mjs')
    writeFileSync(
      content,
      `const breakFile = ${breakFile}
      export const content = {
        records(file) {
          if (file.length === 2) breakFile(file[0])
          return file
        },
      }`,
    )
    workspace.batch('a.json', [page()])
    workspace.batch('b.json', [page({ path: '/blog/001' }), page({ path: '/blog/002' })])
    workspace.batch('c.json', [page({ path: '/blog/003', form: 5 })])
    const { status, stdout, stderr } = await workspace.build(['--json', '--config', content])
    expect(status).toBe(2)
    expect(JSON.parse(stdout).ok).toBe(false)
    expect(pagesOf({ stdout }).problems).toMatchObject([
      { file: 'b.json', code: 'file.failed', message: SENTENCE },
      { file: 'c.json', code: 'schema.type' },
    ])
    expect(stderr).toMatch(/^No dataset was written\.\npages: 2 problems in 2 files\n/)
    expect(() => workspace.read('dataset.json')).toThrow('ENOENT')
  })
})

describe('if explaining a file fails', () => {
  const loadExplain = async () => {
    const room = await import('../../src/explain/explain.ts')
    const explain: typeof room.explain = (file, ...rest) => {
      if (file.name === 'pets/b.json') throw new TypeError('no tree here')
      return room.explain(file, ...rest)
    }
    return { ...room, explain }
  }
  const plain: CollectionConfig = { files: 'pets/*.json', id: 'id', schema: 'pet.schema.json' }

  test('it is named once, the others are explained, and the status is 2', async () => {
    const files = { ...FILES, 'pets/b.json': { id: 4, name: '\ufffd' } }
    const { run } = createCollections(files, { pets: plain }, loadExplain)
    const { status, stdout } = await run('check', '--json')
    expect(status).toBe(2)
    expect(JSON.parse(stdout).collections.pets.problems).toMatchObject([
      { file: 'pets/b.json', message: SENTENCE },
      { file: 'pets/c.json', code: 'json.comma-trailing' },
    ])
  })

  test('a warning of it is a problem, too', async () => {
    const files = { 'pet.schema.json': {}, 'pets/b.json': { id: '\ufffd' } }
    const { run } = createCollections(files, { pets: plain }, loadExplain)
    expect(await run('build')).toMatchObject({ status: 2, stdout: '' })
  })
})
