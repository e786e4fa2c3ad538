/** Faults to plant into a repository. People have made each of them. */
import { spawnSync } from 'node:child_process'
import { chmodSync, symlinkSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { CollectionConfig } from '../../src/collections/config.ts'
import type { Choose, Ending, Kind, Thing } from './repositories.ts'
import { fileOf, lay, schemaFile } from './repositories.ts'

/** What is put in the place of a file: its text, its bytes, or whatever a function makes there. */
export type Content = string | Uint8Array | ((place: string) => void)

/** A fault in a collection, and the output that the check must have. */
export interface Planted {
  /** The collection, with other records. */
  kind?: Kind
  /** Files with other content, by their names. */
  files?: Readonly<Record<string, Content>>
  /** Changes of its configuration. */
  config?: Readonly<Record<string, CollectionConfig>>
  /** What the check names: a file, or a value of the configuration. */
  named: string
  /** The line of the check if it may be green. */
  note?: RegExp
  /** Whether the check stays green with --strict, too. */
  isLenient?: boolean
}

export interface Fault {
  name: string
  /** Whether it's in the configuration or in a schema, which may end the check. */
  isOfSetup?: boolean
  /** Plants the fault; returns undefined if it wouldn't be one in such a collection. */
  plant(kind: Kind, choose: Choose): Planted | undefined
}

/** Changes one record. */
type Change = (thing: Thing) => unknown

function inRecord(name: string, change: Change, fits = (_: Kind) => true): Fault {
  return {
    name,
    plant(kind, choose) {
      if (!fits(kind)) return undefined

      const index = choose([...kind.things.keys()])
      const things = kind.things.map((thing, at) => {
        return at === index ? (change(thing) as Thing) : thing
      })
      return { kind: { ...kind, things }, named: fileOf(kind, index) }
    },
  }
}

/** A fault that only a schema can refuse. Without a schema, each run says so. */
function forSchema(fault: Fault): Fault {
  return {
    ...fault,
    plant(kind, choose) {
      const planted = fault.plant(kind, choose)
      if (!planted || kind.schema !== 'none') return planted
      return { ...planted, note: new RegExp(`${kind.name}: .*, no schema`), isLenient: true }
    },
  }
}

function without(key: string): Change {
  return ({ [key]: _, ...others }) => others
}

/** Spells a key in another way, in the same place. */
function misspell(key: string, other: string): Change {
  return (thing) => {
    const entries = Object.entries(thing)
    return Object.fromEntries(entries.map(([name, value]) => [name === key ? other : name, value]))
  }
}

const hasIdInRecord = ({ id }: Kind) => id === 'key' || id === 'function'

const IN_RECORDS: readonly Fault[] = [
  forSchema(inRecord('a wrong type', (thing) => ({ ...thing, size: 'many' }))),
  forSchema(inRecord('a null', (thing) => ({ ...thing, size: null }))),
  forSchema(inRecord('a missing key', without('kind'))),
  forSchema(inRecord('a misspelled key that is required', misspell('kind', 'knid'))),
  forSchema(inRecord('a value that is not allowed', (thing) => ({ ...thing, kind: 'Old' }))),
  misspelledOptional(),
  inRecord('a reference to nothing', (thing) => ({ ...thing, near: ['id-1', 'nobody'] })),
  inRecord('a record without an id', without('id'), hasIdInRecord),
  inRecord('an empty id', (thing) => ({ ...thing, id: '' }), hasIdInRecord),
  inRecord('an id that is a list', (thing) => ({ ...thing, id: ['id-1'] }), hasIdInRecord),
  inRecord('a null instead of a record', () => null, hasIdInRecordOfList),
  inRecord('a text instead of a record', () => 'id-1', hasIdInRecordOfList),
  copied('a copied record with another comment', { comment: 'Changed.' }),
  copied('a copied record', {}),
  swapped(),
]

function hasIdInRecordOfList(kind: Kind): boolean {
  // A function of the configuration may read an id from whatever it likes.
  return kind.id === 'key' && kind.shape.ending !== '.md'
}

/** A key that the schema allows, but that is probably a mistake. */
function misspelledOptional(): Fault {
  const isOpen = ({ isOpen, schema }: Kind) => isOpen && schema !== 'none'
  const fault = inRecord('a misspelled key', misspell('comment', 'coment'), isOpen)
  return {
    ...fault,
    plant(kind, choose) {
      const planted = fault.plant(kind, choose)
      return planted && { ...planted, note: /^Key .*"coment"/m }
    },
  }
}

/** A record that is there twice, with other values of some keys. */
function copied(name: string, changed: Thing): Fault {
  return {
    name,
    plant(kind, choose) {
      const isDropped = kind.duplicates === 'drop'
      const isSame = Object.keys(changed).length === 0
      if (!hasIdInRecord(kind) || (isDropped && isSame)) return undefined

      const index = choose([...kind.things.keys()])
      const things = kind.things.flatMap((thing, at) => {
        return at === index ? [thing, { ...thing, ...changed }] : [thing]
      })
      const withCopy = { ...kind, things }
      const planted = { kind: withCopy, named: fileOf(withCopy, index + 1) }
      return isDropped ? { ...planted, note: /1 dropped as duplicates/ } : planted
    },
  }
}

function swapped(): Fault {
  return {
    name: 'two records in the wrong order',
    plant(kind) {
      const isFree = kind.sorted === 'no' || kind.shape.files.startsWith('each')
      if (isFree) return undefined

      const [first, second, ...others] = kind.things as [Thing, Thing, ...Thing[]]
      return { kind: { ...kind, things: [second, first, ...others] }, named: fileOf(kind, 0) }
    },
  }
}

function textOf(kind: Kind, file: string): string {
  return lay([kind]).files[file] as string
}

type ChangeText = (text: string) => string | Uint8Array

function inText(name: string, endings: readonly Ending[], change: ChangeText): Fault {
  return {
    name,
    plant(kind, choose) {
      if (!endings.includes(kind.shape.ending)) return undefined

      const file = fileOf(kind, choose([...kind.things.keys()]))
      const text = textOf(kind, file)
      const changed = change(text)
      if (changed === text) throw new Error(`${name} changes nothing in ${text}`)
      return { files: { [file]: changed }, named: file }
    },
  }
}

const OF_BRACES = ['.json', '.jsonc', '.jsonl'] as const
const OF_YAML = ['.yaml', '.md'] as const
const ALL = [...OF_BRACES, ...OF_YAML]

/** The last bracket of a text. */
const LAST = /[}\]]\s*$/

