/** The types of a dataset: where the records are decides what `Delivered` is. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Cache } from '../../src/build/disk/cache.ts'
import { readTypes } from '../../src/build/read-types.ts'
import { RecordPlaces } from '../../src/build/record-type.ts'
import { collectionOfContent } from '../../src/collections/of-config.ts'
import { upgradeAlone } from '../../src/schema/upgrade.ts'
import type { Pointer } from '../../src/text/pointer.ts'
import { createWorkspace, isWhole } from '../helpers/workspace.ts'

const APP = {
  type: 'object',
  additionalProperties: false,
  required: ['id'],
  properties: { id: { type: 'string' } },
}
const GAME = {
  type: 'object',
  additionalProperties: false,
  required: ['players'],
  properties: { players: { type: 'integer' } },
}
const PARTS = { app: APP, game: GAME }
const [A_REFERENCE, G_REFERENCE] = [{ $ref: '#/$defs/app' }, { $ref: '#/$defs/game' }]

const NO_CHECK = { kind: 'none' } as const

/** Generates the types of a schema whose records are at some places. */
async function typesOf(
  schema: object,
  accepted: Pointer[],
  refused: Pointer[] = [],
  isMade = false,
) {
  const { schema: upgraded } = upgradeAlone(schema)
  const schemas = { choice: NO_CHECK, sha256: 'c0ffee', roots: [upgraded], warnings: [] }
  const places = new RecordPlaces()
  places.add(accepted, true)
  places.add(refused, false)

  const page = () => ({ path: '', title: '', contentHtml: '' })
  const content = { records: () => [], ...(isMade && { page }) }
  const collection = collectionOfContent({ ...content, schema: 'schema.json' }, '.')
  return readTypes(schemas, places, collection, new Cache('none'))
}

test('the types begin with their source; those of the schema and of a page follow', async () => {
  const items = { type: 'object', additionalProperties: false }
  expect(
    await typesOf({ type: 'array', items }, [[0]]),
  ).toBe(`// Made by ManyURLs. Do not edit; edit the schema of a batch instead.
// Schema: sha256 c0ffee

export type Batch = Delivered[];

export interface Delivered {}

export type Page = Delivered
`)
})

describe('a record has the type that the schema has at its place', () => {
  const oneFile = { ...APP, $defs: PARTS }
  const byName = { type: 'object', additionalProperties: A_REFERENCE, $defs: PARTS }
  const underKey = {
    type: 'object',
    properties: { apps: { type: 'array', items: A_REFERENCE } },
    $defs: PARTS,
  }
  const listOrOne = { anyOf: [{ type: 'array', items: A_REFERENCE }, A_REFERENCE], $defs: PARTS }

  test.each<[string, object, Pointer[], string]>([
    ['a list', { type: 'array', items: APP }, [[0]], 'type Batch = Delivered[];'],
    ['a list under a key', underKey, [['apps', 0]], 'apps?: Delivered[];'],
    ['an object by name', byName, [['chess'], ['go']], '[k: string]: Delivered;'],
    ['one object a file', oneFile, [[]], 'type Batch = Delivered\n'],
    ['a list or one object', listOrOne, [[], [0]], 'type Batch = Delivered[] | Delivered;'],
    [
      'a list of references with a description',
      { type: 'array', items: { ...A_REFERENCE, description: 'One app.' }, $defs: PARTS },
      [[0]],
      'type Batch = Delivered[];',
    ],
    [
      'a reference under a pattern',
      { type: 'object', patternProperties: { '^a': A_REFERENCE }, $defs: PARTS },
      [['a1']],
      '[k: string]: Delivered;',
    ],
  ])('%s', async (_, schema, places, batch) => {
    const types = await typesOf(schema, places)
    expect(types).toContain('export interface Delivered {\n  id: string;\n}')
    expect(types).toContain(batch)
  })

  test.each<[string, object, Pointer[]]>([
    ['an item of a union', { type: 'array', items: { oneOf: [A_REFERENCE, G_REFERENCE] } }, [[0]]],
    [
      'two lists',
      {
        properties: {
          apps: { type: 'array', items: A_REFERENCE },
          games: { type: 'array', items: G_REFERENCE },
        },
      },
      [
        ['apps', 0],
        ['games', 0],
      ],
    ],
  ])('%s: either of two', async (_, schema, places) => {
    const types = await typesOf({ ...schema, $defs: PARTS }, places)
    expect(types).toContain('export type Delivered = App | Game;')
  })

  const WIDE = 'export interface Delivered {\n  [k: string]: unknown;\n}'

  test.each<[string, Pointer[], Pointer[]]>([
    ['there is no record', [], []],
    [
      'the schema says nothing of one',
      [
        ['apps', 0],
        ['more', 0],
      ],
      [],
    ],
    ['only a refused batch has one, where none belongs', [], [['more', 0]]],
  ])('any keys of unknown values, if %s', async (_, accepted, refused) => {
    expect(await typesOf(underKey, accepted, refused)).toContain(WIDE)
  })

  test('a refused batch with a record where none belongs changes nothing', async () => {
    const types = await typesOf(
      underKey,
      [],
      [
        ['apps', 0],
        ['more', 0],
      ],
    )
    expect(types).toContain('apps?: Delivered[];')
  })
})

