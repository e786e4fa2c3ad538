/** References from one collection to another, also beside refused records, which hide nothing. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CollectionConfig } from '../../src/collections/config.ts'
import { createCollections } from '../helpers/collections.ts'
import { times } from '../helpers/long.ts'

const countries: CollectionConfig = { files: 'countries*.json', id: 'code' }
const COUNTRIES = [{ code: 'NO' }, { code: 'PE' }, { code: 604 }]
const NAMED = { required: ['name'], properties: { name: { type: 'string' } } }

/** The problems of a repository with countries, and with cities that refer to them. */
function problemsOf(cities: unknown, references: CollectionConfig['references']) {
  const files = { 'countries.json': COUNTRIES, 'cities.json': cities }
  const config: CollectionConfig = {
    files: 'cities.json',
    id: 'id',
    ...(references && { references }),
  }
  return createCollections(files, { countries, cities: config }).problems()
}

/** The line of a check about a path that leads to nothing, when there are no problems. */
async function unusedOf(cities: readonly unknown[], path: string): Promise<string[]> {
  const list = cities.map((city, id) => ({ id, ...(city as object) }))
  const { run } = createCollections(
    { 'countries.json': COUNTRIES, 'cities.json': list },
    { countries, cities: { files: 'cities.json', id: 'id', references: { [path]: 'countries' } } },
  )
  const { collections } = JSON.parse((await run('check', '--json')).stdout)
  expect(collections.cities.problems).toEqual([])
  return collections.cities.warnings.map(({ message }: { message: string }) => message)
}

