/** Builds batches from memory, with the `content.ts` of a test. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { BuildResult } from '../../src/build/result.ts'
import type { Content } from '../../src/page/content.ts'
import { buildSite } from './build-site.ts'
import { memorySource } from './workspace.ts'

/** A schema of any list or object of records. */
const ANYTHING = { type: ['array', 'object'], items: { required: ['path'] } }

/**
 * @param files the batches by their names; a text is the file itself
 * @param content what `content.ts` would say
 */
export async function buildRecords(
  files: Record<string, unknown>,
  content: Content,
  options: { isStrict?: boolean; isCheck?: boolean; isSkipping?: boolean } = {},
): Promise<BuildResult> {
  const folder = mkdtempSync(join(tmpdir(), 'manyurls-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const schema = join(folder, 'schema.json')
  writeFileSync(schema, JSON.stringify(ANYTHING))

  const textOf = (file: unknown) =>
    typeof file === 'string' ? file : JSON.stringify(file, null, 1)
  const source = memorySource(Object.keys(files), async (name) => Buffer.from(textOf(files[name])))
  const out = join(folder, 'out')
  return buildSite({ schema, content, source, out, ...options })
}

/** The problems of a build as `batch:line pointer: message`. */
export function problemsOf(result: BuildResult): string[] {
  const problems = result.ok ? [] : result.problems
  return problems.map(({ batch, line, pointer, message }) => {
    return `${batch}:${line} ${pointer}: ${message}`
  })
}