const IN_BRACES: readonly Fault[] = [
  inText('a missing comma', OF_BRACES, (text) => text.replace(/,(\s*"kind")/, '$1')),
  inText('a comma twice', OF_BRACES, (text) => text.replace(/,(\s*"kind")/, ',,$1')),
  inText('a comma at the end', ['.json', '.jsonl'], (text) => text.replace(LAST, ',$&')),
  inText('a comma after the end', OF_BRACES, (text) => `${text.trimEnd()},\n`),
  inText('a missing bracket', OF_BRACES, (text) => text.replace(LAST, '')),
  inText('a bracket too many', OF_BRACES, (text) => text.replace(LAST, '$&}')),
  inText('a missing colon', OF_BRACES, (text) => text.replace('"kind":', '"kind"')),
  inText('an equals sign', OF_BRACES, (text) => text.replace('"kind":', '"kind" =')),
  inText('a key without quotes', OF_BRACES, (text) => text.replace('"kind"', 'kind')),
  inText('a missing quote', OF_BRACES, (text) => text.replace('"kind"', '"kind')),
  inText('single quotes', OF_BRACES, (text) => text.replace('"kind"', "'kind'")),
  inText('a quote in a text', OF_BRACES, (text) => text.replace('Örtchen', 'Ö"rtchen')),
  inText('a line break in a text', OF_BRACES, (text) => text.replace('Örtchen', 'Ört\nchen')),
  inText('a tab in a text', OF_BRACES, (text) => text.replace('Örtchen', 'Ört\tchen')),
  inText('a wrong escape', OF_BRACES, (text) => text.replace('Örtchen', '\\Örtchen')),
  inText('half a character', OF_BRACES, (text) => text.replace('Örtchen', '\\ud83d')),
  inText('NaN', OF_BRACES, (text) => text.replace(/"size": ?\d+/, '"size": NaN')),
  inText('a zero before a number', OF_BRACES, (text) => text.replace(/("size": ?)/, '$10')),
  inText('a comment', ['.json', '.jsonl'], (text) => `// The list of all.\n${text}`),
  inText('a key twice', OF_BRACES, (text) => text.replace('"kind"', '"kind": "old", "kind"')),
  inText('only a comment', ['.jsonc'], () => '// Nothing yet.\n'),
  inText('only a comma', OF_BRACES, () => '[,]'),
]

/** Such as the line "kind: old" of a record. */
const LINE = /^( *(?:- )?)kind: /m

