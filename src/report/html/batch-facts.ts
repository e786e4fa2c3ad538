/** Counts what the report says about batches, and chooses the conflicts to show. Pure. */

import type { Problem } from '../../batch/problem.ts'
import type { BatchEntry } from '../../dataset/output.ts'
import type { Duplicate, KeptPaths } from '../../dataset/precedence.ts'
import { type Drop, dropsOf } from '../summary.ts'

/** The outcome of a batch. */
export interface BatchFacts {
  file: string
  records: number
  kept: number
  identical: number
  conflicting: number
  /** Records that are neither kept nor dropped, because they have problems. */
  faulty: number
  problems: number
  /** The batches that keep the paths of its dropped records, the one with the most first. */
  lostTo: { batch: string; dropped: number; identical: number }[]
  /** The paths that it keeps; if there are many, only the first. */
  keptPaths: string[]
  /** The paths that it lost to identical records; if there are many, only the first. */
  identicalPaths: string[]
}

/** How many paths of each kind are listed, over all batches. */
const MOST_PATHS = 5_000

/** @param claimed of all valid records, also when there are problems */
export function factsOfBatches(
  batches: readonly BatchEntry[],
  claimed: KeptPaths,
  problems: readonly Problem[],
): BatchFacts[] {
  const drops = dropsOf(batches, claimed.duplicates)
  const problemsOf = countBy(problems, ({ batch }) => batch)
  const most = Math.ceil(MOST_PATHS / Math.max(1, batches.length))
  const noPaths = () => new Map(batches.map(({ file }): [string, string[]] => [file, []]))
  const [keptPaths, identicalPaths] = [noPaths(), noPaths()]
  const add = (paths = [] as string[], path: string) => paths.length < most && paths.push(path)
  for (const { path, batch } of claimed.pages()) add(keptPaths.get(batch), path)
  for (const { path, dropped } of claimed.duplicates) {
    for (const { kind, batch } of dropped) {
      if (kind === 'identical') add(identicalPaths.get(batch), path)
    }
  }
  return batches.map(({ file, records, kept, dropped }) => {
    const lost = drops.get(file) as Drop[]
    const identical = lost.filter(([kind]) => kind === 'identical')
    const identicalTo = countBy(identical, ([, winner]) => winner)
    const lostTo = [...countBy(lost, ([, winner]) => winner)]
      .map(([batch, dropped]) => ({ batch, dropped, identical: identicalTo.get(batch) ?? 0 }))
      .sort((a, b) => b.dropped - a.dropped)
    return {
      ...{ file, records, kept, identical: identical.length },
      conflicting: dropped - identical.length,
      faulty: records - kept - dropped,
      problems: problemsOf.get(file) ?? 0,
      lostTo,
      keptPaths: keptPaths.get(file) ?? [],
      identicalPaths: identicalPaths.get(file) ?? [],
    }
  })
}

/** Says why nothing of a batch was kept; undefined if something was. */
export function whyNothing({ records, kept, faulty, problems }: BatchFacts): string | undefined {
  if (kept > 0) return undefined
  if (records === 0) {
    return problems > 0 ? 'It could not be read as a batch.' : 'It holds no records.'
  }
  if (faulty === records) return 'Each of its records has a problem.'
  return faulty > 0
    ? 'Its records have problems, or lost their paths to earlier records.'
    : 'Each of its records lost its path to an earlier record.'
}

/**
 * Chooses the conflicts to show: equally many of each batch, or all if it has fewer.
 *
 * @param most how many dropped records to show in total
 * @returns duplicates that contain only the chosen dropped records
 */
export function chooseConflicts(duplicates: readonly Duplicate[], most: number): Duplicate[] {
  const conflicts = duplicates.flatMap((duplicate) => {
    const dropped = duplicate.dropped.filter(({ kind }) => kind === 'conflicting')
    return dropped.length === 0 ? [] : [{ ...duplicate, dropped }]
  })
  const counts = countBy(
    conflicts.flatMap(({ dropped }) => dropped),
    ({ batch }) => batch,
  )
  const limit = fairLimit([...counts.values()], most)
  const shown = new Map<string, number>()
  let left = most
  return conflicts.flatMap((duplicate) => {
    const dropped = duplicate.dropped.filter(({ batch }) => {
      const before = shown.get(batch) ?? 0
      shown.set(batch, before + 1)
      return before < limit && left-- > 0
    })
    return dropped.length === 0 ? [] : [{ ...duplicate, dropped }]
  })
}

/** The largest limit per batch that keeps the total within `most`. */
function fairLimit(counts: readonly number[], most: number): number {
  let left = most
  for (const [at, count] of [...counts].sort((a, b) => a - b).entries()) {
    const share = left / (counts.length - at)
    // With more batches than places, the first batches get one each.
    if (count > share) return Math.max(1, Math.floor(share))
    left -= count
  }
  return Number.POSITIVE_INFINITY
}

/** Counts the items by key, in the order in which the keys first occur. */
function countBy<T, Key>(items: Iterable<T>, keyOf: (item: T) => Key): Map<Key, number> {
  const counts = new Map<Key, number>()
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1)
  return counts
}

/** The conflicts to which links can lead. */
export interface Links {
  /** The paths that have a conflict in the report. */
  paths: ReadonlySet<string>
  /** By losing batch, and by losing and winning batch: the path of their first conflict. */
  first: ReadonlyMap<string, string>
}

/** The key of `first`. */
export function keyOf(dropped: string, kept = ''): string {
  return JSON.stringify([dropped, kept])
}
