/** Where a build puts what it has read: into datasets, or as records for an engine. */
import type { BatchEntry } from '../../dataset/format.ts'
import type { Duplicate } from '../../dataset/precedence.ts'
import type { Problem } from '../../explain/problem.ts'
import type { Fault, FileFault } from '../../fault/fault.ts'
import type { Cache } from '../disk/cache.ts'
import type { ReadBatch } from '../read-batch.ts'
import type { Schemas } from '../read-schemas.ts'
import type { ReferenceFault } from '../reference-check.ts'
import type { CollectionSource } from '../source.ts'

/** Where one collection goes, in the order in which a build calls it. */
export interface CollectionOutput<Result> {
  /**
   * Takes the items of a batch.
   *
   * @returns how many records are dropped or refused because an earlier one keeps their id, and the
   *   faults that only show beside other records
   */
  claim(batch: ReadBatch): { dropped: number; refused: number; faults: Fault[] }
  /** Returns what only shows once every batch was claimed, such as links that lead nowhere. */
  findFaults?(): FileFault[]
  /** Whether no item is left of those that were published before. */
  isEmptied?(): boolean
  /** The records that were dropped so far. */
  readonly duplicates: readonly Duplicate[]
  /** Writes the types although batches were refused: editors need them to correct these. */
  keepTypes?(built: Built): Promise<void>
  /** Completes what was written. */
  finish(built: Built): Promise<void>
  /** @param outdated what `commit` has returned */
  published(outdated: readonly string[]): Result
}

/** A problem that refuses just one record. */
export type Refusal = Problem & { record: number }

/** The result of a collection. */
export interface Built {
  schemas: Schemas
  batches: BatchEntry[]
  /** Why records are left out. */
  refusals: readonly Refusal[]
  /** Makes the types of the items. */
  makeTypes(): Promise<string>
}

/** In the order in which a build calls it. `Result` is what it returns of a collection. */
export interface Output<Result> {
  /** Where the build remembers what it makes. Without it, it only uses what earlier builds have made. */
  cache?: Cache
  /** @param source a collection, with its batches in the order of precedence */
  open(source: CollectionSource): CollectionOutput<Result>
  /** Returns the records that others name, and that are in no collection. */
  findReferenceFaults?(): ReferenceFault[]
  /**
   * Puts everything into place, or only compares it.
   *
   * @returns the names of the files that weren't up to date
   */
  commit(): Promise<string[]>
  /** Puts the types into place that `keepTypes` has written. */
  commitTypes?(): Promise<void>
  /** Removes everything that was not published. It's called last, whatever happens. */
  discard(): void
}
