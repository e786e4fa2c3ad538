/** The options of a build. */
import type { ExplainRoom } from './explainer.ts'
import type { CollectionToBuild } from './source.ts'

/** How many files of a collection are read. */
export interface ReadProgress {
  collection: string
  /** The reader's word for a file. */
  file: string
  read: number
  of: number
}

export interface BuildOptions {
  collections: readonly CollectionToBuild[]
  /** The folder of the datasets. */
  out: string
  /** Whether what's otherwise a warning, or a conflicting duplicate, is a problem. */
  isStrict?: boolean
  /** Whether to leave out the records that the schema, a rule or the owner's functions refuse. */
  isSkipping?: boolean
  /** Whether to only compare, and write nothing. */
  isCheck?: boolean
  /** Whether types are made; without them, a check compares with what the manifest in place says. */
  hasTypes?: boolean
  /** For how many problems per batch to keep the surrounding lines; 20 by default. */
  frames?: number
  /** Loads what explains faults, if there are any. */
  loadExplain?: () => Promise<ExplainRoom>
  /** The part to build: the batch at `number`, from 1, of every `of` in the order of precedence. */
  shard?: { number: number; of: number }
  /** Called after each file, so it has to be quick. */
  onRead?: ((progress: ReadProgress) => void) | undefined
}
