/** The result of a build for programs, as JSON. */
import type { Result } from '../build/build.ts'
import type { Published } from '../build/output/dataset-writer.ts'
import { countChanges } from '../dataset/changes.ts'
import { emitItems, SITE } from '../dataset/format.ts'
import type { Problem } from '../explain/problem.ts'
import { shownCode } from '../fault/fault.ts'
import { printable } from '../text/printable.ts'

/** Whether nothing is refused, and the files in place that are out of date. */
export interface Verdict {
  isOk: boolean
  outdated: readonly string[]
}

/** Formats a build as JSON: its warnings; its changes, takeovers and manifest, or its problems. */
export function* formatJson(result: Result<Published>, verdict: Verdict): Generator<string> {
  for (const piece of emit(result, verdict)) yield printableJson(piece)
}

function* emit(result: Result<Published>, { isOk, outdated }: Verdict): Generator<string> {
  yield `{\n"ok": ${isOk},\n"warnings": `
  yield* emitItems(result.warnings.map((warning) => toData(warning)))

  if (result.ok) yield* emitPublished(result, outdated)
  else yield* emitProblems(result.problems)
}

function* emitPublished(
  { changes, newWinners, manifest }: Published,
  outdated: readonly string[],
): Generator<string> {
  const counts = typeof changes === 'object' ? countChanges(changes) : changes
  yield `,\n"outdated": ${JSON.stringify(outdated)}`
  yield `,\n"changes": ${JSON.stringify(counts)},\n"takeovers": `
  yield* emitItems(newWinners.map(({ id, ...winner }) => ({ path: id, ...winner })))

  yield `,\n"manifest": `
  yield* SITE.emit(new Map([['', manifest]]))
  yield '}\n'
}

function* emitProblems(problems: readonly Problem[]): Generator<string> {
  yield ',\n"problems": '
  yield* emitItems(problems.map((problem) => toData(problem)))
  yield '\n}\n'
}

/** Formats what `--records` wrote, and its warnings. */
export function formatRecordsJson(written: object, warnings: readonly Problem[]): string {
  return formatLine({ ...written, warnings: warnings.map((warning) => toData(warning)) })
}

/** Formats any other answer of the command, in a line. */
export function formatLine(value: object): string {
  return `${printableJson(JSON.stringify(value))}\n`
}

/**
 * Returns what programs read of a problem: not the lines around it.
 *
 * @param idKey the key of the record's id
 */
export function toData(problem: Problem, idKey: 'path' | 'id' = 'path') {
  const { batch, line, column, endColumn, record, id, pointer, kind, message, fix } = problem
  const code = shownCode(problem)
  const place = { batch, line, column, endColumn, record, [idKey]: id, pointer }
  return { ...place, code, kind, message, fix, other: problem.other && toOther(problem.other) }
}

function toOther({ frame, ...place }: NonNullable<Problem['other']>) {
  return place
}

/** A line without its end: a line break between two keys isn't part of a text. */
const LINE = /[^\n]+/g

/** Escapes invisible characters. The value stays the same: in JSON, an escape is its character. */
function printableJson(json: string): string {
  return json.replace(LINE, printable)
}
