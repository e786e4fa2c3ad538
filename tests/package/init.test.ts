import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { runInit } from '../../src/package/init/init.ts'
import { runIn } from '../helpers/collections.ts'
import { Text } from '../helpers/workspace.ts'

type Files = Record<string, unknown>

/** Creates a repository. */
function lay(files: Files): string {
  const folder = mkdtempSync(join(tmpdir(), 'manyurls-init-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, value] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), typeof value === 'string' ? value : JSON.stringify(value))
  }
  return folder
}

/** Runs `manyurls init` in a folder, with a check that does nothing. */
async function initIn(folder: string, args: string[] = []) {
  const [stdout, stderr] = [new Text(), new Text()]
  const check = async () => stdout.write('CHECKED\n')
  const status = await runInit(args, { stdout, stderr, check, call: 'manyurls' }, folder)

  const file = join(folder, 'manyurls.config.ts')
  const config = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const collections = bodyOf(config)
  return { folder, status, said: stdout.text, stderr: stderr.text, config, collections }
}

function init(files: Files, args: string[] = []) {
  return initIn(lay(files), args)
}

/** Returns what a configuration says between its first and its last line, without the indentation. */
function bodyOf(config: string): string {
  const [, body = ''] = /defineCollections\(\{\n([\s\S]*)\}\)\n$/.exec(config) ?? []
  return body.replace(/^ {2}/gm, '')
}

/** Returns a line of each collection, such as "files: 'trams.json', id: 'code'", by the collection's name. */
async function collectionsOf(files: Files): Promise<Record<string, string>> {
  const { collections } = await init(files)
  const parts = collections.matchAll(/^(\S+): \{\n([\s\S]*?)^\},$/gm)
  return Object.fromEntries(
    Array.from(parts, ([, name = '', lines = '']) => {
      return [
        name.replaceAll("'", ''),
        lines
          .trim()
          .replace(/,?\n */g, ', ')
          .replace(/,$/, ''),
      ]
    }),
  )
}

const DRAFT = 'https://json-schema.org/draft/2020-12/schema'
const text = { type: 'string' }

/** A schema of an object that must have some keys, with texts as their values. */
function objectWith(...keys: string[]) {
  const properties = Object.fromEntries(keys.map((key) => [key, text]))
  return { $schema: DRAFT, type: 'object', required: keys, properties }
}

const TRAMS = [
  { code: 'T9', name: { short: 'Nine' }, stops: 12 },
  { code: 'T10', name: { short: 'Ten' }, stops: 12 },
]

/** Files of one record each, named after these. */
function records(place: string, names: string, record: (name: string) => unknown): Files {
  return Object.fromEntries([...names].map((name) => [place.replace('*', name), record(name)]))
}

const STEM = "id: (_, { file }) => file.replace(/^.*\\/|\\.\\w+$/g, '')"

test('a list in one file is a collection', async () => {
  const { status, said, config } = await init({ 'trams.json': TRAMS, 'package.json': {} })
  expect(status).toBe(0)
  expect(said).toContain('trams: 2 records in trams.json\n  id: "code"\n')
  expect(config).toBe(`import { defineCollections } from 'manyurls'

export default defineCollections({
  trams: {
    files: 'trams.json',
    id: 'code',
  },
})
`)
})

describe('a folder is a kind', () => {
  test('with every file of that ending, readable or not, and all folders below', async () => {
    const collections = await collectionsOf({
      ...records('apps/*.json', 'abc', (id) => ({ id })),
      'apps/broken.json': '{ "id": "broken", }',
      ...records('apps/old/*.json', 'xy', (id) => ({ id })),
      'apps/README.md': 'How to add apps.\n',
    })
    expect(collections).toEqual({ apps: "files: 'apps', id: 'id'" })
  })

  test('of each folder beside others', async () => {
    const collections = await collectionsOf({
      ...records('data/towns/*.json', 'abc', (id) => ({ id, area: 1 })),
      ...records('data/rivers/*.json', 'abc', (id) => ({ id, length: 1 })),
    })
    expect(collections).toEqual({
      rivers: "files: 'data/rivers', id: 'id'",
      towns: "files: 'data/towns', id: 'id'",
    })
  })

  test('also if some of its files have other keys', async () => {
    const collections = await collectionsOf({
      ...records('posts/*.md', 'abc', (slug) => `---\nslug: ${slug}\ndate: 2026\n---\nHello.\n`),
      ...records('posts/*.md', 'xy', (slug) => `---\nslug: ${slug}\nby: me\ntags: []\n---\nHi.\n`),
    })
    expect(collections).toEqual({ posts: "files: 'posts', id: 'slug'" })
  })

  test('without the years that divide it', async () => {
    const post = (slug: string) => `---\nslug: ${slug}\ndate: 2026-01-01\n---\nHello.\n`
    const collections = await collectionsOf({
      ...records('posts/2024/*.md', 'abc', post),
      ...records('posts/2025/*.md', 'klm', post),
      ...records('posts/2026/*.md', 'xyz', post),
    })
    expect(collections).toEqual({ posts: "files: 'posts', id: 'slug'" })
  })

  test('and not many last words', async () => {
    const names = ['com', 'edu', 'gov', 'net', 'org'].flatMap((end) => [`one.${end}`, `two.${end}`])
    const sites = names.map((name) => [`sites/${name}.json`, { [name.replace('.', '')]: 1 }])
    expect(await collectionsOf(Object.fromEntries(sites))).toEqual({
      sites: `files: 'sites', ${STEM}`,
    })
  })

  test('also with names of settings, which are settings in the root', async () => {
    const names = ['manifest.json', 'keyboard-lock.json', 'compose.json', 'template-1.json']
    const features = names.map((name) => [`features/${name}`, { text: 'x' }])
    const collections = await collectionsOf(Object.fromEntries(features))
    expect(collections).toEqual({ features: `files: 'features', ${STEM}` })
  })

  test('that has folders of the same keys', async () => {
    const lamps = ['acme', 'bright', 'candle'].flatMap((maker) => [
      [`lamps/${maker}/${maker}-one.json`, { watt: 1, modes: [] }],
      [`lamps/${maker}/${maker}-two.json`, { watt: 2, modes: [] }],
    ])
    expect(await collectionsOf(Object.fromEntries(lamps))).toEqual({
      lamps: `files: 'lamps', ${STEM}`,
    })
  })

  test('or the name that repeats in its folders', async () => {
    const collections = await collectionsOf({
      ...records('chains/*/chain.json', 'abc', (name) => ({ id: name, fees: 1 })),
      ...records('chains/*/assets.json', 'abc', (name) => [{ base: name }, { base: 'x' }]),
      ...records('api/town/*/index.json', '123', (id) => ({ id })),
      ...records('api/river/*/index.json', '123', () => ({ length: 1 })),
    })
    const byPlace = `id: (_, { file, index }) => \`\${file} \${index}\``
    expect(collections).toEqual({
      assets: `files: 'chains/*/assets.json', // id: which key differs in each record?, ${byPlace}`,
      chain: "files: 'chains/*/chain.json', id: 'id'",
      river: "files: 'api/river/*/index.json', id: (_, { file }) => file.split('/').at(-2)",
      town: "files: 'api/town/*/index.json', id: 'id'",
    })
  })

  test('or the name that repeats, at any depth below a folder of the root', async () => {
    const collections = await collectionsOf({
      ...records('data/jsconf/*/event.yml', 'abc', (id) => `id: ${id}\n`),
      ...records('data/pycon/*/event.yml', 'xyz', (id) => `id: ${id}\n`),
      ...records('data/pycon/*/talks.yml', 'xyz', (id) => `- id: ${id}1\n- id: ${id}2\n`),
      'data/pycon/series.yml': 'since: 1999\n',
    })
    expect(collections).toEqual({
      event: "files: 'data/*/*/event.yml', id: 'id'",
      talks: "files: 'data/pycon/*/talks.yml', id: 'id'",
    })
  })

  test('or all folders of one name beside each other', async () => {
    const collections = await collectionsOf({
      ...records('jsconf/talks/*.json', 'ab', (id) => ({ id })),
      ...records('pycon/talks/*.json', 'klm', (id) => ({ id })),
      ...records('pycon/talks/old/*.json', 'n', (id) => ({ id })),
      ...records('rubyconf/talks/*.json', 'xy', (id) => ({ id })),
      ...records('charts/*/values.yaml', 'abc', (name) => `image: ${name}\n`),
      ...records('charts/*/cases/small-values.yaml', 'ab', () => 'limit: 1\n'),
      ...records('charts/*/cases/large-limits.yaml', 'bc', () => 'size: 1\n'),
    })
    expect(collections).toEqual({
      values: "files: 'charts/*/values.yaml', id: (_, { file }) => file.split('/').at(-2)",
      cases: "files: 'charts/*/cases/**/*.yaml', id: (_, { file }) => file",
      talks: "files: '*/talks/**/*.json', id: 'id'",
    })
  })

  test('and what lies beside a name that repeats is one by itself', async () => {
    const { collections, said } = await init({
      ...records('charts/*/values.yaml', 'abc', (name) => `image: ${name}\n`),
      'charts/a/ports.yaml': '- id: 1\n- id: 2\n',
      'charts/a/ci/small.yaml': 'limit: 1\n',
    })
    expect(collections).toContain("files: 'charts/*/values.yaml'")
    expect(collections).toContain("files: 'charts/a/ports.yaml'")
    expect(collections).not.toContain('ci')
    expect(said).toContain(
      'Not offered: 1 file, single records without a schema: charts/a/ci/small.yaml\n',
    )
  })

  test('or one of a few words that end the names in it', async () => {
    const collections = await collectionsOf({
      ...records('apps/*-config.yaml', 'abc', (id) => `id: ${id}\n`),
      ...records('apps/*-deploy.yaml', 'abc', (id) => `id: ${id}\nimage: x\n`),
    })
    expect(collections).toEqual({
      config: "files: 'apps/**/*-config.yaml', id: 'id'",
      deploy: "files: 'apps/**/*-deploy.yaml', id: 'id'",
    })
  })

  test('but a folder in which most names repeat elsewhere is one by itself', async () => {
    const collections = await collectionsOf({
      ...records('area/*.json', 'abcde', () => ({ km2: 1 })),
      ...records('people/*.json', 'abcde', () => ({ count: 1 })),
      ...records('water/*.json', 'abcde', () => ({ part: 1 })),
    })
    expect(Object.keys(collections)).toEqual(['area', 'people', 'water'])
  })

  test('and so is one that happens to have a name of others', async () => {
    const collections = await collectionsOf({
      ...records('lakes/*.json', 'abc', (id) => ({ id })),
      ...records('roads/*.json', 'axyz', (id) => ({ id })),
      ...records('towns/*.json', 'amno', (id) => ({ id })),
    })
    expect(Object.keys(collections)).toEqual(['lakes', 'roads', 'towns'])
  })

  test('with a file that holds something else, and without tests in it', async () => {
    const collections = await collectionsOf({
      ...records('tools/*.json', 'abc', (id) => ({ id, site: 'x' })),
      'tools/groups.json': { 1: { title: 'Editors' }, 2: { title: 'Shells' } },
      ...records('tools/tests/*.json', 'abc', (id) => ({ id })),
    })
    expect(collections).toEqual({ tools: "files: ['tools', '!tools/tests'], id: 'id'" })
  })

  test('with all its folders, if all files are alike, whatever their names', async () => {
    const answers = ['de', 'en', 'fr'].map((language) => {
      return records(`answers/${language}/*.json`, 'abc', (intent) => ({ language, intent }))
    })
    expect(await collectionsOf(Object.assign({}, ...answers))).toEqual({
      answers: "files: 'answers', id: (_, { file }) => file",
    })
  })

  test('and the name is, if the files of a folder are not alike', async () => {
    const prices = records('data/*/prices.json', 'abc', () => [{ price: 1 }, { price: 2 }])
    const routes = records('data/*/routes.json', 'abc', () => [{ stops: 1 }, { stops: 2 }])
    const stops = records('data/*/stops.json', 'abc', () => [{ town: 'x' }, { town: 'y' }])
    const collections = await collectionsOf({ ...prices, ...routes, ...stops })
    expect(Object.keys(collections)).toEqual(['prices', 'routes', 'stops'])
  })

  test('and so are the last words of names in many folders, beside a few others', async () => {
    const routes = [...'abcdefg'].flatMap((name) => [
      [`routes/${name}/${name}-config.yaml`, `tokens: ${name}\n`],
      [`routes/${name}/${name}-deploy.yaml`, `owner: ${name}\n`],
    ])
    const collections = await collectionsOf({
      ...Object.fromEntries(routes),
      'routes/a/a-strategy.yaml': 'steps: 1\n',
    })
    expect(collections).toEqual({
      config: `files: 'routes/**/*-config.yaml', ${STEM}`,
      deploy: `files: 'routes/**/*-deploy.yaml', ${STEM}`,
    })
  })

  test('without the kinds in it, each by its pattern', async () => {
    const collections = await collectionsOf({
      ...records('towns/*.json', 'abcdefgh', (id) => ({ id, area: 1, mayor: 'x' })),
      ...records('towns/maps/*/map.json', 'abc', (name) => ({ scale: 1, name: `${name}1` })),
    })
    expect(collections).toEqual({
      map: "files: 'towns/maps/*/map.json', id: 'name'",
      towns: "files: ['towns', '!towns/maps/*/map.json'], id: 'id'",
    })
  })

  test('or its only file, if several kinds are in its folders', async () => {
    const collections = await collectionsOf({
      ...records('data/*/towns.json', 'abc', (id) => [{ id }, { id: `${id}1` }]),
      ...records('data/*/roads.json', 'abc', (id) => [
        { id, km: 1 },
        { id: `${id}1`, km: 1 },
      ]),
      'data/paths.json': { first: TRAMS, second: TRAMS },
    })
    expect(Object.keys(collections)).toEqual(['data', 'roads', 'towns'])
    expect(collections.data).toContain("files: 'data/paths.json'")
  })

  test('beside files of another ending, a pattern', async () => {
    const collections = await collectionsOf({
      ...records('apps/*.yaml', 'abc', (id) => `id: ${id}\n`),
      'apps/list.json': TRAMS,
    })
    expect(collections.apps).toBe("files: 'apps/**/*.yaml', id: 'id'")
  })
})

describe('many kinds of one folder', () => {
  const words = ['ants', 'bees', 'cats', 'dogs', 'eels', 'foxes', 'goats', 'hens', 'owls']
  const lists = Object.fromEntries(
    words.map((word) => [`data/${word}.json`, [{ [word]: 1 }, { [word]: 2 }]]),
  )

  test('are one collection', async () => {
    expect(await collectionsOf(lists)).toEqual({
      data: `files: 'data', // id: which key differs in each record?, id: (_, { file, index }) => \`\${file} \${index}\``,
    })
  })

  test('also in folders that only divide them, whatever the keys', async () => {
    const sites = [...'abcdefghi'].map((letter) => {
      return records(`sites/${letter}/${letter}*.json`, '123', (name) => ({ [letter + name]: 1 }))
    })
    expect(await collectionsOf(Object.assign({}, ...sites))).toEqual({
      sites: `files: 'sites', ${STEM}`,
    })
  })

  test('of files as they are, if the lists are in several places of them', async () => {
    const underKey = Object.entries(lists).map(([name, list]) => [name, { list }])
    const { data } = await collectionsOf({
      ...Object.fromEntries(underKey),
      'data/pigs.json': [{ weight: 1 }, { weight: 2 }],
    })
    expect(data).toContain("files: 'data'")
    expect(data).not.toContain('records')
  })

  test('but few are each by itself, and so is one with a schema', async () => {
    const [, ...fewer] = Object.entries(lists)
    expect(Object.keys(await collectionsOf(Object.fromEntries(fewer)))).toHaveLength(8)

    const collections = await collectionsOf({
      ...lists,
      'data/pigs.json': [{ weight: 1 }, { weight: 2 }],
      'data/schemas/pig.json': objectWith('weight'),
    })
    expect(collections.data).toContain("files: ['data', '!data/{pigs.json,schemas}']")
    expect(collections.pigs).toContain("recordSchema: 'data/schemas/pig.json'")
  })
})

describe('a name of a collection', () => {
  test('is short for what is closer to the root', async () => {
    const collections = await collectionsOf({
      ...records('docs/data/towns/*.md', 'abcde', (id) => `---\nid: ${id}\n---\n`),
      ...records('towns/*.json', 'abc', (id) => ({ id })),
    })
    expect(collections).toEqual({
      towns: "files: 'towns', id: 'id'",
      'docs-towns': "files: 'docs/data/towns', id: 'id'",
    })
  })

  test('says what is in it, and not the language', async () => {
    const topics = records('topics/en/*.json', 'abc', (id) => ({ id }))
    expect(Object.keys(await collectionsOf(topics))).toEqual(['topics'])
  })
})

describe('lists', () => {
  test('in several files of one kind are one collection', async () => {
    const parts = records('parts/*.json', '123', (number) => [{ id: number }, { id: `${number}x` }])
    expect(await collectionsOf(parts)).toEqual({ parts: "files: 'parts', id: 'id'" })
  })

  test('that differ, and a broken one, are each one by itself', async () => {
    const collections = await collectionsOf({
      'data/people.json': [{ name: 'A' }, { name: 'B' }],
      'data/roads.json': [{ code: 'A' }, { code: 'B' }],
      'data/towns.json': '[{ "id": 1 },]',
    })
    expect(collections).toEqual({
      people: "files: 'data/people.json', id: 'name'",
      roads: "files: 'data/roads.json', id: 'code'",
      towns: `files: 'data/towns.json', ${STEM}`,
    })
  })

  test('under a key, and objects by key, in files that only hold these', async () => {
    const collections = await collectionsOf({
      'catalog.json': { version: 1, tools: [{ name: 'A' }, { name: 'B' }] },
      'shops.json': { $schema: './s.schema.json', a: { url: 'x' }, b: { url: 'y' } },
      's.schema.json': { type: 'object', additionalProperties: { required: ['url'] } },
    })
    expect(collections).toEqual({
      catalog: "files: 'catalog.json', records: 'tools', id: 'name'",
      shops:
        "files: 'shops.json', records: ({ $schema, ...records }) => Object.values(records), schema: 's.schema.json', id: (_, { key }) => key",
    })
  })

  test('under the only key of a file, also with one item', async () => {
    const groups = (ids: string) => ({ groups: [...ids].map((id) => ({ id, about: 'x' })) })
    const collections = await collectionsOf({
      'model/db.json': groups('a'),
      'model/http.json': groups('b'),
      'model/url.json': groups('cd'),
    })
    expect(collections).toEqual({ model: "files: 'model', records: 'groups', id: 'id'" })
  })

  test('are fields if each file has others beside them', async () => {
    const part = { town: 'x' }
    const collections = await collectionsOf({
      ...records('links/*.json', 'abc', () => ({ from: part, to: part, ways: [part] })),
      ...records('chains/*.json', 'abc', (chain) => ({ chain, nodes: [part, part] })),
    })
    expect(collections).toEqual({
      chains: `files: 'chains', ${STEM}`,
      links: `files: 'links', ${STEM}`,
    })
  })

  test('are no fields beside a number, which is of the file', async () => {
    const parts = records('parts/*.json', 'abc', (id) => {
      return { updated: 2026, all: [{ id }, { id: `${id}2` }] }
    })
    expect(await collectionsOf(parts)).toEqual({
      parts: "files: 'parts', records: 'all', id: 'id'",
    })
  })

  test('of objects by key may have a wrong one', async () => {
    const shops = { a: { url: 'x' }, b: { url: 'y' }, c: null }
    const collections = await collectionsOf({ 'shops.json': shops })
    expect(collections.shops).toContain('records: Object.values')
  })

  test('under several keys are a question', async () => {
    const collections = await collectionsOf({ 'world.json': { towns: TRAMS, rivers: TRAMS } })
    expect(collections.world).toContain("// records: 'towns' or 'rivers'?")
  })
})

describe('a schema is found by its name', () => {
  /** Returns what is said of the schema of `recipes/`. */
  async function schemaOf(files: Files): Promise<string | undefined> {
    const recipes = records('recipes/*.json', 'abc', (id) => ({ id }))
    const { collections } = await init({ ...recipes, ...files })
    return /.*chema: (.*)/.exec(collections)?.[0]?.trim()
  }

  test.each([
    'recipes/recipe.schema.json',
    'schemas/recipe.schema.json',
    'schema/recipes.json',
    'recipe_schema.json',
    'recipes/schema.json',
  ])('%s, whatever it refuses', async (name) => {
    expect(await schemaOf({ [name]: objectWith('title') })).toBe(`schema: '${name}',`)
  })

  test('and init says how many it refuses', async () => {
    const { said } = await init({
      ...records('recipes/*.json', 'abc', (id) => (id === 'a' ? { id } : { id, title: 'x' })),
      'schemas/recipe.schema.json': objectWith('title'),
    })
    expect(said).toContain('schemas/recipe.schema.json, by its name; it refuses 1 of 3\n')
  })

  test('of items, too', async () => {
    const { items } = await collectionsOf({
      ...records('data/*/items.json', 'abc', () => TRAMS),
      'schemas/items_schema.json': { type: 'array', items: objectWith('code') },
    })
    expect(items).toContain("schema: 'schemas/items_schema.json'")
  })

  test('also if it cannot be read', async () => {
    expect(await schemaOf({ 'schemas/recipe.json': '{ "type": }' })).toBe(
      "schema: 'schemas/recipe.json',",
    )
  })

  test('of two as close, neither', async () => {
    const files = {
      'schemas/recipe.json': objectWith('id'),
      'recipe.schema.json': objectWith('id'),
    }
    expect(await schemaOf(files)).toBe("// schema: 'recipe.schema.json' or 'schemas/recipe.json'?")
  })

  test('of two in folders of schemas, the one in the same folder', async () => {
    const retired = {
      'schemas/recipe.json': objectWith('id'),
      'schemas/old/recipe.json': objectWith('id'),
    }
    expect(await schemaOf(retired)).toBe("schema: 'schemas/recipe.json',")

    const collections = await collectionsOf({
      ...records('v2/recipes/*.json', 'abc', (id) => ({ id })),
      'schemas/v1/recipe.json': objectWith('id'),
      'schemas/v2/recipe.json': objectWith('id'),
    })
    expect(collections.recipes).toContain("schema: 'schemas/v2/recipe.json'")
  })

  test('in any folder of schemas, by its exact name', async () => {
    const exact = { 'lib/schemas/recipes_schema.json': objectWith('title') }
    expect(await schemaOf(exact)).toBe("schema: 'lib/schemas/recipes_schema.json',")

    const singular = { ...exact, 'lib/schemas/recipe_schema.json': objectWith('title') }
    expect(await schemaOf(singular)).toBe("schema: 'lib/schemas/recipes_schema.json',")

    const two = { ...exact, 'docs/schemas/recipes.json': objectWith('title') }
    expect(await schemaOf(two)).toBe(
      "// schema: 'docs/schemas/recipes.json' or 'lib/schemas/recipes_schema.json'?",
    )
    const hidden = { '.schemas/recipe.json': objectWith('title') }
    expect(await schemaOf(hidden)).toBe("schema: '.schemas/recipe.json',")
    expect(await schemaOf({ 'lib/recipes_schema.json': objectWith('title') })).toBe(undefined)
  })

  test('but if two kinds are called so, not for the one of which it refuses all', async () => {
    const collections = await collectionsOf({
      ...records('pack/*.json', 'abc', (id) => ({ id, rules: 'x' })),
      'packs.json': TRAMS,
      'schema/pack_schema.json': objectWith('code'),
    })
    expect(collections.packs).toContain("recordSchema: 'schema/pack_schema.json'")
    expect(collections.pack).toContain("// schema: 'schema/pack_schema.json'?")
  })

  test('that a comment for editors names', async () => {
    const files = records('chains/*/fees.yaml', 'abc', (name) => {
      return `# yaml-language-server: $schema=../../rules/x.json\nchain: ${name}\n`
    })
    const { fees } = await collectionsOf({ ...files, 'rules/x.json': objectWith('chain') })
    expect(fees).toContain("schema: 'rules/x.json'")
  })

  test('that files name with one step too many', async () => {
    const { trams } = await collectionsOf({
      ...records('trams/*.json', 'abc', (id) => ({ $schema: '../../rules/x.json', id })),
      'rules/x.json': objectWith('id'),
    })
    expect(trams).toContain("'rules/x.json'")
  })

  test('or in the mirrored folder', async () => {
    const collections = await collectionsOf({
      ...records('data/api/tram/*/index.json', '123', (id) => ({ id, line: 1 })),
      ...records('data/api/bath/*/index.json', '123', (id) => ({ id, depth: 2 })),
      'data/schema/tram/$id/index.json': objectWith('id'),
    })
    expect(collections.tram).toContain("schema: 'data/schema/tram/$id/index.json'")
    expect(collections.bath).not.toContain('chema')
  })

  test('for the file beside it alone', async () => {
    const chart = (name: string) => [`charts/${name}/values.yaml`, 'image: x\n']
    const collections = await collectionsOf({
      ...Object.fromEntries(['ants', 'bees', 'cats', 'dogs'].map(chart)),
      'charts/ants/values.schema.json': objectWith('ants'),
      'charts/bees/values.schema.json': objectWith('bees'),
    })
    expect(collections).toEqual({
      'ants-values': `files: 'charts/ants/values.yaml', schema: 'charts/ants/values.schema.json', ${STEM}`,
      'bees-values': `files: 'charts/bees/values.yaml', schema: 'charts/bees/values.schema.json', ${STEM}`,
      values:
        "files: ['charts/*/values.yaml', '!charts/{ants,bees}'], id: (_, { file }) => file.split('/').at(-2)",
    })
  })

  test('of a record, if it refuses the list', async () => {
    const { trams } = await collectionsOf({
      'trams.json': [{ code: 'a' }, { code: 1 }],
      'tram.schema.json': objectWith('code'),
    })
    expect(trams).toContain("recordSchema: 'tram.schema.json'")
  })

  test('that each file names', async () => {
    const lamp = (kind: string) => ({ $schema: `https://lamps.example/${kind}.json`, watt: 1 })
    const schema = (kind: string) => ({
      ...objectWith('$schema'),
      $id: `https://lamps.example/${kind}.json`,
    })
    const { lamps } = await collectionsOf({
      ...records('lamps/*.json', 'abc', () => lamp('lamp')),
      ...records('lamps/*.json', 'xyz', () => lamp('matrix')),
      'lamps/forgot.json': { watt: 1 },
      'schemas/a.json': schema('lamp'),
      'schemas/b.json': schema('matrix'),
    })
    expect(lamps).toContain("schema: { named: ['schemas/a.json', 'schemas/b.json'] }")
  })

  test('and not beside it by another name', async () => {
    const { trams } = await collectionsOf({
      'trams.json': TRAMS,
      'line.schema.json': objectWith('code'),
    })
    expect(trams).toBe("files: 'trams.json', id: 'code'")
  })
})

describe('an id is', () => {
  const QUESTION = '// id: which key differs in each record?'

  const idOf = async (list: unknown) => {
    const { collections, said } = await init({ 'list.json': list })
    return { id: /^ *(?:\/\/ )?id: .*/m.exec(collections)?.[0]?.trim(), said }
  }

  test('the first key that differs, though a copied record repeats it', async () => {
    const { id, said } = await idOf([
      { name: 'Austria', code: 'AT', population: 9 },
      { name: 'Germany', code: 'DE', population: 84 },
      { name: 'Denmark', code: 'DE', population: 6 },
    ])
    expect(id).toBe("id: 'code',")
    expect(said).toContain('id: "code", which is repeated: "DE"')
  })

  test('a uuid before a name, and no name that repeats', async () => {
    const list = [{ name: 'A' }, { name: 'B' }, { name: 'A' }]
    const withIds = list.map((item, index) => ({ ...item, uuid: `u${index}` }))
    expect((await idOf(withIds)).id).toBe("id: 'uuid',")
    expect((await idOf(list)).id).toBe(QUESTION)
  })

  test('the file and a key that differs within each file, but not the name', async () => {
    const files = (key: string) => {
      return records('items/*.json', 'abc', () => [1, 2].map((id) => ({ [key]: id, size: 1 })))
    }
    const ofIds = await collectionsOf(files('id'))
    expect(ofIds.items).toContain(`id: (record, { file }) => \`\${file} \${record.id}\``)

    const ofNames = await collectionsOf(files('name'))
    expect(ofNames.items).toContain(QUESTION)
  })

  test('also if a few records lack it', async () => {
    const list = Array.from({ length: 60 }, (_, index) => ({ id: index, name: 'x' }))
    expect((await idOf([...list, { name: 'y' }])).id).toBe("id: 'id',")
  })

  test('a question for a list of texts with a schema', async () => {
    const { versions } = await collectionsOf({
      'versions.json': ['1.0', '1.1', '1.2'],
      'versions.schema.json': { $schema: DRAFT, type: 'array', items: text },
    })
    expect(versions).toContain(`schema: 'versions.schema.json', ${QUESTION}`)
  })

  test('no text, and no link, but a question', async () => {
    const list = [1, 2, 3].map((number) => ({ alignment: `A text ${number}`, trackId: number }))
    expect((await idOf(list)).id).toBe(QUESTION)
  })
})

describe('not offered are', () => {
  test('settings, tests, translations and documents, which are named', async () => {
    const { collections, said } = await init({
      'trams.json': TRAMS,
      'tsconfig.json': {},
      'package-lock.json': TRAMS,
      ...records('tests/*.json', 'abc', (id) => ({ id })),
      ...records('locales/*.json', 'ab', (id) => ({ id })),
      ...records('docs/*.md', 'abc', () => 'A text.\n'),
      'setting.json': { dark: true },
      'a.csv': 'a\n',
    })
    expect(collections).toMatch(/^trams: [^}]*\},\n$/)
    const reasons = [
      "1 file, of formats that aren't read: a.csv",
      '2 files, translations: locales/a.json, locales/b.json',
      '2 files, settings of tools: package-lock.json, tsconfig.json',
      '3 files, tests and examples: tests/a.json, tests/b.json, tests/c.json',
      '3 files, Markdown without front matter: docs/a.md, docs/b.md, docs/c.md',
      '1 file, single records without a schema: setting.json',
    ]
    for (const reason of reasons) expect(said).toContain(`Not offered: ${reason}\n`)
  })

  test('templates, and manifests of tools', async () => {
    const { collections, said } = await init({
      'trams.json': TRAMS,
      '_template/lines.json': TRAMS,
      'YML-Template.yml': '- id: 1\n- id: 2\n',
      'manifest.json': TRAMS,
      'release-please-config.json': TRAMS,
    })
    expect(collections).toMatch(/^trams: [^}]*\},\n$/)
    expect(said).toContain('2 files, templates: YML-Template.yml, _template/lines.json\n')
    expect(said).toContain(
      '2 files, settings of tools: manifest.json, release-please-config.json\n',
    )
  })

  test('templates of a site in the name of JSON', async () => {
    const { collections, said } = await init({
      'trams.json': TRAMS,
      'topics.json': '---\n---\n[{% for topic in site.topics %}{% endfor %}]',
    })
    expect(collections).toMatch(/^trams: [^}]*\},\n$/)
    expect(said).toContain('Not offered: 1 file, templates: topics.json\n')
  })

  test('but a folder of a general name, if those beside it have the same files', async () => {
    const topics = ['css', 'html', 'i18n', 'rust', 'test'].map((topic) => {
      return [`topics/${topic}/index.md`, `---\ntopic: ${topic}\n---\n`]
    })
    const { collections, said } = await init({
      ...Object.fromEntries(topics),
      'topics/test/part/index.md': '---\ntopic: x\n---\n',
    })
    expect(collections).toContain("files: 'topics/*/index.md'")
    expect(said).toContain('topics: 5 files of one record each')
    expect(said).toContain('Not offered: 1 file, tests and examples: topics/test/part/index.md\n')
  })

  test('but records that are named after a tool', async () => {
    const talks = { 'talks/openapi-for-all.json': { title: 'x' }, 'talks/no-swagger.json': {} }
    expect(await collectionsOf({ ...talks, 'talks/compose.json': {} })).toEqual({
      talks: `files: 'talks', ${STEM}`,
    })
  })

  test('files that Git ignores, and hidden ones that are no schemas', async () => {
    const folder = lay({
      'trams.json': TRAMS,
      'local.json': TRAMS,
      '.gitignore': 'local.json\n',
      '.trams/trams.json': TRAMS,
      '.schemas/tram.json': objectWith('code'),
    })
    spawnSync('git', ['init', '-q'], { cwd: folder })

    const { collections } = await initIn(folder)
    expect(collections).toMatch(/^trams: [^}]*\},\n$/)
    expect(collections).toContain("recordSchema: '.schemas/tram.json'")
  })
})

