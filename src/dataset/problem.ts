/**
 * A problem as data: what is wrong, and where in the text, as line and column with the lines around it.
 * How it reads to a person is the report's business.
 */
import { formatPointer, type Pointer, type Range } from './json.ts'

/** Something in a batch that its author must mend. */
export interface Problem {
  /** The batch, relative to the batch folder, with `/` as the separator. */
  batch: string
  /** From 1. */
  line: number
  /** From 1, in UTF-16 code units, as editors count. */
  column: number
  /** Where what is wrong ends, exclusive; on the same line. */
  endColumn: number
  /** The position of the record in its batch, from 0; null for a problem of the whole file. */
  record: number | null
  /** The path of the record, where it has one. */
  path: string | null
  /** RFC 6901. */
  pointer: string
  message: string
  /** The lines around the place, where they are shown. */
  frame: FrameLine[]
}

export interface FrameLine {
  number: number
  /** As it stands in the batch; of a very long one what is around the mark. */
  text: string
  /** What of the text is wrong, as offsets into it. */
  mark?: Range
}

/** What is known of a problem before it has been found in the text. */
export interface Finding extends Range {
  pointer: Pointer
  message: string
  record: number | null
  path: string | null
}

/** How many problems of one batch are shown unless all are asked for. */
export const SHOWN_PER_BATCH = 20

/** How many lines are shown before that of a problem. */
const LINES_BEFORE = 2
/** No terminal is wider; so much of a line is kept before and after what is wrong. */
const WIDEST = 250

/**
 * Makes problems of findings, in the order of the text.
 *
 * @param frames of how many problems the lines around them are kept, because they cost memory
 */
export function toProblems(
  batch: string,
  text: string,
  findings: readonly Finding[],
  frames: number,
): Problem[] {
  let line = 1
  let lineStart = 0
  let lineEnd = endOfLine(text, 0)
  // Where the lines before begin; to look for them anew would cost their length for every problem.
  let before: number[] = []
  return [...findings]
    .sort((a, b) => a.start - b.start)
    .map(({ start, end, pointer, message, record, path }, index) => {
      while (lineEnd < start) {
        before = [...before.slice(1 - LINES_BEFORE), lineStart]
        lineStart = lineEnd + 1
        lineEnd = endOfLine(text, lineStart)
        line++
      }
      return {
        batch,
        line,
        column: start - lineStart + 1,
        endColumn: Math.max(end, start + 1) - lineStart + 1,
        record,
        path,
        pointer: formatPointer(pointer),
        message,
        frame:
          index < frames
            ? makeFrame(text, line, [...before, lineStart, lineEnd + 1], { start, end })
            : [],
      }
    })
}

function endOfLine(text: string, at: number): number {
  const newline = text.indexOf('\n', at)
  return newline === -1 ? text.length : newline
}

/** A problem of a file of which nothing can be shown. */
export function fileProblem(batch: string, message: string): Problem {
  const place = { line: 1, column: 1, endColumn: 2, record: null, path: null, pointer: '' }
  return { batch, ...place, message, frame: [] }
}

/**
 * @param line the number of the line that has the range
 * @param starts where the lines to be shown begin, and the one that follows them
 */
function makeFrame(
  text: string,
  line: number,
  starts: readonly number[],
  range: Range,
): FrameLine[] {
  if (text === '') return []
  return starts.slice(0, -1).map((start, index, { length }) => {
    const number = line - length + 1 + index
    const around = number === line ? range.start : start
    const from = Math.max(start, around - WIDEST)
    const to = Math.min((starts[index + 1] as number) - 1, around + WIDEST)
    const shown = copied(text.slice(from, to).replace(/\r$/, ''))
    if (number !== line) return { number, text: shown }
    return { number, text: shown, mark: { start: range.start - from, end: range.end - from } }
  })
}

/** The same text; V8 keeps the whole of a text in memory for the sake of a slice of it. */
function copied(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le')
}

/**
 * Makes text fit to be shown: control characters, lone surrogates, characters that turn the direction
 * of writing and whatever else cannot be seen are written as JSON escapes, such as \\u200b. A batch
 * must not steer the terminal of who builds it, and its author must see what is wrong.
 */
export function printable(text: string): string {
  return text.replace(INVISIBLE, (character) => {
    const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
  })
}

/** All but the common space, and what makes an emoji of a sign. */
const INVISIBLE = /(?! |\ufe0f)[\p{Cc}\p{Cf}\p{Cs}\p{Z}\p{DI}]/gu
