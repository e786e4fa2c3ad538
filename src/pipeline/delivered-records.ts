/** Finds the records of duplicates in their batches. Runs only on request. */
import { locateIn, parseBatch } from '../batch/json/parse.ts'
import { type OpenBatch, openBatch } from '../batch/open.ts'
import type { BatchEntry, Manifest } from '../dataset/output.ts'
import type { Duplicate, Provenance } from '../dataset/precedence.ts'
import type { Content } from '../page/content.ts'
import type { Page } from '../page/page.ts'
import { readAgain } from './reader.ts'
import type { Source } from './source.ts'

/** Adds line numbers to the duplicates of a manifest. */
export async function addLines(
  source: Source,
  content: Content,
  { batches, duplicates }: Manifest,
): Promise<void> {
  for await (const { batch, places } of readWanted(source, content, batches, duplicates)) {
    addLinesOf(batch, places)
  }
}

/**
 * Adds line numbers to duplicates.
 *
 * @returns the pages of the records, except those of batches that have changed since the build
 */
export async function readPages(
  source: Source,
  content: Content,
  batches: readonly BatchEntry[],
  duplicates: readonly Duplicate[],
): Promise<Map<Provenance, Page>> {
  const pages = new Map<Provenance, Page>()
  for await (const { batch, places } of readWanted(source, content, batches, duplicates)) {
    addLinesOf(batch, places)
    for (const place of places) pages.set(place, batch.pageOf(place.index))
  }
  return pages
}

/** Reads batches again, one at a time. Skips those that have changed since the build. */
async function* readWanted(
  source: Source,
  content: Content,
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
    if (bytes)
      yield { batch: openBatch(entry.file, parseBatch(entry.file, bytes), content), places }
  }
}

function addLinesOf({ parsed, records }: OpenBatch, places: readonly Provenance[]): void {
  const targets = places.map(({ index }) => ({
    pointer: records.pointerTo(index),
    at: 'value' as const,
  }))
  const found = locateIn(parsed, targets).map(({ start }, at) => ({
    start,
    place: places[at] as Provenance,
  }))
  let line = 1
  let from = 0
  for (const { start, place } of found.sort((a, b) => a.start - b.start)) {
    while (from < start) if (parsed.text[from++] === '\n') line++
    place.line = line
  }
}
