/**
 * Formats problems for people: in a terminal, in the browser's overlay, as annotations of a pull
 * request. Reports are generated in pieces, because a million problems would not fit in one string.
 */
import { createRequire } from 'node:module'
import { NOT_READ } from '../accept/codes.ts'
import type { SchemaError } from '../build/read-schema.ts'
import type { FrameLine, Problem } from '../explain/problem.ts'
import { groupBy } from '../machine/group-by.ts'
import { FEW } from '../page/shown.ts'
import { printable } from '../text/printable.ts'
import { cut, formatNumber, plural } from '../text/wording.ts'

const require = createRequire(import.meta.url)

interface Context {
  /** The batch folder as the user named it. */
  folder: string
  /** How many batches were read. */
  batches: number
  /** How many problems of one batch are shown. */
  shown: number
}

/** How wide the lines around a problem may be: no terminal is narrower, and Vite's overlay breaks longer ones. */
const COLUMNS = 80

/** Formats problems: one sentence that counts them and says their `outcome`, then each problem. */
export function* formatProblems(
  problems: readonly Problem[],
  { folder, batches, shown }: Context,
  outcome?: string,
): Generator<string> {
  yield `${describeProblems(problems, batches, outcome)}\n`
  for (const [batch, folded] of foldByBatch(problems, shown)) {
    const rest = folded.splice(shown)
    for (const [problem, others] of folded) {
      yield `\n${formatProblem(problem, folder).join('\n')}\n`
      if (others.length > 0) yield `  ${formatOthers(others, folder)}\n`
    }
    const more = countAll(rest)
    if (more > 0) {
      yield `\n${folder}/${printable(batch)}: ${plural(more, 'more problem')}; --all shows them\n`
    }
  }
}

/** Counts the problems in one sentence. With --strict, a file that is no batch is a problem, too. */
export function describeProblems(
  problems: readonly Problem[],
  batches: number,
  outcome = 'No dataset was written',
) {
  const count = plural(problems.length, 'problem')
  const { size } = new Set(problems.map(({ batch }) => batch))
  const unread = problems.filter(({ code }) => code === NOT_READ).length
  const all = unread === 0 ? plural(batches, 'batch') : plural(batches + unread, 'file')
  return `${outcome}: ${count} in ${formatNumber(size)} of ${all}.`
}

/**
 * Folds problems: if a kind has more than `few`, its first stands for the others. Returns the
 * problems to show, each with those that it stands for.
 */
export function foldProblems(problems: readonly Problem[], few = FEW): [Problem, Problem[]][] {
  const kinds = groupBy(problems, ({ kind }) => kind)
  return problems.flatMap((problem): [Problem, Problem[]][] => {
    const same = kinds.get(problem.kind) as Problem[]
    if (same.length <= few) return [[problem, []]]
    return problem === same[0] ? [[problem, same.slice(1)]] : []
  })
}

/** Folds problems, and groups those to show by batch. If `shown` is infinite, no kind is folded. */
export function foldByBatch(problems: readonly Problem[], shown: number) {
  const folded = foldProblems(problems, Number.isFinite(shown) ? FEW : shown)
  return groupBy(folded, ([{ batch }]) => batch)
}

/** Counts folded problems, with those for which they stand. */
export function countAll(folded: readonly [Problem, Problem[]][]): number {
  return folded.reduce((sum, [, others]) => sum + 1 + others.length, 0)
}

/** Formats what makes a schema unusable. The places name its files. */
export function* formatSchemaProblems({ file, problems }: SchemaError): Generator<string> {
  yield `The schema ${printable(file)} cannot be used: ${plural(problems.length, 'problem')}.\n`
  for (const [problem, others] of foldProblems(problems)) {
    yield `\n${formatProblem(problem, '').join('\n')}\n`
    if (others.length > 0) yield `  ${formatOthers(others, '')}\n`
  }
}