test('a schema may call anything as we do, and says the type of no record by that', async () => {
  const names = ['Batch', 'Delivered', 'Page', 'Made', 'With', 'WithMade', 'Field', 'page']
  const properties = Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }]))
  const $defs = Object.fromEntries(names.map((name) => [name, { ...GAME, title: name }]))
  const items = {
    type: 'object',
    additionalProperties: false,
    properties,
    examples: [{ title: 'Delivered' }],
  }

  const types = await typesOf({ title: 'Page', type: 'array', items, $defs }, [[0]], [], true)
  const declared = Array.from(
    types.matchAll(/^(?:export )?(?:interface|type) (\w+)/gm),
    ([, name]) => name,
  )
  expect(new Set(declared).size).toBe(declared.length)
  expect(types).toContain('export type Batch = Delivered[];')
  expect(types).toContain('  Page?: SchemaPage;\n')
  expect(types).toContain('  Field?: Field;\n')
})

test('a schema of keys that is joined with others has one type', async () => {
  const need = (...required: string[]) => ({ required })
  const joined = { ...GAME, type: 'object', anyOf: [need('rules'), need('name')] }
  const types = await typesOf(joined, [[]])
  expect(types).toContain('export type Batch = Delivered')
  expect(types).not.toContain('Batch1')
})

test('a record that refers to itself, and is joined with others, has its type', async () => {
  const app = {
    type: 'object',
    properties: { part: { $ref: '#/$defs/more' } },
    allOf: [{ $ref: '#/$defs/more' }],
  }
  const $defs = { app, more: { anyOf: [{ $ref: '#/$defs/app' }, { type: 'null' }] } }
  const types = await typesOf({ type: 'array', items: { $ref: '#/$defs/app' }, $defs }, [[0]])
  expect(types).toContain('part?: More;')
  expect(types).toContain('export type Batch = Delivered[];')
})

test('a schema that no type can be made of leaves a record with any keys', async () => {
  const properties = {
    a: { $ref: '#/items/properties/b', description: 'A' },
    b: { $ref: '#/items/properties/a', title: 'B', type: 'object' },
  }
  const types = await typesOf({ type: 'array', items: { type: 'object', properties } }, [[0]])
  expect(types).toContain("// The generator of types can't read this schema")
  expect(types).toContain('export interface Delivered {\n  [k: string]: unknown\n}')
})

