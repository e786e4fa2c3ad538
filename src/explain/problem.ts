/** A problem: a fault with its place in the file, its sentence, and the lines around it. */
import type { ParsedBatch } from '../accept/parse-batch.ts'
import type { AnyCode } from '../fault/facts.ts'
import type { Fault } from '../fault/fault.ts'
import type { Replacement, Tree } from '../formats/format.ts'
import { FEW } from '../page/shown.ts'
import { lineAt, startsOfLines } from '../text/lines.ts'
import { formatPointer, type Pointer } from '../text/pointer.ts'
import type { Edit, Range } from '../text/range.ts'
import { kindOf } from './kind.ts'
import { sentenceOf, withFix } from './sentences.ts'
import { PAGE_WORDS, type ReaderWords } from './words.ts'

/** A place in a batch. */
export interface Place {
  /** The batch, relative to the batch folder, with `/` as the separator. */
  batch: string
  /** From 1. */
  line: number
  /** From 1, in UTF-16 code units, as editors count. */
  column: number
  /** Where the fault ends, exclusive; on the same line. */
  endColumn: number
  /** The position of the record in its batch, from 0; null outside of all records. */
  record: number | null
  /** RFC 6901. */
  pointer: string
  /** The lines around it; empty if they are not kept. */
  frame: FrameLine[]
}

/** Something in a batch that its author must fix. */
export interface Problem extends Place {
  /** Whether the record is the whole file. */
  isFile?: boolean
  /** The id of the record: of a page, its path; null if it has none. */
  id: string | null
  /** The kind of fault, such as `schema.type`. */
  code: AnyCode
  /** The code that an owner's rule has given it, which reports show instead. */
  ownCode?: string | undefined
  /** Distinguishes it from others with its code at this place, such as the path that no page has. */
  about?: string | undefined
  /** Equal for the same mistake in all records. */
  kind: string
  message: string
  /** The edits of the file that are certainly right; offsets are in UTF-16 code units. */
  fix?: readonly Edit[] | undefined
  /** If two records can't both be right: the place of the other one, and its message. */
  other?: OtherPlace
}

/** The second place of a problem. */
type OtherPlace = Place & { message: string }

/** A fault that may have a second place. */
export type ExplainedFault = Fault & { other?: OtherPlace }

export interface FrameLine {
  number: number
  /** As in the batch. A very long line is cut: to the part around the mark, or to its start. */
  text: string
  /** The faulty part of the text, as offsets into it. */
  mark?: Range
}

/** How many lines are shown before the line of a problem. */
const LINES_BEFORE = 2
/** How many characters of a line are kept before and after the fault. No terminal is wider. */
const WIDEST = 250

/** Returns the id of a record; null if that isn't known. */
export type IdOf = (record: number) => string | null

/** The settings for explaining a batch. */
interface ProblemSettings {
  words: ReaderWords
  /** How many kinds keep the lines around their first few problems, which cost memory. */
  frames: number
}

/**
 * Makes problems of the faults of one batch, in the order of the text.
 *
 * @param faults of the file: not of a page
 */
export function toProblems(
  batch: ParsedBatch,
  faults: readonly ExplainedFault[],
  idOf: IdOf,
  { words, frames }: ProblemSettings,
): Problem[] {
  if (faults.length === 0) return []

  const placed = placeAll(batch, faults)
  placed.sort((a, b) => a.start - b.start)

  const { text } = batch
  const starts = startsOfLines(text)
  const mostOfKind = Number.isFinite(frames) ? FEW : frames
  const counts = new Map<string, number>()

  return placed.map(({ fault, start, end, edits }) => {
    const within = batch.records.at(fault.pointer)?.within ?? fault.pointer
    const message = sentenceOf(fault, words)
    const kind = kindOf(fault, within, message)
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    const hasFrame = counts.size <= frames && count <= mostOfKind && text !== ''

    const { frame, ...place } = placeAt(batch, starts, fault.pointer, { start, end })
    return {
      ...place,
      ...recordOf(batch, fault, idOf),
      ...codesOf(fault),
      about: fault.about,
      kind,
      message: edits ? withFix(message, edits, words) : message,
      fix: edits,
      frame: hasFrame ? frame : [],
      ...(fault.other && { other: hasFrame ? fault.other : { ...fault.other, frame: [] } }),
    }
  })
}

