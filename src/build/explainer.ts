/** Explains faults. It loads what it needs for that when there is the first: most builds have none. */
import type { DeliveredFile } from '../accept/parse-batch.ts'
import type { Explaining, Problem } from '../explain/explain.ts'
import type { Fault } from '../page/fault.ts'

export type ExplainRoom = typeof import('../explain/explain.ts')

export class Explainer {
  readonly #load: () => Promise<ExplainRoom>
  readonly #explaining: Explaining

  constructor(load: () => Promise<ExplainRoom>, explaining: Explaining) {
    this.#load = load
    this.#explaining = explaining
  }

  /** Explains the faults of one batch, in the order of its text. */
  async explain(file: DeliveredFile, faults: readonly Fault[]): Promise<Problem[]> {
    if (faults.length === 0) return []

    const { explain } = await this.#load()
    return explain(file, faults, this.#explaining)
  }

  /** Explains faults of whole files, without lines to show. */
  async explainFiles(faults: readonly FileFault[]): Promise<Problem[]> {
    if (faults.length === 0) return []

    const { fileProblem } = await this.#load()
    return faults.map(({ file, fault }) => fileProblem(file, fault))
  }
}

/** A fault of a whole file. */
export interface FileFault {
  /** Relative to the batch folder, with `/` as the separator. */
  file: string
  fault: Fault
}
