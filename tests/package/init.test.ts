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

/** Creates a repository, and runs `manyurls init` in it, with a check that does nothing. */
async function init(files: Files, { args = [] as string[], now = (): number => 0 } = {}) {
  const folder = lay(files)

  const [stdout, stderr] = [new Text(), new Text()]
  const check = async () => stdout.write('CHECKED\n')
  const status = await runInit(args, { stdout, stderr, check, now, call: 'manyurls' }, folder)
  const file = join(folder, 'manyurls.config.ts')
  const config = existsSync(file) ? readFileSync(file, 'utf8') : ''
  return {
    folder,
    status,
    said: stdout.text,
    stderr: stderr.text,
    config,
    collections: bodyOf(config),
  }
}

/** Returns what a configuration says between its first and its last line. */
function bodyOf(config: string): string {
  return config.replace(/^[\s\S]*?defineCollections\(\{\n/, '').replace(/\}\)\n$/, '')
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

/** A record without a name of its own, and several by key. */
const SPARE = { about: { short: 'x' }, stops: 1 }
const KEYED = { AAA: { stops: 1 }, BBB: { stops: 2 }, CCC: { stops: 2 } }

test('a list in one file is a collection', async () => {
  const { status, said, config } = await init({ 'trams.json': TRAMS, 'package.json': {} })
  expect(status).toBe(0)
  expect(said).toContain(
    'trams: a list of 2 records, in trams.json\n  id: "code", which differs in',
  )
  expect(config).toBe(`import { defineCollections } from 'manyurls'

export default defineCollections({
  trams: {
    files: 'trams.json',
    id: 'code',
  },
})
`)
})

describe('of repositories with several kinds of data, init proposes each:', () => {
  test('pairs of a file and its schema, beside a folder of translations', async () => {
    const names = ['colours', 'fonts', 'units', 'shapes', 'sounds', 'words', 'signs', 'marks']
    const pairs = names.flatMap((name) => [
      [`style/${name}.json`, { red: { syntax: '<r>' }, blue: { syntax: '<b>' } }],
      [
        `style/${name}.schema.json`,
        { $schema: DRAFT, type: 'object', additionalProperties: objectWith('syntax') },
      ],
    ])
    const translations = Array.from({ length: 40 }, (_, index) => {
      return [`word-${index}`, { de: 'Wort', fr: 'mot' }]
    })
    const { collections } = await init({
      ...Object.fromEntries(pairs),
      'l10n/style.json': Object.fromEntries(translations),
    })
    const expected = names.sort().map((name) => {
      return `  ${name}: {\n    files: 'style/${name}.json',\n    records: Object.values,\n    schema: 'style/${name}.schema.json',\n    id: (record, { key }) => key,\n  },\n`
    })
    expect(collections).toBe(expected.join(''))
  })

  test('records of which each names one of three schemas, with lists in them', async () => {
    const modes = ['dim', 'full', 'blink'].map((name) => ({ name, channels: [] }))
    const lamp = (kind: string) => ({
      $schema: `https://lamps.example/schemas/${kind}.json`,
      modes,
    })
    const makers = ['acme', 'bright', 'candle']
    const lamps = makers.flatMap((maker) => [
      [`fixtures/${maker}/one.json`, { ...lamp('lamp'), name: `${maker} one` }],
      [`fixtures/${maker}/two.json`, { ...lamp('matrix'), name: `${maker} two` }],
      [`fixtures/${maker}/old.json`, { ...lamp('redirect'), redirectTo: 'one' }],
    ])
    const schemas = ['lamp', 'matrix', 'redirect'].map((kind) => {
      const $id = `https://lamps.example/schemas/${kind}.json`
      return [`schemas/${kind}.json`, { ...objectWith('$schema'), $id }]
    })
    const { collections } = await init(Object.fromEntries([...lamps, ...schemas]))
    expect(collections).toBe(`  fixtures: {
    files: 'fixtures/*/*.json',
    schema: { named: ['schemas/lamp.json', 'schemas/matrix.json', 'schemas/redirect.json'] },
    id: (record, { file }) => file,
  },
`)
  })

  test('and by addresses that are not those of the schemas, which check cannot find', async () => {
    const files = ['a', 'b'].flatMap((kind) => [
      [
        `lamps/${kind}1.json`,
        { $schema: `https://cdn.example/v2/schemas/${kind}.json`, name: '1' },
      ],
      [
        `lamps/${kind}2.json`,
        { $schema: `https://cdn.example/v2/schemas/${kind}.json`, name: '2' },
      ],
      [
        `schemas/${kind}.json`,
        { ...objectWith('name'), $id: `https://lamps.example/${kind}.json` },
      ],
    ])
    const { collections } = await init(Object.fromEntries(files))
    expect(collections).toBe(
      "  lamps: {\n    files: 'lamps/*.json',\n    id: (record, { file }) => file,\n  },\n",
    )
  })

  test('a catalog under a key, beside tests and schemas of other things', async () => {
    const numbers = Array.from({ length: 30 }, (_, index) => index)
    const entries = numbers.map((number) => ({ name: `Tool ${number}`, url: `tool-${number}` }))
    const schemas = numbers.map((number) => [
      `src/schemas/json/tool-${number}.json`,
      objectWith('name'),
    ])
    const tests = numbers.flatMap((number) => [
      [
        `src/test/tool-${number}/a.json`,
        { name: 'a', settings: [{ id: 1 }, { id: 2 }, { id: 3 }] },
      ],
      [`src/test/tool-${number}/b.json`, { name: 'b' }],
    ])
    const catalog = { ...objectWith('$schema'), $id: 'https://tools.example/schema-catalog.json' }
    const { collections, said } = await init({
      ...Object.fromEntries([...schemas, ...tests]),
      'src/schemas/json/schema-catalog.json': catalog,
      'src/api/catalog.json': {
        $schema: 'https://tools.example/schema-catalog.json',
        version: 1,
        tools: entries,
      },
    })
    expect(collections).toBe(`  catalog: {
    files: 'src/api/catalog.json',
    records: 'tools',
    schema: 'src/schemas/json/schema-catalog.json',
    id: 'name',
  },
`)
    expect(said).toContain('60 files of tests and translations, which are left out.')
  })

  test('objects by key in many files, beside a file of another shape', async () => {
    const letters = [...'abcdefghijklmnopqrstuvwxyz_']
    const files = letters.map((letter) => [
      `tools/${letter}.json`,
      {
        [`${letter} one`]: { groups: [1], site: 'https://one.example' },
        [`${letter} two`]: { groups: [2], site: 'https://two.example' },
      },
    ])
    const groups = { 1: { name: 'Editors' }, 2: { name: 'Shells' }, 3: { name: 'Games' } }
    const { collections } = await init({
      ...Object.fromEntries(files),
      'tools/groups.json': groups,
    })
    expect(collections).toBe(`  groups: {
    files: 'tools/groups.json',
    records: Object.values,
    id: (record, { key }) => key,
  },
  tools: {
    files: ['tools/*.json', '!tools/groups.json'],
    records: Object.values,
    id: (record, { key }) => key,
  },
`)
  })

  test('records of one file with the schema of a record', async () => {
    const { collections } = await init({
      'stations.json': [
        { id: 1, name: 'North' },
        { id: 2, name: 'South' },
      ],
      'schemas/station.schema.json': objectWith('name'),
    })
    expect(collections).toContain("recordSchema: 'schemas/station.schema.json',")
  })
})

describe('init finds where the records are:', () => {
  test('under several keys of one file', async () => {
    const numbers = [1, 2, 3]
    const { collections } = await init({
      'data/world.json': {
        version: 1,
        countries: numbers.map((number) => ({ code: `C${number}`, capital: 'x' })),
        currencies: { AAA: { unit: 'a' }, BBB: { unit: 'b' }, CCC: { unit: 'c' } },
      },
    })
    expect(collections).toBe(`  countries: {
    files: 'data/world.json',
    records: 'countries',
    id: 'code',
  },
  currencies: {
    files: 'data/world.json',
    records: 'currencies',
    id: (record, { key }) => key,
  },
`)
  })

  test('by key, with a schema named beside them', async () => {
    const shop = { repository: 'https://a.example/' }
    const { collections } = await init({
      'shops.json': { $schema: './s.schema.json', a: shop, b: shop },
      's.schema.json': { type: 'object', additionalProperties: { required: ['repository'] } },
    })
    expect(collections).toContain('records: ({ $schema, ...records }) => Object.values(records),')
    expect(collections).toContain("schema: 's.schema.json',")
  })

  test('in files of one record, though each has a list, too', async () => {
    const stops = ['a', 'b', 'c', 'd'].map((name) => ({ name }))
    const files = ['north', 'south', 'west'].map((name) => [`lines/${name}.json`, { name, stops }])
    const { collections } = await init(Object.fromEntries(files))
    expect(collections).toBe("  lines: {\n    files: 'lines/*.json',\n    id: 'name',\n  },\n")
  })

  test('in lists whose items have ids of their own, in files that only hold these lists', async () => {
    const items = (letter: string) => [1, 2, 3, 4].map((number) => ({ id: letter + number }))
    const files = ['a', 'b', 'c'].map((name) => [`data/${name}/all.json`, { items: items(name) }])
    const { collections } = await init(Object.fromEntries(files))
    expect(collections).toContain("files: 'data/*/all.json',\n    records: 'items',\n    id: 'id',")
  })

  test('in files of one name in many folders, beside others', async () => {
    const files = ['a', 'b', 'c'].flatMap((folder) => [
      [`${folder}/chain.json`, { chain_id: folder, fees: 1 }],
      [`${folder}/assets.json`, [{ base: 'x' }, { base: 'y' }]],
    ])
    const { collections } = await init(Object.fromEntries(files))
    expect(collections).toBe(`  assets: {
    files: '*/assets.json',
    id: (record, { file }) => \`\${file} \${record.base}\`,
  },
  chain: {
    files: '*/chain.json',
    id: 'chain_id',
  },
`)
  })

  test('in YAML and Markdown, but not in documents', async () => {
    const { collections } = await init({
      'apps/chess.yaml': 'id: chess\n',
      'apps/go.yaml': 'id: go\n',
      'posts/one.md': '---\nslug: one\n---\nHello.\n',
      'posts/two.md': '---\nslug: two\n---\nHello.\n',
      'posts/HOWTO.md': 'How to write posts.\n',
      'data.csv': 'a,b\n',
    })
    expect(collections).toContain("files: 'apps/*.yaml',\n    id: 'id',")
    expect(collections).toContain("files: ['posts/*.md', '!posts/HOWTO.md'],\n    id: 'slug',")
  })

  test('in a file with comments, but a comma too many is no comment', async () => {
    const commented = '[\n  // Trams.\n  { "id": 1 },\n  { "id": 2 }\n]\n'
    const broken = '[{ "id": "https://a.example" }, { "id": 2 },]'
    const { said, collections } = await init({ 'trams.json': commented, 'lines.json': broken })
    expect(collections).toBe(
      "  trams: {\n    files: 'trams.json',\n    format: 'JSON with comments',\n    id: 'id',\n  },\n",
    )
    expect(said).toContain('lines.json:1:44  ')
  })
})

describe('init chooses an id', () => {
  const idOf = async (records: unknown) => {
    const { collections, said } = await init({ 'list.json': records })
    return { id: /id: (.*),\n/.exec(collections)?.[1], said }
  }

  test('that a copied record repeats, though another key differs in each', async () => {
    const { id, said } = await idOf([
      { code: 'AT', name: 'Austria', population: 9 },
      { code: 'DE', name: 'Germany', population: 84 },
      { code: 'DE', name: 'Denmark', population: 6 },
    ])
    expect(id).toBe("'code'")
    expect(said).toContain('id: "code", which differs in all but 1 record, such as "DE"')
  })

  test('that a few records lack', async () => {
    const records = Array.from({ length: 60 }, (_, index) => ({ id: index, name: 'x' }))
    const { id } = await idOf([...records, { name: 'y' }])
    expect(id).toBe(`(record, { file, index }) => record.id ?? \`\${file} \${index}\``)
  })

  test('of the place, if no key differs in each', async () => {
    const same = [{ name: 'a' }, { name: 'a' }, { name: 'a' }]
    expect((await idOf(same)).id).toBe(`(record, { file, index }) => \`\${file} \${index}\``)
  })

  test('of objects, beside which texts are their own ids', async () => {
    const { id } = await idOf([{ url: 'a', tags: [] }, 'b', { url: 'c' }])
    expect(id).toBe('(record) => record.url ?? record')
  })
})

describe('init takes a schema', () => {
  test('of the folder, that most records fit', async () => {
    const { said, collections } = await init({
      'data/countries/pe.json': { code: 'PE', name: 'Peru' },
      'data/countries/td.json': { code: 'TD', name: 'Chad' },
      'data/countries/no.json': { code: 'NO' },
      'schemas/country.schema.json': objectWith('code', 'name'),
    })
    expect(said).toContain('schema: schemas/country.schema.json, which has the name of the folder')
    expect(collections).toContain("recordSchema: 'schemas/country.schema.json',")
  })

  test('that some files name, also for one that forgot it', async () => {
    const lamp = (name: string) => [`lamps/${name}.json`, { $schema: '../lamp.json', id: name }]
    const { collections } = await init({
      ...Object.fromEntries(['a', 'b', 'c'].map(lamp)),
      'lamps/d.json': { id: 'd' },
      'lamp.json': objectWith('id'),
    })
    expect(collections).toContain("files: 'lamps/*.json',\n    recordSchema: 'lamp.json',")
  })

  test('only if names are related, or if it says nothing of what it is about', async () => {
    const unrelated = await init({ 'trams.json': TRAMS, 'planet.schema.json': objectWith('code') })
    expect(unrelated.collections).not.toContain('chema:')
    const general = await init({ 'trams.json': TRAMS, 'schema.json': objectWith('code') })
    expect(general.collections).toContain("recordSchema: 'schema.json',")
  })

  test('and none that accepts everything, or that cannot be used', async () => {
    const { said, collections } = await init({
      'trams.json': TRAMS,
      'lines.json': TRAMS,
      'trams.schema.json': { $schema: DRAFT, $defs: { tram: objectWith('code') } },
      'lines.schema.json': { $schema: DRAFT, type: 'lists' },
    })
    expect(collections).not.toContain('chema:')
    expect(said).toMatch(/\nThe schema \S*lines\.schema\.json cannot be used: .*\/type /)
  })
})

test('whatever init writes, check can run', async () => {
  const shop = { repository: 'https://a.example/' }
  const { folder } = await init({
    'shops.json': { $schema: './s.schema.json', a: shop, b: shop },
    's.schema.json': { type: 'object', additionalProperties: { required: ['repository'] } },
    'world.json': { version: 1, lands: [...TRAMS, { ...SPARE, code: 'T11' }], cities: KEYED },
    'mixed.json': [{ url: 'a', tags: [] }, 'b', { url: 'c' }],
    'few.json': [...Array.from({ length: 60 }, (_, id) => ({ id })), { about: 'no id' }],
    'same.json': [SPARE, SPARE, SPARE],
    'notes.json': '[\n  // Trams.\n  { "id": 1 },\n  { "id": 2 }\n]\n',
    'lines.json': '{ "id": 1 }\n{ "id": 2 }\n',
    'areas/north.geojson': { type: 'Feature', id: 'north' },
    'areas/south.geojson': { type: 'Feature', id: 'south' },
    'posts/one.md': '---\nslug: one\n---\nHello.\n',
    'posts/two.md': '---\nslug: two\n---\nHello.\n',
    'a/chain.yaml': 'chain_id: a\n',
    'b/chain.yaml': 'chain_id: b\n',
    'c/chain.yaml': 'chain_id: c\n',
  })
  const { status, stdout, stderr } = await runIn(folder, 'check')
  expect([status, stderr]).toEqual([0, ''])

  const checked = stdout.split('\n').filter((line) => line.includes(', no mistake'))
  const names = checked.map((line) => line.split(':')[0])
  const expected = ['areas', 'chain', 'cities', 'few', 'lands', 'lines', 'mixed', 'notes']
  expect(names).toEqual([...expected, 'posts', 'shops'])
})

test('a file about a tool that others have settings for is data, too', async () => {
  const names = ['biome', 'chess', 'composer', 'deno', 'openapi-cli']
  const files = names.map((name) => [`bucket/${name}.json`, { name, version: '1' }])
  const { collections } = await init({ ...Object.fromEntries(files), 'deno.json': { tasks: {} } })
  expect(collections).toContain("files: 'bucket/*.json',")
})

test('init says which files it does not read', async () => {
  const { said } = await init({ 'trams.json': TRAMS, 'a.csv': 'a', 'b.csv': 'b' })
  expect(said).toContain('2 CSV files, which are not read yet.')
})

test('init ends with what check says', async () => {
  const { said } = await init({ 'trams.json': TRAMS })
  expect(said).toMatch(/\nmanyurls\.config\.ts is written\..*\n\nCHECKED\n$/)
})

test('init says what it is doing, and stops when that takes too long', async () => {
  let time = 0
  const now = () => {
    time += 1000
    return time
  }
  const files = Array.from({ length: 90 }, (_, index) => [`apps/${index}.json`, { id: index }])
  const { status, said, collections } = await init(Object.fromEntries(files), { now })
  expect(status).toBe(0)
  expect(said).toMatch(/^Reading files: \d+ of 90 …\n/)
  expect(said).toMatch(/\d+ files, for which there was no time/)
  // Another file may have the same id.
  expect(collections).toContain('id: (record, { file }) => file,')
})

test.each(['manyurls.config.ts', 'manyurls.config.mjs'])('init overwrites no %s', async (name) => {
  const { status, stderr, config } = await init({ [name]: '// Mine.', 'trams.json': TRAMS })
  expect(status).toBe(2)
  expect(stderr).toBe(`manyurls init: ${name} is there already, and init overwrites nothing\n`)
  expect(config).toBe(name.endsWith('.ts') ? '// Mine.' : '')
})

test('init says that there are no records, and writes nothing', async () => {
  const { status, said, config } = await init({ 'package.json': {}, 'settings.json': { a: 1 } })
  expect([status, config]).toEqual([1, ''])
  expect(said).toContain('There are no records here')
})

test('init refuses an option that it does not have', async () => {
  const { status, stderr } = await init({}, { args: ['--force'] })
  expect([status, stderr]).toEqual([2, "manyurls init: Unknown option '--force'\n"])
})
