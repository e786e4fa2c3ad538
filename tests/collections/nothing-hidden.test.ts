/** One mistake must not hide another one: a check names all of them in one run. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { CollectionConfig } from '../../src/collections/config.ts'
import { createCollections } from '../helpers/collections.ts'

/** Returns the pointer of a problem such as "a.json:1:5 /0/id: It is missing." */
function placeOf(problem: string): string {
  const [, , , pointer = ''] = problem.split(/[ :]/)
  return pointer
}

describe('a key that may be misspelled', () => {
  const RECIPE = { properties: { title: { type: 'string' }, minutes: { type: 'number' } } }
  const recipes: CollectionConfig = {
    files: 'recipes/*.json',
    recordSchema: 'recipe.schema.json',
    id: (_, { file }) => file,
  }
  /** Twenty files of one record each, some with a misspelled key. */
  const recipeFiles = (misspelled: readonly number[]) => {
    const files = Array.from({ length: 20 }, (_, number) => {
      const key = misspelled.includes(number) ? 'minuts' : 'minutes'
      return [`recipes/${number}.json`, { title: String(number), [key]: number }]
    })
    return { 'recipe.schema.json': RECIPE, ...Object.fromEntries(files) }
  }

  test('is found by what other files have', async () => {
    const { run, problems } = createCollections(recipeFiles([13]), { recipes })
    const sentence = 'The key "minuts" isn\'t in the schema. Others have "minutes" instead.'
    expect(await problems('--strict')).toEqual([`recipes/13.json:1:15 /minuts: ${sentence}`])

    const { status, stdout } = await run('check')
    expect(status).toBe(0)
    expect(stdout).toContain(`Key  recipes/13.json:1:15  ${sentence}\n`)
  })

  test('is named in each file that has it', async () => {
    const { problems } = createCollections(recipeFiles([13, 7]), { recipes })
    expect(await problems('--strict')).toHaveLength(2)
  })

  test('is found beside a record that is refused, but not in one', async () => {
    const files = {
      ...recipeFiles([13, 7]),
      'recipes/7.json': { title: 7, minuts: 7 },
    }
    const list = Object.entries(files).slice(1)
    const records = { files: 'list.json', schema: 'list.schema.json', id: 'title' }
    const { problems } = createCollections(
      {
        'list.schema.json': { items: RECIPE },
        'list.json': list.map(([, record]) => record),
      },
      { records },
    )
    expect((await problems('--strict')).map((text) => text.split(': ')[0])).toEqual([
      expect.stringMatching(/ \/7\/title$/),
      expect.stringMatching(/ \/13\/minuts$/),
    ])
  })
})

describe('a key that may be misspelled is named beside what is wrong in its file', () => {
  const PET = { properties: { name: {}, colour: { type: 'string' } } }
  const schema = {
    required: ['v'],
    properties: { v: { const: 1 }, pets: { items: PET } },
  }
  const right = { name: 'A', colour: 'red' }
  const pets: CollectionConfig = {
    ...{ files: 'pets.json', schema: 's.json', records: 'pets' },
    id: (_, { index }) => index,
  }

  test.each<[string, object, string]>([
    ['a wrong value', { v: 2 }, '/v'],
    ['a missing key', {}, ''],
  ])('(%s)', async (_, beside, place) => {
    const list = [right, right, { name: 'B', color: 'red' }]
    const files = { 's.json': schema, 'pets.json': { ...beside, pets: list } }
    const problems = await createCollections(files, { pets }).problems('--strict')
    expect(problems.map(placeOf).sort()).toEqual([place, '/pets/2/color'].sort())
  })

  test('but once, if it is the mistake', async () => {
    const files = Object.fromEntries(
      ['v', 'v', 'v', 'V'].map((key, at) => [`pets${at}.json`, { [key]: 1, pets: [] }]),
    )
    const config = { ...pets, files: 'pets*.json' }
    const { problems } = createCollections({ 's.json': schema, ...files }, { pets: config })
    expect(await problems('--strict')).toEqual([expect.stringContaining('pets3.json:1:2 /V: ')])
  })

  test('but not in that', async () => {
    const others = { items: { ...PET, maxProperties: 2 } }
    const wrong = { ...schema, properties: { ...schema.properties, others } }
    const list = [right, right, { name: 'B', color: 'red', size: 1 }]
    const files = { 's.json': wrong, 'pets.json': { v: 1, pets: [], others: list } }
    const problems = await createCollections(files, { pets }).problems('--strict')
    expect(problems.map(placeOf)).toEqual(['/others/2'])
  })
})

