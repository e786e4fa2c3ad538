/** The result of checking a batch by its schema: where it refuses something, not yet why. */
import type { Fault } from '../fault/fault.ts'
import type { Pointer } from '../text/pointer.ts'

export interface Checked {
  /** None if the schema accepts the batch. */
  faults: Fault[]
  /**
   * Where no choice of the schema accepts a value, such as no branch of an `anyOf`: the mistake may be
   * anywhere below.
   */
  undecided: Pointer[]
  /** The values marked `pagePath`. */
  references: Marked[]
  /** The values marked `unique`. */
  uniques: Marked[]
}

/** A value that the schema marks as the path of a page, or as one that no other record has. */
export interface Marked {
  /** Its place in the batch (RFC 6901). */
  place: string
  value: string | number
  /** The place of the mark in the schema: only values of one mark are compared. */
  schema: string
}

/** @param batch the value of a delivered file */
export type SchemaCheck = (batch: unknown) => Checked
