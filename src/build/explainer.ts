/** Explains faults. `explain` is loaded at the first one, because most builds have none. */

import type { DeliveredFile } from '../accept/parse-batch.ts'
import type { Explaining, KeptRecord, Problem } from '../explain/explain.ts'
import { FAILED } from '../fault/codes.ts'
import type { Fault, FileFault } from '../fault/fault.ts'
import { faultOfFailure } from './failure.ts'

export type ExplainRoom = typeof import('../explain/explain.ts')

export class Explainer {
  readonly #load: () => Promise<ExplainRoom>
  readonly #explaining: Explaining
  readonly #readAgain: (name: string) => Promise<Buffer>

  /** @param readAgain reads a batch that was read before */
  constructor(
    load: () => Promise<ExplainRoom>,
    explaining: Explaining,
    readAgain: (name: string) => Promise<Buffer>,
  ) {
    this.#load = load
    this.#explaining = explaining
    this.#readAgain = readAgain
  }

  /**
   * Explains the faults of one batch, in the order of its text. If we fail on it, that's its only
   * problem.
   */
  async explain(file: DeliveredFile, faults: readonly Fault[]): Promise<Problem[]> {
    if (faults.length === 0) return []

    const failure = faults.find(({ code }) => code === FAILED)
    if (failure) return this.explainFiles([{ file: file.name, fault: failure }])

    const { explain } = await this.#load()
    try {
      const kept = await this.#findKept(faults)
      return explain(file, faults, this.#explaining, (batch, index) => kept.get(batch)?.get(index))
    } catch (error) {
      return this.explainFiles([{ file: file.name, fault: faultOfFailure(error) }])
    }
  }

  /** Finds the records that keep the paths of others, one file at a time. */
  async #findKept(faults: readonly Fault[]): Promise<Map<string, Map<number, KeptRecord>>> {
    const wanted = new Map<string, Set<number>>()

    for (const fault of faults) {
      if (fault.code !== 'path.refused') continue

      const { other } = fault.facts
      const indexes = wanted.get(other.batch) ?? new Set()
      wanted.set(other.batch, indexes.add(other.index))
    }

    const kept = new Map<string, Map<number, KeptRecord>>()
    for (const [name, indexes] of wanted) {
      const { findKeptRecords } = await this.#load()
      const file = { name, bytes: await this.#readAgain(name) }
      kept.set(name, findKeptRecords(file, indexes, this.#explaining.collection))
    }
    return kept
  }

  /** Explains faults of whole files, without lines to show. */
  async explainFiles(faults: readonly FileFault[]): Promise<Problem[]> {
    if (faults.length === 0) return []

    const { fileProblem } = await this.#load()
    return faults.map(({ file, fault }) => fileProblem(file, fault, this.#explaining.words))
  }
}
