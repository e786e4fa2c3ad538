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
  /** Why records were left out. */
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
  Record<'batches' | 'identical' | 'conflicting', number> & {
    /** How many pages have a form; undefined if the records aren't pages. */
    withForms: number | undefined
  }

export interface BatchEntry {
  /** Relative to the folder of the configuration. */
  file: string
  sha256: string
  records: number
  kept: number
  dropped: number
  refused: number
}

/** The part of the last manifest that a build reads. */
export type ManifestHead = Partial<Pick<Manifest, 'dataset' | 'schema' | 'batches'>>

/** The file that says what the datasets beside it were made of. */
export const MANIFEST = 'manifest.json'

/** The names of the files of one dataset. */
type FileNames = Record<'dataset' | 'types' | 'importTypes', string>

/** @param name of the dataset, such as "countries" */
export function filesOf(name: string): FileNames {
  return {
    dataset: `${name}.json`,
    types: `${name}.d.ts`,
    importTypes: `${name}.d.json.ts`,
  }
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

/** The second line of types that have no dataset. */
const ALONE = '// These files were refused: a dataset beside this file is older than these types.'

/** The same line, also as version 0.5 wrote it. */
const IS_ALONE = /^\/\/ These (?:files|batches) were refused:/m

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

  const manifestStart = startOf(MANIFEST)
  if (manifestStart !== '') return BEGINNINGS.manifest.test(manifestStart) ? undefined : MANIFEST

  const importTypesStart = startOf(importTypes)
  if (!BEGINNINGS.types.test(importTypesStart)) return importTypes

  const hasTypes = importTypesStart !== '' && !IS_ALONE.test(importTypesStart)
  const datasetStart = startOf(dataset)
  if (datasetStart !== '' && !hasTypes) return dataset

  return BEGINNINGS.dataset.test(datasetStart) ? undefined : dataset
}

/**
 * Emits the one manifest of all collections as JSON, in pieces: first the files, totals and batches of
 * each, which the next build reads, then the lists that may be very long.
 */
export function* emitManifest(manifests: ReadonlyMap<string, Manifest>): Generator<string> {
  yield '{\n  "generatedBy": "ManyURLs"'
  yield* emitByName('collections', manifests, emitHead)
  yield* emitByName('refused', manifests, ({ refused }) => emitItems(refused, 4))
  yield* emitByName('duplicates', manifests, ({ duplicates }) => emitItems(duplicates, 4))
  yield '\n}\n'
}

/** Emits a key of the manifest whose value is an object with one key for each collection. */
function* emitByName(
  key: string,
  manifests: ReadonlyMap<string, Manifest>,
  emit: (manifest: Manifest) => Iterable<string>,
): Generator<string> {
  yield `,\n  "${key}": {`

  let separator = '\n'
  for (const [name, manifest] of manifests) {
    yield `${separator}    ${JSON.stringify(name)}: `
    yield* emit(manifest)
    separator = ',\n'
  }

  yield '\n  }'
}

/** Emits what comes before the long lists, with one batch per line. */
function* emitHead(manifest: Manifest): Generator<string> {
  yield* emitOpenHead(manifest)
  yield '\n    }'
}

/** Emits the head without the bracket at its end. */
function* emitOpenHead({ batches, refused, duplicates, ...head }: Manifest): Generator<string> {
  const text = JSON.stringify(head, null, 2).replaceAll('\n', '\n    ')

  yield text.slice(0, -'\n    }'.length)
  yield ',\n      "batches": '
  yield* emitItems(batches, 6)
}

/** Emits all that a manifest says of one collection. */
export function* emitManifestOf(manifest: Manifest): Generator<string> {
  yield* emitOpenHead(manifest)
  yield ',\n      "refused": '
  yield* emitItems(manifest.refused, 6)
  yield ',\n      "duplicates": '
  yield* emitItems(manifest.duplicates, 6)
  yield '\n    }'
}

/**
 * Emits a list as JSON, with one item per line.
 *
 * @param indent of the line in which the list begins, in columns
 */
export function* emitItems(items: Iterable<object>, indent = 2): Generator<string> {
  const margin = ' '.repeat(indent)
  const start = `[\n${margin}  `
  let separator = start

  for (const item of items) {
    yield separator + JSON.stringify(item)
    separator = `,\n${margin}  `
  }

  yield separator === start ? '[]' : `\n${margin}]`
}

/**
 * What comes after the heads in the text of a manifest, and nowhere before: in a text of JSON, quotes are
 * escaped. What follows may take gigabytes.
 */
export const AFTER_HEADS = '"refused": {'

/** The comma and the line break at the end of the heads; Git may have written `\r\n`. */
const END_OF_HEADS = /,\s*$/

/**
 * Returns what a manifest says of each collection.
 *
 * @param heads its text before `AFTER_HEADS`; any other text says nothing
 */
export function readHeads(heads: string): ReadonlyMap<string, ManifestHead> {
  try {
    const { collections } = JSON.parse(heads.replace(END_OF_HEADS, '}')) as {
      collections: Record<string, ManifestHead>
    }
    return new Map(Object.entries(collections).filter(([, head]) => isWhole(head)))
  } catch {
    return new Map()
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
  { batches, refused, duplicates, ...files }: Omit<Manifest, 'totals'>,
  { kept, withForms }: Pick<Totals, 'kept' | 'withForms'>,
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
