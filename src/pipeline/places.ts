/** Where the records stand that claimed the same path: looked for only when someone asks. */
import { constants } from 'node:buffer'
import { createHash } from 'node:crypto'
import type { Duplicate, Provenance } from '../dataset/dedupe.ts'
import type { Manifest } from '../dataset/emit.ts'
import { linesOf } from '../dataset/problem.ts'
import type { Source } from './source.ts'

/**
 * Reads the batches once more, one at a time.
 *
 * @returns the duplicates of the manifest with the lines of their records, again and again; without
 *   those of a batch that has changed meanwhile, or is too large for one string
 */
export async function withLines(
  source: Source,
  { batches, duplicates }: Manifest,
): Promise<() => Generator<Duplicate>> {
  const wanted = new Map<string, Set<number>>()
  const want = ({ batch, index }: Provenance) => {
    const indexes = wanted.get(batch)
    if (indexes) indexes.add(index)
    else wanted.set(batch, new Set([index]))
  }
  for (const { kept, dropped } of duplicates) for (const place of [kept, ...dropped]) want(place)

  const lines = new Map<string, Map<number, number>>()
  for (const { file, sha256 } of batches) {
    const indexes = wanted.get(file)
    const bytes = indexes && (await source.read(file).catch(() => undefined))
    if (!bytes || bytes.length > constants.MAX_STRING_LENGTH) continue
    if (createHash('sha256').update(bytes).digest('hex') !== sha256) continue
    lines.set(file, linesOf(bytes.toString(), indexes))
  }

  const withLine = <T extends Provenance>(place: T): T => {
    const line = lines.get(place.batch)?.get(place.index)
    return line === undefined ? place : { ...place, line }
  }
  return function* () {
    for (const { path, kept, dropped } of duplicates) {
      yield { path, kept: withLine(kept), dropped: dropped.map(withLine) }
    }
  }
}
