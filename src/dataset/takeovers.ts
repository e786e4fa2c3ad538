/**
 * A batch that is new, and sorts before others, takes their paths. That is the rule of precedence,
 * but often an accident of names, so a build names these pages. It remembers nothing of it.
 */
import type { Manifest } from './emit.ts'
import type { Row } from './summary.ts'
import { formatNumber, plural } from './wording.ts'

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

/** How many are named in the summary. */
const MOST_NAMED = 3

/** For example "/pricing/001 now from new.json, which sorts before old.json". */
export function describeTakeover({ path, batch, from }: Takeover): string {
  return `${path} now from ${batch}, which sorts before ${from}`
}

/** Describes them in the summary; no rows if there are none. */
export function describeTakeovers(takeovers: readonly Takeover[]): Row[] {
  const named = takeovers.slice(0, MOST_NAMED).map((each): Row => ['', describeTakeover(each)])
  const more = takeovers.length - named.length
  if (more > 0) named.push(['', `and ${formatNumber(more)} more; --report FILE shows all`])
  return takeovers.length === 0
    ? []
    : [['Taken', `${plural(takeovers.length, 'page')} of earlier batches`], ...named]
}