describe('a path', () => {
  test.each<[string, string, unknown, string[]]>([
    ['a key', 'in', { in: 'XX' }, ['/0/in: No record of "countries" has the id "XX".']],
    ['a key of an object', 'is.in', { is: { in: 'XX' } }, ['/0/is/in: No record of "countries"']],
    ['the items of a list', 'in[]', { in: ['NO', 'XX'] }, ['/0/in/1: No record of "countries"']],
    ['a key of these', 'in[].a', { in: [{ a: 'NO' }, { a: 'X' }] }, ['/0/in/1/a: No record of']],
    ['lists in a list', 'in[][]', { in: [['NO'], ['PE', 'X']] }, ['/0/in/1/1: No record of']],
    ['a number, compared as a text', 'in[]', { in: [604, '604', 605] }, ['/0/in/2: No record of']],
    ['nothing that is null', 'in[].a', { in: [null, { a: null }, { a: 'NO' }] }, []],
    ['nothing in an empty list', 'in[].a', { in: [] }, []],
    ['an own key only', 'in.valueOf', { in: { valueOf: 'NO' } }, []],
  ])('leads to %s', async (_, path, city, expected) => {
    const problems = await problemsOf([{ id: 1, ...(city as object) }], { [path]: 'countries' })
    expect(problems).toEqual(expected.map((text) => expect.stringContaining(` ${text}`)))
  })

  test.each<[string, string, unknown, string]>([
    [
      'an object',
      'in',
      {},
      '/0/in: This object can\'t be the id of a record of "countries", which',
    ],
    ['a list', 'in', ['NO'], 'For each item of a list, write "in[]".'],
    ['true', 'in[]', [true], "/0/in/0: The value true can't be the id of a record"],
    [
      'no list',
      'in[]',
      'NO',
      '/0/in: "NO" is where "cities.references" expects a list: its path is',
    ],
    [
      'no object',
      'in.a',
      ['NO'],
      '/0/in: This list is where "cities.references" expects an object',
    ],
  ])('at which %s stands is a problem there', async (_, path, value, expected) => {
    const problems = await problemsOf([{ id: 1, in: value }], { [path]: 'countries' })
    expect(problems).toEqual([expect.stringContaining(expected)])
  })

  test('at which the schema refuses a value too is one problem', async () => {
    const cities: CollectionConfig = {
      ...{ files: 'cities.json', id: 'id', recordSchema: 's.json' },
      references: { 'in[]': 'countries' },
    }
    const inTexts = { type: 'array', items: { type: 'string' } }
    const { problems } = createCollections(
      {
        's.json': { properties: { in: inTexts } },
        'countries.json': COUNTRIES,
        'cities.json': [
          { id: 1, in: [{}] },
          { id: 2, in: 'NO' },
        ],
      },
      { countries, cities },
    )
    expect(await problems()).toHaveLength(2)
  })

  test('that no record has is a problem of the collection', async () => {
    expect(await problemsOf([{ id: 1, land: 'NO' }], { country: 'countries' })).toEqual([
      'manyurls.config.ts:1:1 : "cities.references" has the path "country", but no record has it. Correct the path, or remove it.',
    ])
  })

  test.each<[string, string, unknown[], string]>([
    ['a key', 'currencys[]', [{}, { currencies: ['NOK'] }], '"currencies[]"'],
    ['a key in a list', 'in[].cod', [{ in: [{}] }, { in: [{ code: 'NO' }] }], '"in[].code"'],
    ['a key before a list', 'ins[].code', [{ inns: [{ code: 'NO' }] }], '"inns[].code"'],
  ])(
    'that no record has is a problem that names the nearest (%s)',
    async (_, path, cities, near) => {
      const list = cities.map((city, id) => ({ id, ...(city as object) }))
      expect(await problemsOf(list, { [path]: 'countries' })).toEqual([
        `manyurls.config.ts:1:1 : "cities.references" has the path "${path}", but no record has it. Nearest: ${near}.`,
      ])
    },
  )

  test('that no record has is near to a key of another file', async () => {
    const cities: CollectionConfig = {
      ...{ files: 'cities*.json', id: 'id' },
      references: { land: 'countries' },
    }
    const files = {
      'countries.json': COUNTRIES,
      'cities1.json': [{ id: 1 }],
      'cities2.json': [{ id: 2, lands: 'NO' }],
    }
    const { problems } = createCollections(files, { countries, cities })
    expect(await problems()).toEqual([expect.stringContaining('Nearest: "lands".')])
  })

  test.each<[string, string, unknown[]]>([
    ['and others have an empty list', 'in[].id', [{ in: [] }, { in: [{ idd: 'NO' }] }]],
    ['and others have null', 'in.id', [{ in: null }, { in: { idd: 'NO' } }]],
    ['and others lack more', 'in.id', [{}, { in: { idd: 'NO' } }]],
    ['and all lack more', 'in[].id', [{ inn: [] }, {}]],
  ])('with a key that no record has, %s, is a problem', async (_, path, cities) => {
    const list = cities.map((city, id) => ({ id, ...(city as object) }))
    expect(await problemsOf(list, { [path]: 'countries' })).toEqual([
      expect.stringContaining(`has the path "${path}", but no record has it.`),
    ])
  })

  test.each<[string, string, unknown[]]>([
    ['an empty list', 'in[]', [{ in: [] }, {}]],
    ['null', 'in[].id', [{ in: [{}, { id: null }] }]],
  ])('that ends at %s is right', async (_, path, cities) => {
    expect(await unusedOf(cities, path)).toEqual([])
  })

  test.each<[string, string, unknown[]]>([
    ['an empty list', 'in[].id', [{ in: [] }]],
    ['null, or nothing', 'in.id', [{}, { in: null }]],
    ['a list of null', 'in[].is.id', [{ in: [] }, {}, { in: [null] }, { in: [{ is: null }] }]],
  ])('that ends everywhere at %s is named in each run', async (_, path, cities) => {
    expect(await unusedOf(cities, path)).toEqual([
      `"cities.references" names nothing at the path "${path}" for any record, so no reference was checked.`,
    ])
  })

  test('that no record has is not a problem while a file can not be read', async () => {
    const cities: CollectionConfig = {
      ...{ files: 'cities*.json', id: 'id' },
      references: { country: 'countries' },
    }
    const files = { 'countries.json': COUNTRIES, 'cities1.json': [{ id: 1 }], 'cities2.json': '[' }
    const { problems } = createCollections(files, { countries, cities })
    expect(await problems()).toEqual([expect.stringContaining('cities2.json:1:')])
  })

  test('that no record has is not a problem of a shard, nor is a missing key to sort by', async () => {
    const cities: CollectionConfig = {
      ...{ files: 'cities*.json', id: 'id', sorted: 'name' },
      references: { country: 'countries' },
    }
    const files = {
      'countries.json': COUNTRIES,
      'cities1.json': [{ id: 1 }],
      'cities2.json': [{ id: 2, name: 'Oslo', country: 'NO' }],
    }
    const { run, at } = createCollections(files, { countries, cities })
    const shard = await run('build', 'cities', '--records', at('parts'), '--shard', '1/2')
    expect(shard).toMatchObject({ status: 0 })
  })

  test('that no record has, but may have by the schema, is right', async () => {
    const capital = { type: 'object', properties: { in: { type: 'string' } } }
    const cities: CollectionConfig = {
      ...{ files: 'cities.json', id: 'id', schema: 's.json' },
      references: { 'sisters[].in': 'countries' },
    }
    const properties = { sisters: { type: 'array', items: capital } }
    const { problems } = createCollections(
      {
        's.json': { type: 'array', items: { properties } },
        'countries.json': COUNTRIES,
        'cities.json': [{ id: 1 }],
      },
      { countries, cities },
    )
    expect(await problems()).toEqual([])
  })

  test('that the schema declares at one of two places is right', async () => {
    const cities: CollectionConfig = {
      ...{ files: 'cities*.json', id: 'id', schema: 's.json' },
      records: ({ large = [], small = [] }) => [...large, ...small],
      references: { sister: 'countries' },
    }
    const large = { type: 'array', items: { properties: { sister: { type: 'string' } } } }
    const files = {
      's.json': { properties: { large, small: { type: 'array' } } },
      'countries.json': COUNTRIES,
      'cities1.json': { large: [{ id: 1 }] },
      'cities2.json': { small: [{ id: 2 }] },
    }
    const { problems } = createCollections(files, { countries, cities })
    expect(await problems()).toEqual([])
  })

  test.each(['', 'a..b', '.a', 'a.', '[]', 'a[0]', 'a[', 'a[].', 'a]b'])(
    'that is %j is an error of the configuration',
    async (path) => {
      const cities: CollectionConfig = { ...countries, references: { [path]: 'countries' } }
      const { status, stderr } = await createCollections({}, { countries, cities }).run('check')
      expect(status).toBe(2)
      expect(stderr).toContain(
        `whose "references" has the path ${JSON.stringify(path)}. A path has`,
      )
    },
  )

  test('to a collection that is not there is an error of the configuration', async () => {
    const cities: CollectionConfig = { ...countries, references: { in: 'countrys' } }
    const { run } = createCollections({}, { countries, cities })
    expect(await run('check')).toMatchObject({
      status: 2,
      stderr:
        'manyurls check: manyurls.config.ts is wrong: "cities.references" names the collection "countrys", which isn\'t there; do you mean "countries"?\n',
    })
  })
})

