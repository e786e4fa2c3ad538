/** Makes the certain fixes in a batch, until none is left. Pure: bytes in, bytes out. */
import { isBeforeRecord, stageOf } from '../fault/codes.ts'
import type { AnyCode } from '../fault/facts.ts'
import { type FormatChoice, formatOf } from '../formats/formats.ts'
import { json } from '../formats/json.ts'
import { lineAt, startsOfLines } from '../text/lines.ts'
import type { Edit } from '../text/range.ts'
import type { Problem } from './problem.ts'
import { findSyntaxEdits } from './syntax/syntax.ts'

/** A fix, by its place in the file when it was made. */
export interface MadeFix {
  line: number
  column: number
  before: string
  after: string
  /** The rest of its line, before and after it. */
  beside: readonly [head: string, tail: string]
}

/**
 * Fixes a batch: first its syntax, then, round by round, what the schema and the rules refuse.
 *
 * @param problemsOf returns the problems of a batch in the order of the text
 * @param choice what the collection says of its format
 * @returns the bytes with all fixes before the first round that would add a problem
 */
export function fixBatch(
  bytes: Buffer,
  problemsOf: (bytes: Buffer) => readonly Problem[],
  choice: FormatChoice = {},
): { bytes: Buffer; made: MadeFix[] } {
  let text = bytes.toString()
  let problems = problemsOf(bytes)
  const made: MadeFix[] = []

  const broken = problems.find(({ code }) => stageOf(code) === 'syntax')
  if (broken) {
    const repaired = makeEdits(text, findSyntaxEdits(formatOf(broken.batch, choice) ?? json, text))
    text = repaired.text
    for (const fix of repaired.made) made.push(fix)
    if (made.length > 0) problems = problemsOf(Buffer.from(text))
  }

  for (;;) {
    const round = makeEdits(
      text,
      problems.flatMap(({ fix = [] }) => fix),
    )
    if (round.made.length === 0) break

    const left = problemsOf(Buffer.from(round.text))
    if (!solvesAny(problems, left) || addsAny(problems, left)) break
    for (const fix of round.made) made.push(fix)
    text = round.text
    problems = left
  }
  return { bytes: made.length === 0 ? bytes : Buffer.from(text), made }
}

/** Makes all edits that do not overlap; of two that do, the first. */
function makeEdits(text: string, edits: readonly Edit[]): { text: string; made: MadeFix[] } {
  const starts = startsOfLines(text)
  const made: MadeFix[] = []
  const parts: string[] = []
  let from = 0

  for (const { start, end, text: after } of edits) {
    if (start < from) continue
    const line = lineAt(starts, start)
    const head = text.slice(starts[line], start)
    // An edit of a Markdown body may go on in the next line: then there is no tail.
    const tail = text.slice(end, starts[line + 1]).trimEnd()
    const before = text.slice(start, end)
    made.push({ line: line + 1, column: head.length + 1, before, after, beside: [head, tail] })

    parts.push(text.slice(from, start), after)
    from = end
  }
  return { text: parts.join('') + text.slice(from), made }
}

/** The codes of keys that are wrong or missing. Once one is fixed, another may turn into any of them. */
const OF_KEYS: readonly AnyCode[] = [
  'loss.repeated-first-key',
  'loss.repeated-key',
  'schema.excluded-key',
  'schema.misplaced-key',
  'schema.misspelled-key',
  'schema.missing-key',
  'schema.one-key',
  'schema.unknown-key',
]

/** Returns what identifies a problem before and after a fix. */
function keyOf({ code, about, pointer }: Problem): string {
  return OF_KEYS.includes(code) ? pointer : `${code} ${pointer} ${about}`
}

/** Whether a problem that had a fix is gone. */
function solvesAny(before: readonly Problem[], after: readonly Problem[]): boolean {
  const left = new Set(after.map(keyOf))
  return before.some((problem) => problem.fix && !left.has(keyOf(problem)))
}

/**
 * Whether there's a new problem. Problems of rules don't count: rules run only once the schema accepts
 * a record.
 */
function addsAny(before: readonly Problem[], after: readonly Problem[]): boolean {
  const known = new Set(before.map(keyOf))
  return after.some((problem) => isBeforeRecord(problem.code) && !known.has(keyOf(problem)))
}
