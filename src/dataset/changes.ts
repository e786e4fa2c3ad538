/** Compares a new dataset with the one before it: its items, and which ids another batch wins now. */
import type { Manifest } from './format.ts'
import { differingFields, type Provenance } from './precedence.ts'

/**
 * The largest datasets whose changes are counted, in bytes: both are in memory then, several times.
 * Of larger ones, a build says only whether they differ.
 */
export const LARGEST_COMPARED = 10_000_000

/** The ids of the items that are new, changed and gone. */
export interface ItemChanges {
  new: string[]
  changed: { id: string; fields: readonly string[] }[]
  gone: string[]
}

/**
 * Compares the items of two datasets by their ids.
 *
 * @param before the previous text of the dataset; any other text counts as one without items
 * @param key the key of an item that has its id; undefined if the dataset is an object of items by id
 */
export function compareItems(before: string, after: string, key: string | undefined): ItemChanges {
  const itemsBefore = readItems(before, key)
  const itemsAfter = readItems(after, key)
  const changes: ItemChanges = { new: [], changed: [], gone: [] }

  for (const [id, item] of itemsAfter) {
    const itemBefore = itemsBefore.get(id)
    if (!itemBefore) {
      changes.new.push(id)
      continue
    }

    const fields = differingFields(itemBefore, item)
    if (fields.length > 0) changes.changed.push({ id, fields })
  }

  for (const id of itemsBefore.keys()) {
    if (!itemsAfter.has(id)) changes.gone.push(id)
  }
  return changes
}

/** Counts changes, and names the keys that changed in at least one page. */
export function countChanges(changes: ItemChanges) {
  const fields = new Set(changes.changed.flatMap((page) => page.fields))
  return {
    new: changes.new.length,
    changed: changes.changed.length,
    gone: changes.gone.length,
    fields: [...fields],
  }
}

/** Returns the items of a dataset by id; none if someone changed the file. */
function readItems(dataset: string, key: string | undefined): Map<string, object> {
  try {
    const items: Record<string, object>[] = JSON.parse(dataset)
    if (key === undefined) return new Map(Object.entries(items))
    return new Map(items.map((item) => [String(item[key]), item]))
  } catch {
    return new Map()
  }
}

/** The batches whose bytes the previous dataset didn't have, by their names: new ones, and those that changed. */
export type NewBatches = ReadonlyMap<string, 'new' | 'changed'>

/**
 * Finds the batches that are new or have changed. One that only has another name is neither.
 *
 * @param before the batches of the previous dataset; if nothing is known of it, nothing is new
 */
export function findNewBatches(before: Manifest['batches'], now: Manifest['batches']): NewBatches {
  const newBatches = new Map<string, 'new' | 'changed'>()
  if (before.length === 0) return newBatches

  const namesBefore = new Set(before.map(({ file }) => file))
  const digestsBefore = new Set(before.map(({ sha256 }) => sha256))
  for (const { file, sha256 } of now) {
    if (digestsBefore.has(sha256)) continue
    newBatches.set(file, namesBefore.has(file) ? 'changed' : 'new')
  }
  return newBatches
}

/**
 * An id that another batch wins now, because a new or renamed batch sorts before the one that had it.
 * That is the rule of precedence, but often an accident of names, so a build names these ids.
 */
export interface NewWinner {
  id: string
  /** The batch that keeps the id now. */
  batch: string
  /** The batch that had it in the previous dataset. */
  from: string
}

/**
 * Finds the ids that another batch wins now: in the previous dataset, that batch came after the one
 * that lost the id, or was missing.
 *
 * @param before the batches of the previous dataset; none if nothing is known of it
 */
export function findNewWinners(
  before: Manifest['batches'],
  now: Pick<Manifest, 'batches' | 'duplicates'>,
): NewWinner[] {
  const ranks = ranksBefore(before, now.batches)
  const rankOf = ({ batch }: Provenance) => ranks.get(batch) ?? Number.POSITIVE_INFINITY

  const newWinners: NewWinner[] = []
  for (const { id, kept, dropped } of now.duplicates) {
    const winnerBefore = dropped.find((record) => rankOf(record) < rankOf(kept))
    if (winnerBefore) newWinners.push({ id, batch: kept.batch, from: winnerBefore.batch })
  }
  return newWinners
}

/**
 * Returns which place each batch had in the previous dataset; nothing for a new one. A batch is known
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
    if (rank !== undefined) ranks.set(file, rank)
  }
  return ranks
}
