/** What the check of a schema says of a batch: where it refuses something, and not yet why. */
import type { Fault, Marked, Pointer } from '../page/fault.ts'

export interface Checked {
  /** None if the schema accepts the batch. */
  faults: Fault[]
  /**
   * Where none of the schema's choices accepts a value, such as no branch of an `anyOf`: what is refused
   * may be anywhere below.
   */
  undecided: Pointer[]
  /** The values marked `pagePath`. */
  references: Marked[]
  /** The values marked `unique`. */
  uniques: Marked[]
}

/** @param batch the value of a delivered file */
export type SchemaCheck = (batch: unknown) => Checked