describe('in the result of a function,', () => {
  test.each<[string, unknown]>([
    ['a list in a list', [null, ['NO'], 5]],
    ['an object', {}],
    ['true', true],
  ])('%s is the only problem, and names its key', async (what, value) => {
    const { run } = createCollections(
      { 'countries.json': COUNTRIES, 'cities.json': [{ id: 1, in: value }] },
      {
        countries,
        cities: {
          ...{ files: 'cities.json', id: 'id' },
          references: (city) => ({ countries: city.in }),
        },
      },
    )
    const { stderr } = await run('check')
    expect(stderr).toContain(
      `"cities.references" must return ids under "countries", each text or a number, but it returns ${what}.`,
    )
    expect(stderr).not.toContain('names nothing')
  })

  test('a Promise in a list is a problem', async () => {
    const references: CollectionConfig['references'] = (city) => {
      return { countries: city.in.map(async (id: string) => id) }
    }
    const problems = await problemsOf([{ id: 1, in: ['NO'] }], references)
    expect(problems).toEqual([expect.stringContaining('"cities.references" returns a Promise')])
  })

  test('a failure is not reported if it only concerns records that the schema refuses', async () => {
    const { run } = createCollections(
      { 's.json': NAMED, 'cities.json': [{ id: 1 }], 'countries.json': COUNTRIES },
      {
        countries,
        cities: {
          ...{ files: 'cities.json', id: 'id', recordSchema: 's.json' },
          references: ({ name }) => ({ countries: name.slice(2) }),
        },
      },
    )
    expect((await run('check')).stderr).not.toContain('names nothing')
  })
})

