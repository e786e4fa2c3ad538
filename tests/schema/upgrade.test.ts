import { describe, expect, test } from 'vitest'
import { compileSchema, loadCheck } from '../../src/accept/compile.ts'
import { readPattern } from '../../src/schema/patterns.ts'
import type { SchemaDocument } from '../../src/schema/resources.ts'
import { upgradeAlone, upgradeSchema } from '../../src/schema/upgrade.ts'

const DRAFT = {
  '04': 'http://json-schema.org/draft-04/schema#',
  '06': 'http://json-schema.org/draft-06/schema#',
  '07': 'http://json-schema.org/draft-07/schema#',
  '2019': 'https://json-schema.org/draft/2019-09/schema',
  '2020': 'https://json-schema.org/draft/2020-12/schema',
}

const TEXT = { type: 'string' }
const NUMBER = { type: 'number' }

test.each<[string, object, object]>([
  [
    'definitions, and references to them',
    { $schema: DRAFT['07'], items: { $ref: '#/definitions/a' }, definitions: { a: TEXT } },
    { items: { $ref: '#/$defs/a' }, $defs: { a: TEXT } },
  ],
  [
    'a list of items, and what comes after them',
    { $schema: DRAFT['07'], items: [TEXT], additionalItems: NUMBER },
    { prefixItems: [TEXT], items: NUMBER },
  ],
  [
    'additionalItems beside one schema of items, which mean nothing',
    { $schema: DRAFT['07'], items: TEXT, additionalItems: false },
    { items: TEXT },
  ],
  [
    'a reference to an item of a list',
    { $schema: DRAFT['07'], items: [TEXT, { $ref: '#/items/0' }] },
    { prefixItems: [TEXT, { $ref: '#/prefixItems/0' }] },
  ],
  [
    'dependencies on keys and on schemas',
    { $schema: DRAFT['07'], dependencies: { a: ['b'], c: { required: ['d'] } } },
    { dependentRequired: { a: ['b'] }, dependentSchemas: { c: { required: ['d'] } } },
  ],
  [
    'what draft-07 ignores beside a reference, except for its description',
    {
      $schema: DRAFT['07'],
      $ref: '#/definitions/a',
      title: 'A',
      minLength: 3,
      definitions: { a: TEXT },
    },
    { $ref: '#/$defs/a', title: 'A', $defs: { a: TEXT } },
  ],
  [
    'what 2020-12 demands beside a reference',
    { $schema: DRAFT['2020'], $ref: '#/$defs/a', minLength: 3, $defs: { a: TEXT } },
    { $ref: '#/$defs/a', minLength: 3, $defs: { a: TEXT } },
  ],
  [
    'exclusive limits of draft-04',
    {
      $schema: DRAFT['04'],
      minimum: 1,
      exclusiveMinimum: true,
      maximum: 9,
      exclusiveMaximum: false,
    },
    { exclusiveMinimum: 1, maximum: 9 },
  ],
  [
    'a keyword that the draft of the schema does not have',
    { $schema: DRAFT['06'], type: 'string', if: { minLength: 1 } },
    { type: 'string' },
  ],
  [
    'a property with the name of a keyword',
    { $schema: DRAFT['07'], properties: { $ref: TEXT, items: TEXT, definitions: TEXT, $id: TEXT } },
    { properties: { $ref: TEXT, items: TEXT, definitions: TEXT, $id: TEXT } },
  ],
  [
    'a value that looks like a schema',
    { $schema: DRAFT['07'], const: { $ref: '#/definitions/a', definitions: {} } },
    { const: { $ref: '#/definitions/a', definitions: {} } },
  ],
  [
    'an anchor of each draft',
    {
      $schema: DRAFT['07'],
      items: { $ref: '#name' },
      definitions: { a: { $id: '#name', type: 'string' } },
    },
    { items: { $ref: '#/$defs/a' }, $defs: { a: TEXT } },
  ],
  [
    'a property and a pattern __proto__, which ajv ignores under that name',
    JSON.parse(
      '{ "properties": { "__proto__": {}, "a": {} }, "patternProperties": { "__proto__": {} } }',
    ),
    {
      properties: { a: {} },
      patternProperties: { '^__proto__$': {}, '(?:__proto__)': {} },
    },
  ],
  [
    'two patterns that become one',
    { patternProperties: { '^a-b': TEXT, '^a\\-b': NUMBER } },
    { patternProperties: { '^a-b': TEXT, '(?:^a-b)': NUMBER } },
  ],
  [
    'a reference to a property __proto__',
    JSON.parse(
      '{ "properties": { "__proto__": {} }, "items": { "$ref": "#/properties/__proto__" } }',
    ),
    {
      properties: {},
      patternProperties: { '^__proto__$': {} },
      items: { $ref: '#/patternProperties/%5E__proto__$' },
    },
  ],
  [
    'a group of definitions',
    {
      $schema: DRAFT['07'],
      items: { $ref: '#/definitions/group/name' },
      definitions: { group: { name: TEXT } },
    },
    { items: { $ref: '#/$defs/name' }, $defs: { group: {}, name: TEXT } },
  ],
  [
    'a reference relative to the $id of a part',
    {
      $id: 'https://example.org/root.json',
      items: { $ref: 'parts/b.json' },
      $defs: {
        a: { $id: 'parts/a.json', type: 'string' },
        b: {
          $id: 'parts/b.json',
          properties: { a: { $ref: 'a.json' }, b: { $ref: '#/$defs/c' } },
          $defs: { c: NUMBER },
        },
      },
    },
    {
      items: { $ref: '#/$defs/b' },
      $defs: {
        a: TEXT,
        b: {
          properties: { a: { $ref: '#/$defs/a' }, b: { $ref: '#/$defs/b/$defs/c' } },
          $defs: { c: NUMBER },
        },
      },
    },
  ],
  [
    'a dynamic reference that can lead to one schema',
    { $schema: DRAFT['2020'], items: { $dynamicRef: '#a' }, $defs: { a: { $dynamicAnchor: 'a' } } },
    { items: { $ref: '#/$defs/a' }, $defs: { a: {} } },
  ],
  [
    'the reference of 2019-09 to the whole',
    { $schema: DRAFT['2019'], items: { $recursiveRef: '#' } },
    { items: { $ref: '#' } },
  ],
])('%s', (_, schema, upgraded) => {
  const { schema: result, faults } = upgradeAlone(schema)
  expect(result).toEqual(upgraded)
  expect(faults).toEqual([])
})

