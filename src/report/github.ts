/** Formats a build as Markdown, for the summary of a step in GitHub Actions. */

import type { Problem } from '../batch/problem.ts'
import { printable } from '../text/printable.ts'
import { cut } from '../text/wording.ts'
import { countOthers, foldProblems } from './problems.ts'
import type { Row } from './summary.ts'

/** Formats the summary of a build and of its batches. */
export function formatStepSummary(build: readonly Row[], batches: readonly Row[]): string {
  return table(['build-data', ''], build) + table(['Batch', 'Records'], batches)
}

/** A summary is limited to a megabyte. */
const MOST_PROBLEMS = 200

/** @param folder the batch folder as the user named it */
export function formatStepProblems(problems: readonly Problem[], folder: string): string {
  const shown = foldProblems(problems).slice(0, MOST_PROBLEMS)
  const rows = shown.map(([problem, others]) => {
    const { batch, line, column, record, path, message } = problem
    const of = record === null ? '' : `${record}${path === null ? '' : ` (${path})`}`
    return [`${folder}/${batch}:${line}:${column}`, of, message + countOthers(others)]
  })
  const more = problems.length - shown.reduce((sum, [, others]) => sum + 1 + others.length, 0)
  if (more > 0) rows.push(['…', '', `and ${more} more`])
  return table([`Nothing was written. Problems: ${problems.length}`, 'Record', ''], rows)
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head.map(asText), head.map(() => '---'), ...rows.map((row) => row.map(asText))]
  return rows.length === 0 ? '' : `${lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('')}\n`
}

const LONGEST_CELL = 300

/** Escapes text so that it is not read as Markdown or HTML. */
function asText(text: string): string {
  return printable(cut(text, LONGEST_CELL)).replace(/[\\`*_{}[\]<>()#|~&@:]/g, '\\$&')
}