/** Returns the place of a problem, for example "raw-batches/a.json:4:5". */
export function placeOf({ batch, line, column }: Problem, folder: string): string {
  const file = folder === '' ? batch : `${folder}/${batch}`
  return printable(`${file}:${line}:${column}`)
}

/** How many of the places of folded problems are named. */
const MOST_NAMED = 3

/** Names the places of folded problems: "and the same in 12 more places: raw-batches/a.json:4:5, …". */
export function formatOthers(others: readonly Problem[], folder: string): string {
  const places = others.slice(0, MOST_NAMED).map((problem) => placeOf(problem, folder))
  if (others.length > MOST_NAMED) places.push('…')
  const count = plural(others.length, 'more place')
  return `and the same in ${count}: ${places.join(', ')}; --all shows each`
}

/** Formats one problem, line by line: its place, its message, and the lines around it. */
export function formatProblem(problem: Problem, folder: string): string[] {
  const { record, isFile, path, pointer, message, frame } = problem
  // In a file of one record, its number says nothing.
  const number = record === null || isFile ? '' : `  record ${record}`
  const of = number + (path === null ? '' : `${isFile ? ' ' : ''} (${cut(path, LONGEST_SHOWN)})`)
  const at = pointer === '' ? '' : `  ${cut(pointer, LONGEST_SHOWN)}`
  const width = String(frame.at(-1)?.number ?? '').length
  const around = frame.flatMap((line) => {
    const gutter = String(line.number).padStart(width)
    const { text, indent, length } = cutToFit(line, COLUMNS - width - GUTTER)
    if (!line.mark) return [`    ${gutter} | ${text}`.trimEnd()]
    const marker = ' '.repeat(indent) + '^'.repeat(Math.max(1, length))
    return [`  > ${gutter} | ${text}`, `    ${' '.repeat(width)} | ${marker}`]
  })
  const place = placeOf(problem, folder) + printable(of + at)
  return [place, `  ${printable(message)}`, ...around]
}

/** The width of the characters around a line number. */
const GUTTER = '  >  | '.length

/** Cuts a line to the given number of columns and returns where the mark is in it. */
function cutToFit({ text, mark = { start: 0, end: 0 } }: FrameLine, columns: number) {
  const before = toCells(text.slice(0, mark.start))
  const marked = toCells(text.slice(mark.start, mark.end))
  const rest = [...marked, ...toCells(text.slice(mark.end))]
  // The mark is in the middle, or further right if the line ends soon after it.
  const room = Math.max(columns / 2, columns - widthOf(rest))
  const left = take(before.reverse(), room).reverse()
  const right = take(rest, columns - widthOf(left))
  const shown = left.concat(right).join('')
  return { text: shown, indent: widthOf(left), length: widthOf(right.slice(0, marked.length)) }
}

/** Returns the first characters that fit, with an ellipsis if there are more. */
function take(cells: string[], room: number): string[] {
  if (widthOf(cells) <= room) return cells
  let count = 0
  for (let left = room - 1; left >= 0; count++) left -= columnsOf(cells[count] ?? '')
  return [...cells.slice(0, count - 1), '…']
}

/** Characters that all take one column. */
const PLAIN = /^[ -~…]*$/

function widthOf(cells: readonly string[]): number {
  return cells.reduce((sum, cell) => sum + columnsOf(cell), 0)
}

function columnsOf(text: string): number {
  if (PLAIN.test(text)) return text.length
  // Loaded on demand: builds without problems, and most others, do not need it.
  return (require('string-width') as typeof import('string-width')).default(text)
}

/** Splits a text into characters as they are shown. */
function toCells(text: string): string[] {
  if (PLAIN.test(text)) return [...text]
  const segments = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment)
  return segments.map((segment) => (segment === '\t' ? ' ' : printable(segment)))
}

/** How many characters of a path or a pointer are shown: the keys of a batch may have any length. */
export const LONGEST_SHOWN = 100
