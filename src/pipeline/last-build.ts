/**
 * Recognizes a delivery of which nothing has changed since the last build. The manifest names what
 * that build read and wrote, but cannot vouch for itself: its digest is kept, with that of the code.
 */
import fs from 'node:fs'
import path from 'node:path'
import { FILES, type Manifest } from '../dataset/output.ts'
import { remove } from '../machine/files.ts'
import { sha256Of } from '../text/digest.ts'
import { codeDigest } from './code-digest.ts'
import { readFiles } from './reader.ts'
import type { SchemaFiles } from './schema-files.ts'
import type { Source } from './source.ts'

const placeIn = (out: string) => path.join(out, '.cache', 'last-build')
const sealOf = (manifest: string) => sha256Of(`${manifest} ${codeDigest()}`)

/** @param manifest its SHA-256; undefined if it does not tell everything about the build */
export function saveLastBuild(out: string, manifest: string | undefined): void {
  try {
    if (manifest === undefined) remove(placeIn(out))
    else fs.writeFileSync(placeIn(out), sealOf(manifest))
  } catch {
    // The next build is only slower.
  }
}

/**
 * Returns the manifest of the last build if it was made by the same code from the same schema and
 * the same batches. Whether its files are still there is left to the caller.
 *
 * @param batches in the order of precedence
 */
export async function findLastBuild(
  out: string,
  schema: SchemaFiles,
  source: Source,
  batches: readonly { name: string }[],
  signal?: AbortSignal,
): Promise<Manifest | undefined> {
  const manifest = readManifest(out)
  if (!manifest) return undefined
  const before = [manifest.schema.sha256, manifest.types?.sha256]
  const now = [schema.sha256, schema.types === undefined ? undefined : sha256Of(schema.types)]
  for (const { file } of manifest.batches) before.push(file)
  for (const { name } of batches) now.push(name)
  if (JSON.stringify(before) !== JSON.stringify(now)) return undefined
  const digests = manifest.batches.map(({ sha256 }) => sha256)
  for await (const { bytes } of readFiles(source, batches)) {
    signal?.throwIfAborted()
    if (bytes instanceof Error || sha256Of(bytes) !== digests.shift()) return undefined
  }
  return manifest
}

function readManifest(out: string): Manifest | undefined {
  try {
    const text = fs.readFileSync(path.join(out, FILES.manifest), 'utf8')
    const isVouchedFor = fs.readFileSync(placeIn(out), 'utf8') === sealOf(sha256Of(text))
    return isVouchedFor ? JSON.parse(text) : undefined
  } catch {
    return undefined
  }
}
