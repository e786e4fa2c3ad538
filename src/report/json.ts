/** The result of a build for programs, as JSON. */

import type { Result } from '../build/build.ts'
import type { Published } from '../build/output/dataset-writer.ts'
import { countChanges } from '../dataset/changes.ts'
import { emitItems, emitManifest } from '../dataset/format.ts'
import type { Problem } from '../explain/problem.ts'
import { printable } from '../text/printable.ts'

/** Formats a build as JSON: its warnings; its changes, takeovers and manifest, or its problems. */
export function* formatJson(result: Result<Published>): Generator<string> {
  for (const piece of emit(result)) yield printableJson(piece)
}

function* emit(result: Result<Published>): Generator<string> {
  yield `{\n"ok": ${result.ok},\n"warnings": `
  yield* emitItems(result.warnings.map(toData))
  if (result.ok) {
    const changes =
      typeof result.changes === 'object' ? countChanges(result.changes) : result.changes
    yield `,\n"changes": ${JSON.stringify(changes)},\n"takeovers": `
    yield* emitItems(result.newWinners)
    yield `,\n"manifest": `
    yield* emitManifest(result.manifest)
    yield '}\n'
  } else {
    yield ',\n"problems": '
    yield* emitItems(result.problems.map(toData))
    yield '\n}\n'
  }
}

/** Formats what `--records` wrote, and its warnings. */
export function formatRecordsJson(written: object, warnings: readonly Problem[]): string {
  return formatLine({ ...written, warnings: warnings.map(toData) })
}

/** Formats any other answer of the command, in a line. */
export function formatLine(value: object): string {
  return `${printableJson(JSON.stringify(value))}\n`
}

/** Returns what programs read of a problem: not the lines around it. */
export function toData({ frame, isFile, ...problem }: Problem): object {
  return problem
}

/** Escapes invisible characters. The value stays the same: in JSON, an escape is its character. */
function printableJson(json: string): string {
  return json.replace(/[^\n]+/g, printable)
}