test('whatever init writes, check can run', async () => {
  const { folder } = await init({
    'shops.json': { $schema: './s.schema.json', a: { url: 'x' }, b: { url: 'y' } },
    's.schema.json': { type: 'object', additionalProperties: { required: ['url'] } },
    'world.json': { towns: TRAMS, rivers: TRAMS },
    'same.json': [{ title: 'x' }, { title: 'x' }],
    'lines/a.jsonl': '{ "id": 1 }\n{ "id": 2 }\n',
    'lines/b.jsonl': '{ "id": 3 }\n{ "id": 4 }\n',
    'few/[a].json': { id: 1 },
    'few/b.json': { id: 2 },
    'few/c.json': { id: 3 },
    ...records('a/*/chain.yaml', 'abc', (name) => `chain: ${name}\n`),
    ...records('keyed/*.json', 'abc', () => ({ x: { n: 1 }, y: { n: 2 } })),
    ...records('z/*.json', '12', (id) => ({ about: id })),
    'z/old/1.json': { about: 'x' },
  })
  const { status, stdout, stderr } = await runIn(folder, 'check')
  expect([status, stderr]).toEqual([0, ''])

  const checked = stdout.split('\n').filter((line) => line.includes(', no mistake'))
  const names = checked.map((line) => line.split(':')[0])
  expect(names).toEqual(['chain', 'few', 'keyed', 'lines', 'same', 'shops', 'world', 'z'])
})