const IN_YAML: readonly Fault[] = [
  inText('a tab', OF_YAML, (text) => text.replace(/^( *)kind:/m, '\t$1kind:')),
  inText('a space too many', OF_YAML, (text) => text.replace(LINE, ' $1kind: ')),
  inText('no space after a colon', OF_YAML, (text) => text.replace(LINE, '$1kind:')),
  inText('no colon', OF_YAML, (text) => text.replace(LINE, '$1kind ')),
  inText('an open quote', OF_YAML, (text) => text.replace(LINE, '$1kind: "')),
  inText('an open bracket', OF_YAML, (text) => text.replace(LINE, '$1kind: [')),
  inText('a key twice', OF_YAML, (text) => text.replace(LINE, '$1kind: new\n$&')),
  inText('an unknown alias', OF_YAML, (text) => text.replace(LINE, '$1kind: *nobody #')),
  inText('an unknown tag', OF_YAML, (text) => text.replace(LINE, '$1kind: !old ')),
  inText('a colon in a text', OF_YAML, (text) => text.replace('Örtchen', 'Ört: chen')),
  inText('a @ before a text', OF_YAML, (text) => text.replace('Örtchen', '@Örtchen')),
  inText('only a comment', ['.yaml'], () => '# Nothing yet.\n'),
  inText('only a line', ['.yaml'], () => '---\n'),
  inText('two documents', ['.yaml'], (text) => `${text}---\n${text}`),
  inText('no line at the beginning', ['.md'], (text) => text.replace('---\n', '')),
  inText('no line at the end', ['.md'], (text) => text.replace('\n---\n', '\n')),
  inText('nothing between the lines', ['.md'], () => '---\n---\n\nA text about it.\n'),
]

const LFS = `version https://git-lfs.github.com/spec/v1\noid sha256:${'4d7a'.repeat(16)}\nsize 12345\n`

const IN_ALL_TEXTS: readonly Fault[] = [
  inText('an empty file', ALL, () => ''),
  inText('only line breaks', ALL, () => '\n\n'),
  inText('a file that was cut', ALL, (text) => text.slice(0, text.lastIndexOf('kind') + 2)),
  inText('UTF-16', ALL, (text) => Buffer.from(`\ufeff${text}`, 'utf16le')),
  inText('UTF-16 of the other order', ALL, (text) => {
    return Buffer.from(`\ufeff${text}`, 'utf16le').swap16()
  }),
  inText('Latin-1', ALL, (text) => Buffer.from(text, 'latin1')),
  inText('gzip', ALL, (text) => gzipSync(text)),
  inText('a pointer of Git LFS', ALL, () => LFS),
  inText('zeros', ALL, () => Buffer.alloc(4096)),
  inText('zeros at the end', [...OF_BRACES, '.yaml'], (text) => `${text}${'\0'.repeat(64)}`),
  inText('a page about an error', ALL, () => '<!DOCTYPE html>\n<title>502</title>\n'),
  inText('marks of a conflict', ALL, (text) => {
    return text.replace(/^.*kind.*$/m, '<<<<<<< HEAD\n$&\n=======\n$&\n>>>>>>> theirs')
  }),
  inText('a null', ALL, () => 'null\n'),
  inText('a number', ALL, () => '5\n'),
  inText('a text', ALL, () => '"nothing"\n'),
  inText('a word', ALL, () => 'nothing\n'),
]

/** Puts something else in the place of a file. */
function onDisk(name: string, put: (place: string) => void): Fault {
  return {
    name,
    plant(kind, choose) {
      const file = fileOf(kind, choose([...kind.things.keys()]))
      return { files: { [file]: put }, named: file, note: unreadNote(file) }
    },
  }
}

/** The line of each run about a file that isn't read. */
function unreadNote(file: string): RegExp {
  return new RegExp(`^Unread +(?:.*/)?${file}: `, 'm')
}

const isRoot = process.getuid?.() === 0

const ON_DISK: readonly Fault[] = [
  onDisk('a broken link', (place) => symlinkSync('nowhere', place)),
  onDisk('a link to itself', (place) => symlinkSync(place, place)),
  onDisk('a link to a folder', (place) => symlinkSync('.', place)),
  onDisk('a fifo', (place) => spawnSync('mkfifo', [place])),
  ...(isRoot ? [] : [onDisk('a file that nobody may read', unreadable)]),
  beside('a file of another kind', 'notes.txt', 'Notes\n'),
  beside('a copy of an editor', 'all.json.orig', '[]'),
  beside('a compressed file', 'more.json.gz', '[]'),
  beside('a table', 'more.csv', 'id,name\n'),
]

function unreadable(place: string): void {
  writeFileSync(place, '[]')
  chmodSync(place, 0)
}

/** Puts a file beside those of a collection. Files that no pattern matches aren't named. */
function beside(name: string, file: string, text: string): Fault {
  return {
    name,
    plant(kind) {
      const isMatched = kind.files === 'folder' || kind.shape.files !== 'one'
      if (!isMatched) return undefined

      const place = `${kind.name}/${file}`
      return { files: { [place]: text }, named: place, note: unreadNote(place) }
    },
  }
}

