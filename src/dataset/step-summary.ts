/** A build as Markdown, for the summary of a step in GitHub Actions. */
import type { Changes } from './changes.ts'
import type { Manifest } from './emit.ts'
import type { Problem } from './problem.ts'
import { printable } from './problem.ts'
import { describeBatches, formatChanges } from './summary.ts'
import { formatNumber, plural } from './wording.ts'

/** @param outcome one sentence: whether the dataset was written, and where */
export function* formatStepSummary(
  manifest: Manifest,
  changes: Changes | 'uncounted',
  outcome: string,
): Generator<string> {
  const { batches, records, kept, withForms, dropped, identical, conflicting } = manifest.totals
  yield `### build-data: ${plural(kept, 'page')} of ${plural(batches, 'batch')}\n\n`
  yield* table(
    ['Records', 'Kept', 'With forms', 'Dropped', 'Identical', 'Conflicting'],
    [[records, kept, withForms, dropped, identical, conflicting].map(formatNumber)],
  )
  yield `\n${asText(outcome)}. Changed: ${asText(formatChanges(changes))}.\n\n`
  const { rows, more } = describeBatches(manifest)
  if (rows.length === 0) return
  yield* table(
    ['Batch', 'Records', 'Kept', 'Dropped', ''],
    rows.map(({ file, records, kept, dropped, why }) => {
      return [file, ...[records, kept, dropped].map(formatNumber), why]
    }),
  )
  if (more > 0) yield `\nAnd ${plural(more, 'more batch')} of which nothing was kept.\n`
}

/** A summary may have a megabyte; that is the room for a few thousand problems. */
const MOST_PROBLEMS = 200

/**
 * @param folder the batch folder as the reader named it
 * @param batches how many batches were read
 */
export function* formatStepProblems(
  problems: readonly Problem[],
  folder: string,
  batches: number,
): Generator<string> {
  const faulty = new Set(problems.map(({ batch }) => batch)).size
  const count = `${plural(problems.length, 'problem')} in ${formatNumber(faulty)} of ${plural(batches, 'batch')}`
  yield `### build-data: nothing was written: ${count}\n\n`
  yield* table(
    ['Place', 'Record', 'Problem'],
    problems.slice(0, MOST_PROBLEMS).map(({ batch, line, column, record, path, message }) => {
      const of = record === null ? '' : `${record}${path === null ? '' : ` (${path})`}`
      return [`${folder}/${batch}:${line}:${column}`, of, message]
    }),
  )
  const more = problems.length - MOST_PROBLEMS
  if (more > 0) yield `\nAnd ${plural(more, 'more problem')}.\n`
}

function* table(head: string[], rows: readonly string[][]): Generator<string> {
  for (const row of [head, head.map(() => '---')]) yield `| ${row.join(' | ')} |\n`
  for (const row of rows) yield `| ${row.map(asText).join(' | ')} |\n`
}

const LONGEST_CELL = 300

/** Text as what it is, not as Markdown or HTML. */
function asText(text: string): string {
  const cut = text.length > LONGEST_CELL ? `${text.slice(0, LONGEST_CELL - 1)}…` : text
  return printable(cut).replace(/[\\`*_{}[\]<>()#|~&@:]/g, '\\$&')
}