test('a schema of no collection is named, and is a comment, unless another one refers to it', async () => {
  const { said, config } = await init({
    ...records('trams/*.json', 'abc', (id) => ({ id })),
    'rules/vehicle.schema.json': { type: 'object', properties: { id: { $ref: 'id.schema.json' } } },
    'rules/id.schema.json': { type: 'string', enum: ['a'] },
  })
  expect(said).toContain('\nNot used: 1 schema: rules/vehicle.schema.json\n')
  expect(config).toContain(
    "  // Schemas that no collection uses: 'rules/vehicle.schema.json'\n})\n",
  )
})

test('a $schema that leads to no file is named, and is a comment', async () => {
  const { said, config } = await init(
    records('trams/*.json', 'abc', (id) => ({ $schema: '../rules/tarm.json', id })),
  )
  expect(said).toContain('schema: "../rules/tarm.json", which "$schema" names, isn\'t there\n')
  expect(config).toContain(
    "// schema: '../rules/tarm.json', which \"$schema\" names, isn't there\n",
  )
})

test('init ends with what check says', async () => {
  const { said } = await init({ 'trams.json': TRAMS })
  expect(said).toMatch(
    /\nmanyurls\.config\.ts is written\..*\nThis is what "check" says:\n\nCHECKED\n$/,
  )
})

