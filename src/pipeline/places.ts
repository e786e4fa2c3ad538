/** Where the records stand that claimed the same path: looked for only when someone asks. */
import { createHash } from 'node:crypto'
import type { Provenance } from '../dataset/dedupe.ts'
import type { Manifest } from '../dataset/emit.ts'
import { linesOf } from '../dataset/problem.ts'
import type { Source } from './source.ts'

/**
 * Adds their lines to the duplicates of a manifest. It reads the batches once more, one at a time;
 * one that has changed meanwhile, or is too large for one string, is left out.
 */
export async function addLines(source: Source, { batches, duplicates }: Manifest): Promise<void> {
  const places = new Map<string, Provenance[]>(batches.map(({ file }) => [file, []]))
  for (const { kept, dropped } of duplicates) {
    for (const place of [kept, ...dropped]) places.get(place.batch)?.push(place)
  }
  for (const { file, sha256 } of batches) {
    const wanted = places.get(file) as Provenance[]
    if (wanted.length === 0) continue
    try {
      const bytes = await source.read(file)
      if (createHash('sha256').update(bytes).digest('hex') !== sha256) continue
      const lines = linesOf(bytes.toString(), new Set(wanted.map(({ index }) => index)))
      for (const place of wanted) place.line = lines.get(place.index) as number
    } catch {}
  }
}
