/** Compares a new dataset with the one before it: its pages, and which paths another batch wins now. */
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
 * @param before the previous text of `dataset.json`; any other text counts as one without pages
 */
export function comparePages(before: string, after: string): PageChanges {
  const pagesBefore = readPages(before)
  const pagesAfter = readPages(after)
  const changes: PageChanges = { new: [], changed: [], gone: [] }

  for (const [path, page] of pagesAfter) {
    const pageBefore = pagesBefore.get(path)
    if (!pageBefore) {
      changes.new.push(path)
      continue
    }

    const fields = differingFields(pageBefore, page)
    if (fields.length > 0) changes.changed.push({ path, fields })
  }

  for (const path of pagesBefore.keys()) {
    if (!pagesAfter.has(path)) changes.gone.push(path)
  }
  return changes
}

/** Counts changes, and names the keys that changed in at least one page. */
export function countChanges(changes: PageChanges) {
  const fields = new Set(changes.changed.flatMap((page) => page.fields))
  return {
    new: changes.new.length,
    changed: changes.changed.length,
    gone: changes.gone.length,
    fields: [...fields],
  }
}

/** Returns the pages of a dataset by path; none if someone changed the file. */
function readPages(dataset: string): Map<string, Page> {
  try {
    const pages: Page[] = JSON.parse(dataset)
    return new Map(pages.map((page) => [page.path, page]))
  } catch {
    return new Map()
  }
}

/**
 * A path that another batch wins now, because a new or renamed batch sorts before the one that had it.
 * That is the rule of precedence, but often an accident of names, so a build names these paths.
 */
export interface NewWinner {
  path: string
  /** The batch that keeps the path now. */
  batch: string
  /** The batch that had it in the previous dataset. */
  from: string
}

/**
 * Finds the paths that another batch wins now: in the previous dataset, that batch came after the one
 * that lost the path, or was missing.
 *
 * @param before the text of the previous manifest; any other text counts as none
 */
export function findNewWinners(
  before: string,
  now: Pick<Manifest, 'batches' | 'duplicates'>,
): NewWinner[] {
  const ranks = ranksBefore(readHead(before).batches ?? [], now.batches)
  const rankOf = ({ batch }: Provenance) => ranks.get(batch) as number

  const newWinners: NewWinner[] = []
  for (const { id: path, kept, dropped } of now.duplicates) {
    const winnerBefore = dropped.find((record) => rankOf(record) < rankOf(kept))
    if (winnerBefore) newWinners.push({ path, batch: kept.batch, from: winnerBefore.batch })
  }
  return newWinners
}

/**
 * Returns which place each batch had in the previous dataset; infinity for a new one. A batch is known
 * by its bytes or, if they have changed, by its name.
 */
function ranksBefore(
  batchesBefore: Manifest['batches'],
  batches: Manifest['batches'],
): Map<string, number> {
  const rankByName = new Map<string, number>()
  const rankByBytes = new Map<string, number>()
  for (const [rank, { file, sha256 }] of batchesBefore.entries()) {
    if (!rankByName.has(file)) rankByName.set(file, rank)
    // Two batches may have the same bytes: the first one counts.
    if (!rankByBytes.has(sha256)) rankByBytes.set(sha256, rank)
  }

  const ranks = new Map<string, number>()
  for (const { file, sha256 } of batches) {
    const rank = rankByBytes.get(sha256) ?? rankByName.get(file)
    ranks.set(file, rank ?? Number.POSITIVE_INFINITY)
  }
  return ranks
}
