import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { blocksOf } from '../helpers/guides.ts'
import { createWorkspace, pagesOf, readManifest } from '../helpers/workspace.ts'

const DRAFT_07 = 'http://json-schema.org/draft-07/schema#'

/** The environment of a workflow on GitHub. */
const GITHUB = (folder: string) => ({ GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: folder })

/** Writes the files of a schema, beginning with the schema itself, and a batch. */
function deliver(files: Record<string, unknown>, records: unknown[] = [{ path: '/a' }]) {
  const { folder, out, batch, build } = createWorkspace()
  const [schema = ''] = Object.keys(files)

  const write = (name: string, content: unknown) => {
    const file = join(folder, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  }
  for (const [name, content] of Object.entries(files)) write(name, content)
  batch('a.json', records)

  return {
    folder,
    write,
    batch,
    run: (...args: string[]) => build(['--schema', join(folder, schema), ...args]),
    runOnGitHub: () => build(['--schema', join(folder, schema)], GITHUB(folder)),
    types: () => readFileSync(join(out, 'dataset.d.ts'), 'utf8'),
    manifest: () => readManifest(readFileSync(join(out, 'manifest.json'), 'utf8')),
  }
}

/** Returns the problems of a schema, each in a line: its file, its place and its sentence. */
async function problemsOf(files: Record<string, unknown>): Promise<string[]> {
  const { folder, run } = deliver(files)
  const { status, stdout } = await run('--json')
  expect(status).toBe(2)

  const { problems } = JSON.parse(stdout)
  return problems.map((problem: Record<string, string>) => {
    const { file = '', line, column, pointer, message } = problem
    return `${file.replace(`${folder}/`, '')}:${line}:${column} ${pointer} ${message}`
  })
}

/** Returns the warnings of a schema that can be used. */
async function warningsOf(schema: object): Promise<string[]> {
  const { run } = deliver({ 'own.json': schema })
  const { status, stdout } = await run('--json')
  expect(status).toBe(0)

  const { warnings } = pagesOf({ stdout })
  return warnings.map(({ pointer, message }: Record<string, string>) => `${pointer} ${message}`)
}

/** A list of records with these properties. */
function listOf(properties: object, rest: object = {}) {
  const items = { type: 'object', properties: { path: { type: 'string' }, ...properties } }
  return { type: 'array', items, ...rest }
}

describe('a schema that cannot be used', () => {
  test.each<[string, unknown, string]>([
    ['a type that is misspelled', { type: 'aray' }, '/type This must be "array", "boolean"'],
    ['a schema that is a number', { type: 'array', items: 5 }, '/items This must be an object'],
    [
      'a pattern with a mistake',
      listOf({ path: { pattern: '(' } }),
      "/items/properties/path/pattern This isn't a regular expression of JavaScript (with the flag u): Unterminated group.",
    ],
    [
      'a reference to no place',
      { items: { $ref: '#/$defs/page' } },
      '/items/$ref "#/$defs/page" leads to nothing',
    ],
    [
      'a reference to several schemas',
      {
        $dynamicAnchor: 'item',
        items: { $dynamicRef: '#item' },
        $defs: { list: { $id: 'list', $dynamicAnchor: 'item' } },
      },
      '/items/$dynamicRef "#item" may lead to several schemas, depending on which of them refers here. That isn\'t supported. Write a "$ref" to the schema you mean.',
    ],
    ['a reference of the whole to no file', { $ref: 'kinds.json' }, '/$ref "kinds.json" is in'],
    [
      'a reference that leads back to itself',
      { items: { $ref: '#/$defs/a' }, $defs: { a: { $ref: '#/$defs/a' } } },
      '/$defs/a/$ref This reference leads back to itself',
    ],
    [
      'a mark on a list',
      listOf({ tags: { type: 'array', pagePath: true } }),
      '/items/properties/tags/pagePath "pagePath" is for texts only',
    ],
    [
      'an empty enum',
      listOf({ kind: { enum: [] } }),
      '/items/properties/kind/enum This list is empty',
    ],
    [
      'a key that is required and forbidden',
      {
        type: 'array',
        items: { type: 'object', required: ['path', 'up'], properties: { path: {}, up: false } },
      },
      '/items/required/1 The key "up" is required, but "properties" forbids it by false. So no object could be right.',
    ],
    [
      'a key that is required and not declared',
      {
        type: 'array',
        items: {
          ...{ type: 'object', required: ['path', 'up'], additionalProperties: false },
          properties: { path: {} },
        },
      },
      '/items/required/1 The key "up" is required, but "additionalProperties": false forbids it, because "properties" doesn\'t have it. So no object could be right.',
    ],
    [
      'a key that is required and whose pattern is forbidden',
      listOf({ kind: { required: ['x-a'], patternProperties: { '^x-': false } } }),
      '/items/properties/kind/required/0 The key "x-a" is required, but "patternProperties" forbids it by false.',
    ],
    ['no schema', null, ' This must be an object { } or true or false, but it is null.'],
    ['no JSON', '{ "type": "array", }', ' '],
    [
      'a draft that is not known',
      { $schema: 'http://json-schema.org/draft-03/schema#', type: 'array' },
      '/$schema "http://json-schema.org/draft-03/schema#" isn\'t the address of a draft',
    ],
  ])('%s', async (_, schema, problem) => {
    const problems = await problemsOf({ 'own.json': schema })
    expect(problems).toEqual([expect.stringMatching(/^own\.json:\d+:\d+ /)])
    expect(problems[0]).toContain(problem)
  })

  test('all its faults are reported in one run, each at its place', async () => {
    const schema = `{
  "type": "array",
  "items": {
    "type": "objekt",
    "required": "path",
    "properties": {
      "kind": { "$ref": "#/$defs/kind" },
      "code": { "pattern": "[" }
    }
  }
}`
    const problems = await problemsOf({ 'own.json': schema })
    expect(problems.map((problem) => problem.split(' ').slice(0, 2).join(' '))).toEqual([
      'own.json:4:13 /items/type',
      'own.json:5:17 /items/required',
      'own.json:7:25 /items/properties/kind/$ref',
      'own.json:8:28 /items/properties/code/pattern',
    ])
  })

  test('a terminal shows the lines around each fault', async () => {
    const { folder, run } = deliver({ 'own.json': '{\n  "type": "aray"\n}' })
    const { status, stderr } = await run()
    expect(status).toBe(2)
    expect(stderr).toContain(`The schema ${folder}/own.json cannot be used: 1 problem.\n`)
    expect(stderr).toContain(`${folder}/own.json:2:11  /type\n`)
    expect(stderr).toContain('  > 2 |   "type": "aray"\n      |           ^^^^^^\n')
  })

  test('GitHub shows each at its line', async () => {
    const { runOnGitHub } = deliver({ 'own.json': '{\n  "type": "aray"\n}' })
    const { stderr } = await runOnGitHub()
    expect(stderr).toContain('::error file=own.json,line=2,col=11,')
  })

  test('a reference from the root of the repository is found in a folder above', async () => {
    const { run } = deliver({
      'data/schema/thing/own.json': { type: 'array', items: { $ref: '/schema/link.json' } },
      'data/schema/link.json': { type: 'object', required: ['path', 'url'] },
    })
    const { stderr } = await run()
    expect(stderr).toContain('The key "url" is missing.')
  })

  test('a neighbour that is not JSON is one problem', async () => {
    const problems = await problemsOf({
      'own.json': listOf({ kind: { $ref: 'kinds.json#/definitions/kind' } }),
      'kinds.json': '{ "definitions": }',
    })
    expect(problems).toEqual([expect.stringMatching(/^kinds\.json:1:17 /)])
  })

  test('the fault of a neighbour has its place in that file', async () => {
    const problems = await problemsOf({
      'own.json': listOf({ kind: { $ref: 'parts/kinds.json#/definitions/kind' } }),
      'parts/kinds.json': { definitions: { kind: { type: 'sting' } } },
    })
    expect(problems).toEqual([
      expect.stringContaining('parts/kinds.json:4:15 /definitions/kind/type'),
    ])
  })
})

describe('parts of a schema without effect are warnings', () => {
  test.each<[string, object, string]>([
    [
      'an unknown keyword',
      { optional: true },
      '/items/properties/x/optional "optional" isn\'t a keyword of JSON Schema',
    ],
    [
      'an unknown format',
      { format: 'e-mail' },
      '/items/properties/x/format The format "e-mail" is unknown, so it isn\'t checked. Nearest: "email".',
    ],
    [
      '"nullable" without a type',
      { nullable: true },
      '/items/properties/x/nullable "nullable" has no effect without "type" beside it.',
    ],
    [
      '"else" without "if"',
      { else: { minLength: 3 } },
      '/items/properties/x/else "else" has no effect without "if" beside it.',
    ],
  ])('%s, named once', async (_, x, warning) => {
    const warnings = await warningsOf(listOf({ x, y: x }))
    expect(warnings).toEqual([expect.stringContaining(warning)])
  })

  test('that it accepts everything', async () => {
    expect(await warningsOf({ title: 'Any' })).toEqual([
      expect.stringContaining('This schema checks nothing: it accepts every value.'),
    ])
  })

  test('a keyword of a later draft, and what draft-07 ignores beside a reference', async () => {
    const x = { $ref: '#/definitions/x', minLength: 3 }
    const definitions = { x: { type: 'object', unevaluatedProperties: false } }
    const warnings = await warningsOf(listOf({ x }, { $schema: DRAFT_07, definitions }))
    expect(warnings).toEqual([
      expect.stringContaining('"minLength" beside "$ref" is ignored'),
      expect.stringContaining('"unevaluatedProperties" isn\'t a keyword of draft-07'),
    ])
  })

  test('each keyword that needs another one beside it', async () => {
    const warnings = await warningsOf(
      listOf({ x: { nullable: true, minContains: 2 }, y: { nullable: true } }),
    )
    expect(warnings).toEqual([
      '/items/properties/x/nullable "nullable" has no effect without "type" beside it.',
      '/items/properties/x/minContains "minContains" has no effect without "contains" beside it.',
    ])
  })

  test('all keywords that are ignored beside a reference, once for the same ones', async () => {
    const limited = { type: 'array', minItems: 1, $ref: '#/definitions/tags' }
    const unique = {
      $ref: '#/definitions/tags',
      uniqueItems: true,
      description: 'No two are alike.',
    }
    const definitions = { tags: { items: { type: 'string' } } }
    const properties = { tags: limited, words: unique, names: limited }
    expect(await warningsOf(listOf(properties, { $schema: DRAFT_07, definitions }))).toEqual([
      '/items/properties/tags/type "type" and "minItems" beside "$ref" are ignored in this draft of JSON Schema. To use them, write "allOf": [{ "$ref": … }] instead of the "$ref".',
      '/items/properties/words/uniqueItems "uniqueItems" beside "$ref" is ignored in this draft of JSON Schema. To use it, write "allOf": [{ "$ref": … }] instead of the "$ref".',
    ])
  })

  test('the summary shows it, also if nothing has changed since the last build', async () => {
    const { folder, run } = deliver({ 'own.json': listOf({ x: { format: 'e-mail' } }) })
    const row = `Schema  ${folder}/own.json:10:19  The format "e-mail" is unknown`
    expect((await run()).stdout).toContain(row)
    expect((await run()).stdout).toContain(row)
  })

  test('a key that is there twice', async () => {
    const { run } = deliver({ 'own.json': '{ "type": "array",\n  "type": "array" }' })
    const { warnings } = pagesOf(await run('--json'))
    expect(warnings).toMatchObject([{ line: 2, column: 3, pointer: '/type' }])
  })

  test('keywords for editors and type generators are not', async () => {
    const read = { $anchor: 'a', markdownDescription: 'b', tsType: 'string', 'x-d': {} }
    expect(await warningsOf(listOf({ x: { type: 'string', ...read } }))).toEqual([])
  })
})

describe('a schema is valid that', () => {
  test.each<[string, object]>([
    ['has only optional keys', listOf({})],
    ['counts from 0', listOf({ tags: { contains: { const: 'a' }, minContains: 0 } })],
    [
      'maps a discriminator',
      listOf(
        {
          kind: {
            discriminator: { propertyName: 'kind', mapping: { a: '#/$defs/a' } },
            oneOf: [{ $ref: '#/$defs/a' }],
          },
        },
        { $defs: { a: { type: 'string' } } },
      ),
    ],
    ['escapes what needs no escape', listOf({ path: { pattern: "^[\\w\\/\\_\\-]+\\'?$" } })],
    [
      'groups its definitions under names that are keywords, too',
      listOf(
        { path: { $ref: '#/definitions/common/title' }, kind: { $ref: '#/more/type' } },
        { definitions: { common: { title: { type: 'string' } } }, more: { type: { enum: ['a'] } } },
      ),
    ],
    ['has a minimum above its maximum', listOf({ tags: { minItems: 3, maxItems: 2 } })],
  ])('%s', async (_, schema) => {
    expect(await warningsOf(schema)).toEqual([])
  })
})

describe('the files beside a schema', () => {
  const OWN = listOf({ kind: { $ref: './kinds.json#/definitions/kind' } }, { $schema: DRAFT_07 })
  const kinds = (...allowed: string[]) => ({ definitions: { kind: { enum: allowed } } })

  test('are read, and their types have names', async () => {
    const { run, types } = deliver({ 'own.json': OWN, 'kinds.json': kinds('bath') })
    expect(await run()).toMatchObject({ status: 0, stderr: '' })
    expect(types()).toContain('export type Kind = "bath";')
  })

  test('make the verdict new when one has changed', async () => {
    const records = [{ path: '/a', kind: 'bath' }]
    const { run, write, manifest } = deliver(
      { 'own.json': OWN, 'kinds.json': kinds('bath') },
      records,
    )
    expect((await run()).status).toBe(0)
    const before = manifest().schema?.sha256

    write('kinds.json', kinds('museum'))
    expect(await run()).toMatchObject({ status: 1, stderr: expect.stringContaining('"museum"') })

    write('kinds.json', kinds('bath', 'museum'))
    expect((await run()).status).toBe(0)
    expect(manifest().schema?.sha256).not.toBe(before)
  })

  test('are those of an address below the same $id', async () => {
    const { run } = deliver({
      'own.json': listOf(
        { kind: { $ref: 'https://example.org/schemas/parts/kinds.json' } },
        { $id: 'https://example.org/schemas/own.json' },
      ),
      'parts/kinds.json': { type: 'string', enum: ['bath'] },
    })
    expect(await run()).toMatchObject({ status: 0, stderr: '' })
  })

  test('are named like the last part of any other address', async () => {
    const reference = 'https://example.com/2024/kinds#/definitions/kind'
    const { run } = deliver({
      'own.json': listOf({ kind: { $ref: reference } }),
      'kinds.json': kinds('bath'),
    })
    expect(await run()).toMatchObject({ status: 0, stderr: '' })
  })

  test('may refer to each other', async () => {
    const { run } = deliver({
      'own.json': listOf({ kind: { $ref: 'a.json' } }),
      'a.json': { properties: { inner: { $ref: 'b.json#/definitions/b' } } },
      'b.json': { definitions: { b: { anyOf: [{ $ref: 'a.json' }, { type: 'null' }] } } },
    })
    expect(await run()).toMatchObject({ status: 0, stderr: '' })
  })

  test('must be saved first: nothing is read from the network', async () => {
    const problems = await problemsOf({
      'own.json': listOf({ kind: { $ref: 'https://example.com/kinds.json' } }),
    })
    expect(problems).toEqual([
      'own.json:10:17 /items/properties/kind/$ref "https://example.com/kinds.json" is in another file that can\'t be read. References are read from the disk, never from the network. Save it as "kinds.json" beside this file.',
    ])
  })
})

describe('types', () => {
  test('an item of a list with prefixItems has the type of one of them, or of the others', async () => {
    const [text, number] = [{ type: 'string' }, { type: 'number' }]
    const list = { type: 'array', prefixItems: [text, number] }
    const pair = { ...list, items: false }
    const more = { ...list, items: { type: 'boolean' } }
    const { run, types } = deliver({ 'own.json': listOf({ pair, more, any: list }) })

    expect(await run()).toMatchObject({ status: 0, stderr: '' })
    expect(types()).toContain('pair?: (string | number)[];')
    expect(types()).toContain('more?: (string | number | boolean)[];')
    expect(types()).toContain('any?: unknown[];')
  })

  test('a reference to an $anchor has the type of its place', async () => {
    const kind = { $anchor: 'kind', title: 'Kind', enum: ['tool', 'game'] }
    const schema = listOf({ kind: { $ref: '#kind' } }, { $defs: { 'a b': kind } })
    const { run, types, batch } = deliver({ 'own.json': schema }, [{ path: '/a', kind: 'game' }])

    expect(await run()).toMatchObject({ status: 0, stderr: '' })
    expect(types()).toContain('kind?: Kind;')
    batch('b.json', [{ path: '/b', kind: 'play' }])
    expect((await run()).stderr).toContain('b.json:')
  })
})

test('a draft-07 schema like that of the guide is read with the file that it refers to', async () => {
  const guide = blocksOf('src/collections/README.md')
  const shown = guide.find(({ file }) => file === 'schema.json')?.text ?? '{}'
  const schema = JSON.parse(shown)
  const { properties } = schema.definitions.country
  properties.continent = { $ref: 'continents.json#/definitions/continent' }
  const { run, types } = deliver(
    {
      'schema.json': schema,
      'continents.json': { definitions: { continent: { enum: ['Asia', 'Europe'] } } },
    },
    [{ path: '/a', code: 'TL', name: 'Timor-Leste', continent: 'Asia' }],
  )
  expect(await run()).toMatchObject({ status: 0, stderr: '' })
  expect(types()).toContain('export type Batch = Delivered[];')
  expect(types()).toContain('  continent?: Continent;\n')
})
