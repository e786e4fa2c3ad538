/** Makes problems of violations: what is wrong, where in the text, and which are the same mistake. */

import type { OpenBatch } from '../accept/open.ts'
import { locate, partOf } from '../formats/locate.ts'
import type { ParsedBatch } from '../formats/parse.ts'
import { type Edit, formatPointer, type Range, type Violation } from '../page/fault.ts'
import { sayFix } from './sentences.ts'

/** Something in a batch that its author must fix. */
export interface Problem {
  /** The batch, relative to the batch folder, with `/` as the separator. */
  batch: string
  /** From 1. */
  line: number
  /** From 1, in UTF-16 code units, as editors count. */
  column: number
  /** Where the fault ends, exclusive; on the same line. */
  endColumn: number
  /** The position of the record in its batch, from 0; null for a problem of the whole file. */
  record: number | null
  /** Whether the record is the whole file. */
  isFile?: boolean
  /** The path of the record; null if it has none. */
  path: string | null
  /** RFC 6901. */
  pointer: string
  /** The kind of fault, such as `schema.type`. */
  code: string
  /** The same for one mistake in all records: its code, its place in the record, what it is about. */
  kind: string
  message: string
  /** The edits of the file that surely mend it; offsets are in UTF-16 code units. */
  fix?: readonly Edit[] | undefined
  /** The lines around the fault; empty if they are not kept. */
  frame: FrameLine[]
}

export interface FrameLine {
  number: number
  /** As in the batch. A very long line is cut: to the part around the mark, or to its start. */
  text: string
  /** The faulty part of the text, as offsets into it. */
  mark?: Range
}

/** How many kinds of problems of one batch are shown by default. */
export const SHOWN_PER_BATCH = 20

/** Up to so many problems of one kind are shown one by one; of more, the first stands for all. */
export const FEW = 3

/** How many lines are shown before the line of a problem. */
const LINES_BEFORE = 2
/** How many characters of a line are kept before and after the fault. No terminal is wider. */
const WIDEST = 250

/**
 * Converts violations to problems, in the order of the text.
 *
 * @param frames for how many kinds the lines around the first few are kept; they cost memory
 */
export function toProblems(
  { name: batch, parsed, records, pathOf }: OpenBatch,
  violations: readonly Violation[],
  frames: number,
): Problem[] {
  if (violations.length === 0) return []
  const { text, from } = parsed
  const starts = startsOfLines(text, from)
  let line = 0
  const counts = new Map<string, number>()
  const most = Number.isFinite(frames) ? FEW : frames
  return placeAll(parsed, violations)
    .sort((a, b) => a.start - b.start)
    .map(({ start, end, fix, violation }) => {
      const { pointer: steps, code, about = '', message } = violation
      const owner = records.at(steps)
      // Whatever the positions in its lists.
      const place = formatPointer(owner?.within ?? steps).replace(/\/\d+(?=\/|$)/g, '/#')
      const kind = [code, place, about].join(' ')
      const same = (counts.get(kind) ?? 0) + 1
      counts.set(kind, same)
      while (Number(starts[line + 1]) <= start) line++
      const lineStart = Number(starts[line])
      const isShown = counts.size <= frames && same <= most && text !== ''
      return {
        batch,
        line: line + 1,
        column: start - lineStart + 1,
        endColumn: Math.max(end, start + 1) - lineStart + 1,
        record: owner?.index ?? null,
        ...(owner && records.all[owner.index] === parsed.value && { isFile: true }),
        path: owner ? pathOf(owner.index) : null,
        pointer: formatPointer(steps),
        code,
        kind,
        message: fix ? `${message} ${sayFix(fix)}` : message,
        fix,
        frame: isShown ? makeFrame(text, starts, line, { start, end }) : [],
      }
    })
}

/** Returns where each line of a text begins. For editors, a lone CR ends a line too. */
export function startsOfLines(text: string, from = 0): number[] {
  return [from, ...Array.from(text.matchAll(/\n|\r(?!\n)/g), ({ index }) => index + 1)]
}

/** Finds the places of violations in a text, and the edits of those that have a fix. */
function placeAll({ text, from }: ParsedBatch, violations: readonly Violation[]) {
  // Of a text that is no JSON, all places are known.
  const found = violations.every(({ range }) => range) ? [] : locate(text, violations)
  return violations.map((violation, index) => {
    const { range, within, instead } = violation
    const token = range ?? (found[index] as Range)
    const isPart = within && text[token.start] === '"'
    const { start, end } = isPart ? partOf(text, token, within) : token
    const whole: Edit = { start: token.start, end: token.end, text: JSON.stringify(instead) }
    const edits = instead === undefined ? violation.fix : [whole]
    const fix = edits?.map(({ start, end, text }) => {
      return { start: start - from, end: end - from, text }
    })
    return { violation, start: Math.max(start, from), end, fix }
  })
}

/** The code of a file in the batch folder that is no batch. */
export const NOT_READ = 'file.not-read'

/** The code of links that are not checked. */
export const UNCHECKED = 'link.unchecked'

/**
 * Whether a problem refuses one record, whatever other records say: `--skip-refused` leaves that out.
 */
export function isRefusal({ code, record }: Problem): boolean {
  return record !== null && !/^(?:json|loss|path|link)\.|^schema\.unique$/.test(code)
}

/** Returns a problem of a whole file, without lines to show. */
export function fileProblem(batch: string, fault: Violation): Problem {
  const { code, about = '', message } = fault
  const place = { line: 1, column: 1, endColumn: 2, record: null, path: null, pointer: '' }
  return { batch, ...place, code, kind: `${code} ${about}`, message, frame: [] }
}

/** @param last the line that has the range, from 0 */
function makeFrame(text: string, starts: readonly number[], last: number, range: Range) {
  const first = Math.max(0, last - LINES_BEFORE)
  return starts.slice(first, last + 1).map((start, index) => {
    const number = first + index + 1
    const around = number > last ? range.start : start
    const from = Math.max(start, around - WIDEST)
    const to = Math.min((starts[number] ?? text.length + 1) - 1, around + WIDEST)
    // Copied, because V8 keeps a whole string in memory as long as a slice of it is in use.
    const shown = Buffer.from(text.slice(from, to), 'utf16le').toString('utf16le')
    const line = { number, text: shown.replace(/\r$/, '') }
    const mark = { start: range.start - from, end: range.end - from }
    return number > last ? { ...line, mark } : line
  })
}
