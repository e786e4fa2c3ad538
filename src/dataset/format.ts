/**
 * The format of a dataset's files: of the pages, and of the manifest, which says what they were made
 * of. Same input, same bytes: no date, no absolute path, no order that depends on the machine. The
 * manifest is emitted in pieces, because a single string could exceed V8's limit of 512 MB.
 */
import type { Digest } from '../machine/growing-file.ts'
import type { Duplicate, Provenance } from './precedence.ts'

/** What went in, what came out, what was dropped. */
export interface Manifest {
  dataset: FileEntry
  /** The types of the items; undefined if only the data was checked. */
  types: FileEntry | undefined
  /** The types of an import of the dataset. */
  importTypes: FileEntry | undefined
  /** Null without a schema. */
  schema: { sha256: string } | null
  totals: Totals
  /** In the order of precedence. */
  batches: BatchEntry[]
  /** What refuses the records that are left out. */
  refused: readonly Refused[]
  duplicates: readonly Duplicate[]
}

/** A fault of a record that is left out: its place in the batch, and its kind. */
interface Refused extends Provenance {
  /** RFC 6901. */
  pointer: string
  /** Such as `schema.type`. */
  code: string
}

/** A file of the dataset. */
export type FileEntry = Digest & { file: string }

type Totals = Omit<BatchEntry, 'file' | 'sha256'> &
  Record<'batches' | 'withForms' | 'identical' | 'conflicting', number>

export interface BatchEntry {
  /** Relative to the batch folder. */
  file: string
  sha256: string
  records: number
  kept: number
  dropped: number
  refused: number
}

/** Who has made a dataset. */
const MAKER = 'ManyURLs'

/** The names of the files that make up the dataset of a site. */
export const FILES = {
  dataset: 'dataset.json',
  types: 'dataset.d.ts',
  importTypes: 'dataset.d.json.ts',
  manifest: 'manifest.json',
} as const

/** What a build reads of the manifest before it. */
export type ManifestHead = Partial<Pick<Manifest, 'dataset' | 'schema' | 'batches'>>

/** The names of the files of one dataset. */
type FileNames = Record<'dataset' | 'types' | 'importTypes', string>

/** How the files of datasets are called, and what their manifest looks like. */
export interface Layout {
  filesOf(collection: string): FileNames
  /** Emits the one manifest of all collections as JSON, in pieces. */
  emit(manifests: ReadonlyMap<string, Manifest>): Generator<string>
  /** Returns what a manifest says of a collection before its duplicates; nothing for any other text. */
  readHead(text: string, collection: string): ManifestHead
}

/** The dataset of a site, whose only collection has the manifest for itself. */
export const SITE: Layout = {
  filesOf: () => FILES,
  *emit(manifests) {
    for (const manifest of manifests.values()) {
      yield* emitManifest({ generatedBy: MAKER, ...manifest }, 'path')
      yield '\n'
    }
  },
  readHead,
}

/** A dataset for each collection, and one manifest with a part for each. */
export const COLLECTIONS: Layout = {
  filesOf: (name) => ({
    dataset: `${name}.json`,
    types: `${name}.d.ts`,
    importTypes: `${name}.d.json.ts`,
  }),
  *emit(manifests) {
    yield `{\n  "generatedBy": ${JSON.stringify(MAKER)},\n  "collections": {`
    let separator = '\n'
    for (const [name, manifest] of manifests) {
      yield `${separator}    ${JSON.stringify(name)}: `
      for (const piece of emitManifestOf(manifest)) yield indented(piece)
      separator = ',\n'
    }
    yield '\n  }\n}\n'
  },
  readHead(text, collection) {
    try {
      const manifest: ManifestHead = JSON.parse(text).collections[collection]
      return isWhole(manifest) ? manifest : {}
    } catch {
      return {}
    }
  },
}

/** No line break is in a text of JSON. */
function indented(piece: string): string {
  return piece.replaceAll('\n', '\n    ')
}

/** A collection has no forms. */
function withoutForms({ dataset, types, importTypes, schema, totals, ...lists }: Manifest) {
  const { withForms, ...counts } = totals
  return { dataset, types, importTypes, schema, totals: counts, ...lists }
}

/**
 * The text before, between and after the items of a dataset: a JSON array, or an object of items by
 * their ids; one item per line, in the order in which the ids were claimed. An item is written as
 * `JSON.stringify` writes it.
 */
export const DATASET = {
  list: { start: '[\n', end: '\n]\n', empty: '[]\n' },
  byId: { start: '{\n', end: '\n}\n', empty: '{}\n' },
  between: ',\n',
} as const

/** The second line of types without a dataset of theirs. */
const ALONE = '// These batches were refused: a dataset beside this file is older than these types.'

/** Marks a file of types that is written without a dataset, because the batches were refused. */
export function markAlone(types: string): string {
  return types.replace('\n', `\n${ALONE}\n`)
}

