/**
 * Formats problems for people: in a terminal, in the browser's overlay, as annotations of a pull
 * request. Reports are generated in pieces, because a million problems would not fit in one string.
 */
import { createRequire } from 'node:module'
import type { SchemaError } from '../build/read-schema.ts'
import type { FrameLine, Place, Problem } from '../explain/problem.ts'
import { PAGE_WORDS, type ReaderWords } from '../explain/words.ts'
import { areaOf } from '../fault/codes.ts'
import { groupBy } from '../machine/group-by.ts'
import { placeIn } from '../machine/place-in.ts'
import { FEW } from '../page/shown.ts'
import { printable } from '../text/printable.ts'
import { cut, plural } from '../text/wording.ts'
import { type Style, UNSTYLED } from './style.ts'

const require = createRequire(import.meta.url)

/** How problems are shown. */
export interface Context {
  /** The folder that the names of files are relative to. */
  folder: string
  /** How many problems of one file are shown. */
  shown: number
  words?: ReaderWords
  style?: Style
}

/** Formats each problem, with an empty line before it. */
export function* formatEach(
  problems: readonly Problem[],
  { folder, shown, words = PAGE_WORDS, style = UNSTYLED }: Context,
): Generator<string> {
  for (const [batch, folded] of foldByBatch(problems, shown)) {
    for (const kind of folded.slice(0, shown)) yield* formatKind(kind, folder, words, style)

    const more = countAll(folded.slice(shown))
    if (more > 0) {
      const file = style.place(printable(placeIn(folder, batch)))
      yield `\n${file}: ${plural(more, 'more problem')}; --all shows them\n`
    }
  }
}

/** A problem to show, and those of its kind that aren't shown, because it stands for them. */
export interface FoldedProblem {
  problem: Problem
  repeats: Problem[]
}

/** Folds problems: if a kind has more than `few`, its first one stands for all. */
export function foldProblems(problems: readonly Problem[], few = FEW): FoldedProblem[] {
  const problemsByKind = groupBy(problems, ({ kind }) => kind)
  const folded: FoldedProblem[] = []

  for (const problem of problems) {
    const sameKind = problemsByKind.get(problem.kind) ?? []
    const isFew = sameKind.length <= few

    if (isFew) folded.push({ problem, repeats: [] })
    else if (problem === sameKind[0]) folded.push({ problem, repeats: sameKind.slice(1) })
  }

  return folded
}

/** Folds problems, and groups those to show by batch. If `shown` is infinite, no kind is folded. */
export function foldByBatch(
  problems: readonly Problem[],
  shown: number,
): Map<string, FoldedProblem[]> {
  const few = Number.isFinite(shown) ? FEW : shown
  return groupBy(foldProblems(problems, few), ({ problem }) => problem.batch)
}

/** Counts folded problems, with those that they stand for. */
export function countAll(folded: readonly FoldedProblem[]): number {
  return folded.reduce((sum, { repeats }) => sum + 1 + repeats.length, 0)
}

/** Formats what makes a schema unusable. The places name its files. */
export function* formatSchemaProblems(
  { file, problems }: SchemaError,
  style = UNSTYLED,
): Generator<string> {
  const count = style.fault(plural(problems.length, 'problem'))
  yield `The schema ${printable(file)} cannot be used: ${count}.\n`

  for (const kind of foldProblems(problems)) yield* formatKind(kind, '', PAGE_WORDS, style)
}

/** Formats a problem, and names the places of those that it stands for. */
function* formatKind(
  kind: FoldedProblem,
  folder: string,
  words: ReaderWords,
  style: Style,
): Generator<string> {
  yield `\n${formatProblem(kind.problem, folder, words, style).join('\n')}\n`
  if (kind.repeats.length > 0) yield `  ${formatRepeats(kind, folder)}; --all shows each\n`
}

/** Returns the place of a problem, for example "raw-batches/a.json:4:5". */
export function placeOf({ batch, line, column }: Place, folder: string): string {
  return printable(`${placeIn(folder, batch)}:${line}:${column}`)
}

/** How many of the places of folded problems are named. */
const MOST_NAMED = 3

/** Names what folded problems have in common: the sentences of a rule may differ. */
export function nameOfSame({ code }: Problem): string {
  return areaOf(code) === 'rule' ? 'the same rule' : 'the same'
}

/** Names the places of folded problems: "and the same in 12 more places: raw-batches/a.json:4:5, …". */
export function formatRepeats({ problem, repeats }: FoldedProblem, folder: string): string {
  const places = repeats.slice(0, MOST_NAMED).map((repeat) => placeOf(repeat, folder))
  if (repeats.length > MOST_NAMED) places.push('…')

  const count = plural(repeats.length, 'more place')
  return `and ${nameOfSame(problem)} in ${count}: ${places.join(', ')}`
}

