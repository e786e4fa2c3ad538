/** The result of a build for programs, as JSON. */
import type { Problem } from '../batch/problem.ts'
import { countChanges } from '../dataset/changes.ts'
import { emitManifest } from '../dataset/format.ts'
import type { Published } from '../pipeline/output/dataset-writer.ts'
import { printable } from '../text/printable.ts'

/**
 * Formats a build as JSON: whether it is `ok`, its warnings, and its changes, takeovers and manifest,
 * or its problems.
 */
export function* formatJson(
  result: { warnings: readonly Problem[] } & (
    | ({ ok: true } & Published)
    | { ok: false; problems: readonly Problem[] }
  ),
): Generator<string> {
  yield `{\n"ok": ${result.ok},\n"warnings": `
  yield* emitProblems(result.warnings)
  if (result.ok) {
    const changes =
      typeof result.changes === 'object' ? countChanges(result.changes) : result.changes
    yield `,\n"changes": ${JSON.stringify(changes)},\n"takeovers": `
    yield* emitItems(result.takeovers)
    yield `,\n"manifest": `
    for (const piece of emitManifest(result.manifest)) yield printableJson(piece)
    yield '}\n'
  } else {
    yield ',\n"problems": '
    yield* emitProblems(result.problems)
    yield '\n}\n'
  }
}

/** Formats what `--records` wrote, and its warnings. */
export function formatRecordsJson(written: object, warnings: readonly Problem[]): string {
  return `${printableJson(JSON.stringify({ ...written, warnings: warnings.map(toData) }))}\n`
}

function emitProblems(problems: readonly Problem[]): Generator<string> {
  return emitItems(problems.map(toData))
}

/** Returns what programs read of a problem: not the lines around it. */
function toData({ frame, isFile, ...problem }: Problem): object {
  return problem
}

function* emitItems(items: readonly object[]): Generator<string> {
  let separator = '[\n'
  for (const item of items) {
    yield separator + printableJson(JSON.stringify(item))
    separator = ',\n'
  }
  yield items.length === 0 ? '[]' : '\n]'
}

/** Escapes invisible characters. The value stays the same: in JSON, an escape is its character. */
function printableJson(json: string): string {
  return json.replace(/[^\n]+/g, printable)
}
