/**
 * How a problem reads to a person: in a terminal, in the browser's overlay, as an annotation of a pull
 * request. Reports come in pieces, because a million problems would not fit one string.
 */
import stringWidth from 'string-width'
import { type Problem, printable } from './problem.ts'
import { formatNumber, type Paint, plain } from './summary.ts'

interface Context {
  /** The batch folder as the reader named it. */
  folder: string
  /** How many batches were read. */
  batches: number
  /** How many problems of one batch are shown. */
  shown: number
  paint?: Paint
}

/** The problems of a build that has some: one sentence of how many, then each. */
export function* formatProblems(
  problems: readonly Problem[],
  { folder, batches, shown, paint = plain }: Context,
): Generator<string> {
  const byBatch = new Map<string, Problem[]>()
  for (const problem of problems) {
    const list = byBatch.get(problem.batch)
    if (list) list.push(problem)
    else byBatch.set(problem.batch, [problem])
  }
  const count = paint.strong(plural(problems.length, 'problem'))
  yield `Nothing was written: ${count} in ${formatNumber(byBatch.size)} of ${plural(batches, 'batch')}.\n`
  for (const [batch, list] of byBatch) {
    for (const problem of list.slice(0, shown)) {
      yield `\n${formatProblem(problem, folder, paint)}\n`
    }
    const more = list.length - shown
    if (more > 0) {
      yield `\n${folder}/${printable(batch)}: ${plural(more, 'more problem')}; --all shows them\n`
    }
  }
}

/**
 * One problem as its reader sees it: place, sentence, lines around it.
 *
 * @param folder the batch folder as the reader named it
 */
export function formatProblem(problem: Problem, folder: string, paint = plain): string {
  const { batch, line, column, record, path, pointer, message, frame } = problem
  const place = paint.strong(printable(`${folder}/${batch}:${line}:${column}`))
  const of = record === null ? '' : `  record ${record}${path === null ? '' : ` (${cut(path)})`}`
  const at = pointer === '' ? '' : `  ${cut(pointer)}`
  const width = String(frame.at(-1)?.number ?? '').length
  const lines = frame.flatMap(({ number, text, mark }) => {
    const gutter = String(number).padStart(width)
    if (!mark) return [`    ${gutter} | ${text}`.trimEnd()]
    const indent = stringWidth(text.slice(0, mark.start))
    const length = Math.max(1, stringWidth(text.slice(mark.start, mark.end)))
    const marker = `${' '.repeat(indent)}${paint.mark('^'.repeat(length))}`
    return [`  > ${gutter} | ${text}`, `    ${' '.repeat(width)} | ${marker}`]
  })
  return [`${place}${printable(of + at)}`, `  ${printable(message)}`, ...lines].join('\n')
}

/**
 * One problem as an annotation of the file in a pull request (GitHub Actions, workflow command
 * `error`; its own escapes are those of `@actions/core`, which is too much of a library for this).
 *
 * @param folder the batch folder, relative to the root of the repository
 */
export function formatAnnotation(problem: Problem, folder: string): string {
  const { batch, line, column, endColumn, message, pointer } = problem
  const data = (text: string) =>
    printable(text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A'))
  const property = (text: string) => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
  const file = property(`${folder}/${batch}`)
  const title = property(pointer === '' ? batch : cut(pointer))
  const place = `file=${file},line=${line},col=${column},endColumn=${endColumn}`
  return `::error ${place},title=${title}::${data(message)}`
}

const LONGEST_SHOWN = 100

/** A path or pointer as far as it helps: a batch may hold keys of any length. */
function cut(text: string): string {
  return text.length <= LONGEST_SHOWN ? text : `${text.slice(0, LONGEST_SHOWN - 1)}…`
}

function plural(count: number, word: string): string {
  const ending = word.endsWith('ch') ? 'es' : 's'
  return `${formatNumber(count)} ${word}${count === 1 ? '' : ending}`
}
