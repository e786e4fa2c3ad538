/** The result of a command for programs, as JSON. */
import type { Published } from '../build/output/collection-dataset.ts'
import { countChanges } from '../dataset/changes.ts'
import { emitItems, emitManifestOf } from '../dataset/format.ts'
import type { Problem } from '../explain/problem.ts'
import { shownCode } from '../fault/fault.ts'
import { printable } from '../text/printable.ts'
import type { ShownCollection } from './collections.ts'

/** Whether nothing is refused, and the files in place that are out of date. */
export interface Verdict {
  isOk: boolean
  outdated: readonly string[]
}

/** Formats the collections as JSON: their problems and warnings; and what was built of them, or would be. */
export function* formatJson(
  collections: readonly ShownCollection[],
  verdict: Verdict,
): Generator<string> {
  for (const piece of emit(collections, verdict)) yield printableJson(piece)
}

/** From which number the numbers in the JSON count. */
const COUNTED_FROM = { line: 1, column: 1, record: 0, index: 0 }

function* emit(
  collections: readonly ShownCollection[],
  { isOk, outdated }: Verdict,
): Generator<string> {
  yield `{\n"ok": ${isOk},\n"countedFrom": ${JSON.stringify(COUNTED_FROM)},\n`
  yield `"outdated": ${JSON.stringify(outdated)},\n"collections": {`

  let separator = '\n'
  for (const { name, result, problems, elsewhere, warnings } of collections) {
    yield `${separator}${JSON.stringify(name)}: {\n`
    separator = ',\n'

    yield '"problems": '
    const shownElsewhere = Array.from(elsewhere, ([problem, shownIn]) => {
      return { ...toData(problem), shownIn }
    })
    yield* emitItems([...problems.map(toData), ...shownElsewhere])
    yield ',\n"warnings": '
    yield* emitItems(warnings.map(toData))
    if (result.ok) yield* emitPublished(result)
    yield '\n}'
  }

  yield '\n}\n}\n'
}

function* emitPublished({ changes, newWinners, manifest }: Published): Generator<string> {
  const counts = typeof changes === 'object' ? countChanges(changes) : changes
  yield `,\n"changes": ${JSON.stringify(counts)},\n"takeovers": `
  yield* emitItems(newWinners)

  yield `,\n"manifest": `
  yield* emitManifestOf(manifest)
}

/** Formats what `--records` wrote, and its warnings. */
export function formatRecordsJson(written: object, warnings: readonly Problem[]): string {
  return formatLine({ ...written, warnings: warnings.map(toData) })
}

/** Formats any other answer of the command, in a line. */
export function formatLine(value: object): string {
  return `${printableJson(JSON.stringify(value))}\n`
}

/** Returns a problem for programs, without the lines around it. */
export function toData(problem: Problem) {
  const { batch, line, column, endColumn, record, id, pointer, kind, message, fix, other } = problem
  const place = { file: batch, line, column, endColumn, record, id, pointer }
  return { ...place, code: shownCode(problem), kind, message, fix, other: other && toOther(other) }
}

function toOther({ frame, batch, ...place }: NonNullable<Problem['other']>) {
  return { file: batch, ...place }
}

/** A line without its end: a line break between two keys isn't part of a text. */
const LINE = /[^\n]+/g

/** Escapes invisible characters. The value stays the same: in JSON, an escape is its character. */
function printableJson(json: string): string {
  return json.replace(LINE, printable)
}
