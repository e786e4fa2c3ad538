/** Finds the records of duplicates in their batches. Runs only on request. */

import { locateObjects } from '../batch/json/json.ts'
import type { BatchEntry, Manifest } from '../dataset/output.ts'
import type { Duplicate, Provenance } from '../dataset/precedence.ts'
import { sha256Of } from './reader.ts'
import type { Source } from './source.ts'

/** A record as it was delivered. */
export type Delivered = Record<string, unknown>

/** Adds line numbers to the duplicates of a manifest. */
export async function addLines(source: Source, { batches, duplicates }: Manifest): Promise<void> {
  await readAgain(source, batches, placesOf(duplicates), () => {})
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
  await readAgain(source, batches, placesOf(duplicates), (place, json) => {
    records.set(place, JSON.parse(Buffer.from(json, 'latin1').toString()))
  })
  return records
}

function placesOf(duplicates: readonly Duplicate[]): Provenance[] {
  return duplicates.flatMap(({ kept, dropped }) => [kept, ...dropped])
}

/**
 * Reads batches again, one at a time, and sets the line of each place. Skips batches that have
 * changed since the build.
 *
 * @param found called with the text of each record, decoded as Latin-1, which is faster
 */
async function readAgain(
  source: Source,
  batches: readonly BatchEntry[],
  places: readonly Provenance[],
  found: (place: Provenance, json: string) => void,
): Promise<void> {
  const wanted = new Map<string, Provenance[]>()
  for (const place of places) {
    const others = wanted.get(place.batch)
    if (others) others.push(place)
    else wanted.set(place.batch, [place])
  }
  const digests = new Map(batches.map(({ file, sha256 }) => [file, sha256]))
  for (const [name, places] of wanted) {
    const bytes = await source.read(name).catch(() => undefined)
    if (!bytes || sha256Of(bytes) !== digests.get(name)) continue
    const text = bytes.toString('latin1')
    const records = locateObjects(text, new Set(places.map(({ index }) => index)))
    for (const place of places) {
      const record = records.get(place.index)
      if (!record) continue
      place.line = record.line
      found(place, text.slice(record.start, record.end))
    }
  }
}