/** Returns the place of a range, with the lines around it. */
export function placeAt(
  { name, text, records }: ParsedBatch,
  starts: readonly number[],
  pointer: Pointer,
  range: Range,
): Place {
  const line = lineAt(starts, range.start)
  const lineStart = starts[line] as number
  const lineEnd = endOfLine(text, starts, line)
  // A byte-order mark before the first line and the end of a line have no column.
  const start = Math.min(Math.max(range.start, lineStart), lineEnd)
  // A text of YAML may go on in the next line.
  const end = Math.min(range.end, lineEnd)
  return {
    batch: name,
    line: line + 1,
    column: start - lineStart + 1,
    endColumn: Math.max(end, start + 1) - lineStart + 1,
    record: records.at(pointer)?.index ?? null,
    pointer: formatPointer(pointer),
    frame: makeFrame(text, starts, line, { start, end }),
  }
}

/** Returns a problem of a whole file, without lines to show. */
export function fileProblem(batch: string, fault: Fault, words: ReaderWords = PAGE_WORDS): Problem {
  const message = sentenceOf(fault, words)
  const place = { line: 1, column: 1, endColumn: 2, record: null, id: null, pointer: '' }
  return {
    batch,
    ...place,
    ...codesOf(fault),
    kind: kindOf(fault, [], message),
    message,
    frame: [],
  }
}

function codesOf(fault: Fault): Pick<Problem, 'code' | 'ownCode'> {
  return 'ownCode' in fault ? { code: fault.code, ownCode: fault.ownCode } : { code: fault.code }
}

interface PlacedFault extends Range {
  fault: ExplainedFault
  edits: readonly Edit[] | undefined
}

/** Where a fault of an unreadable file is shown if its place isn't known. */
const BEGINNING: Range = { start: 0, end: 0 }

/** Finds the places of faults in a file, and the edits of those that have a fix. */
function placeAll({ tree }: ParsedBatch, faults: readonly ExplainedFault[]): PlacedFault[] {
  const ranges = tree?.locate(faults) ?? []
  const edits = editsOf(tree, faults)

  return faults.map((fault, index) => {
    const { start, end } = fault.range ?? ranges[index] ?? BEGINNING
    return { fault, start, end, edits: edits.get(fault) ?? fault.fix }
  })
}

/** Returns the edits of the faults whose right value is known. Each replaces the whole value, not a part. */
function editsOf(tree: Tree | undefined, faults: readonly Fault[]): Map<Fault, Edit[]> {
  const replaced = faults.filter(hasInstead)
  const edits = new Map<Fault, Edit[]>()
  if (!tree || replaced.length === 0) return edits

  const replacements = replaced.map(({ pointer, at, instead }) => ({ pointer, at, instead }))
  for (const [index, edit] of tree.write(replacements).entries()) {
    const fault = replaced[index]
    if (fault && edit) edits.set(fault, [edit])
  }
  return edits
}

function hasInstead(fault: Fault): fault is Fault & Replacement {
  return fault.instead !== undefined
}

/** Names the record of a fault. */
function recordOf({ records, value }: ParsedBatch, { pointer }: Fault, idOf: IdOf) {
  const index = records.at(pointer)?.index
  if (index === undefined) return { record: null, id: null }

  const isFile = records.all[index] === value
  return { record: index, ...(isFile && { isFile }), id: idOf(index) }
}

/** @param last the line that has the range, from 0 */
function makeFrame(
  text: string,
  starts: readonly number[],
  last: number,
  range: Range,
): FrameLine[] {
  const first = Math.max(0, last - LINES_BEFORE)
  const frame: FrameLine[] = []

  for (let line = first; line <= last; line++) {
    const start = starts[line] as number
    const end = endOfLine(text, starts, line)
    const isMarked = line === last
    const center = isMarked ? range.start : start
    const from = Math.max(start, center - WIDEST)
    const to = Math.min(end, center + WIDEST)

    const shown = copyOf(text.slice(from, to))
    const mark = { start: range.start - from, end: range.end - from }
    frame.push({ number: line + 1, text: shown, ...(isMarked && { mark }) })
  }
  return frame
}

/** Returns the offset at which a line ends, before the characters that end it. */
function endOfLine(text: string, starts: readonly number[], line: number): number {
  const next = starts[line + 1]
  if (next === undefined) return text.length
  return text.startsWith('\r\n', next - 2) ? next - 2 : next - 1
}

/** V8 keeps a whole string in memory as long as a slice of it is in use. */
function copyOf(slice: string): string {
  return Buffer.from(slice, 'utf16le').toString('utf16le')
}
