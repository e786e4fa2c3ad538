/**
 * The format of a dataset's files: of the pages, and of the manifest, which says what they were made
 * of. Same input, same bytes: no date, no absolute path, no order that depends on the machine. The
 * manifest is emitted in pieces, because a single string could exceed V8's limit of 512 MB.
 */
import type { Digest } from '../machine/growing-file.ts'
import type { Duplicate, Provenance } from './precedence.ts'

/** What went in, what came out, what was dropped. */
export interface Manifest {
  generatedBy: string
  dataset: FileEntry
  types: FileEntry
  schema: { sha256: string }
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

/** Who has made a dataset; until version 0.3, it was named by its command. */
const MAKER = 'ManyURLs'

/** The names of the files that make up a dataset. */
export const FILES = {
  dataset: 'dataset.json',
  types: 'dataset.d.json.ts',
  manifest: 'manifest.json',
} as const

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

/** Marks types that are written without a dataset, because the batches were refused. */
export function markAlone(types: string): string {
  return types.replace('\n', `\n${ALONE}\n`)
}

/** How the files of a dataset begin, whatever their line breaks; a torn one may be empty. */
const BEGINNINGS: Record<string, RegExp> = {
  [FILES.dataset]: /^(?:\[\r?\n\{"|\[\]|$)/,
  [FILES.types]: /^(?:\/\/ Made by (?:ManyURLs|`npm run build-data`)|$)/,
  [FILES.manifest]: /^(?:\{\s*"generatedBy":\s*"(?:ManyURLs|npm run build-data)"|$)/,
}

/**
 * Returns the first file that we cannot prove to be of a build; undefined if all may be replaced.
 *
 * If a build made the manifest, the other files are of a dataset, too, whatever someone changed in
 * them. A first build that is killed leaves none: it puts the types into place, then the dataset, then
 * the manifest. Types that are marked as alone have no dataset. Anyone may have a list of objects, so only the types beside it prove whose dataset it
 * is: their first line names the build.
 *
 * @param startOf returns the beginning of a file; '' if there is none
 */
export function findForeign(startOf: (file: string) => string): string | undefined {
  const isOurs = (file: string) => BEGINNINGS[file]?.test(startOf(file))

  const hasManifest = startOf(FILES.manifest) !== ''
  if (hasManifest) return isOurs(FILES.manifest) ? undefined : FILES.manifest

  if (!isOurs(FILES.types)) return FILES.types

  const types = startOf(FILES.types)
  const hasTypes = types !== '' && !types.includes(ALONE)
  const hasDataset = startOf(FILES.dataset) !== ''
  if (hasDataset && !hasTypes) return FILES.dataset

  return isOurs(FILES.dataset) ? undefined : FILES.dataset
}

/** Emits the manifest as JSON, with one batch, refusal or duplicate per line. */
export function* emitManifest(manifest: Manifest): Generator<string> {
  const { batches, refused, duplicates, ...head } = manifest
  // Without the closing bracket and the line break before it.
  yield JSON.stringify(head, null, 2).slice(0, -2)

  const named = duplicates.map(({ id, ...duplicate }) => ({ path: id, ...duplicate }))
  for (const [name, items] of Object.entries({ batches, refused, duplicates: named })) {
    yield `,\n  "${name}": `
    yield* emitItems(items)
  }
  yield '\n}\n'
}

/** Emits a list as JSON, with one item per line. */
export function* emitItems(items: readonly object[]): Generator<string> {
  let separator = '[\n    '

  for (const item of items) {
    yield separator + JSON.stringify(item)
    separator = ',\n    '
  }

  yield items.length > 0 ? '\n  ]' : '[]'
}

/** Reads a manifest that is whole. */
export function parseManifest(text: string): Manifest {
  const { duplicates, ...rest } = JSON.parse(text)
  return {
    ...rest,
    duplicates: duplicates.map(({ path, ...duplicate }: { path: string }) => ({
      id: path,
      ...duplicate,
    })),
  }
}

/** What comes before the duplicates in the text of a manifest. They may take gigabytes, and come last. */
const DUPLICATES = ',\n  "duplicates": ['

/** Returns what a manifest says before its duplicates; nothing for any other text. */
export function readHead(manifest: string): Partial<Manifest> {
  const [head = ''] = manifest.split(DUPLICATES, 1)
  const hasDuplicates = head !== manifest

  try {
    const read: Partial<Manifest> = JSON.parse(hasDuplicates ? `${head}}` : head)
    // Someone may have changed it.
    const isWhole = read.batches?.every(({ file, sha256 }) => file && sha256)
    return isWhole ? read : {}
  } catch {
    return {}
  }
}

/**
 * Creates the manifest of a dataset.
 *
 * @param kept the number of pages, and of those that have a form
 * @throws Error unless the books balance: every record read was kept, is listed as dropped, or is refused
 */
export function makeManifest(
  { batches, refused, duplicates, ...files }: Omit<Manifest, 'generatedBy' | 'totals'>,
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

  return { generatedBy: MAKER, ...files, totals, batches, refused, duplicates }
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