describe('what a function returns is shown', () => {
  test.each<[string, (city: { url: string; all: string[] }) => string, string]>([
    ['where it stands', ({ url }) => url, '1:16 /0/url'],
    ['within a longer text', ({ url }) => url.slice(3), '1:20 /0/url'],
    ['at the record, if several texts have it', ({ all }) => all[0]?.[0] ?? '', '1:2 /0'],
  ])('%s', async (_, find, place) => {
    const city = { id: 1, url: 'to/xyz', all: ['ab', 'ac'] }
    const problems = await problemsOf([city], (record) => ({ countries: find(record) }))
    expect(problems).toEqual([expect.stringContaining(`cities.json:${place}: No record`)])
  })
})

test.each([
  ['the only similar id', 'PENN', 'PEN', ' Nearest: "PEN".'],
  ['the same name elsewhere', 'a/penn', 'b/penn', ' Nearest: "b/penn".'],
  ['never one with other digits', 'part-11', 'part-12', ''],
])('nearest is %s', async (_, wrong, id, nearest) => {
  const { problems } = createCollections(
    { 'a.json': [{ id, to: wrong }] },
    { a: { files: 'a.json', id: 'id', references: { to: 'a' } } },
  )
  const [problem, ...others] = await problems()
  expect(others).toEqual([])
  expect(problem?.endsWith(`No record of "a" has the id "${wrong}".${nearest}`)).toBe(true)
})

