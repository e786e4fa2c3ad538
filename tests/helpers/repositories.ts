/** Repositories of several kinds of records, chosen by a seed, in which everything is right. */
import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'
import { stringify } from 'yaml'
import type { CollectionConfig } from '../../src/collections/config.ts'

/** A record, before it's laid into a file. */
export type Thing = Record<string, unknown>

export type Ending = '.json' | '.jsonc' | '.jsonl' | '.yaml' | '.md'

/** How the records of a collection are laid into files. */
export interface Shape {
  layout: Layout
  ending: Ending
  /** How many files there are, or one for each record. */
  files: 'one' | 'three' | 'each' | 'each in a folder'
}

type Layout =
  | 'a list'
  | 'a record'
  | 'a list under a key'
  | 'an object under a key'
  | 'an object by name'
  | 'lists found by a function'

export const SHAPES: readonly Shape[] = [
  { layout: 'a list', ending: '.json', files: 'one' },
  { layout: 'a list', ending: '.json', files: 'three' },
  { layout: 'a list', ending: '.yaml', files: 'one' },
  { layout: 'a list', ending: '.jsonl', files: 'one' },
  { layout: 'a list', ending: '.jsonl', files: 'three' },
  { layout: 'a record', ending: '.json', files: 'each' },
  { layout: 'a record', ending: '.yaml', files: 'each' },
  { layout: 'a record', ending: '.md', files: 'each' },
  { layout: 'a record', ending: '.jsonc', files: 'each' },
  { layout: 'a record', ending: '.json', files: 'each in a folder' },
  { layout: 'a list under a key', ending: '.json', files: 'one' },
  { layout: 'a list under a key', ending: '.yaml', files: 'three' },
  { layout: 'an object under a key', ending: '.json', files: 'one' },
  { layout: 'an object by name', ending: '.yaml', files: 'one' },
  { layout: 'an object by name', ending: '.json', files: 'three' },
  { layout: 'lists found by a function', ending: '.json', files: 'one' },
]

/** A collection of a repository: what was chosen for it, and its records. */
export interface Kind {
  name: string
  shape: Shape
  schema: 'file' | 'record' | 'named' | 'none'
  draft: '2020-12' | 'draft-07'
  union: 'none' | 'of records' | 'around the file'
  /** Whether the schema allows keys that it doesn't declare. */
  isOpen: boolean
  id: 'key' | 'function' | 'file' | 'name'
  files: 'folder' | 'pattern'
  sorted: 'key' | 'function' | 'no'
  duplicates: 'refuse' | 'drop'
  /** The collection that the records name. */
  refersTo: string
  things: readonly Thing[]
}

/** A repository, as it's written to the disk. */
export interface Repository {
  /** The data and the schemas, by their names. */
  files: Readonly<Record<string, string>>
  config: Readonly<Record<string, CollectionConfig>>
}

export type Choose = <Choice>(choices: readonly Choice[]) => Choice

/** Returns a function that chooses, always in the same way for a seed. */
export function chooser(seed: number): Choose {
  // With the seeds 0, 1, 2 and so on, the first choices would hardly differ.
  const random = xoroshiro128plus(Math.imul(seed + 1, 0x9e3779b1))
  return <Choice>(choices: readonly Choice[]) => {
    const at = uniformInt(random, 0, choices.length - 1)
    return choices[at] as Choice
  }
}

/** Chooses a repository of two to five collections. The first one has the given shape. */
export function chooseKinds(shape: Shape, choose: Choose): Kind[] {
  const names = ['towns', 'rivers', 'roads', 'lakes', 'hills'].slice(0, choose([2, 3, 4, 5]))
  return names.map((name, at) => {
    const next = names[(at + 1) % names.length] as string
    return chooseKind(name, at === 0 ? shape : choose(SHAPES), choose([name, next]), choose)
  })
}

function chooseKind(name: string, shape: Shape, refersTo: string, choose: Choose): Kind {
  const schema = choose(schemasFor(shape))
  const unions = ['none', 'of records', 'around the file'] as const
  return {
    name,
    shape,
    schema,
    draft: choose(['2020-12', 'draft-07']),
    union: choose(unions.slice(0, schema === 'record' ? 2 : 3)),
    isOpen: choose([true, false]),
    id: choose(idsFor(shape)),
    files: choose(['folder', 'pattern']),
    sorted: choose(['key', 'function', 'no']),
    duplicates: choose(['refuse', 'drop']),
    refersTo,
    things: Array.from({ length: THINGS }, (_, index) => thing(index)),
  }
}

