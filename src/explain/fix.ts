/** Makes the fixes in a batch that are certain, until none is left. Pure: bytes in, bytes out. */
import { lineAt, startsOfLines } from '../text/lines.ts'
import type { Problem } from './problem.ts'

/** A fix, by its place in the file when it was made. */
export interface MadeFix {
  line: number
  column: number
  before: string
  after: string
  /** What is before and after it on its line. */
  beside: readonly [head: string, tail: string]
}

/** How many rounds there are at most. A round fixes one error of syntax, or all other faults. */
const MOST = 100

/**
 * Fixes a batch: first its syntax, one error after the other, each further on, because what is before
 * the first error is right; then what the schema and the rules refuse.
 *
 * @param problemsOf returns the problems of a batch in the order of the text
 * @returns the bytes with all fixes before the first round that would add a problem
 */
export function fixBatch(
  bytes: Buffer,
  problemsOf: (bytes: Buffer) => readonly Problem[],
): { bytes: Buffer; made: MadeFix[] } {
  let [text, problems] = [bytes.toString(), problemsOf(bytes)]
  const made: MadeFix[] = []
  for (let round = 0; round < MOST; round++) {
    const { made: fixes, next } = makeEdits(text, problems)
    if (fixes.length === 0) break
    const left = problemsOf(Buffer.from(next))
    // What follows an error of syntax was not checked before.
    if (!problems.some(({ code }) => code.startsWith('json.')) && hasMore(problems, left)) break
    for (const each of fixes) made.push(each)
    ;[text, problems] = [next, left]
  }
  return { bytes: made.length === 0 ? bytes : Buffer.from(text), made }
}

/** Makes the edits of all fixes that do not overlap; of two that do, the first. */
function makeEdits(text: string, problems: readonly Problem[]) {
  const starts = startsOfLines(text)
  const made: MadeFix[] = []
  const parts: string[] = []
  let from = 0
  for (const { start, end, text: after } of problems.flatMap(({ fix = [] }) => fix)) {
    if (start < from) continue
    const line = lineAt(starts, start)
    const head = text.slice(starts[line], start)
    // No edit has a line break.
    const tail = text.slice(end, starts[line + 1]).trimEnd()
    const before = text.slice(start, end)
    made.push({ line: line + 1, column: head.length + 1, before, after, beside: [head, tail] })
    parts.push(text.slice(from, start), after)
    from = end
  }
  return { made, next: parts.join('') + text.slice(from) }
}

/**
 * Whether there is a problem that was not there before. What rules find is not: they are applied to a
 * record only when the schema accepts it.
 */
function hasMore(before: readonly Problem[], after: readonly Problem[]): boolean {
  // Once one of two unknown keys is right, the other may be told as the one that is missing.
  const nameOf = ({ code, kind, pointer }: Problem) =>
    code.endsWith('-key') ? pointer : `${kind} ${pointer}`
  const known = new Set(before.map(nameOf))
  return after.some((each) => /^(?:json|loss|schema)\./.test(each.code) && !known.has(nameOf(each)))
}
