/**
 * A batch that is new, and sorts before others, takes their paths. That is the rule of precedence,
 * but often an accident of names, so a build names these pages. It remembers nothing of it.
 */

import type { Manifest } from './output.ts'

export interface Takeover {
  path: string
  /** The new batch, which keeps the path. */
  batch: string
  /** A batch of the dataset before, which lost it. */
  from: string
}

/**
 * Finds the pages that a batch keeps which was not there before, and a batch that was there lost.
 *
 * @param before the content of the previous manifest; any other text counts as none
 */
export function findTakeovers(
  before: string,
  now: Pick<Manifest, 'batches' | 'duplicates'>,
): Takeover[] {
  const known = batchesOf(before)
  if (known.size === 0 || now.batches.every(({ file }) => known.has(file))) return []
  return now.duplicates.flatMap(({ path, kept, dropped }) => {
    const from = known.has(kept.batch) ? undefined : dropped.find(({ batch }) => known.has(batch))
    return from ? [{ path, batch: kept.batch, from: from.batch }] : []
  })
}

function batchesOf(manifest: string): Set<string> {
  try {
    // The duplicates may take gigabytes; they come last.
    const [head = ''] = manifest.split(',\n  "duplicates": [', 1)
    const { batches }: Manifest = JSON.parse(head === manifest ? head : `${head}}`)
    return new Set(batches.map(({ file }) => file))
  } catch {
    return new Set()
  }
}
