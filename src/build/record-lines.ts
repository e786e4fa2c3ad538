/** Finds the lines of duplicates in their batches. Runs only on request. */
import { ItemMaker } from '../accept/items.ts'
import { linesOfRecords, type ParsedBatch, parseBatch } from '../accept/parse-batch.ts'
import type { BatchEntry } from '../dataset/format.ts'
import type { Duplicate, Provenance } from '../dataset/precedence.ts'
import { groupBy } from '../machine/group-by.ts'
import { readAgain } from './read-batch.ts'
import type { CollectionToBuild } from './source.ts'

/**
 * Adds line numbers to duplicates, by reading their batches again, one at a time. Leaves out those
 * that have changed since the build.
 *
 * @param look is called for each batch that was read, with its records among the duplicates
 */
export async function addLines(
  { source, collection }: Pick<CollectionToBuild, 'source' | 'collection'>,
  { batches, duplicates }: { batches: readonly BatchEntry[]; duplicates: readonly Duplicate[] },
  look?: (items: ItemMaker, records: readonly Provenance[]) => void,
): Promise<void> {
  const records = duplicates.flatMap(({ kept, dropped }): Provenance[] => [kept, ...dropped])
  const recordsByBatch = groupBy(records, ({ batch }) => batch)

  for (const entry of batches) {
    const wanted = recordsByBatch.get(entry.file)
    const bytes = wanted && (await readAgain(source, entry))
    if (!bytes) continue

    const batch = parseBatch({ name: entry.file, bytes }, collection)
    addLinesOf(wanted, batch)
    look?.(new ItemMaker(batch, collection), wanted)
  }
}

/** Adds line numbers to records of one batch. */
function addLinesOf(wanted: readonly Provenance[], batch: ParsedBatch): void {
  const indexes = wanted.map(({ index }) => index)
  for (const [at, line] of linesOfRecords(batch, indexes).entries()) {
    const record = wanted[at]
    if (record) record.line = line
  }
}
