/** What a rule is: a check of one record that JSON Schema cannot express. */
import type { Delivered } from '../generated/dataset.json'
import type { Violation } from './violation.ts'

/**
 * Checks a record as it is delivered; it is called for those that the schema accepts. The name of
 * the function is the code of what it finds: problems of one code at one place of many records are
 * shown as one.
 */
export type Rule = (record: Delivered) => Fault[]

/** What a rule finds: where, from the record, and what must be there and what is. */
export type Fault = Pick<Violation, 'pointer' | 'message'> & Partial<Violation>
