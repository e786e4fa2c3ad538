/** Where a part of a JSON text in quotes stands. */
import type { Range } from '../text/range.ts'

/**
 * @param string the range of a text in quotes, or of any other value, which is returned as it is
 * @param within offsets into its value, in UTF-16 code units
 */
export function locateWithin(text: string, string: Range, within: Range): Range {
  const isString = text[string.start] === '"'
  if (!isString) return string

  const start = skipUnits(text, string.start + 1, within.start)
  const end = skipUnits(text, start, within.end - within.start)
  return { start, end }
}

/** Returns the offset after a number of UTF-16 code units of a string, each escaped or not. */
function skipUnits(text: string, offset: number, units: number): number {
  for (let unit = 0; unit < units; unit++) {
    const isEscape = text[offset] === '\\'
    if (!isEscape) offset += 1
    else if (text[offset + 1] === 'u') offset += '\\u0000'.length
    else offset += '\\n'.length
  }
  return offset
}