describe('what YAML 1.1 reads in another way is named beside a record that is refused', () => {
  const LIST = '- id: a\n  day: 2026-11-28\n- id: b\n  day: 5\n  eve: 2026-11-27\n'
  const TEXT = { type: 'string' }
  const DAY = { properties: { id: TEXT, day: TEXT, eve: TEXT } }
  const days = (schema: object, records?: string): CollectionConfig => ({
    files: 'days.yaml',
    ...schema,
    ...(records && { records }),
    id: 'id',
  })

  test.each([
    ['if the schema checks each record', { recordSchema: 's.json' }, DAY],
    ['if the schema checks the file', { schema: 's.json' }, { items: DAY }],
    [
      'if a union is around the records',
      { schema: 's.json' },
      { anyOf: [{ items: DAY }, { type: 'object' }] },
    ],
  ])('%s', async (_, use, schema) => {
    const { run } = createCollections({ 's.json': schema, 'days.yaml': LIST }, { days: days(use) })
    const { status, stderr } = await run('check')
    expect(status).toBe(1)
    expect(stderr).toContain('days.yaml:4:8  record 2 (id "b")  /1/day\n')
    expect(stderr).toMatch(/^YAML 1\.1 {2}1 place .* the first at days\.yaml:2:8: /m)
  })

  test('and beside something else that is refused, but not where that is', async () => {
    const schema = {
      properties: { from: { type: 'integer' }, day: { type: 'string' }, all: { items: DAY } },
    }
    const file = `from: 2026-01-01\nday: 2026-01-01\nall:\n${LIST}`
    const { problems } = createCollections(
      { 's.json': schema, 'days.yaml': file },
      { days: days({ schema: 's.json' }, 'all') },
    )
    const places = (await problems('--strict')).map((text) => text.split(' ')[1])
    expect(places).toEqual(['/from:', '/day:', '/all/0/day:', '/all/1/day:'])
  })
})

describe('with a union around the records, one that is refused does not hide', () => {
  const ITEM = {
    type: 'object',
    required: ['id', 'from', 'to'],
    properties: { from: { type: 'number' }, to: { type: 'number' } },
  }
  const LIST = [
    { id: 'a', from: 1, to: 'x' },
    { id: 'b', from: 5, to: 4 },
    { id: 'c', from: 5, to: 6 },
  ]
  const endsLater = ({ from, to }: Record<string, unknown>) => {
    return Number(from) < Number(to) ? [] : [{ pointer: ['to'], message: 'It ends too early.' }]
  }

  test.each([
    ['anyOf', { anyOf: [{ type: 'array', items: ITEM }, { type: 'string' }] }],
    ['oneOf', { oneOf: [{ type: 'array', items: ITEM }, { type: 'string' }] }],
    ['if', { if: { type: 'string' }, else: { type: 'array', items: ITEM } }],
  ])('what a rule refuses in another (%s)', async (_, schema) => {
    const list = { files: 'list.json', schema: 's.json', id: 'id', rules: [endsLater] }
    const { problems } = createCollections({ 's.json': schema, 'list.json': LIST }, { list })
    expect(await problems()).toEqual([
      'list.json:1:26 /0/to: This must be a number, but it is the text "x".',
      'list.json:1:55 /1/to: It ends too early.',
    ])
  })
})

describe('with a union around the records, what is wrong beside them does not hide', () => {
  const ITEM = { properties: { to: { type: 'number' } } }
  const union = (more: object) => ({
    properties: { v: { const: 1 }, list: { anyOf: [{ type: 'array', items: ITEM }] } },
    ...more,
  })
  const isBig = ({ to }: Record<string, unknown>) => {
    return to === 5 ? [{ pointer: ['to'], message: 'It is too big.' }] : []
  }

  test.each<[string, object, object, string]>([
    ['a wrong value', {}, { v: 2 }, '/v'],
    ['a missing key', { required: ['name'] }, { v: 1 }, ''],
  ])('what a rule refuses (%s)', async (_, more, beside, place) => {
    const file = {
      ...beside,
      list: [
        { id: 'a', to: 'x' },
        { id: 'b', to: 5 },
      ],
    }
    const list: CollectionConfig = {
      ...{ files: 'list.json', schema: 's.json', records: 'list', id: 'id', rules: [isBig] },
    }
    const { problems } = createCollections({ 's.json': union(more), 'list.json': file }, { list })
    const places = (await problems()).map(placeOf)
    expect(places.sort()).toEqual([place, '/list/0/to', '/list/1/to'].sort())
  })
})