describe('a refused record', () => {
  /** Countries need a name here. Some have none, and cities refer to them. */
  function check(countryList: unknown, city: object, config: Partial<CollectionConfig> = {}) {
    return createCollections(
      { 's.json': NAMED, 'countries.json': countryList, 'cities.json': [{ id: 1, ...city }] },
      {
        countries: { ...countries, recordSchema: 's.json', ...config },
        cities: { files: 'cities.json', id: 'id', references: { in: 'countries' } },
      },
    )
  }
  const NORWAY = { code: 'NO', name: 'Norway' }

  test('keeps its id: a reference to it is not a second problem', async () => {
    const { problems } = check([{ code: 'XX' }], { in: 'XX' })
    expect(await problems()).toEqual([expect.stringContaining('The key "name" is missing.')])
  })

  test.each<[string, Partial<CollectionConfig>]>([
    ['by its key', {}],
    ['by a function', { id: ({ code }) => code }],
  ])('hides no broken reference to its collection, if its id is known %s', async (_, config) => {
    const { problems } = check([{ code: 'XX' }], { in: 'YY' }, config)
    expect(await problems()).toEqual([
      expect.stringContaining('The key "name" is missing.'),
      expect.stringContaining('No record of "countries" has the id "YY".'),
    ])
  })

  test.each<[string, object, Partial<CollectionConfig>]>([
    ['under another key', { kode: 'IS', name: 'Iceland' }, {}],
    ['that can not be used', { code: '', name: 'Iceland' }, {}],
    ['that a function can not find', { kode: 'IS', name: 'Iceland' }, { id: ({ code }) => code }],
    ['for which the function throws', { code: 'IS' }, { id: ({ name }) => name.toUpperCase() }],
  ])('with an id %s leaves references unchecked', async (_, country, config) => {
    const { problems, run } = check([NORWAY, country], { in: 'IS' }, config)
    expect(await problems()).toEqual([expect.stringContaining('countries.json:1:')])
    expect((await run('check')).stderr).toContain(
      '1 reference to "countries" wasn\'t checked, because of what is wrong in countries.json.\n',
    )
  })

  test('without the key that is the id in no record is one problem', async () => {
    const { problems } = check([NORWAY, { code: 'IS' }], { in: 'IS' }, { id: 'cod' })
    expect(await problems()).toEqual([
      expect.stringContaining('/1: The key "name" is missing.'),
      expect.stringContaining('"countries.id" is "cod", but no record has this key.'),
    ])
  })

  test.each<[string, NonNullable<CollectionConfig['references']>]>([
    ['at a path', { in: 'countries' }],
    ['by a function', (country) => ({ countries: country.in })],
  ])('refers %s, so what is broken there is reported', async (_, references) => {
    const { problems } = check([{ code: 'XX', in: 'YY' }], { in: 'XX' }, { references })
    expect(await problems()).toEqual([
      expect.stringContaining('/0: The key "name" is missing.'),
      expect.stringContaining('/0/in: No record of "countries" has the id "YY".'),
    ])
  })

  test('at which the functions of the owner throw is one problem', async () => {
    const references = ({ name }: typeof NORWAY) => ({ countries: name.split('').slice(9) })
    const { problems } = check([{ code: 'XX' }, NORWAY], { in: 'XX' }, { references })
    expect(await problems()).toEqual([expect.stringContaining('The key "name" is missing.')])
  })

  test.each([
    ['and a right one', [{ code: 'NO' }, NORWAY], '/1/code'],
    ['and a right one before it', [NORWAY, { code: 'NO' }], '/1/code'],
    ['and another refused one', [{ code: 'NO' }, { code: 'NO' }], '/1/code'],
  ])('%s may not have one id', async (_, list, place) => {
    const { run, problems, at } = check(list, { in: 'NO' })
    expect(await problems()).toContainEqual(
      expect.stringMatching(
        new RegExp(`${place}: The record at line 1 has the same "code" \\("NO"\\)`),
      ),
    )
    expect((await run('check')).stderr).toContain('  and countries.json:1:')

    const records = await run('build', 'countries', '--records', at('parts'))
    expect(records.stderr).toContain('has the same "code" ("NO")')
  })

  test('for which the function "id" throws leaves references unchecked, and says so', async () => {
    const id = ({ name }: typeof NORWAY) => name.toUpperCase()
    const { run } = check([{ code: 'XX' }], { in: 'YY' }, { id })
    const { status, stderr } = await run('check')
    expect(status).toBe(1)
    expect(stderr).toContain(
      'cities: 1 record, no schema. 1 reference to "countries" wasn\'t checked, because of what is wrong in countries.json.\n',
    )
    expect(stderr).not.toContain('Unchecked')
  })

  test('that is left out refers to nothing, and its id is free', async () => {
    const list = [{ code: 'NO', in: 'YY' }, NORWAY]
    const { run } = check(list, { in: 'NO' }, { references: { in: 'countries' } })
    expect(await run('build', '--skip-refused')).toMatchObject({ status: 0 })
  })
})

test('a file that can not be read leaves the references to its collection unchecked', async () => {
  const { run } = createCollections(
    {
      'countries1.json': [{ code: 'NO' }],
      'countries2.json': '[',
      'cities.json': [{ id: 1, in: 'X' }],
    },
    { countries, cities: { files: 'cities.json', id: 'id', references: { in: 'countries' } } },
  )
  const { status, stderr } = await run('check')
  expect(status).toBe(1)
  expect(stderr).toContain(
    'cities: 1 record, no schema. 1 reference to "countries" wasn\'t checked, because of what is wrong in countries2.json.\n',
  )
})

