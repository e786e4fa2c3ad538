/**
 * Hides the output format: what the files of a dataset look like. Same input, same bytes: no date,
 * no absolute path, no machine's order. Everything comes in pieces, for one string of everything
 * would meet V8's limit of 512 MB.
 */
import { createHash } from 'node:crypto'
import type { Duplicate } from './dedupe.ts'

/** What went in, what came out, what was dropped. */
export interface Manifest {
  generatedBy: string
  dataset: { file: string; sha256: string; bytes: number }
  schema: { sha256: string }
  totals: Totals
  /** In the order of precedence. */
  batches: BatchEntry[]
  /** There may be millions: made one by one, each time they are asked for. */
  duplicates: Iterable<Duplicate>
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
  check: 'check-batch.cjs',
  manifest: 'manifest.json',
} as const

/**
 * What stands before, between and after the pages of a dataset: a JSON array, one page a line, in
 * the order in which the paths were claimed. A page is what `JSON.stringify` makes of it.
 */
export const DATASET = { start: '[\n', between: ',\n', end: '\n]\n', empty: '[]\n' } as const

/**
 * The manifest as JSON; a duplicate a line.
 *
 * @throws Error unless the books balance: every record dropped has been named
 */
export function* emitManifest(manifest: Manifest): Generator<string> {
  const { batches, duplicates, ...head } = manifest
  yield `${JSON.stringify(head, null, 2).slice(0, -2)},\n`
  yield* emitList('batches', batches)
  yield ',\n'
  const stringify = duplicateStringifier()
  let named = 0
  yield* emitList('duplicates', duplicates, (duplicate) => {
    named += duplicate.dropped.length
    return stringify(duplicate)
  })
  const { dropped } = manifest.totals
  if (named !== dropped) {
    throw new Error(`the books do not balance: ${dropped} dropped, ${named} named`)
  }
  yield '\n}\n'
}

/** Large enough that it does not matter how many pieces there are. */
const PIECE = 2 ** 14

function* emitList<T>(
  name: string,
  items: Iterable<T>,
  stringify: (item: T) => string = JSON.stringify,
): Generator<string> {
  const rest = items[Symbol.iterator]()
  yield `  "${name}": [`
  let piece = takePiece(rest, '\n    ', stringify)
  const isEmpty = piece === ''
  for (; piece !== ''; piece = takePiece(rest, ',\n    ', stringify)) yield piece
  yield isEmpty ? ']' : '\n  ]'
}

/** No part of the generator, for V8 hardly optimizes the body of one. */
function takePiece<T>(rest: Iterator<T>, first: string, stringify: (item: T) => string): string {
  let piece = ''
  while (piece.length < PIECE) {
    const { done, value } = rest.next()
    if (done) break
    piece += (piece === '' ? first : ',\n    ') + stringify(value)
  }
  return piece
}

/**
 * As `JSON.stringify` writes it. There may be millions, of few batches and lists of fields: these
 * are written once.
 */
function duplicateStringifier(): (duplicate: Duplicate) => string {
  const starts = once((batch: string) => `{"batch":${JSON.stringify(batch)},"index":`)
  const ends = once((fields: string[]) => `,"fields":${JSON.stringify(fields)}}`)
  return ({ path, kept, dropped }) => {
    let line = `{"path":${JSON.stringify(path)},"kept":${starts(kept.batch)}${kept.index}},"dropped":[`
    let separator = ''
    for (const { batch, index, kind, fields } of dropped) {
      line += `${separator}${starts(batch)}${index},"kind":"${kind}"${ends(fields)}`
      separator = ','
    }
    return `${line}]}`
  }
}

/** The function, which is asked once for each of its arguments. */
function once<T>(make: (value: T) => string): (value: T) => string {
  const made = new Map<T, string>()
  return (value) => {
    let text = made.get(value)
    if (text === undefined) {
      text = make(value)
      made.set(value, text)
    }
    return text
  }
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

/** Whether a file is what `emitSealed` made of the same, unchanged since. */
export function isSealed(file: string, madeOf: string): boolean {
  const content = file.split('\n').slice(4).join('\n')
  return file === emitSealed(madeOf, content)
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** What was counted while pages were emitted and drops recorded. */
export interface Counts {
  kept: number
  withForms: number
  dropped: number
  identical: number
}

/**
 * The manifest of a dataset.
 *
 * @throws Error unless the books balance: every record read was kept or dropped
 */
export function makeManifest(
  parts: Omit<Manifest, 'generatedBy' | 'totals'>,
  counts: Counts,
): Manifest {
  const { batches, duplicates, dataset, schema } = parts
  const sum = (key: 'records' | 'kept' | 'dropped') =>
    batches.reduce((total, batch) => total + batch[key], 0)
  const { kept, withForms, dropped, identical } = counts
  const totals: Totals = {
    batches: batches.length,
    records: sum('records'),
    kept,
    withForms,
    dropped,
    identical,
    conflicting: dropped - identical,
  }
  const isBalanced =
    totals.records === totals.kept + totals.dropped &&
    sum('kept') === totals.kept &&
    sum('dropped') === totals.dropped
  if (!isBalanced) {
    const { records } = totals
    throw new Error(`the books do not balance: ${records} read, ${kept} kept, ${dropped} dropped`)
  }
  return { generatedBy: COMMAND, dataset, schema, totals, batches, duplicates }
}
