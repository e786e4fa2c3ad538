/** One fault at one place of a batch, as every check reports it: of JSON, the schema, the rules. */

/** Offsets into a text, in UTF-16 code units; `end` is exclusive. */
export interface Range {
  start: number
  end: number
}

/** The steps from the root to a value: object keys and array positions (RFC 6901, unescaped). */
export type Pointer = readonly (string | number)[]

/** One fault at one place of a batch. Its pointer refers to the parsed value. */
export interface Violation {
  /** The kind of fault, such as `schema.type`. */
  code: string
  /** What tells it from others of its code at this place, such as the path that no page has. */
  about?: string
  pointer: Pointer
  /** Whether to show the value at the pointer, or the key that leads to it. */
  at: 'key' | 'value'
  /** The faulty part of the value, as offsets into a string. */
  within?: Range
  /** Where the fault is in the text of the file, if the check knows. */
  range?: Range
  /** In plain words: what it must be, and what it is. */
  message: string
  /** The value, or the key, that surely mends it. */
  instead?: string | number | boolean
  /** The edits of the file that surely mend it, if the check knows them. */
  fix?: readonly Edit[]
}

/** A part of a text, and what to write instead. */
export interface Edit extends Range {
  text: string
}

/** A value that the schema marks as the path of a page, or as one that no other record has. */
export interface Marked {
  /** Its place in the batch (RFC 6901). */
  place: string
  value: string | number
  /** The place of the mark in the schema: only values of one mark are compared. */
  schema: string
}

/** What the check of the schema says of a batch. */
interface Checked {
  references: readonly Marked[]
  uniques: readonly Marked[]
  violations: readonly Violation[]
}

export type SchemaCheck = (batch: unknown) => Checked

/** RFC 6901: `~` and `/` are escaped, a slash precedes each step; the root is the empty string. */
export function formatPointer(pointer: Pointer): string {
  return pointer.reduce<string>((text, step) => `${text}/${escaped(String(step))}`, '')
}

function escaped(step: string): string {
  return /[~/]/.test(step) ? step.replaceAll('~', '~0').replaceAll('/', '~1') : step
}

/** The reverse of `formatPointer`. */
export function parsePointer(text: string): Pointer {
  const steps = text.split('/').slice(1)
  if (!text.includes('~')) return steps
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}
