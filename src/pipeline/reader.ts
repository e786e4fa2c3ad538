/** Chooses how to read the batches: the plain way, or with the scanner for large deliveries. */
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { plainReader, type ReadBatch } from '../dataset/validate.ts'
import type { SchemaFiles } from './schema-files.ts'

/** The total size, in bytes, from which the scanner saves more time than it takes to load. */
export const LARGE = 16_000_000

/**
 * @param bytes the total size of the batches
 * @param frames for how many problems per batch to keep the surrounding lines
 * @returns the reader, and a notice if the schema requires the slower one
 */
export async function chooseReader(
  { sha256, schema, check, cache }: SchemaFiles,
  bytes: number,
  frames: number,
): Promise<{ read: ReadBatch; notice?: string }> {
  const plain = plainReader(check, frames)
  if (bytes < LARGE) return { read: plain }
  const { compileScanner, readByScanning } = await import('../scanner/scanner.ts')
  const compiled: ReturnType<typeof compileScanner> = JSON.parse(
    cache.get('scanner', `${sha256}; ${versionOfScanner()}`, () =>
      JSON.stringify(compileScanner(schema)),
    ),
  )
  if ('text' in compiled) return { read: readByScanning(compiled.text, check, frames, plain) }
  const { keyword, pointer } = compiled.declined
  return {
    read: plain,
    notice:
      `the scanner for large deliveries cannot handle "${keyword}" at ${pointer || 'the root'} of ` +
      'the schema; the result is the same, but takes about three times as long',
  }
}

const FOLDER = path.join(import.meta.dirname, '../scanner')

/** A digest of everything that determines how the scanner compiles a schema. */
function versionOfScanner(): string {
  const sources = fs.readdirSync(FOLDER).map((name) => path.join(FOLDER, name))
  const lockfile = path.join(FOLDER, '../../package-lock.json')
  const files = [...sources.sort(), lockfile].filter((file) => fs.existsSync(file))
  // The Unicode version of Node decides what "\\p{L}" matches.
  const hash = createHash('sha256').update(process.versions.unicode ?? '')
  for (const file of files) hash.update(fs.readFileSync(file))
  return hash.digest('hex')
}
