/** Where a build puts its pages: into a dataset, or as records for an engine. */
import type { BatchEntry } from '../../dataset/format.ts'
import type { Problem } from '../../explain/problem.ts'
import type { Fault } from '../../page/fault.ts'
import type { Cache } from '../disk/cache.ts'
import type { FileFault } from '../explainer.ts'
import type { ReadBatch } from '../read-batches.ts'
import type { Schema } from '../read-schema.ts'

/** In the order in which a build calls it. `Result` is what it returns when all is in place. */
export interface Output<Result> {
  /** Where the build remembers what it makes. Without it, it only uses what earlier builds have made. */
  cache?: Cache
  /** Of a large delivery: if nothing is new, returns what was published before, with its warnings. */
  findCurrent?(schema: Schema): Promise<(Result & { warnings: readonly Problem[] }) | undefined>
  /**
   * Takes the pages of a batch.
   *
   * @returns how many records are dropped or refused because an earlier one keeps their path, and the
   *   faults that only show beside other records
   */
  claim(batch: ReadBatch): { dropped: number; refused: number; faults: Fault[] }
  /** Returns what only shows once every batch was claimed, such as links that lead nowhere. */
  findFaults?(): FileFault[]
  /** Whether no page is left of those that were published before. */
  isEmptied?(): boolean
  /**
   * Puts everything into place, or only compares it.
   *
   * @param warnings of the batches; among them, what refuses the records that are left out
   * @param types makes the declaration of the types
   */
  publish(
    batches: BatchEntry[],
    schema: Schema,
    warnings: readonly Problem[],
    types: () => Promise<string>,
  ): Promise<Result>

  /** Puts the types into place although the batches were refused: editors need them to correct these. */
  keepTypes?(declaration: string): Promise<void>

  /** Removes everything that was not published. It's called last, whatever happens. */
  discard(): void
}
