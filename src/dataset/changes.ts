/** Compares a new dataset with the one before it: its pages, and who lost a path to a new batch. */
import type { Page } from '../page/page.ts'
import { type Manifest, readHead } from './format.ts'
import { differingFields, type Provenance } from './precedence.ts'

/**
 * The largest datasets whose changes are counted, in bytes: both are in memory then, several times.
 * Of larger ones, a build says only whether they differ.
 */
export const LARGEST_COMPARED = 10_000_000

/** The paths of the pages that are new, changed and gone. */
export interface PageChanges {
  new: string[]
  changed: { path: string; fields: readonly string[] }[]
  gone: string[]
}

/**
 * Compares the pages of two datasets by their paths.
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
    if (!before) changes.new.push(path)
    else if (fields.length > 0) changes.changed.push({ path, fields })
  }
  for (const path of old.keys()) if (!now.has(path)) changes.gone.push(path)
  return changes
}

/** Counts changes, and names the keys that changed in at least one page. */
export function countChanges({ new: added, changed, gone }: PageChanges) {
  const fields = [...new Set(changed.flatMap(({ fields }) => fields))]
  return { new: added.length, changed: changed.length, gone: gone.length, fields }
}

/** Returns the pages of a dataset by path; none if someone changed the file. */
function readPages(dataset: string): Map<string, Page> {
  try {
    return new Map((JSON.parse(dataset) as Page[]).map((page) => [page.path, page]))
  } catch {
    return new Map()
  }
}

/**
 * A page that a new or renamed batch took from the batch that had it, because it now sorts first. That
 * is the rule of precedence, but often an accident of names, so a build names these pages.
 */
export interface Takeover {
  path: string
  /** The batch that keeps the path now. */
  batch: string
  /** The batch of the previous dataset that lost it. */
  from: string
}

/**
 * Finds the pages that a batch took from another one: in the previous dataset, the batch that took
 * them came later or was missing. A batch is known by its content, or else by its name.
 *
 * @param before the content of the previous manifest; any other text counts as none
 */
export function findTakeovers(
  before: string,
  now: Pick<Manifest, 'batches' | 'duplicates'>,
): Takeover[] {
  // Reversed, so that of two equal batches the first counts.
  const known = [...(readHead(before).batches ?? []).entries()].reverse()
  const byName = new Map(known.map(([rank, { file }]) => [file, rank]))
  const byContent = new Map(known.map(([rank, { sha256 }]) => [sha256, rank]))
  const ranks = new Map(
    now.batches.map(({ file, sha256 }) => {
      return [file, byContent.get(sha256) ?? byName.get(file) ?? Number.POSITIVE_INFINITY]
    }),
  )
  const rankOf = ({ batch }: Provenance) => ranks.get(batch) as number
  return now.duplicates.flatMap(({ path, kept, dropped }) => {
    const from = dropped.find((each) => rankOf(each) < rankOf(kept))
    return from ? [{ path, batch: kept.batch, from: from.batch }] : []
  })
}