describe('datasets that are out of date', () => {
  const list: CollectionConfig = { files: 'list.json', id: 'id' }

  test('are refused with --strict, if they were built before', async () => {
    const { run, write } = createCollections({ 'list.json': [{ id: 'a' }] }, { list })
    expect((await run('check', '--strict')).status).toBe(0)
    await run('build')
    expect((await run('check', '--strict')).status).toBe(0)

    write('list.json', [{ id: 'b' }])
    expect((await run('check')).status).toBe(0)
    const { status, stdout } = await run('check', '--strict')
    expect(status).toBe(1)
    expect(stdout).toContain(
      'generated/list.json (1 new, 0 changed, 1 gone) is out of date; "manyurls build" writes it\n',
    )

    const report = JSON.parse((await run('check', '--strict', '--json')).stdout)
    expect(report).toMatchObject({ ok: false, outdated: ['generated/list.json'] })
  })

  test.each(['manifest.json', 'list.json'])('are refused if %s is gone', async (name) => {
    const { run, folder } = createCollections({ 'list.json': [{ id: 'a' }] }, { list })
    await run('build')
    rmSync(join(folder, 'generated', name))
    expect((await run('check', '--strict')).status).toBe(1)
  })

  test('are current although Git has written other line breaks into the manifest', async () => {
    const { run, read, write } = createCollections({ 'list.json': [{ id: 'a' }] }, { list })
    await run('build')
    write('generated/manifest.json', read('generated/manifest.json').replaceAll('\n', '\r\n'))
    expect((await run('check', '--strict')).status).toBe(0)
  })

  test('are refused if the manifest is newer, as after a merge in Git', async () => {
    const { run, read, write } = createCollections({ 'list.json': [{ id: 'a' }] }, { list })
    await run('build')
    const stale = read('generated/list.json')
    write('list.json', [{ id: 'b' }])
    await run('build')
    write('generated/list.json', stale)
    expect((await run('check', '--strict')).status).toBe(1)
  })

  test('do not keep a fix from being made', async () => {
    const { run, write, read } = createCollections({ 'list.json': [{ id: 'a' }] }, { list })
    await run('build')
    write('list.json', '[{ "id": "b" },]')
    const { status, stdout } = await run('fix', '--strict')
    expect(read('list.json')).toBe('[{ "id": "b" }]')
    expect(status).toBe(0)
    expect(stdout).toContain(
      'generated/list.json (1 new, 0 changed, 1 gone) is out of date; "manyurls build" writes it\n',
    )
    expect((await run('check', '--strict')).status).toBe(1)
  })

  test('are named in the report', async () => {
    const { run, write, read, at } = createCollections({ 'list.json': [{ id: 'a' }] }, { list })
    await run('build')
    write('list.json', [{ id: 'b' }])
    await run('check', '--report', at('report.html'))
    expect(read('report.html')).toContain(
      'generated/list.json (1 new, 0 changed, 1 gone) is out of date; ',
    )
  })
})

describe('records that are sorted by a key that none of them has', () => {
  const pets = (sorted: CollectionConfig['sorted']): CollectionConfig => {
    const id: CollectionConfig['id'] = (_, { file, index }) => `${file} ${index}`
    return { files: 'pets/*.json', id, ...(sorted && { sorted }) }
  }
  const files = { 'pets/a.json': { name: 'Rex', tame: true }, 'pets/b.json': { name: 'Ada' } }
  const problemsOf = (sorted: CollectionConfig['sorted'], more: Record<string, unknown> = {}) => {
    return createCollections({ ...files, ...more }, { pets: pets(sorted) }).problems()
  }

  test.each<[string, CollectionConfig['sorted'], string]>([
    [
      'a key',
      'nam',
      '"pets.sorted" is "nam", but no record has text or a number there. Nearest: "name".',
    ],
    [
      'a key of other values',
      'tame',
      '"pets.sorted" is "tame", but no record has text or a number there.',
    ],
    [
      'a function',
      ({ nam }) => nam,
      '"pets.sorted" returns neither text nor a number for any record, so nothing says how they are sorted.',
    ],
  ])('are one problem of the configuration (%s)', async (_, sorted, sentence) => {
    expect(await problemsOf(sorted)).toEqual([`manyurls.config.ts:1:1 : ${sentence}`])
  })

  test('are a problem of the first file if a function fails', async () => {
    expect(await problemsOf(({ name }) => name.first.last)).toEqual([
      'pets/a.json:1:1 : "pets.sorted" fails here: Cannot read properties of undefined (reading \'last\').',
    ])
  })

  test('are right if one has it, or if there are none', async () => {
    expect(await problemsOf('nam', { 'pets/c.json': { nam: 'Tom' } })).toEqual([])
    const none = createCollections({ 'pets/a.json': [] }, { pets: pets('nam') })
    expect(await none.problems()).toEqual([])
  })

  test('must be compared by a number', async () => {
    const list = [{ name: 'b' }, { name: 'a' }]
    const problems = problemsOf((a, b) => a.nam - b.nam, { 'pets/c.json': list })
    expect(await problems).toEqual([
      'pets/c.json:1:1 : "pets.sorted" must return a number for two records, such as -1, 0 or 1, but it returns NaN.',
    ])
  })
})

