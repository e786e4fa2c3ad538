/**
 * The output format: what the files of a dataset look like. Same input, same bytes: no date, no
 * absolute path, no machine's order. The manifest comes in pieces, because one string of everything
 * would meet V8's limit of 512 MB.
 */
import { createHash } from 'node:crypto'
import type { Duplicate } from './dedupe.ts'

/** What went in, what came out, what was dropped. */
export interface Manifest {
  generatedBy: string
  dataset: FileEntry
  /** Absent where only the packages for production are installed: nothing there makes types. */
  types?: FileEntry
  schema: { sha256: string }
  totals: Totals
  /** In the order of precedence. */
  batches: BatchEntry[]
  duplicates: readonly Duplicate[]
}

/** A file of the dataset, beside the manifest. */
interface FileEntry {
  file: string
  sha256: string
  bytes: number
}

interface Totals {
  batches: number
  records: number
  kept: number
  withForms: number
  dropped: number
  identical: number
  conflicting: number
}

export interface BatchEntry {
  /** Relative to the batch folder. */
  file: string
  sha256: string
  records: number
  kept: number
  dropped: number
}

const COMMAND = 'npm run build-data'

/** The names of the files that make up a dataset. */
export const FILES = {
  dataset: 'dataset.json',
  types: 'dataset.d.json.ts',
  manifest: 'manifest.json',
} as const

/**
 * What stands before, between and after the pages of a dataset: a JSON array, one page a line, in
 * the order in which the paths were claimed. A page is what `JSON.stringify` makes of it.
 */
export const DATASET = { start: '[\n', between: ',\n', end: '\n]\n', empty: '[]\n' } as const

/** The manifest as JSON: a batch a line, a duplicate a line. */
export function* emitManifest(manifest: Manifest): Generator<string> {
  const { batches, duplicates, ...head } = manifest
  yield `${JSON.stringify(head, null, 2).slice(0, -2)},\n`
  yield* emitList('batches', batches)
  yield ',\n'
  yield* emitList('duplicates', duplicates)
  yield '\n}\n'
}

function* emitList(name: string, items: Iterable<object>): Generator<string> {
  let separator = '\n    '
  yield `  "${name}": [`
  for (const item of items) {
    yield separator + JSON.stringify(item)
    separator = ',\n    '
  }
  yield separator.startsWith(',') ? '\n  ]' : ']'
}

/**
 * The declaration of the dataset's type, to stand beside it: TypeScript reads `dataset.d.json.ts`
 * for an import of `dataset.json`, and never infers a type from data.
 *
 * @param types the types generated from the schema
 */
export function emitTypes(types: string): string {
  return `${types.trim()}\n\ndeclare const pages: readonly Page[]\nexport default pages\n`
}

/**
 * A file made of the schema, sealed by the digest of its content.
 *
 * @param madeOf all that decides the content, so that the same means the same file
 */
export function emitSealed(madeOf: string, content: string): string {
  return [
    `// Made by \`${COMMAND}\`. Do not edit; edit the schema of a batch instead.`,
    `// ${madeOf}`,
    `// Content: sha256 ${digest(content)}`,
    '',
    content,
  ].join('\n')
}

/** The content of what `emitSealed` made of the same; nothing when it is not, or was changed since. */
export function unseal(file: string, madeOf: string): string | undefined {
  const content = file.split('\n').slice(4).join('\n')
  return file === emitSealed(madeOf, content) ? content : undefined
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/**
 * The manifest of a dataset.
 *
 * @param kept how many pages it has, and how many of these have a form
 * @throws Error unless the books balance: every record read was kept, or named as dropped
 */
export function makeManifest(
  { dataset, types, schema, batches, duplicates }: Omit<Manifest, 'generatedBy' | 'totals'>,
  { kept, withForms }: Pick<Totals, 'kept' | 'withForms'>,
): Manifest {
  const sum = (key: 'records' | 'kept' | 'dropped') =>
    batches.reduce((total, batch) => total + batch[key], 0)
  const records = sum('records')
  let dropped = 0
  let identical = 0
  for (const duplicate of duplicates) {
    dropped += duplicate.dropped.length
    for (const { kind } of duplicate.dropped) if (kind === 'identical') identical++
  }
  if (records !== kept + dropped || sum('kept') !== kept || sum('dropped') !== dropped) {
    throw new Error(`the books do not balance: ${records} read, ${kept} kept, ${dropped} dropped`)
  }
  const conflicting = dropped - identical
  const totals = {
    batches: batches.length,
    ...{ records, kept, withForms, dropped, identical, conflicting },
  }
  const files = types ? { dataset, types } : { dataset }
  return { generatedBy: COMMAND, ...files, schema, totals, batches, duplicates }
}