/** A workspace whose records stand under a key, and a schema that knows where. */
function deliver(recordsOf: string) {
  const { folder, batch, build, out } = createWorkspace()
  const [schema, content] = [join(folder, 'own.json'), join(folder, 'content.ts')]
  const apps = { type: 'array', items: { $ref: '#/definitions/app' } }
  const write = (app: object) =>
    writeFileSync(schema, JSON.stringify({ properties: { apps }, definitions: { app } }))

  write(APP)
  writeFileSync(
    content,
    `export const content = { records: ${recordsOf}, page: ({ id }) => ({ path: '/' + id, title: id, contentHtml: '' }) }`,
  )
  return {
    write,
    batch,
    out,
    run: (...args: string[]) => build(['--schema', schema, '--config', content, ...args]),
    types: () => readFileSync(join(out, 'dataset.d.ts'), 'utf8'),
  }
}

const REFUSED = '// These files were refused'

describe('there are types before the data is right', () => {
  test('and a comment says that they have no dataset yet', async () => {
    const { batch, run, types, out } = deliver('({ apps }) => apps')
    batch('a.json', '{ "apps": [{ "id": 5 }] }')

    expect((await run()).status).toBe(1)
    expect(types()).toContain('export interface Delivered {\n  id: string;\n}')
    expect(types()).toContain(REFUSED)
    expect(existsSync(join(out, 'dataset.json'))).toBe(false)

    batch('a.json', '{ "apps": [{ "id": "a" }] }')
    expect((await run()).status).toBe(0)
    expect(types()).not.toContain(REFUSED)
    expect(isWhole(out)).toBe(true)
  })

  test('those of a changed schema stand beside the last good dataset, and its manifest shows it', async () => {
    const { batch, run, write, types, out } = deliver('({ apps }) => apps')
    batch('a.json', '{ "apps": [{ "id": "a" }] }')
    await run()
    const read = (name: string) => readFileSync(join(out, name), 'utf8')
    const before = [read('dataset.json'), read('manifest.json')]

    write({
      ...APP,
      required: ['id', 'name'],
      properties: { ...APP.properties, name: { type: 'string' } },
    })
    expect((await run()).status).toBe(1)
    expect(types()).toContain('  name: string;\n')
    expect(types()).toContain(REFUSED)
    expect([read('dataset.json'), read('manifest.json')]).toEqual(before)
    expect(isWhole(out)).toBe(false)
  })

  test('a refusal under an unchanged schema leaves a whole dataset whole', async () => {
    const { batch, run, out } = deliver('({ apps }) => apps')
    batch('a.json', '{ "apps": [{ "id": "a" }] }')
    await run()
    batch('b.json', '{ "apps": [{ "id": 5 }] }')
    expect((await run()).status).toBe(1)
    expect(isWhole(out)).toBe(true)
  })

  test('but not with --check, which writes nothing', async () => {
    const { batch, run, out } = deliver('({ apps }) => apps')
    batch('a.json', '{ "apps": [{ "id": 5 }] }')
    expect((await run('--check')).status).toBe(1)
    expect(existsSync(join(out, 'dataset.d.ts'))).toBe(false)
    expect(existsSync(join(out, 'dataset.d.json.ts'))).toBe(false)
  })

  test('without them, a dataset of someone else is not taken for ours', async () => {
    const { batch, run, out } = deliver('({ apps }) => apps')
    batch('a.json', '{ "apps": [{ "id": 5 }] }')
    await run()
    writeFileSync(join(out, 'dataset.json'), '[\n{"mine":1}\n]\n')

    expect(await run()).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('dataset.json'),
    })
    expect(readFileSync(join(out, 'dataset.json'), 'utf8')).toContain('mine')
  })

  test('if no batch can be read, a record may have any keys', async () => {
    const { batch, run, types } = deliver('({ apps }) => apps')
    batch('a.json', '{ "apps": [')
    expect((await run()).status).toBe(1)
    expect(types()).toContain('export interface Delivered {\n  [k: string]: unknown;\n}')
  })
})
