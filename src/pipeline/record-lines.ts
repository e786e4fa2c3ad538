/** Finds the lines of duplicates in their batches. Runs only on request. */
import { type OpenBatch, openBatch } from '../batch/open.ts'
import { toProblems } from '../batch/problem.ts'
import type { Manifest } from '../dataset/format.ts'
import type { Provenance } from '../dataset/precedence.ts'
import { groupBy } from '../machine/group-by.ts'
import type { Content } from '../page/content.ts'
import type { Violation } from '../page/violation.ts'
import { readAgain } from './read-batches.ts'
import type { Source } from './source.ts'

/**
 * Adds line numbers to duplicates, by reading their batches again, one at a time. Leaves out those
 * that have changed since the build.
 *
 * @param look is called for each batch that was read, with the places of its duplicates
 */
export async function addLines(
  source: Source,
  content: Content,
  { batches, duplicates }: Pick<Manifest, 'batches' | 'duplicates'>,
  look?: (batch: OpenBatch, places: readonly Provenance[]) => void,
): Promise<void> {
  const all = duplicates.flatMap(({ kept, dropped }): Provenance[] => [kept, ...dropped])
  const wanted = groupBy(all, ({ batch }) => batch)
  for (const entry of batches) {
    const places = wanted.get(entry.file)
    const bytes = places && (await readAgain(source, entry))
    if (!bytes) continue
    const batch = openBatch(entry.file, bytes, content)
    const found = places.map(({ index }): Violation => {
      return { code: '', pointer: batch.records.pointerTo(index), at: 'value', message: '' }
    })
    const lines = new Map(toProblems(batch, found, 0).map(({ record, line }) => [record, line]))
    for (const place of places) place.line = lines.get(place.index) as number
    look?.(batch, places)
  }
}
