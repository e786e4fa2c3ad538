/** Explains faults. `explain` is loaded at the first one, because most builds have none. */

import type { DeliveredFile } from '../accept/parse-batch.ts'
import type { Explaining, KeptRecord, Problem } from '../explain/explain.ts'
import { FAILED } from '../fault/codes.ts'
import type { Fault, FileFault } from '../fault/fault.ts'
import { groupBy } from '../machine/group-by.ts'
import { faultOfFailure } from './failure.ts'

export type ExplainRoom = typeof import('../explain/explain.ts')

export interface Explainer {
  /**
   * Explains the faults of one batch, in the order of its text. If we fail on it, that's its only
   * problem.
   */
  explain(file: DeliveredFile, faults: readonly Fault[]): Promise<Problem[]>
  /** Explains faults of whole files, without lines to show. */
  explainFiles(faults: readonly FileFault[]): Promise<Problem[]>
}

/** @param readAgain reads a batch that was read before */
export function createExplainer(
  load: () => Promise<ExplainRoom>,
  explaining: Explaining,
  readAgain: (name: string) => Promise<Buffer>,
): Explainer {
  /** Finds the records that keep the paths of others, one file at a time. */
  async function findKept(faults: readonly Fault[]): Promise<Map<string, Map<number, KeptRecord>>> {
    const others = faults.flatMap((fault) => {
      return fault.code === 'path.refused' ? fault.facts.other : []
    })

    const kept = new Map<string, Map<number, KeptRecord>>()
    for (const [name, records] of groupBy(others, ({ batch }) => batch)) {
      const { findKeptRecords } = await load()
      const indexes = new Set(records.map(({ index }) => index))
      const file = { name, bytes: await readAgain(name) }
      kept.set(name, findKeptRecords(file, indexes, explaining.collection))
    }
    return kept
  }

  async function explainFiles(faults: readonly FileFault[]): Promise<Problem[]> {
    if (faults.length === 0) return []

    const { fileProblem } = await load()
    return faults.map(({ file, fault }) => fileProblem(file, fault, explaining.words))
  }

  return {
    explainFiles,

    async explain(file, faults) {
      if (faults.length === 0) return []

      const failure = faults.find(({ code }) => code === FAILED)
      if (failure) return explainFiles([{ file: file.name, fault: failure }])

      const { explain } = await load()
      try {
        const kept = await findKept(faults)
        return explain(file, faults, explaining, (batch, index) => kept.get(batch)?.get(index))
      } catch (error) {
        return explainFiles([{ file: file.name, fault: faultOfFailure(error) }])
      }
    },
  }
}
