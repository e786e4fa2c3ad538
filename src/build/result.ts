/** The result of a build. */
import type { BatchEntry } from '../dataset/format.ts'
import type { Duplicate } from '../dataset/precedence.ts'
import type { Problem } from '../explain/problem.ts'
import type { Published } from './output/collection-dataset.ts'
import type { CollectionToBuild } from './source.ts'

/** The result of a collection: all are published, or none is. */
export type Result<T> = {
  collection: CollectionToBuild
  warnings: readonly Problem[]
  /** The records that were dropped, or would be if nothing were wrong. */
  duplicates: readonly Duplicate[]
} & (
  | { ok: false; problems: readonly Problem[]; batches: readonly BatchEntry[] }
  | ({ ok: true } & T)
)

export type BuildResult = Result<Published>
