/** Finds the records of duplicates in their batches. Runs only on request. */
import { locate } from '../batch/json/json.ts'
import type { BatchEntry, Manifest } from '../dataset/output.ts'
import type { Duplicate, Provenance } from '../dataset/precedence.ts'
import { readAgain } from './reader.ts'
import type { Source } from './source.ts'

/** A record as it was delivered. */
export type Delivered = Record<string, unknown>

/** Adds line numbers to the duplicates of a manifest. */
export async function addLines(source: Source, { batches, duplicates }: Manifest): Promise<void> {
  for await (const { text, places } of readWanted(source, batches, duplicates)) {
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
  for await (const { text, places } of readWanted(source, batches, duplicates)) {
    addLinesOf(text, places)
    const batch: Delivered[] = JSON.parse(text)
    for (const place of places) records.set(place, batch[place.index] as Delivered)
  }
  return records
}

/** Reads batches again, one at a time. Skips those that have changed since the build. */
async function* readWanted(
  source: Source,
  batches: readonly BatchEntry[],
  duplicates: readonly Duplicate[],
) {
  const wanted = new Map<string, Provenance[]>(batches.map(({ file }) => [file, []]))
  for (const { kept, dropped } of duplicates) {
    for (const place of [kept, ...dropped]) wanted.get(place.batch)?.push(place)
  }
  for (const entry of batches) {
    const places = wanted.get(entry.file) ?? []
    const bytes = places.length === 0 ? undefined : await readAgain(source, entry)
    if (bytes) yield { text: bytes.toString(), places }
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
