/** Shows problems in a pull request on GitHub, and keeps delivered text from being a command there. */
import type { Problem } from '../explain/problem.ts'
import { printable } from '../text/printable.ts'
import { cut, formatNumber, plural } from '../text/wording.ts'
import { countAll, foldProblems, LONGEST_SHOWN } from './problems.ts'

/** How many annotations of one step GitHub shows. */
const MOST_ANNOTATIONS = 10

/**
 * Formats problems as annotations of the files in a pull request (GitHub Actions, workflow command
 * `error`), each on a line. It escapes as `@actions/core` does, which is too large a dependency for
 * this.
 *
 * @param folder the batch folder, relative to the root of the repository; empty for the root itself
 */
export function formatAnnotations(problems: readonly Problem[], folder: string): string {
  const kinds = foldProblems(problems)
  const shown = kinds.length > MOST_ANNOTATIONS ? kinds.slice(0, MOST_ANNOTATIONS - 1) : kinds
  const lines = shown.map(([problem, others]) => formatAnnotation(problem, others, folder))
  const more = problems.length - countAll(shown)
  if (more > 0) lines.push(`::error::and ${plural(more, 'more problem')}, which the log shows`)
  return lines.map((line) => `${line}\n`).join('')
}

function formatAnnotation(problem: Problem, others: readonly Problem[], folder: string): string {
  const { batch, line, column, endColumn, message, pointer } = problem
  const properties = {
    file: folder === '' ? batch : `${folder}/${batch}`,
    line,
    col: column,
    endColumn,
    title: pointer === '' ? batch : cut(pointer, LONGEST_SHOWN),
  }
  const list = Object.entries(properties).map(([name, value]) => {
    return `${name}=${escapeProperty(String(value))}`
  })
  const more = others.length === 0 ? '' : ` (and ${formatNumber(others.length)} more of the same)`
  return `::error ${list.join(',')}::${escapeMessage(message + more)}`
}

function escapeMessage(text: string): string {
  return printable(text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A'))
}

function escapeProperty(text: string): string {
  return escapeMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

/**
 * Escapes what the runner would take for a command: `##[` anywhere in a line, and `::` where one
 * begins (`ActionCommand.cs` of actions/runner). A delivered text may have both.
 */
export function withoutCommands(text: string): string {
  return text.replaceAll('##[', '##\\u005b').replace(/^([^\S\n]*):(?=:)/gm, '$1\\u003a')
}
