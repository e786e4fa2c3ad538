/** Says in one line why something was thrown. JavaScript can throw any value, not only errors. */
import { asObject } from './as-object.ts'
import { cut, show } from './wording.ts'

const LONGEST = 500

/** A line break with the spaces around it. */
const LINE_BREAK = /\s*[\r\n]\s*/g

/** Returns the message of an error, a text as it is, or a description of anything else. */
export function reasonOf(thrown: unknown): string {
  try {
    const text = typeof thrown === 'string' ? thrown : asObject(thrown).message
    if (typeof text !== 'string' || text.trim() === '') return `it throws ${show(thrown)}`

    return cut(text.trim().replace(LINE_BREAK, ' '), LONGEST)
  } catch {
    // Reading it throws, too.
    return 'it throws something that cannot be read'
  }
}
