/** Counts what the report says about each batch, and chooses the conflicts that it shows. */
import type { Problem } from '../../batch/problem.ts'
import type { BatchEntry } from '../../dataset/output.ts'
import type { Duplicate, KeptPaths } from '../../dataset/precedence.ts'
import { type Losses, lossesOf } from '../summary.ts'

/** The outcome of a batch. */
export interface BatchFacts extends Losses {
  file: string
  records: number
  kept: number
  /** Records that are neither kept nor dropped, because they have problems. */
  faulty: number
  problems: number
  /** The paths that it keeps; if there are many, only the first. */
  keptPaths: string[]
}

/** How many of these paths are listed, over all batches. */
const MOST_PATHS = 5_000

/** @param claimed of all valid records, also when there are problems */
export function factsOfBatches(
  batches: readonly BatchEntry[],
  claimed: KeptPaths,
  problems: readonly Problem[],
): BatchFacts[] {
  const most = Math.ceil(MOST_PATHS / Math.max(1, batches.length))
  const losses = lossesOf(batches, claimed.duplicates)
  const facts = new Map(
    batches.map(({ file, records, kept, dropped }): [string, BatchFacts] => {
      const faulty = records - kept - dropped
      const counts = { file, records, kept, faulty, problems: 0, ...(losses.get(file) as Losses) }
      return [file, { ...counts, keptPaths: [] }]
    }),
  )
  for (const { batch } of problems) (facts.get(batch) as BatchFacts).problems++
  for (const { path, batch } of claimed.pages()) {
    const { keptPaths } = facts.get(batch) as BatchFacts
    if (keptPaths.length < most) keptPaths.push(path)
  }
  return [...facts.values()]
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
 * Chooses the conflicts to show: all, or if they are too many, the first of each batch.
 *
 * @param most how many dropped records to show in total
 * @returns duplicates that contain only the chosen dropped records
 */
export function chooseConflicts(duplicates: readonly Duplicate[], most: number): Duplicate[] {
  const isConflict = ({ kind }: { kind: string }) => kind === 'conflicting'
  const conflicts = duplicates.flatMap(({ dropped }) => dropped.filter(isConflict))
  const batches = new Set(conflicts.map(({ batch }) => batch))
  // With more batches than places, the first batches get one each.
  const share = Math.max(1, Math.floor(most / batches.size))
  const each = conflicts.length <= most ? most : share
  const shown = new Map<string, number>()
  let left = most
  return duplicates.flatMap((duplicate) => {
    const dropped = duplicate.dropped.filter(isConflict).filter(({ batch }) => {
      const before = shown.get(batch) ?? 0
      shown.set(batch, before + 1)
      return before < each && left-- > 0
    })
    return dropped.length === 0 ? [] : [{ ...duplicate, dropped }]
  })
}