test('the name of a group of definitions is not an unknown keyword if something refers into the group', () => {
  const definitions = { group: { name: TEXT, more: TEXT } }
  const { warnings } = upgradeAlone({ items: { $ref: '#/definitions/group/name' }, definitions })
  expect(warnings.map(({ fault }) => fault.pointer)).toEqual([['definitions', 'group', 'more']])
})

test('a reference to a part of another document brings only that part along', () => {
  const document = (name: string, value: unknown): SchemaDocument => {
    return { name, file: `file:///${name}`, uri: `file:///${name}`, value }
  }
  const kinds = {
    definitions: { kind: { items: { $ref: '#/definitions/word' } }, word: TEXT, more: TEXT },
  }

  const { schema, missing } = upgradeSchema([
    document('own.json', { $schema: DRAFT['07'], items: { $ref: 'kinds.json#/definitions/kind' } }),
    document('kinds.json', kinds),
  ])
  expect(missing).toEqual([])
  expect(schema).toEqual({
    items: { $ref: '#/$defs/kind' },
    $defs: { kind: { items: { $ref: '#/$defs/word' } }, word: TEXT },
  })
})

test('a reference to a document that is not there names the file in which it would be', () => {
  const { missing, faults } = upgradeAlone({ items: { $ref: 'parts/kinds.json#/a' } })
  expect(missing).toEqual([{ uri: 'file:///parts/kinds.json', file: 'file:///parts/kinds.json' }])
  expect(faults.map(({ fault }) => fault.pointer)).toEqual([['items', '$ref']])
})

/** A list of anything, and one of texts. */
const LIST = {
  $id: 'list',
  type: 'array',
  items: { $dynamicRef: '#item' },
  $defs: { any: { $dynamicAnchor: 'item' } },
}
const LIST_OF_TEXTS = {
  $id: 'texts',
  $ref: 'list',
  $defs: { text: { $dynamicAnchor: 'item', type: 'string' } },
}

test('a $dynamicRef that may lead to several schemas is refused where it stands', () => {
  const { faults } = upgradeAlone({
    $id: 'https://example.org/',
    properties: { texts: { $ref: 'texts' } },
    $defs: { list: LIST, texts: LIST_OF_TEXTS },
  })
  expect(faults.map(({ fault }) => fault)).toMatchObject([
    {
      code: 'schema-file.dynamic',
      pointer: ['$defs', 'list', 'items', '$dynamicRef'],
      facts: { reference: '#item' },
    },
  ])
})

test('a $recursiveRef that may lead to several schemas is refused', () => {
  const tree = { $id: 'tree', $recursiveAnchor: true, items: { $recursiveRef: '#' } }
  const { faults } = upgradeAlone({
    $schema: DRAFT['2019'],
    $id: 'https://example.org/',
    $recursiveAnchor: true,
    $ref: 'tree',
    $defs: { tree },
  })
  expect(faults.map(({ fault }) => fault.code)).toEqual(['schema-file.dynamic'])
})

test('a $dynamicRef to the place of a schema leads there, whatever others have its anchor', () => {
  const $defs = { any: LIST.$defs.any, texts: LIST_OF_TEXTS, list: { ...LIST, items: {} } }
  const items = { $dynamicRef: '#/$defs/any' }
  expect(upgradeAlone({ $id: 'https://example.org/', items, $defs }).faults).toEqual([])
})

test.each([
  [String.raw`^\_\-[a\-z]\'$`, String.raw`^_-[a\-z]'$`],
  ['^{a}$', String.raw`^\{a\}$`],
  ['^a{2,}]$', String.raw`^a{2,}\]$`],
  [String.raw`\p{L}\/`, String.raw`\p{L}\/`],
])('the pattern %s is read as %s', (pattern, source) => {
  expect(readPattern(pattern)).toEqual({ source })
})

test.each(['(', '[', String.raw`\h`, String.raw`\p{Nothing}`])(
  'the pattern %s has a mistake',
  (pattern) => {
    expect(readPattern(pattern).reason).toBeDefined()
  },
)

describe('formats of any script', () => {
  const accepts = (format: string, text: string) => {
    return loadCheck(compileSchema({ format }))(text).faults.length === 0
  }

  test.each([
    ['iri', 'https://example.org/städte?q=ü#ö'],
    ['iri-reference', '/städte'],
    ['idn-hostname', 'münchen.example'],
    ['idn-email', 'jörg@münchen.example'],
  ])('%s accepts %s', (format, text) => {
    expect(accepts(format, text)).toBe(true)
  })

  test.each([
    ['iri', '/städte'],
    ['iri', 'https://example.org/ü ü'],
    ['iri-reference', '\\städte'],
    ['idn-hostname', 'münchen example'],
    ['idn-hostname', '-münchen'],
    ['idn-email', 'jörg.münchen.example'],
    ['idn-email', 'jörg@'],
  ])('%s refuses %s', (format, text) => {
    expect(accepts(format, text)).toBe(false)
  })
})