/** How many characters of a path or a pointer are shown: the keys of a batch may have any length. */
export const LONGEST_SHOWN = 100

/** Formats one problem, line by line: its place, its message, and the lines around it. */
export function formatProblem(
  problem: Problem,
  folder: string,
  words: ReaderWords = PAGE_WORDS,
  style: Style = UNSTYLED,
): string[] {
  const { message, pointer, frame } = problem
  const record = describeRecord(problem, words)
  const pointerShown = pointer === '' ? '' : `  ${cut(pointer, LONGEST_SHOWN)}`

  const place = style.place(placeOf(problem, folder)) + printable(record + pointerShown)
  return [
    place,
    `  ${printable(message)}`,
    ...formatFrame(frame, style),
    ...formatOther(problem, folder, style),
  ]
}

/** Formats the second place of a problem: only its own line, because the first place is explained. */
function formatOther({ other }: Problem, folder: string, style: Style): string[] {
  if (!other) return []

  const place = style.place(placeOf(other, folder))
  return [`  and ${place}`, ...formatFrame(other.frame.slice(-1), style)]
}

/** For example "  record 27 (/blog/029)"; of a file that is one record, its number says nothing. */
function describeRecord({ record, isFile, id }: Problem, { showId }: ReaderWords): string {
  const hasNumber = record !== null && !isFile
  const number = hasNumber ? `  record ${record + 1}` : ''
  if (id === null) return number

  const space = isFile ? '  ' : ' '
  return `${number}${space}(${cut(showId(id), LONGEST_SHOWN)})`
}

/** The width of the characters around a line number. */
const GUTTER = '  >  | '.length

/** Formats the lines around a problem, with a line of ^ below what is marked. */
function formatFrame(frame: readonly FrameLine[], { columns, fault, faint }: Style): string[] {
  const numberWidth = String(frame.at(-1)?.number ?? '').length
  const lines: string[] = []

  for (const line of frame) {
    const number = String(line.number).padStart(numberWidth)
    const { text, indent, length } = cutToFit(line, columns - numberWidth - GUTTER)

    if (!line.mark) {
      lines.push(`${faint(`    ${number} |`)} ${text}`.trimEnd())
      continue
    }

    const marks = fault('^'.repeat(Math.max(1, length)))
    lines.push(`${fault('  >')}${faint(` ${number} |`)} ${text}`)
    lines.push(`${faint(`    ${' '.repeat(numberWidth)} |`)} ${' '.repeat(indent)}${marks}`)
  }

  return lines
}

/** A line that was cut, and where the mark is in it, in columns. */
interface CutLine {
  text: string
  indent: number
  length: number
}

/** Cuts a line to a number of columns around its mark. */
function cutToFit({ text, mark = { start: 0, end: 0 } }: FrameLine, columns: number): CutLine {
  const before = toCells(text.slice(0, mark.start))
  const marked = toCells(text.slice(mark.start, mark.end))
  const after = toCells(text.slice(mark.end))
  const markedAndAfter = [...marked, ...after]

  // The mark is in the middle, or further right if the line ends soon after it.
  const room = Math.max(columns / 2, columns - widthOf(markedAndAfter))
  const left = takeLast(before, room)
  const right = takeFirst(markedAndAfter, columns - widthOf(left))

  const markedAndShown = right.slice(0, marked.length)
  return {
    text: [...left, ...right].join(''),
    indent: widthOf(left),
    length: widthOf(markedAndShown),
  }
}

/** Returns the first characters that fit, with an ellipsis after them if there are more. */
function takeFirst(cells: readonly string[], columns: number): readonly string[] {
  if (widthOf(cells) <= columns) return cells

  const taken: string[] = []
  let room = columns - '…'.length
  for (const cell of cells) {
    room -= columnsOf(cell)
    if (room < 0) break
    taken.push(cell)
  }

  return [...taken, '…']
}

/** Returns the last characters that fit, with an ellipsis before them if there are more. */
function takeLast(cells: readonly string[], columns: number): readonly string[] {
  return takeFirst(cells.toReversed(), columns).toReversed()
}

/** Characters that all take one column. */
const PLAIN = /^[ -~…]*$/

function widthOf(cells: readonly string[]): number {
  return cells.reduce((sum, cell) => sum + columnsOf(cell), 0)
}

/** Loaded on demand: its regular expressions take longer to compile than a small batch to check. */
let stringWidth: typeof import('string-width').default | undefined

function columnsOf(text: string): number {
  if (PLAIN.test(text)) return text.length

  stringWidth ??= (require('string-width') as typeof import('string-width')).default
  return stringWidth(text)
}

/** Splits a text into characters as they are shown: one cell may take two columns, or several. */
function toCells(text: string): string[] {
  if (PLAIN.test(text)) return [...text]

  const segments = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment)
  return segments.map((segment) => (segment === '\t' ? ' ' : printable(segment)))
}