test.each(['manyurls.config.ts', 'manyurls.config.mjs'])(
  'a second init changes no %s, and says what it would write',
  async (name) => {
    const { status, said, folder } = await init({ [name]: '// Mine.', 'trams.json': TRAMS })
    expect(status).toBe(0)
    expect(said).toContain(`${name} is there already, and stays as it is.`)
    expect(said).toMatch(/\n {2}trams: \{\n {4}files: 'trams\.json',\n[\s\S]*\}\)\n$/)
    expect(readFileSync(join(folder, name), 'utf8')).toBe('// Mine.')
    expect(existsSync(join(folder, 'manyurls.config.ts'))).toBe(name.endsWith('.ts'))
  },
)

test('init says that there are no records, writes nothing, and names the guide', async () => {
  const { status, said, config } = await init({ 'package.json': {}, 'settings.json': { a: 1 } })
  expect([status, config]).toEqual([1, ''])
  expect(said).toMatch(
    /There are no records here.*\nWrite manyurls\.config\.ts by hand: docs\/configuration\.md in the package explains it\.\n$/,
  )
})

test('init does not name what a package manager has installed, if Git does not ignore it', async () => {
  const folder = lay({ 'trams.json': TRAMS, 'node_modules/rail/data.json': TRAMS })
  spawnSync('git', ['init', '-q'], { cwd: folder })
  const { said } = await initIn(folder)
  expect(said).toContain('trams: 2 records')
  expect(said).not.toContain('node_modules')
})

test('init refuses an option that it does not have', async () => {
  const { status, stderr } = await init({}, ['--force'])
  expect([status, stderr]).toEqual([2, "manyurls init: Unknown option '--force'\n"])
})
