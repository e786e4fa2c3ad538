/** Several kinds of data in one repository: `manyurls check`, `fix` and `build`. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { CollectionConfig } from '../../src/collections/config.ts'
import type { Rule } from '../../src/page/content.ts'
import { createCollections } from '../helpers/collections.ts'

const COUNTRY = {
  type: 'object',
  required: ['code', 'name'],
  properties: { code: { type: 'string' }, name: { type: 'string' } },
}
const countries: CollectionConfig = {
  files: 'countries/*.json',
  recordSchema: 'country.schema.json',
  id: 'code',
  references: (country) => ({ currencies: country.currencies }),
}
const currencies: CollectionConfig = {
  files: 'currencies.json',
  records: 'all',
  id: (_, { key }) => key,
}
const PERU = { code: 'PE', name: 'Peru', currencies: ['PEN'] }
const FILES = {
  'country.schema.json': COUNTRY,
  'countries/NO.json': { code: 'NO', name: 'Norway', currencies: ['NOK'] },
  'countries/PE.json': PERU,
  'currencies.json': { updated: 2026, all: { NOK: { name: 'Krone' }, PEN: { name: 'Sol' } } },
}

test('without a schema, a record may be any value', async () => {
  const numbers: CollectionConfig = { files: 'numbers.json', id: (_, { index }) => String(index) }
  const { run } = createCollections({ 'numbers.json': [1, null] }, { numbers })
  expect(await run('build')).toMatchObject({ status: 0, stderr: '' })
})

test('check reads all collections, and says how many records each has', async () => {
  const { run } = createCollections(FILES, { countries, currencies })
  expect(await run('check')).toEqual({
    status: 0,
    stdout: 'countries: 2 records, no mistake\ncurrencies: 2 records, no mistake, no schema\n',
    stderr: '',
  })
})

test('the names of a site are free in a repository', async () => {
  const other: CollectionConfig = { files: 'countries', id: 'code' }
  const { run, built } = createCollections(FILES, { pages: currencies, dataset: other })
  expect(await run('build')).toMatchObject({ status: 0, stderr: '' })
  expect(built()).toContain('pages.json')
})

test('a preview of fixes in one collection checks the others as they are', async () => {
  const books: CollectionConfig = { files: 'books.json', id: 'id' }
  const files = { 'a.json': [{ id: 1, book: 2 }], 'books.json': '[{ "id": 2 },]' }
  const { run } = createCollections(files, {
    authors: { files: 'a.json', id: 'id', references: { book: 'books' } },
    books,
  })
  const preview = await run('fix', '--check', 'authors')
  expect(preview.stdout).toContain('0 places can be fixed in 0 files of 1')
  expect(preview.stderr).toContain('1 more problem elsewhere; "manyurls check" shows all')
})

test('build writes a dataset and its types of each, and one manifest', async () => {
  const { run, read, built } = createCollections(FILES, { countries, currencies })
  expect(await run('build')).toMatchObject({ status: 0, stderr: '' })
  expect(JSON.parse(read('generated/countries.json'))).toEqual([FILES['countries/NO.json'], PERU])
  expect(read('generated/countries.d.ts')).toContain('export interface Item {\n  code: string;\n')
  expect(read('generated/countries.d.json.ts')).toContain('items: readonly Item[]')
  expect(read('generated/currencies.d.json.ts')).toContain('items: { readonly [id: string]: Item }')
  expect(JSON.parse(read('generated/currencies.json'))).toEqual(FILES['currencies.json'].all)
  expect(Object.keys(JSON.parse(read('generated/manifest.json')).collections)).toEqual([
    'countries',
    'currencies',
  ])
  expect(built()).toHaveLength(7)
})

test('nothing is written if one of the collections has a problem, and build says so', async () => {
  const { run, folder, at } = createCollections(
    { ...FILES, 'countries/CL.json': { code: 'CL', name: 5 } },
    { countries, currencies },
  )
  const build = await run('build')
  expect(build.status).toBe(1)
  expect(build.stderr).toMatch(
    /^No dataset was written\.\ncurrencies: .*\ncountries\/CL.json: 1 prob/,
  )
  expect((await run('build', 'countries', '--records', at('parts'))).stderr).toMatch(
    /^Nothing was written\.\ncountries\/CL.json: 1 problem\n/,
  )
  expect((await run('check')).stderr).not.toContain('written')
  expect(existsSync(join(folder, 'generated/currencies.json'))).toBe(false)
})

describe('with --skip-refused,', () => {
  const lines = [{ id: 1 }, { id: 2, a: 'x', b: 'x' }, { id: 3 }]
  const number = { type: 'number' }
  const files = { 'line.json': { properties: { a: number, b: number } }, 'lines/1.json': lines }
  const config: Record<string, CollectionConfig> = {
    lines: { files: 'lines', recordSchema: 'line.json', id: 'id' },
    stops: { files: 'stops.json', id: 'id' },
  }
  const create = (stops: unknown) => createCollections({ ...files, 'stops.json': stops }, config)

  test('what was written and left out is counted in records', async () => {
    const { run, at, read } = create([])
    const { stdout, stderr } = await run('build', '--skip-refused', '--report', at('report.html'))
    expect(stderr).toMatch(/^lines: 1 record left out, because of 2 problems\n\n/)
    expect(stdout).toMatch(/^lines: 2 of 3 records, 1 left out\nstops: no records, no schema\n/)
    expect(read('report.html')).toContain('This must be a number')
  })

  test('a build that fails names the other records, too', async () => {
    const { stderr } = await create('[').run('build', '--skip-refused')
    expect(stderr).toMatch(/^lines: 1 record left out, because of 2 problems\n\n/)
    expect(stderr).toMatch(
      /\nNo dataset was written\.\nlines: 2 of 3 records, 1 left out\nstops.json: 1 problem\n/,
    )
  })

  test('a collection that would lose all its records says so', async () => {
    const { run, write } = create([])
    write('lines/1.json', [lines[1], lines[1]])
    const expected = 'lines: --skip-refused left out no record, because none would be left\n\n'
    expect((await run('build', '--skip-refused')).stderr).toMatch(
      new RegExp(`^${expected}No dataset was written\\.\n`),
    )
    expect((await run('build')).stderr).not.toContain('--skip-refused')
    expect((await run('build', '--skip-refused')).stderr).not.toContain('only leaves out')
  })

  test('a named file that loses a record is not called right', async () => {
    const { run, at } = create([])
    const named = await run('check', '--skip-refused', at('lines/1.json'), 'stops')
    expect(named.stdout).toBe('stops: no records, no schema\n1 named file, 1 record left out\n')
    expect(named.stderr).toContain('lines: 1 record left out, because of 2 problems\n')
  })
})

test('what is out of date is named, and how to write it', async () => {
  const { run, write } = createCollections(FILES, { countries, currencies })
  await run('build')
  write('countries/CL.json', { code: 'CL', name: 'Chile' })
  expect((await run('check')).stdout).toContain(
    'generated/countries.json (1 new, 0 changed, 0 gone) is out of date; "manyurls build" writes it\n',
  )
  write('currencies.json', { all: { NOK: {}, PEN: {} } })
  expect((await run('check')).stdout).toContain(
    'generated/countries.json (1 new, 0 changed, 0 gone), generated/currencies.json (0 new, 2 changed (name), 0 gone) are out of date; "manyurls build" writes them\n',
  )
})

test('if only a schema has changed, the types are out of date', async () => {
  const { run, write } = createCollections(FILES, { countries, currencies })
  await run('build')
  write('country.schema.json', {})
  expect((await run('check')).stdout).toContain(
    '\ngenerated/countries.d.ts is out of date; "manyurls build" writes it\n',
  )
})

test('types without a schema name none to edit', async () => {
  const { run, read } = createCollections(
    { 'taboos.json': [{ code: 'a' }] },
    { taboos: { files: 'taboos.json', id: 'code' } },
  )
  await run('build')
  expect(read('generated/taboos.d.ts')).toContain(
    '// Made by ManyURLs. Do not edit.\n// There is no schema.\n',
  )
})

test('what is out of date in another folder is written there', async () => {
  const { run, write, at } = createCollections(FILES, { countries, currencies })
  await run('build', '--out', at('gen2'))
  write('countries/CL.json', { code: 'CL', name: 'Chile' })
  expect((await run('check', '--out', at('gen2'))).stdout).toContain(
    'gen2/countries.json (1 new, 0 changed, 0 gone) is out of date; "manyurls build --out gen2" writes it\n',
  )
})

test('the words are those of a repository: files, and records from 1 with their ids', async () => {
  const list = '[\n{ "code": "PE" },\n{ "code": "NO", "name": 5 }\n]'
  const { run } = createCollections(
    { 'a.json': list, 'name.json': { properties: { name: { type: 'string' } } } },
    { countries: { files: 'a.json', recordSchema: 'name.json', id: 'code' } },
  )
  const { stderr } = await run('check')
  expect(stderr).toContain('a.json: 1 problem\n\na.json:3:25  record 2 (code "NO")  /1/name\n')
  expect(stderr).not.toMatch(/batch|dataset|path/)
})

describe('an id', () => {
  const codes: CollectionConfig = { files: 'a.json', id: 'code' }

  test('that two records have is a problem at both places', async () => {
    const { run } = createCollections(
      { 'a.json': '[\n{ "code": 1, "name": "A" },\n{ "code": "1", "name": "B" }\n]' },
      { codes },
    )
    const { status, stderr } = await run('check')
    expect(status).toBe(1)
    expect(stderr).toContain('a.json:3:11  record 2 (code "1")  /1/code\n')
    expect(stderr).toContain('The record at line 2 has the same "code" ("1"), but other values of')
    expect(stderr).toContain('  and a.json:2:11\n')
  })

  test('that is a key of an object is named, and shown where it stands', async () => {
    const kept = '{\n"A": { "name": "x" }\n}'
    const { run } = createCollections(
      { 'a.json': kept, 'b.json': kept.replace('x', 'y') },
      { codes: { files: '*.json', records: Object.values, id: (_, { key }) => key } },
    )
    const { stderr } = await run('check')
    expect(stderr).toContain('b.json:2:1  record 1 (id "A")  /A\n')
    expect(stderr).toContain(
      'The record at line 2 of a.json has the same id ("A"), but other values',
    )
  })

  test.each([
    [
      'is missing',
      '[{"code": 1}, {}]',
      'a.json:1:15 /1: This record has no "code", so it has no id.',
    ],
    ['is null', '[{"code": null}]', "a.json:1:11 /0/code: The value null can't be an id"],
    ['is empty', '[{"code": ""}]', "a.json:1:11 /0/code: An empty text can't be an id"],
    ['is a list', '[{"code": []}]', "a.json:1:11 /0/code: This list can't be an id"],
  ])('that %s is a problem at its record', async (_, list, expected) => {
    const { problems } = createCollections({ 'a.json': list }, { codes })
    expect(await problems()).toEqual([expect.stringContaining(expected)])
  })

  test.each([
    ['an empty text', '', '""'],
    ['nothing', undefined, 'no value'],
    ['a number that is not finite', Number.NaN, 'NaN'],
  ])('for which a function returns %s is a problem at its record', async (_, id, shown) => {
    const byFunction = { files: 'a.json', id: () => id }
    const { problems } = createCollections({ 'a.json': '[\n{}]' }, { codes: byFunction })
    expect(await problems()).toEqual([
      `a.json:2:1 /0: "codes.id" must return text that is not empty, or a finite number, but it returns ${shown}.`,
    ])
  })

  test.each(['toString', 'constructor', '__proto__'])(
    'is not what every object has under the key %s',
    async (id) => {
      const { problems } = createCollections(
        { 'a.json': '[{}]' },
        { codes: { files: 'a.json', id } },
      )
      expect(await problems()).toEqual([
        `manyurls.config.ts:1:1 : "codes.id" is "${id}", but no record has this key.`,
      ])
    },
  )

  const misspelled: CollectionConfig = { files: '*.json', id: 'cod' }
  const twoFiles = { 'a.json': [{ code: 1 }, { code: 2 }], 'b.json': { code: 3 } }

  test('that no record has is one problem of the collection', async () => {
    const { run, problems } = createCollections(twoFiles, { codes: misspelled })
    expect(await problems()).toEqual([
      'manyurls.config.ts:1:1 : "codes.id" is "cod", but no record has this key. Nearest: "code".',
    ])
    expect((await run('build', '--skip-refused')).stderr).toMatch(
      /^No dataset was written\.\nmanyurls\.config\.ts: 1 problem\n/,
    )
  })

  test('that no record has is also a problem of a file that is named', async () => {
    const { run, at } = createCollections(twoFiles, { codes: misspelled })
    const { status, stderr } = await run('check', at('b.json'))
    expect([status, stderr]).toEqual([1, expect.stringContaining('"codes.id" is "cod"')])
  })

  test.each([
    ['another file has', { cod: 4 }],
    ['a file may have that can not be read', '{'],
  ])('that %s is a problem of each record that lacks it', async (_, file) => {
    const files = { ...twoFiles, 'c.json': file }
    const { problems } = createCollections(files, { codes: misspelled })
    const lacking = (await problems()).filter((text) => text.includes('has no "cod"'))
    expect(lacking).toHaveLength(3)
  })

  test('may be under a key that every object has, if the record has it itself', async () => {
    const list = '[{ "__proto__": "a" }, { "__proto__": "b" }]'
    const { run } = createCollections(
      { 'a.json': list },
      { codes: { files: 'a.json', id: '__proto__' } },
    )
    expect((await run('check')).stdout).toContain('codes: 2 records, no mistake')
  })

  test('may be dropped if an earlier record has it', async () => {
    const { run, read } = createCollections(
      { 'a.json': [{ code: 1 }], 'b.json': [{ code: 1 }, { code: 2 }] },
      { codes: { ...codes, files: '*.json', duplicates: 'drop' } },
    )
    expect((await run('build')).stdout).toContain('2 of 3 records, no mistake, 1 duplicate dropped')
    expect(JSON.parse(read('generated/codes.json'))).toEqual([{ code: 1 }, { code: 2 }])
  })
})

describe('records', () => {
  test('of one file may be those of two collections', async () => {
    const { run } = createCollections(
      { 'a.json': { cities: [{ id: 1 }], lakes: { x: {}, y: {} } } },
      {
        cities: { files: 'a.json', records: 'cities', id: 'id' },
        lakes: { files: 'a.json', records: 'lakes', id: (_, { key = '' }) => key },
      },
    )
    expect((await run('check')).stdout).toBe(
      'cities: 1 record, no mistake, no schema\nlakes: 2 records, no mistake, no schema\n',
    )
  })

  test('that are not where they should be are one problem of their file', async () => {
    const config: CollectionConfig = { files: 'a.json', records: 'cities', id: 'id' }
    const { problems } = createCollections({ 'a.json': { city: [] } }, { config })
    expect(await problems()).toEqual([
      'a.json:1:1 : The records of this file should be in a list or an object under the key "cities", but there is none.',
    ])
  })

  test('are not what every object has under a key', async () => {
    const config: CollectionConfig = { files: 'a.json', records: '__proto__', id: 'id' }
    const { problems } = createCollections({ 'a.json': {} }, { config })
    expect(await problems()).toEqual([
      expect.stringContaining('under the key "__proto__", but there is none'),
    ])
  })

  test('that a schema of records refuses reach no function of the owner but id and references', async () => {
    const seen: string[] = []
    const note = (name: string, { code }: typeof PERU) => {
      seen.push(`${name} ${code}`)
      return code
    }
    const rule = (record: typeof PERU) => {
      note('rule', record)
      return []
    }
    const { problems } = createCollections(
      { 's.json': COUNTRY, 'a.json': [PERU, { code: 'NO' }] },
      {
        countries: {
          ...{ files: 'a.json', recordSchema: 's.json' },
          id: (record) => note('id', record),
          references: (record) => ({ countries: note('references', record) }),
          rules: [rule],
        },
      },
    )
    expect(await problems()).toEqual([expect.stringContaining('The key "name" is missing.')])
    const called = ['rule PE', 'references PE', 'id PE', 'references NO', 'id NO']
    expect([...new Set(seen)]).toEqual(called)
  })
})

test.each<[string, string, Partial<CollectionConfig>, string]>([
  ['a.json', '', {}, 'This file has no data. It needs at least [] or {}.'],
  ['a.yaml', '# none\n', {}, 'This file has no data. It needs at least [] or {}.'],
  ['a.jsonl', '\n', {}, 'This file has no data. It needs at least one record.'],
  ['a.json', '{"id":1}\n{"id":2}\n', {}, 'is JSON Lines. Its name must end in .jsonl.'],
  [
    'a.jsonl',
    '{"id":1}\n{"id":2}\n',
    { format: 'JSON' },
    'is JSON Lines, but "all.format" is "JSON". Write "JSON Lines", or remove it if the file\'s name ends in .jsonl.',
  ],
  ['a.md', '---\rid: 1\r---\r', {}, 'Save it with LF or CRLF.'],
])('what a file lacks depends on its format (%s, %j)', async (name, text, config, expected) => {
  const all: CollectionConfig = { files: name, id: 'id', ...config }
  const { problems } = createCollections({ [name]: text }, { all })
  expect(await problems()).toEqual([expect.stringContaining(expected)])
})

describe('each file is checked with the schema that it names,', () => {
  const config: CollectionConfig = {
    files: 'data/*.json',
    schema: { named: 'schemas/*.json' },
    id: (_, { file }) => file,
  }
  const schemas = {
    'schemas/a.json': { required: ['a'] },
    'schemas/b.json': { $id: 'https://example.com/b', required: ['b'] },
  }

  test('by its path or by its id', async () => {
    const { problems } = createCollections(
      {
        ...schemas,
        'data/1.json': { $schema: '../schemas/a.json' },
        'data/2.json': { $schema: 'https://example.com/b#' },
      },
      { config },
    )
    expect(await problems()).toEqual([
      'data/1.json:1:1 : The key "a" is missing.',
      'data/2.json:1:1 : The key "b" is missing.',
    ])
  })

  test('and one that names none is a problem', async () => {
    const { problems } = createCollections(
      { ...schemas, 'data/1.json': {}, 'data/2.json': { $schema: '../schemas/c.json' } },
      { config },
    )
    expect(await problems()).toEqual([
      'data/1.json:1:1 : This file must name its schema under the key "$schema": "../schemas/a.json" or "../schemas/b.json".',
      expect.stringMatching(/^data\/2\.json:1:12 \/\$schema: "\.\.\/schemas\/c\.json" isn't/),
    ])
  })
})

describe('a reference', () => {
  test('to a record that is in no collection is a problem where it stands', async () => {
    const { problems } = createCollections(
      { ...FILES, 'countries/PE.json': { ...PERU, currencies: ['PENN'] } },
      { countries, currencies },
    )
    expect(await problems()).toEqual([
      'countries/PE.json:1:42 /currencies/0: No record of "currencies" has the id "PENN". Nearest: "PEN".',
    ])
  })

  test('may be one id, several or none', async () => {
    const named = [undefined, null, 'NOK', ['NOK', null]]
    const list = named.map((currencies, code) => ({ code: String(code), name: '', currencies }))
    const files = { ...FILES, 'countries/all.json': list }
    const { problems } = createCollections(files, { countries, currencies })
    expect(await problems()).toEqual([])
  })

  test('to a record that --skip-refused leaves out is a problem', async () => {
    const rule: Rule<object> = (_, { key }) => {
      return key === 'PEN' ? [{ pointer: [], message: 'Not this one.' }] : []
    }
    const config = { countries, currencies: { ...currencies, rules: [rule] } }
    const { run } = createCollections(FILES, config)
    const { status, stderr } = await run('build', '--skip-refused')
    expect(status).toBe(1)
    expect(stderr).toContain('No record of "currencies" has the id "PEN".')
  })

  test('to a collection that is not there ends the command', async () => {
    const wrong = { ...countries, references: () => ({ currency: 'PEN' }) }
    const { run } = createCollections(FILES, { countries: wrong, currencies })
    expect(await run('check')).toMatchObject({
      status: 2,
      stderr:
        'manyurls check: "countries.references" names the collection "currency", which isn\'t there; there are "countries", "currencies"\n',
    })
  })
})

describe('the order of records', () => {
  const sortedBy = (sorted: CollectionConfig['sorted']): CollectionConfig => {
    return { files: 'a.json', id: 'id', ...(sorted && { sorted }) }
  }

  test.each<[string, CollectionConfig['sorted'], unknown[], string[]]>([
    ['by a key', 'id', ['a', 'c', 'b'], ['"b" comes after "c", the value of record 2']],
    [
      'by value, if they are numbers',
      'id',
      [2, 10, 9],
      ['9 comes after 10, the value of record 2'],
    ],
    ['by code unit, whatever the locale', 'id', ['Z', 'a', 'ä'], []],
    ['by what a function returns', ({ id }) => -id, [3, 2, 1, 4], ['before record 1']],
    ['by a function of two records', (a, b) => b.id - a.id, [3, 2, 1, 4], ['before record 1']],
  ])('is checked %s', async (_, sorted, ids, expected) => {
    const list = ids.map((id) => ({ id }))
    const { problems } = createCollections({ 'a.json': list }, { list: sortedBy(sorted) })
    expect(await problems()).toEqual(expected.map((text) => expect.stringContaining(text)))
  })

  test('asks a function once for each record', async () => {
    const asked: number[] = []
    const sorted = ({ id }: { id: number }) => {
      asked.push(id)
      return -id
    }
    const list = [{ id: 3 }, { id: 2 }, { id: 1 }, { id: 4 }]
    await createCollections({ 'a.json': list }, { list: sortedBy(sorted) }).run('check')
    expect(asked).toEqual([3, 2, 1, 4])
  })
})

describe('if the command line names something,', () => {
  const files = {
    ...FILES,
    'countries/CL.json': { ...PERU, name: 'Chile' },
    'countries/XX.json': { code: 'XX' },
  }

  test('a copied file is seen from both sides, and the other problems are only counted', async () => {
    const { run, at } = createCollections(files, { countries, currencies })
    for (const name of ['countries/CL.json', 'countries/PE.json']) {
      const { status, stderr } = await run('check', at(name))
      expect(status).toBe(1)
      expect(stderr).toContain(
        'The record at line 1 of countries/CL.json has the same "code" ("PE")',
      )
      expect(stderr).toContain('1 more problem elsewhere')
      expect(stderr).not.toContain('The key "name" is missing')
    }
  })

  test('a file without a problem ends with status 0, whatever is elsewhere', async () => {
    const { run, at } = createCollections(files, { countries, currencies })
    expect(await run('check', at('currencies.json'))).toMatchObject({
      status: 0,
      stdout: '1 named file, no mistake\n',
      stderr: '\n2 more problems elsewhere; "manyurls check" shows all\n',
    })
  })

  test('a file of no collection is named, and is not a mistake', async () => {
    const { run, at } = createCollections(FILES, { countries, currencies })
    expect(await run('check', at('country.schema.json'))).toMatchObject({
      status: 0,
      stdout: '',
      stderr:
        "manyurls check: country.schema.json isn't read: no collection has it, or a file in it\n",
    })
  })

  describe('a file is not called right', () => {
    const books = (config: Partial<CollectionConfig>) => {
      const book = { id: 1, title: 'A', by: 'ada' }
      const schema = { properties: { title: { type: 'string' } }, odd: 1 }
      const { run, at } = createCollections(
        {
          'b.json': schema,
          'books/1.json': book,
          'books/2.json': { ...book, id: 2 },
          'a.json': '[',
        },
        {
          books: { files: 'books', id: 'id', ...config },
          authors: { files: 'a.json', id: 'id' },
        },
      )
      return run('check', at('books/1.json'))
    }

    test('if its reference was not checked', async () => {
      const { status, stdout } = await books({ references: { by: 'authors' } })
      expect(status).toBe(0)
      expect(stdout).toBe(
        'Unchecked  2 references to "authors" weren\'t checked, because of what is wrong in a.json.\n1 named file\n',
      )
    })

    test('if no reference of its collection was checked', async () => {
      const { stdout } = await books({ references: ({ author }) => ({ authors: author }) })
      expect(stdout).toMatch(/^Unchecked .* no reference was checked\.\n1 named file\n$/)
    })

    test('without what its schema does not check', async () => {
      const { stdout } = await books({ recordSchema: 'b.json' })
      expect(stdout).toMatch(/^Schema +b\.json:1:\d+ .*"odd" isn't a keyword/)
    })
  })

  test('a file has its warnings, and no other', async () => {
    const files = ['A', 'B', 'C', 'D'].map((title) => {
      const isMisspelled = title === 'C' || title === 'D'
      return [`books/${title}.json`, { title, [isMisspelled ? 'pags' : 'pages']: 1 }]
    })
    const more = Array.from({ length: 20 }, (_, at) => [
      `books/${at}.json`,
      { title: at, pages: 1 },
    ])
    const { run, at } = createCollections(
      {
        'b.json': { properties: { title: {}, pages: { type: 'number' } } },
        ...Object.fromEntries([...files, ...more]),
      },
      { books: { files: 'books', id: 'title', recordSchema: 'b.json' } },
    )
    const { stdout } = await run('check', at('books/C.json'))
    expect(stdout).toMatch(/^Key +books\/C\.json:1:\d+ .*"pags".*\n1 named file, no mistake\n$/)

    const { collections } = JSON.parse((await run('check', '--json', at('books/C.json'))).stdout)
    expect(collections.books.warnings).toMatchObject([{ file: 'books/C.json' }])
  })

  test('a folder stands for the files in it', async () => {
    const { run, at } = createCollections(files, { countries, currencies })
    const { status, stderr } = await run('check', at('countries'))
    expect(status).toBe(1)
    expect(stderr).toContain('The record at line 1 of countries/CL.json')
  })

  test('a collection is checked alone', async () => {
    const { run } = createCollections(files, { countries, currencies })
    expect(await run('check', 'currencies')).toEqual({
      status: 0,
      stdout: 'currencies: 2 records, no mistake, no schema\n',
      stderr: '',
    })
  })
})

test('fix makes the fixes in all collections', async () => {
  const { run, read } = createCollections(
    { 'a.json': '[{ "id": 1 },]', 'b.json': '[{ "id": 1 } { "id": 2 }]' },
    { a: { files: 'a.json', id: 'id' }, b: { files: 'b.json', id: 'id' } },
  )
  expect((await run('fix')).stdout).toContain('2 places fixed in 2 files of 2.\n')
  expect(read('a.json')).toBe('[{ "id": 1 }]')
})

test('the records of one collection can be written for an engine', async () => {
  const { run, read, at } = createCollections(FILES, { countries, currencies })
  const { status, stdout } = await run('build', 'currencies', '--records', at('parts'))
  expect(status).toBe(0)
  expect(stdout).toMatch(
    /^currencies: 2 records in .*parts \(1 file of 1, \d+ B\)\nNames +SHA-256 [0-9a-f]{64} .*\nNot checked +links, references, "unique" and identity: .*\n$/,
  )
  expect(read('parts/records-000000.jsonl').split('\n')[0]).toBe(
    '{"rank":0,"batch":"currencies.json","position":0,"id":"NOK","record":{"name":"Krone"}}',
  )
})

test('a file that is not read is named beside the records of the others', async () => {
  const { run, at } = createCollections(
    { 'd/a.json': [{ id: 1 }], 'd/b.csv': '' },
    {
      things: { files: 'd', id: 'id' },
    },
  )
  const { stdout } = await run('build', '--records', at('parts'))
  expect(stdout).toMatch(/\nUnread {2}.*d\/b\.csv: /)
})

test('a torn set is repaired by the next build', async () => {
  const { run, read, write } = createCollections(FILES, { countries, currencies })
  await run('build')
  const whole = read('generated/currencies.json')
  write('generated/currencies.json', '{\n"')
  await run('build')
  expect(read('generated/currencies.json')).toBe(whole)
})

test('what nobody has built is not replaced', async () => {
  const theirs = { 'generated/currencies.json': [1] }
  const { run, read } = createCollections({ ...FILES, ...theirs }, { countries, currencies })
  const { status, stderr } = await run('build')
  expect(status).toBe(2)
  expect(stderr).toContain('nothing shows that ManyURLs made')
  expect(read('generated/currencies.json')).toBe('[1]')
})
