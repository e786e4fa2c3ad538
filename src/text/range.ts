/** Parts of a text. */

/** Offsets into a text, in UTF-16 code units; `end` is exclusive. */
export interface Range {
  start: number
  end: number
}

/** A part of a text, and what to write instead. */
export interface Edit extends Range {
  text: string
}