/** Leaves no file in a place. */
export function nothing(): void {}

/** Puts another ending at the name of a file. */
function renamed(ending: string): Fault {
  return {
    name: `a file whose name ends in ${ending}`,
    plant(kind, choose) {
      const isMatched = kind.files === 'folder' || kind.shape.files !== 'one'
      if (!isMatched) return undefined

      const file = fileOf(kind, choose([...kind.things.keys()]))
      const text = textOf(kind, file)
      const other = `${file}${ending}`
      return { files: { [file]: nothing, [other]: text }, named: other, note: unreadNote(other) }
    },
  }
}

/** Puts a mistake into the configuration of a collection. */
function inConfig(
  name: string,
  change: (kind: Kind) => Partial<CollectionConfig> | undefined,
  expected: Partial<Planted> = {},
): Fault {
  return {
    name,
    plant(kind) {
      const changed = change(kind)
      if (!changed) return undefined

      const right = lay([kind]).config[kind.name] as CollectionConfig
      const config = { [kind.name]: { ...right, ...changed } }
      return { config, named: kind.name, ...expected }
    },
  }
}

const IN_CONFIG: readonly Fault[] = [
  inConfig('an id that no record has', () => ({ id: 'ID' })),
  inConfig('an order by a key that no record has', ({ shape }) => {
    return shape.files.startsWith('each') ? undefined : { sorted: 'title' }
  }),
  inConfig('records under a key that no file has', () => ({ records: 'entries' })),
  inConfig('a reference to no collection', () => ({ references: () => ({ nowhere: 'id-1' }) })),
  inConfig(
    'references from a key that no record has',
    ({ refersTo }) => ({ references: (thing) => ({ [refersTo]: thing.nearby }) }),
    { note: /^\w+: \d+ records?\b.*names nothing for any record/m, isLenient: true },
  ),
  inConfig('files that are not there', () => ({ files: 'nowhere/*.json' }), { named: 'nowhere' }),
  // It leaves nothing out, so that more is checked than somebody wants.
  inConfig('an exclusion of nothing', ({ name }) => ({ files: [name, '!nowhere/*'] }), {
    note: /^Unread +!nowhere/m,
    isLenient: true,
  }),
]

type Json = ReturnType<typeof JSON.parse>

/** Changes the schema of a collection. */
function inSchema(name: string, change: (record: Json) => void): Fault {
  return {
    name,
    plant(kind) {
      if (kind.schema === 'none') return undefined

      const file = schemaFile(kind)
      const schema = JSON.parse(textOf(kind, file))
      const { thing } = schema.definitions ?? schema.$defs ?? { thing: schema }
      change(thing.oneOf?.[0] ?? thing)

      const note = new RegExp(`^Schema +${file}:`, 'm')
      return { files: { [file]: JSON.stringify(schema) }, named: file, note, isLenient: true }
    },
  }
}

/** Puts another text in the place of the schema of a collection. */
function insteadOfSchema(name: string, text: string): Fault {
  return {
    name,
    plant(kind) {
      if (kind.schema === 'none') return undefined

      const file = schemaFile(kind)
      const note = new RegExp(`^Schema +${file}:`, 'm')
      return { files: { [file]: text }, named: file, note, isLenient: true }
    },
  }
}

const IN_SCHEMAS: readonly Fault[] = [
  insteadOfSchema('an empty schema', ''),
  insteadOfSchema('a schema that is not JSON', '{ "type": }'),
  insteadOfSchema('a schema that allows everything', '{}'),
  inSchema('a misspelled keyword', (record) => {
    record.propertis = record.properties
    delete record.properties
  }),
  inSchema('an unknown type', ({ properties }) => {
    properties.name = { type: 'sting' }
  }),
  inSchema('an unknown format', ({ properties }) => {
    properties.name = { type: 'string', format: 'nmae' }
  }),
  inSchema('a reference to no schema', ({ properties }) => {
    properties.name = { $ref: '#/nowhere' }
  }),
  inSchema('a pattern that is none', ({ properties }) => {
    properties.name = { type: 'string', pattern: '[' }
  }),
  inSchema('else without if', (record) => {
    record.else = { required: ['comment'] }
  }),
]

export const FAULTS: readonly Fault[] = [
  ...IN_RECORDS,
  ...IN_BRACES,
  ...IN_YAML,
  ...IN_ALL_TEXTS,
  ...ON_DISK,
  ...['~', '.bak', '.gz', '.txt'].map(renamed),
  ...[...IN_CONFIG, ...IN_SCHEMAS].map((fault) => ({ ...fault, isOfSetup: true })),
]
