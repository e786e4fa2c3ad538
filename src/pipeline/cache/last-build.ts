/**
 * Recognizes a delivery of which nothing has changed since the last build. The manifest names what
 * that build read and wrote, but cannot vouch for itself: the cache knows its digest, and the code.
 */
import fs from 'node:fs'
import path from 'node:path'
import { FILES, type Manifest } from '../../dataset/output.ts'
import { sha256Of } from '../../text/digest.ts'
import { readAgain } from '../reader.ts'
import type { SchemaFiles } from '../schema-files.ts'
import type { Source } from '../source.ts'
import type { Cache } from './cache.ts'

/**
 * Returns the manifest of the last build if it was made by the same code from the same schema and
 * the same batches. Whether its files are still there is left to the caller.
 *
 * @param batches in the order of precedence
 */
export async function findLastBuild(
  out: string,
  cache: Cache,
  schema: SchemaFiles,
  source: Source,
  batches: readonly { name: string }[],
  signal?: AbortSignal,
): Promise<Manifest | undefined> {
  const text = readManifest(out)
  if (text === undefined || !cache.get('build', sha256Of(text))) return undefined
  const manifest: Manifest = JSON.parse(text)
  const before = [manifest.schema.sha256, manifest.types?.sha256]
  const now = [schema.sha256, schema.types && sha256Of(schema.types)]
  before.push(...manifest.batches.map(({ file }) => file))
  now.push(...batches.map(({ name }) => name))
  if (JSON.stringify(before) !== JSON.stringify(now)) return undefined
  for (const batch of manifest.batches) {
    signal?.throwIfAborted()
    if (!(await readAgain(source, batch))) return undefined
  }
  return manifest
}

/** Returns the text of the manifest; undefined if there is none, or if it is too long for a string. */
function readManifest(out: string): string | undefined {
  try {
    return fs.readFileSync(path.join(out, FILES.manifest), 'utf8')
  } catch {
    return undefined
  }
}
