/** Finds the records of duplicates in their batches. Runs only on request. */
import { locateIn, parseBatch } from '../batch/json/parse.ts'
import { type OpenBatch, openBatch } from '../batch/open.ts'
import type { Manifest } from '../dataset/output.ts'
import type { Provenance } from '../dataset/precedence.ts'
import { groupBy } from '../machine/group-by.ts'
import type { Content } from '../page/content.ts'
import { readAgain } from './read-batches.ts'
import type { Source } from './source.ts'

/**
 * Adds line numbers to duplicates, by reading their batches again, one at a time. Leaves out those
 * that have changed since the build.
 */
export async function addLines(
  source: Source,
  content: Content,
  { batches, duplicates }: Pick<Manifest, 'batches' | 'duplicates'>,
): Promise<void> {
  const all = duplicates.flatMap(({ kept, dropped }): Provenance[] => [kept, ...dropped])
  const wanted = groupBy(all, ({ batch }) => batch)
  for (const entry of batches) {
    const places = wanted.get(entry.file)
    const bytes = places && (await readAgain(source, entry))
    if (!bytes) continue
    addLinesOf(openBatch(entry.file, parseBatch(entry.file, bytes), content), places)
  }
}

function addLinesOf({ parsed, records }: OpenBatch, places: readonly Provenance[]): void {
  const targets = places.map(({ index }) => {
    return { pointer: records.pointerTo(index), at: 'value' as const }
  })
  const found = locateIn(parsed, targets).map(({ start }, at) => ({ start, place: places[at] }))
  let line = 1
  let from = 0
  for (const { start, place } of found.sort((a, b) => a.start - b.start)) {
    while (from < start) if (parsed.text[from++] === '\n') line++
    if (place) place.line = line
  }
}