test('the line of a collection says that no reference was checked, instead of "no mistake"', async () => {
  const references: CollectionConfig['references'] = ({ on }) => ({ countries: on })
  const { run } = createCollections(
    { 'countries1.json': [{ code: 'NO' }], 'cities.json': [{ id: 1, in: 'X' }] },
    { countries, cities: { files: 'cities.json', id: 'id', references } },
  )
  const { stdout } = await run('check')
  expect(stdout).toContain(
    'cities: 1 record, no schema. "cities.references" names nothing for any record, so no reference was checked.\n',
  )
  expect(stdout).not.toContain('Unchecked')
})

describe('in a repository with refused records,', () => {
  const anyRepository = fc.record({
    /** Whether each record lacks its name, and so is refused. */
    people: fc.array(fc.boolean(), { minLength: 2, maxLength: 4 }),
    teams: fc.array(fc.boolean(), { minLength: 2, maxLength: 4 }),
    isIdCalled: fc.boolean(),
    isSplit: fc.boolean(),
    /** The record that gets one more fault. */
    chosen: fc.nat({ max: 3 }),
  })
  type Repository = typeof anyRepository extends fc.Arbitrary<infer Value> ? Value : never

  const person = (isRefused: boolean, at: number) => {
    return { id: `p${at}`, ...(!isRefused && { name: 'A' }), teams: ['t0', 't1'], boss: 'p0' }
  }
  const team = (isRefused: boolean, at: number) => {
    return { id: `t${at}`, ...(!isRefused && { name: 'A' }), lead: { who: 'p1' } }
  }
  type Data = { people: ReturnType<typeof person>[]; teams: ReturnType<typeof team>[] }

  /** Creates people who refer to teams by a path and to each other by a function, and teams to people. */
  function createRepository({ isIdCalled, isSplit }: Repository, { people, teams }: Data) {
    const half = isSplit ? 1 : people.length
    const files = {
      's.json': NAMED,
      'people1.json': people.slice(0, half),
      'people2.json': people.slice(half),
      'bosses.json': people.map(({ boss }, id) => ({ id, boss })),
      'teams.json': teams,
    }
    return createCollections(files, {
      people: {
        ...{ files: 'people*.json', recordSchema: 's.json' },
        id: isIdCalled ? ({ id }) => id : 'id',
        references: { 'teams[]': 'teams' },
      },
      bosses: {
        ...{ files: 'bosses.json', id: 'id' },
        references: ({ boss }) => ({ people: boss }),
      },
      teams: {
        ...{ files: 'teams.json', id: 'id', recordSchema: 's.json' },
        references: { 'lead.who': 'people' },
      },
    })
  }

  const at = <Item>(list: Item[], chosen: number) => list[chosen % list.length] as Item

  test.each<[string, (data: Data, chosen: number) => void, string]>([
    [
      'a broken reference at a path is reported',
      ({ people }, chosen) => at(people, chosen).teams.push('gone'),
      'No record of "teams" has the id "gone".',
    ],
    [
      'a broken reference by a function is reported',
      ({ people }, chosen) => {
        at(people, chosen).boss = 'gone'
      },
      'No record of "people" has the id "gone".',
    ],
    [
      'a broken reference to their collection is reported',
      ({ teams }, chosen) => {
        at(teams, chosen).lead.who = 'gone'
      },
      'No record of "people" has the id "gone".',
    ],
    [
      'a second record of an id is reported',
      ({ people }, chosen) => people.push({ ...at(people, chosen) }),
      'has the same ',
    ],
  ])('%s in the same run', async (_, plant, expected) => {
    const holds = async (repository: Repository) => {
      const people = repository.people.map(person)
      const teams = repository.teams.map(team)
      plant({ people, teams }, repository.chosen)

      const problems = await createRepository(repository, { people, teams }).problems()
      const isRefusal = (problem: string) => problem.includes('The key "name" is missing.')
      const refused = [...people, ...teams].filter((record) => !('name' in record))
      expect(problems.filter(isRefusal)).toHaveLength(refused.length)
      expect(problems.filter((problem) => !isRefusal(problem))).toEqual([
        expect.stringContaining(expected),
      ])
    }
    await fc.assert(fc.asyncProperty(anyRepository, holds), { numRuns: times(20) })
  })
})