/** How the files of a dataset begin, whatever their line breaks; a torn one may be empty. */
const BEGINNINGS = {
  dataset: /^(?:\[\r?\n\{"|\[\]|\{\r?\n"|\{\}|$)/,
  types: /^(?:\/\/ Made by ManyURLs|$)/,
  manifest: /^(?:\{\s*"generatedBy":\s*"ManyURLs"|$)/,
}

/**
 * Returns the first file that we cannot prove to be of a build; undefined if all may be replaced.
 *
 * The types of the items always prove themselves: version 0.5 didn't write them, so someone may have
 * put that file beside a dataset.
 *
 * If a build made the manifest, the other files are of a dataset, too, whatever someone changed in
 * them. A first build that is killed leaves none: it puts the two files of types into place, then the
 * dataset, then the manifest. Types that are marked as alone have no dataset. Anyone may have a list of
 * objects, so only the types beside it prove whose dataset it is: their first line names the build.
 *
 * @param startOf returns the beginning of a file; '' if there is none
 */
export function findForeign(
  startOf: (file: string) => string,
  { dataset, types, importTypes }: FileNames,
): string | undefined {
  if (!BEGINNINGS.types.test(startOf(types))) return types

  const { manifest } = FILES
  const manifestStart = startOf(manifest)
  if (manifestStart !== '') return BEGINNINGS.manifest.test(manifestStart) ? undefined : manifest

  const importTypesStart = startOf(importTypes)
  if (!BEGINNINGS.types.test(importTypesStart)) return importTypes

  const hasTypes = importTypesStart !== '' && !importTypesStart.includes(ALONE)
  const datasetStart = startOf(dataset)
  if (datasetStart !== '' && !hasTypes) return dataset

  return BEGINNINGS.dataset.test(datasetStart) ? undefined : dataset
}

/** Emits the manifest of one collection, in pieces. */
export function emitManifestOf(manifest: Manifest): Generator<string> {
  return emitManifest(withoutForms(manifest), 'id')
}

/** Emits a manifest as JSON, with one batch, refusal or duplicate per line. */
function* emitManifest(
  { batches, refused, duplicates, ...head }: Omit<Manifest, 'totals'> & { generatedBy?: string },
  idKey: 'path' | 'id',
): Generator<string> {
  // Without the closing bracket and the line break before it.
  yield JSON.stringify(head, null, 2).slice(0, -2)

  const lists = { batches, refused, duplicates: toWritten(duplicates, idKey) }
  for (const [name, items] of Object.entries(lists)) {
    yield `,\n  "${name}": `
    yield* emitItems(items)
  }
  yield '\n}'
}

function* toWritten(
  duplicates: readonly Duplicate[],
  idKey: 'path' | 'id',
): Generator<Record<string, unknown>> {
  for (const { id, ...duplicate } of duplicates) yield { [idKey]: id, ...duplicate }
}

/** Emits a list as JSON, with one item per line. */
export function* emitItems(items: Iterable<object>): Generator<string> {
  const start = '[\n    '
  let separator = start

  for (const item of items) {
    yield separator + JSON.stringify(item)
    separator = ',\n    '
  }

  yield separator === start ? '[]' : '\n  ]'
}

/** What comes before the duplicates in the text of a manifest. They may take gigabytes, and come last. */
const DUPLICATES = ',\n  "duplicates": ['

/** Returns what a manifest says before its duplicates; nothing for any other text. */
function readHead(manifest: string): ManifestHead {
  const [head = ''] = manifest.split(DUPLICATES, 1)
  const hasDuplicates = head !== manifest

  try {
    const read: ManifestHead = JSON.parse(hasDuplicates ? `${head}}` : head)
    return isWhole(read) ? read : {}
  } catch {
    return {}
  }
}

/** Someone may have changed it. */
function isWhole({ batches }: ManifestHead): boolean {
  return batches?.every(({ file, sha256 }) => file && sha256) ?? false
}

/**
 * Creates the manifest of a dataset.
 *
 * @param kept the number of pages, and of those that have a form
 * @throws Error unless the books balance: every record read was kept, is listed as dropped, or is refused
 */
export function makeManifest(
  { batches, refused, duplicates, ...files }: Omit<Manifest, 'totals'> & { generatedBy?: string },
  { kept, withForms }: Record<'kept' | 'withForms', number>,
): Manifest {
  const drops = duplicates.flatMap(({ dropped }) => dropped)
  const identical = drops.filter(({ kind }) => kind === 'identical').length
  const refusedRecords = new Set(refused.map(({ batch, index }) => `${index} ${batch}`))

  const totals: Totals = {
    batches: batches.length,
    records: sumOf(batches, 'records'),
    kept,
    withForms,
    dropped: drops.length,
    identical,
    conflicting: drops.length - identical,
    refused: refusedRecords.size,
  }
  checkBooks(batches, totals)

  return { ...files, totals, batches, refused, duplicates }
}

/** @throws Error unless the batches and the totals count the same records, and each of them once */
function checkBooks(batches: readonly BatchEntry[], totals: Totals): void {
  const { records, kept, dropped, refused } = totals
  const isWhole = records === kept + dropped + refused
  const isSame =
    sumOf(batches, 'kept') === kept &&
    sumOf(batches, 'dropped') === dropped &&
    sumOf(batches, 'refused') === refused
  if (isWhole && isSame) return

  throw new Error(
    `the books do not balance: ${records} read, ${kept} kept, ${dropped} dropped, ${refused} refused`,
  )
}

function sumOf(
  batches: readonly BatchEntry[],
  key: 'records' | 'kept' | 'dropped' | 'refused',
): number {
  return batches.reduce((sum, batch) => sum + batch[key], 0)
}
