/** Makes the fixes in a batch that are certain, until none is left. Pure: bytes in, bytes out. */
import { isUtf8 } from 'node:buffer'
import type { Edit } from '../page/violation.ts'
import { type Problem, startsOfLines } from './problem.ts'

/** A fix, by its place in the file when it was made. */
export interface MadeFix {
  line: number
  column: number
  before: string
  after: string
  /** The whole line before and after the fixes of its round. */
  lines: readonly [before: string, after: string]
}

/** How many rounds there are at most. A round fixes one error of syntax, or all other faults. */
const MOST = 100

/**
 * Fixes a batch: first its syntax, each error further on than the one before; then what the schema
 * and the rules refuse.
 *
 * @param problemsOf returns the problems of a batch in the order of the text
 * @returns the bytes as they were, and nothing made, if a fix would add a problem
 */
export function fixBatch(
  bytes: Uint8Array,
  problemsOf: (bytes: Uint8Array) => readonly Problem[],
): { bytes: Uint8Array; made: MadeFix[] } {
  const none = { bytes, made: [] }
  if (!isUtf8(bytes)) return none
  let [text, problems] = [Buffer.from(bytes).toString('utf8'), problemsOf(bytes)]
  const made: MadeFix[] = []
  for (let round = 0; round < MOST; round++) {
    const { edits, next } = makeEdits(text, problems)
    if (edits.length === 0) break
    const left = problemsOf(Buffer.from(next))
    const [error, nextError] = [problems.find(isOfSyntax), left.find(isOfSyntax)]
    // An error at the same place counts as further if the fix has removed something before it.
    const isFurther =
      !error || !nextError || isBefore(error, nextError) || next.length < text.length
    if (!isFurther || (!error && hasMore(problems, left))) return none
    made.push(...describe(edits, text, next))
    ;[text, problems] = [next, left]
  }
  return made.length === 0 ? none : { bytes: Buffer.from(text), made }
}

/** Makes the edits of all fixes that do not overlap; of two that do, the first. */
function makeEdits(text: string, problems: readonly Problem[]) {
  const edits: Edit[] = []
  const parts: string[] = []
  let from = 0
  for (const edit of problems.flatMap(({ fix = [] }) => fix)) {
    if (edit.start < from || edit.start === edits.at(-1)?.start) continue
    edits.push(edit)
    parts.push(text.slice(from, edit.start), edit.text)
    from = edit.end
  }
  return { edits, next: parts.join('') + text.slice(from) }
}

function isOfSyntax({ code }: Problem): boolean {
  return code.startsWith('json.')
}

function isBefore(one: Problem, other: Problem): boolean {
  return one.line < other.line || (one.line === other.line && one.column < other.column)
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

/** No edit has a line break, so each line stays where it is. */
function describe(edits: readonly Edit[], text: string, next: string): MadeFix[] {
  const starts = startsOfLines(text)
  const [before = [], after = []] = [text, next].map((each) => each.split(/\r\n|\n|\r/))
  let line = 0
  return edits.map((edit) => {
    while (Number(starts[line + 1]) <= edit.start) line++
    return {
      line: line + 1,
      column: edit.start - Number(starts[line]) + 1,
      before: text.slice(edit.start, edit.end),
      after: edit.text,
      lines: [before[line] ?? '', after[line] ?? ''],
    }
  })
}
