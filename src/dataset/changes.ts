/** Compares a new dataset with the one before it: its pages, and who lost a path to a new batch. */
import type { BatchEntry, Manifest } from './output.ts'
import type { Page } from './page.ts'
import { differingFields } from './precedence.ts'

/**
 * The largest datasets whose changes are counted, in bytes: both are in memory then, several times.
 * Of larger ones, a build says only whether they differ.
 */
export const LARGEST_COMPARED = 10_000_000

/** Page counts. Pages are compared by path. */
export interface Changes {
  new: number
  changed: number
  gone: number
  /** The keys that changed in at least one page. */
  fields: string[]
}

/** The pages themselves. */
export interface PageChanges {
  new: Page[]
  changed: { before: Page; after: Page; fields: readonly string[] }[]
  gone: Page[]
}

/**
 * Compares two datasets.
 *
 * @param before the previous content of `dataset.json`; any other text counts as one without pages
 */
export function comparePages(before: string, after: string): PageChanges {
  const old = readPages(before)
  const now = readPages(after)
  const changes: PageChanges = { new: [], changed: [], gone: [] }
  for (const [path, after] of now) {
    const before = old.get(path)
    const fields = before ? differingFields(before, after) : []
    if (!before) changes.new.push(after)
    else if (fields.length > 0) changes.changed.push({ before, after, fields })
  }
  for (const [path, page] of old) if (!now.has(path)) changes.gone.push(page)
  return changes
}

export function countChanges({ new: added, changed, gone }: PageChanges): Changes {
  const fields = new Set(changed.flatMap(({ fields }) => fields))
  return { new: added.length, changed: changed.length, gone: gone.length, fields: [...fields] }
}

/** Returns the pages of a dataset by path. Ignores what is not a page, if someone changed the file. */
function readPages(dataset: string): Map<string, Page> {
  try {
    const pages = (JSON.parse(dataset) as Page[]).filter(({ path }) => isText(path))
    return new Map(pages.map((page) => [page.path, page]))
  } catch {
    return new Map()
  }
}

/** Whether a value is a string that can be written as UTF-8. */
function isText(value: unknown): boolean {
  return typeof value === 'string' && value.isWellFormed()
}

/**
 * A batch that is new, or renamed, and now sorts before others, takes their paths. That is the rule
 * of precedence, but often an accident of names, so a build names these pages.
 */
export interface Takeover {
  path: string
  /** The batch that keeps the path now. */
  batch: string
  /** A batch of the dataset before, which lost it. */
  from: string
}

/**
 * Finds the pages of a batch that was not there before, or came later, and that another one of the
 * dataset before lost. A batch is the same if its content is, or else its name.
 *
 * @param before the content of the previous manifest; any other text counts as none
 */
export function findTakeovers(
  before: string,
  now: Pick<Manifest, 'batches' | 'duplicates'>,
): Takeover[] {
  const ranks = ranksBefore(batchesOf(before), now.batches)
  return now.duplicates.flatMap(({ path, kept, dropped }) => {
    const rank = ranks.get(kept.batch) ?? Number.POSITIVE_INFINITY
    const from = dropped.find(({ batch }) => (ranks.get(batch) ?? rank) < rank)
    return from ? [{ path, batch: kept.batch, from: from.batch }] : []
  })
}

/** The ranks that the batches had in the dataset before, by their names now. */
function ranksBefore(before: readonly BatchEntry[], now: readonly BatchEntry[]) {
  const ranks = new Map<string, number>()
  for (const key of ['file', 'sha256'] as const) {
    // Reversed, so that of two equal batches the first counts.
    const known = new Map(before.map((batch, rank) => [batch[key], rank] as const).reverse())
    for (const batch of now) {
      const rank = known.get(batch[key])
      if (rank !== undefined) ranks.set(batch.file, rank)
    }
  }
  return ranks
}

function batchesOf(manifest: string): BatchEntry[] {
  try {
    // The duplicates may take gigabytes; they come last.
    const [head = ''] = manifest.split(',\n  "duplicates": [', 1)
    return JSON.parse(head === manifest ? head : `${head}}`).batches ?? []
  } catch {
    return []
  }
}
