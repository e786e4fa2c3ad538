/** Finds the records of duplicates in their batches. Runs only on request. */

import { locate } from '../batch/json/json.ts'
import type { BatchEntry, Manifest } from '../dataset/output.ts'
import type { Duplicate, Provenance } from '../dataset/precedence.ts'
import { sha256Of } from '../text/digest.ts'
import type { Source } from './source.ts'

/** A record as it was delivered. */
export type Delivered = Record<string, unknown>

/** Adds line numbers to the duplicates of a manifest. */
export async function addLines(source: Source, { batches, duplicates }: Manifest): Promise<void> {
  for await (const { text, places } of readAgain(source, batches, duplicates)) {
    addLinesOf(text, places)
  }
}

/**
 * Adds line numbers to duplicates.
 *
 * @returns the records, except those of batches that have changed since the build
 */
export async function readRecords(
  source: Source,
  batches: readonly BatchEntry[],
  duplicates: readonly Duplicate[],
): Promise<Map<Provenance, Delivered>> {
  const records = new Map<Provenance, Delivered>()
  for await (const { text, places } of readAgain(source, batches, duplicates)) {
    addLinesOf(text, places)
    const batch: Delivered[] = JSON.parse(text)
    for (const place of places) records.set(place, batch[place.index] as Delivered)
  }
  return records
}

/** Reads batches again, one at a time. Skips those that have changed since the build. */
async function* readAgain(
  source: Source,
  batches: readonly BatchEntry[],
  duplicates: readonly Duplicate[],
) {
  const wanted = new Map<string, Provenance[]>()
  for (const place of duplicates.flatMap(({ kept, dropped }) => [kept, ...dropped])) {
    const others = wanted.get(place.batch)
    if (others) others.push(place)
    else wanted.set(place.batch, [place])
  }
  const digests = new Map(batches.map(({ file, sha256 }) => [file, sha256]))
  for (const [name, places] of wanted) {
    const bytes = await source.read(name).catch(() => undefined)
    if (bytes && sha256Of(bytes) === digests.get(name)) yield { text: bytes.toString(), places }
  }
}

function addLinesOf(text: string, places: readonly Provenance[]): void {
  const inOrder = places.toSorted((a, b) => a.index - b.index)
  const targets = inOrder.map(({ index }) => ({ pointer: [index], at: 'value' as const }))
  let line = 1
  let from = 0
  for (const [at, { start }] of locate(text, targets).entries()) {
    while (from < start) if (text[from++] === '\n') line++
    ;(inOrder[at] as Provenance).line = line
  }
}
