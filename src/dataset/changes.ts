/** Compares a new dataset with the one before it: its pages, and who lost a path to a new batch. */
import type { Manifest } from './output.ts'
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
 * A batch that is new, and sorts before others, takes their paths. That is the rule of precedence,
 * but often an accident of names, so a build names these pages.
 */
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
