/** Recognizes a delivery of which nothing has changed since the last build. */
import fs from 'node:fs'
import path from 'node:path'
import { FILES, type Manifest } from '../dataset/output.ts'
import { sha256Of } from '../text/digest.ts'
import type { BatchCache } from './batch-cache.ts'
import type { BuildOptions } from './build.ts'
import { holds } from './disk/file-set.ts'
import { readFiles } from './reader.ts'
import type { SchemaFiles } from './schema-files.ts'

/**
 * Returns the manifest of the last build, if it was made by the same code from the same schema and
 * the same batches, and its files are as it left them.
 *
 * @param batches in the order of precedence
 */
export async function findLastBuild(
  { out, source, signal }: Pick<BuildOptions, 'out' | 'source' | 'signal'>,
  cache: BatchCache,
  schema: SchemaFiles,
  batches: readonly { name: string }[],
): Promise<Manifest | undefined> {
  const manifest = readManifest(path.join(out, FILES.manifest), cache)
  const types = schema.types === undefined ? undefined : sha256Of(schema.types)
  if (manifest?.schema.sha256 !== schema.sha256 || manifest.types?.sha256 !== types)
    return undefined
  const names = manifest.batches.map(({ file }) => file)
  if (names.join('\n') !== batches.map(({ name }) => name).join('\n')) return undefined
  const digests = manifest.batches.map(({ sha256 }) => sha256)
  for await (const { bytes } of readFiles(source, batches)) {
    signal?.throwIfAborted()
    if (bytes instanceof Error || sha256Of(bytes) !== digests.shift()) return undefined
  }
  const isThere =
    holds(path.join(out, FILES.dataset), manifest.dataset) &&
    holds(path.join(out, FILES.types), manifest.types)
  return isThere ? manifest : undefined
}

/** The manifest cannot vouch for itself: the cache knows its digest, and the code. */
function readManifest(file: string, cache: BatchCache): Manifest | undefined {
  try {
    const text = fs.readFileSync(file, 'utf8')
    return cache.vouchesFor(sha256Of(text)) ? JSON.parse(text) : undefined
  } catch {
    return undefined
  }
}
