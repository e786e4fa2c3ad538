/** Where a part of a text stands, in a file where the text may be folded, indented or escaped. */
import type { Scalar } from 'yaml'
import type { Range } from '../../text/range.ts'

/**
 * Finds a part of a text.
 *
 * @param within offsets into its value, in UTF-16 code units
 * @returns the whole scalar if the part isn't written as it's read
 */
export function partOf(text: string, scalar: Scalar.Parsed, within: Range): Range {
  const [start, end] = scalar.range
  const part = findPart(text.slice(start, end), String(scalar.value), within)
  if (part === undefined) return { start, end }

  return { start: start + part.start, end: start + part.end }
}

/**
 * Finds a part of a value in the source of the value, where it's written as it's read: the second "a"
 * of the value is the second "a" of the source, if both have as many.
 */
export function findPart(source: string, value: string, { start, end }: Range): Range | undefined {
  const part = value.slice(start, end)
  if (part === '') return undefined

  const sourcePieces = source.split(part)
  const valuePieces = value.split(part)
  if (sourcePieces.length !== valuePieces.length) return undefined

  const position = value.slice(0, start).split(part).length
  const before = sourcePieces.slice(0, position).join(part)
  return { start: before.length, end: before.length + part.length }
}
