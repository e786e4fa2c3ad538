/** Shows problems in a pull request on GitHub, and keeps delivered text from being a command there. */
import { posix } from 'node:path'
import type { Place, Problem } from '../explain/problem.ts'
import { printable } from '../text/printable.ts'
import { cut, formatNumber, plural } from '../text/wording.ts'
import { type FoldedProblem, foldProblems, LONGEST_SHOWN, nameOfSame } from './problems.ts'

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
  const annotations = foldProblems(problems).flatMap((problem) => annotationsOf(problem, folder))

  // The last annotation may have to say how many more there are.
  const isTooMany = annotations.length > MOST_ANNOTATIONS
  const shown = isTooMany ? annotations.slice(0, MOST_ANNOTATIONS - 1) : annotations

  const lines = shown.map(({ text }) => text)
  const more = problems.length - shown.reduce((sum, { count }) => sum + count, 0)
  if (more > 0) lines.push(`::error::and ${plural(more, 'more problem')}, which the log shows`)

  return lines.map((line) => `${line}\n`).join('')
}

interface Annotation {
  text: string
  /** How many problems it stands for. */
  count: number
}

/** A problem with two places is shown at both, because only one of the files may be new. */
function annotationsOf({ problem, repeats }: FoldedProblem, folder: string): Annotation[] {
  const count = formatNumber(repeats.length)
  const more = repeats.length === 0 ? '' : ` (and ${count} more of ${nameOfSame(problem)})`
  const text = formatAnnotation(problem, problem.message + more, folder)
  const first: Annotation = { text, count: 1 + repeats.length }

  const { other } = problem
  if (!other) return [first]

  return [first, { text: formatAnnotation(other, other.message, folder), count: 0 }]
}

/** For example `::error file=raw-batches/a.json,line=4,col=5,endColumn=9,title=/0/path::must be …`. */
function formatAnnotation(place: Place, message: string, folder: string): string {
  const { batch, line, column, endColumn, pointer } = place
  const properties = {
    file: posix.join(folder, batch),
    line,
    col: column,
    endColumn,
    title: pointer === '' ? batch : cut(pointer, LONGEST_SHOWN),
  }

  const list = Object.entries(properties).map(([name, value]) => {
    return `${name}=${escapeProperty(String(value))}`
  })

  return `::error ${list.join(',')}::${escapeMessage(message)}`
}

/** Formats a message that is about no file, for example `::error::there is no folder "data"`. */
export function formatError(message: string): string {
  return `::error::${escapeMessage(message)}\n`
}

function escapeMessage(text: string): string {
  return printable(text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A'))
}

function escapeProperty(text: string): string {
  return escapeMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

/** Two colons at the beginning of a line, as in "  ::error::". */
const COLONS_AT_START = /^([^\S\n]*):(?=:)/gm

/**
 * Escapes what the runner would take for a command: `##[` anywhere in a line, and `::` where one
 * begins (`ActionCommand.cs` of actions/runner). A delivered text may have both.
 */
export function withoutCommands(text: string): string {
  return text.replaceAll('##[', '##\\u005b').replace(COLONS_AT_START, '$1\\u003a')
}

/** How many bytes a summary of a step may have: GitHub shows nothing of more than 1 MiB. */
const LONGEST_SUMMARY = 1_000_000

/** More backticks than any run of them in a text, so that the text can't end the block. */
function fenceFor(text: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2)
  return '`'.repeat(longest + 1)
}

/**
 * Formats what a command prints as the summary of a step (GitHub Actions, `GITHUB_STEP_SUMMARY`), in
 * Markdown: a block that shows it as it is.
 *
 * @param heading such as "manyurls check"
 */
export function formatStepSummary(heading: string, pieces: Iterable<string>): string {
  let text = ''
  let bytes = 0

  for (const piece of pieces) {
    bytes += Buffer.byteLength(piece)
    if (bytes > LONGEST_SUMMARY) {
      text += '\n…\nThe log shows the rest.\n'
      break
    }

    text += piece
  }

  const fence = fenceFor(text)
  return `### ${heading}\n\n${fence}text\n${text.trimEnd()}\n${fence}\n\n`
}