/** How many records each collection has. */
const THINGS = 6

function thing(index: number): Thing {
  return {
    id: `id-${index}`,
    name: `Örtchen ${index}`,
    kind: index % 2 === 0 ? 'old' : 'new',
    size: 10 + index,
    color: 'red',
    comment: `The comment of ${index}`,
    near: [`id-${(index + 1) % THINGS}`, `id-${(index + 2) % THINGS}`],
  }
}

/** Whether each record is under its id. */
function isByName({ layout }: Shape): boolean {
  return layout === 'an object by name' || layout === 'an object under a key'
}

function schemasFor(shape: Shape): readonly Kind['schema'][] {
  const hasRoom = !['a list', 'an object by name'].includes(shape.layout)
  return hasRoom ? ['file', 'record', 'named', 'none'] : ['file', 'record', 'none']
}

function idsFor(shape: Shape): readonly Kind['id'][] {
  if (isByName(shape)) return ['name']
  return shape.files === 'each' ? ['key', 'function', 'file'] : ['key', 'function']
}

/** Lays collections into files. */
export function lay(kinds: readonly Kind[]): Repository {
  const data = kinds.flatMap((kind) => filesOf(kind))
  const schemas = kinds.filter(({ schema }) => schema !== 'none')
  const schemaTexts = schemas.map((kind) => [schemaFile(kind), write(schemaOf(kind), '.json')])
  return {
    files: Object.fromEntries([...data, ...schemaTexts]),
    config: Object.fromEntries(kinds.map((kind) => [kind.name, configOf(kind)])),
  }
}

export function schemaFile({ name }: Kind): string {
  return `schemas/${name}.json`
}

/** Returns the name of the file in which a record is. */
export function fileOf({ name, shape, things }: Kind, index: number): string {
  const { files, ending } = shape
  if (files === 'one') return `${name}/all${ending}`
  if (files === 'three') return `${name}/part-${Math.floor((index * 3) / things.length)}${ending}`
  if (files === 'each') return `${name}/${index}${ending}`
  return `${name}/${index % 2 === 0 ? 'even' : 'odd'}/${index}${ending}`
}

function filesOf(kind: Kind): [name: string, text: string][] {
  const names = new Set(kind.things.map((_, index) => fileOf(kind, index)))
  return [...names].map((name) => {
    const within = kind.things.filter((_, index) => fileOf(kind, index) === name)
    return [name, write(layOut(kind, within), kind.shape.ending)]
  })
}

/** Returns the value of a file. */
function layOut({ name, shape, schema }: Kind, things: readonly Thing[]): unknown {
  const marked = schema === 'named' ? { $schema: urlOf(name) } : {}
  const half = Math.ceil(things.length / 2)

  switch (shape.layout) {
    case 'a list':
      return things
    case 'a record':
      return isRecord(things[0]) ? { ...marked, ...things[0] } : things[0]
    case 'a list under a key':
      return { ...marked, updated: 2026, all: things }
    case 'an object under a key':
      return { ...marked, updated: 2026, all: byName(things) }
    case 'an object by name':
      return byName(things)
    case 'lists found by a function':
      return { ...marked, parts: [{ all: things.slice(0, half) }, { all: things.slice(half) }] }
  }
}

function isRecord(thing: unknown): thing is Thing {
  return typeof thing === 'object' && thing !== null
}

function byName(things: readonly Thing[]): object {
  return Object.fromEntries(things.map(({ id, ...thing }) => [id, thing]))
}

function write(value: unknown, ending: Ending): string {
  switch (ending) {
    case '.json':
      return `${JSON.stringify(value, null, 2)}\n`
    case '.jsonc':
      return `// Written by hand.\n${JSON.stringify(value, null, 2)}\n`
    case '.jsonl':
      return (value as unknown[]).map((record) => `${JSON.stringify(record)}\n`).join('')
    case '.yaml':
      return stringify(value)
    case '.md':
      return `---\n${stringify(value)}---\n\nA text about it.\n`
  }
}