describe('a file that three collections read', () => {
  const of = (records: string): CollectionConfig => {
    return { files: 'garage.json', schema: 's.json', records, id: (_, { key }) => key }
  }
  const STAFF = { additionalProperties: { properties: { role: { enum: ['cook', 'clerk'] } } } }
  const SCHEMA = { properties: { staff: STAFF }, kind: 'garage' }
  const GARAGE = { bikes: { b1: {} }, cars: { c1: {} }, staff: { ann: { role: 'boss' } } }
  const garage = (file: object) => {
    const collections = { bikes: of('bikes'), cars: of('cars'), staff: of('staff') }
    return createCollections({ 's.json': SCHEMA, 'garage.json': file }, collections)
  }

  test('has each problem once, with the collection of its record', async () => {
    const { run } = garage(GARAGE)
    const { status, stderr } = await run('check')
    expect(status).toBe(1)
    expect(stderr).toMatch(
      /^bikes: 1 problem in garage\.json, shown with "staff"\ncars: 1 problem in garage\.json, shown with "staff"\ngarage\.json: 1 problem\n/,
    )
    expect(stderr.match(/"boss" isn't allowed here/g)).toHaveLength(1)
  })

  test('is named with the collection if two of them show problems of it', async () => {
    const bike = { additionalProperties: { properties: { color: { type: 'string' } } } }
    const { run, write } = garage({ ...GARAGE, bikes: { b1: { color: 1 }, b2: { color: 2 } } })
    write('s.json', { properties: { staff: STAFF, bikes: bike } })
    const { stderr } = await run('check')
    expect(stderr.split('\n').slice(0, 5)).toEqual([
      'bikes: 2 problems in garage.json',
      'bikes: 1 problem in garage.json, shown with "staff"',
      'cars: 3 problems in garage.json, shown with "bikes", "staff"',
      'staff: 1 problem in garage.json',
      'staff: 2 problems in garage.json, shown with "bikes"',
    ])
  })

  test('says in each collection that references were not checked', async () => {
    const of = (records: string): CollectionConfig => {
      const references: CollectionConfig['references'] = { to: 'shops' }
      return { files: 'garage.json', records, id: (_, { key }) => key, references }
    }
    const { run } = createCollections(
      { 'garage.json': { bikes: { b1: { to: 1 } }, cars: { c1: { to: 2 } } }, 'shops.json': '[' },
      { bikes: of('bikes'), cars: of('cars'), shops: { files: 'shops.json', id: 'id' } },
    )
    const { collections } = JSON.parse((await run('check', '--json')).stdout)
    expect(collections.bikes.warnings).toHaveLength(1)
    expect(collections.cars.warnings).toHaveLength(1)
  })

  test('has it once as JSON, and marked in the others', async () => {
    const { stdout } = await garage(GARAGE).run('check', '--json')
    const { collections } = JSON.parse(stdout)
    expect(collections.staff.problems).toMatchObject([{ record: 0, pointer: '/staff/ann/role' }])
    expect(collections.staff.problems[0]).not.toHaveProperty('shownIn')
    expect(collections.bikes.problems).toMatchObject([{ record: null, shownIn: 'staff' }])
    expect(collections.cars.problems).toMatchObject([{ record: null, shownIn: 'staff' }])
  })

  test('has it with the collection that somebody asks for', async () => {
    const { status, stderr } = await garage(GARAGE).run('check', 'bikes')
    expect(status).toBe(1)
    expect(stderr).toContain('"boss" isn\'t allowed here')
  })

  test('has each warning of its schema once', async () => {
    const { run, at, read } = garage({ ...GARAGE, staff: {} })
    const { stdout } = await run('check', '--report', at('report.html'))
    expect(stdout.match(/"kind" isn't a keyword/g)).toHaveLength(1)
    expect(read('report.html').match(/&quot;kind&quot; isn&#x27;t a keyword/g)).toHaveLength(1)
  })

  test('has the problems of its syntax once', async () => {
    const { write, run } = garage(GARAGE)
    write('garage.json', '{')
    const { stderr } = await run('check')
    expect(stderr).toMatch(
      /^garage\.json: 1 problem\ncars: 1 problem in garage\.json, shown with "bikes"\n/,
    )
  })
})
