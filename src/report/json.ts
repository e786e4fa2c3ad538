/** The result of a build for programs, as JSON. */
import type { Problem } from '../batch/problem.ts'
import { countChanges, type PageChanges, type Takeover } from '../dataset/changes.ts'
import { emitManifest, type Manifest } from '../dataset/format.ts'
import { printable } from '../text/printable.ts'

/**
 * Formats a build as JSON: whether it is `ok`, its warnings, and its changes, takeovers and manifest,
 * or its problems.
 */
export function* formatJson(
  result: { warnings: readonly Problem[] } & (
    | {
        ok: true
        manifest: Manifest
        changes: PageChanges | boolean
        takeovers: readonly Takeover[]
      }
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

function emitProblems(problems: readonly Problem[]): Generator<string> {
  return emitItems(problems.map(({ frame, isFile, ...problem }) => problem))
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
