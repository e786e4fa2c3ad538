/** What a build that succeeded says of itself, to a person and to a program. */
import type { Changes } from './changes.ts'
import type { Duplicate, Provenance } from './dedupe.ts'
import { type BatchEntry, emitManifest, type Manifest } from './emit.ts'
import { type Problem, printable } from './problem.ts'
import { formatNumber, list, plural } from './wording.ts'

/** How bits of the text are set off in a terminal; the identity where they are not. */
export interface Paint {
  strong(text: string): string
  mark(text: string): string
}

export const plain: Paint = { strong: (text) => text, mark: (text) => text }

/**
 * Every dropped record with the record that beat it, a line each.
 *
 * @param folder the batch folder as the reader named it
 */
export function* formatDropped(duplicates: Iterable<Duplicate>, folder: string): Generator<string> {
  const place = ({ batch, index, line }: Provenance) =>
    `${folder}/${batch}${line === undefined ? ` record ${index}` : `:${line}`}`
  for (const { path, kept, dropped } of duplicates) {
    for (const drop of dropped) {
      const { kind, fields } = drop
      const why = kind === 'identical' ? kind : `${kind}: ${fields.join(', ')}`
      yield `${printable(`${path}  kept ${place(kept)}; dropped ${place(drop)} (${why})`)}\n`
    }
  }
}

/** How many batches have a line of their own. */
const MOST_BATCHES = 20

/**
 * What each batch contributed: the records read, kept and dropped, and which batches had their paths
 * first. Of many batches only those are named of which nothing was kept.
 */
export function describeBatches({ batches, duplicates }: Manifest): {
  rows: (BatchEntry & { why: string })[]
  /** How many more there are to be named. */
  more: number
} {
  const outstanding =
    batches.length <= MOST_BATCHES ? batches : batches.filter(({ kept }) => kept === 0)
  const shown = outstanding.slice(0, MOST_BATCHES)
  const losses = new Map(
    shown.map(({ file }) => [file, { identical: 0, conflicting: 0, to: new Set<string>() }]),
  )
  for (const { kept, dropped } of losses.size === 0 ? [] : duplicates) {
    for (const { batch, kind } of dropped) {
      const loss = losses.get(batch)
      if (!loss) continue
      loss[kind]++
      loss.to.add(kept.batch)
    }
  }
  const rows = shown.map((entry) => {
    const { identical, conflicting, to } = losses.get(entry.file) as Losses
    const names = [...to].map((name) => (name === entry.file ? 'itself' : name))
    const winners = names.length > MOST_WINNERS ? `${names.length} batches` : list(names)
    const kinds =
      identical > 0 && conflicting > 0
        ? `${formatNumber(identical)} identical to, ${formatNumber(conflicting)} conflicting with`
        : identical > 0
          ? 'identical to'
          : 'conflicting with'
    return { ...entry, why: entry.dropped === 0 ? '' : `${kinds} ${winners}` }
  })
  return { rows, more: outstanding.length - shown.length }
}

interface Losses {
  identical: number
  conflicting: number
  to: Set<string>
}
const MOST_WINNERS = 2

/** What each batch contributed, a line each. */
export function* formatBatches(manifest: Manifest, paint = plain): Generator<string> {
  const { rows, more } = describeBatches(manifest)
  const width = Math.max(0, ...rows.map(({ file }) => printable(file).length))
  for (const { file, records, kept, dropped, why } of rows) {
    const name = printable(file).padEnd(width)
    const counts = `${plural(records, 'record')}: ${formatNumber(kept)} kept, ${formatNumber(dropped)} dropped`
    const title = kept === 0 ? paint.strong(name) : name
    yield `${title}  ${counts}${why && ` (${printable(why)})`}\n`
  }
  if (more > 0) yield `and ${plural(more, 'more batch')} of which nothing was kept\n`
  if (rows.length > 0) yield '\n'
}

/** Such as "3 new, 1 changed (contentHtml), 0 gone". */
export function formatChanges(changes: Changes | 'uncounted'): string {
  if (changes === 'uncounted') return 'yes (pages are counted in datasets of up to 10 MB)'
  const { new: added, changed, gone, fields } = changes
  if (added + changed + gone === 0) return 'nothing'
  const which = changed === 0 ? '' : ` (${fields.join(', ')})`
  return `${formatNumber(added)} new, ${formatNumber(changed)} changed${which}, ${formatNumber(gone)} gone`
}

/**
 * What went in and what came out.
 *
 * @param outcome one sentence: whether it was written, and where
 * @param milliseconds how long it took
 */
export function formatSummary(
  { totals, dataset }: Manifest,
  changes: Changes | 'uncounted',
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
    ['Changed', formatChanges(changes)],
    ['Output', printable(outcome)],
    ['SHA-256', dataset.sha256],
    ['Time', `${(milliseconds / 1000).toFixed(2)} s`],
  ]
  return rows.map(([name = '', value]) => `${paint.strong(name.padEnd(9))}${value}\n`).join('')
}

/** The report of a build as JSON: whether it is `ok`, and its manifest or its problems. */
export function* formatJson(
  result:
    | { ok: true; manifest: Manifest; changes: Changes | 'uncounted' }
    | { ok: false; problems: readonly Problem[] },
  duplicates?: Iterable<Duplicate>,
): Generator<string> {
  if (result.ok) {
    yield `{\n"ok": true,\n"changes": ${JSON.stringify(result.changes)},\n"manifest": `
    for (const piece of emitManifest(result.manifest, duplicates)) yield printableJson(piece)
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