function urlOf(name: string): string {
  return `https://example.com/${name}.json`
}

function configOf(kind: Kind): CollectionConfig {
  const { name, shape, refersTo, sorted, duplicates } = kind
  const config: CollectionConfig = {
    files: placesOf(kind),
    id: idOf(kind),
    references: (thing) => ({ [refersTo]: thing.near }),
    duplicates,
  }

  if (kind.schema === 'file') config.schema = schemaFile(kind)
  if (kind.schema === 'record') config.recordSchema = schemaFile(kind)
  if (kind.schema === 'named') config.schema = { named: `schemas/${name}.json` }

  if (shape.layout.endsWith('under a key')) config.records = 'all'
  if (shape.layout === 'an object by name') config.records = (file) => Object.values(file)
  if (shape.layout === 'lists found by a function') {
    config.records = (file) => file.parts.flatMap((part: { all: unknown[] }) => part.all)
  }

  if (sorted === 'key') config.sorted = 'name'
  if (sorted === 'function') config.sorted = ({ size }) => size
  return config
}

function placesOf({ name, shape, files }: Kind): string {
  if (files === 'folder') return name
  return shape.files === 'one' ? `${name}/all${shape.ending}` : `${name}/**/*`
}

function idOf({ id }: Kind): CollectionConfig['id'] {
  if (id === 'key') return 'id'
  if (id === 'function') return (thing) => thing.id
  if (id === 'name') return (_, { key }) => key
  return (_, { file }) => `id-${file.split('/').at(-1)?.split('.')[0]}`
}

const TEXT = { type: 'string' }

/** The properties of a record. */
const PROPERTIES = {
  $schema: TEXT,
  id: TEXT,
  name: TEXT,
  kind: { enum: ['old', 'new'] },
  color: { enum: ['red', 'blue'] },
  size: { type: 'integer' },
  comment: TEXT,
  near: { type: 'array', items: TEXT },
  body: TEXT,
}

function recordSchema({ union, isOpen }: Kind): object {
  const record = {
    type: 'object',
    required: ['name', 'kind', 'size'],
    properties: PROPERTIES,
    ...(!isOpen && { additionalProperties: false }),
  }
  if (union !== 'of records') return record

  const branches = ['old', 'new'].map((kind) => {
    return { ...record, properties: { ...PROPERTIES, kind: { const: kind } } }
  })
  return { oneOf: branches }
}

function schemaOf(kind: Kind): object {
  const { name, draft, schema, union } = kind
  const dialect =
    draft === 'draft-07'
      ? 'http://json-schema.org/draft-07/schema#'
      : 'https://json-schema.org/draft/2020-12/schema'
  const head = { $schema: dialect, $id: urlOf(name) }
  if (schema === 'record') return { ...head, ...recordSchema(kind) }

  const definitions = draft === 'draft-07' ? 'definitions' : '$defs'
  const file = fileSchema(kind.shape.layout, { $ref: `#/${definitions}/thing` })
  const root = union === 'around the file' ? { anyOf: [TEXT, file] } : file
  return { ...head, [definitions]: { thing: recordSchema(kind) }, ...root }
}

function fileSchema(layout: Layout, record: object): object {
  const list = { type: 'array', items: record }
  const object = { type: 'object', additionalProperties: record }
  const under = (key: string, schema: object) => {
    return { type: 'object', required: [key], properties: { [key]: schema } }
  }

  switch (layout) {
    case 'a list':
      return list
    case 'a record':
      return record
    case 'a list under a key':
      return under('all', list)
    case 'an object under a key':
      return under('all', object)
    case 'an object by name':
      return object
    case 'lists found by a function':
      return under('parts', { type: 'array', items: under('all', list) })
  }
}

/** For example "a list, in three files .json; schema of the record, draft-07, …". */
export function describeKind(kind: Kind): string {
  const { shape, schema, draft, union, isOpen, id, files, sorted, duplicates } = kind
  const parts = [
    `${shape.layout} in ${shape.files} ${shape.ending} by ${files}`,
    `schema ${schema} ${draft} ${isOpen ? 'open' : 'closed'} union ${union}`,
    `id ${id}`,
    `sorted ${sorted}`,
    duplicates,
  ]
  return parts.join(', ')
}
