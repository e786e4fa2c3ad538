/** What a build that succeeded says of itself, to a person and to a program. */
import type { Duplicate } from './dedupe.ts'
import { emitManifest, type Manifest } from './emit.ts'
import { type Problem, printable } from './problem.ts'
import { formatNumber } from './wording.ts'

/** How bits of the text are set off in a terminal; the identity where they are not. */
export interface Paint {
  strong(text: string): string
  mark(text: string): string
}

export const plain: Paint = { strong: (text) => text, mark: (text) => text }

/** Every dropped record with the record that beat it, a line each. */
export function* formatDropped(duplicates: Iterable<Duplicate>): Generator<string> {
  for (const { path, kept, dropped } of duplicates) {
    for (const { batch, index, kind, fields } of dropped) {
      const why = kind === 'identical' ? kind : `${kind}: ${fields.join(', ')}`
      const line = `${path}  kept ${kept.batch} record ${kept.index}; dropped ${batch} record ${index} (${why})`
      yield `${printable(line)}\n`
    }
  }
}

/**
 * What went in and what came out.
 *
 * @param outcome one sentence: whether it was written, and where
 * @param milliseconds how long it took
 */
export function formatSummary(
  { totals, dataset }: Manifest,
  outcome: string,
  milliseconds: number,
  paint = plain,
): string {
  const { batches, records, kept, withForms, dropped, identical, conflicting } = totals
  const rows = [
    ['Batches', formatNumber(batches)],
    ['Records', formatNumber(records)],
    ['Kept', `${formatNumber(kept)} (${formatNumber(withForms)} with forms)`],
    [
      'Dropped',
      `${formatNumber(dropped)} (${formatNumber(identical)} identical, ${formatNumber(conflicting)} conflicting)`,
    ],
    ['Output', outcome],
    ['SHA-256', dataset.sha256],
    ['Time', `${(milliseconds / 1000).toFixed(2)} s`],
  ]
  return rows.map(([name = '', value]) => `${paint.strong(name.padEnd(9))}${value}\n`).join('')
}

/** The report of a build as JSON: whether it is `ok`, and its manifest or its problems. */
export function* formatJson(
  result: { ok: true; manifest: Manifest } | { ok: false; problems: readonly Problem[] },
): Generator<string> {
  if (result.ok) {
    yield '{\n"ok": true,\n"manifest": '
    for (const piece of emitManifest(result.manifest)) yield printableJson(piece)
    yield '}\n'
    return
  }
  yield '{\n"ok": false,\n"problems": ['
  let separator = '\n'
  for (const { frame, ...problem } of result.problems) {
    yield separator + printableJson(JSON.stringify(problem))
    separator = ',\n'
  }
  yield '\n]\n}\n'
}

/** The same value; in JSON an escape stands for its character. */
function printableJson(json: string): string {
  return json.replace(/[^\n]+/g, printable)
}

/** A number of bytes, such as "112.4 kB". */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`
}
