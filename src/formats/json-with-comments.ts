/**
 * JSON with comments and trailing commas, as editors write their settings. Both are blanked out, so
 * that the rest is JSON, at the same places.
 */
import { createScanner } from 'jsonc-parser'
import type { Range } from '../text/range.ts'
import type { Format } from './format.ts'
import { json } from './json.ts'

export const jsonWithComments: Format = {
  name: 'JSON with comments',
  language: 'JSON',
  extensions: ['.jsonc'],
  allowsByteOrderMark: false,
  guessesTypes: false,
  parse: (text) => json.parse(toJson(text)),
}

/** Anything but the ends of lines. */
const IN_LINE = /[^\r\n]/g

/** Blanks out comments, and commas before a closing bracket. A comment without its end stays. */
export function toJson(text: string): string {
  const parts: string[] = []
  let from = 0
  for (const { start, end } of partsBeyondJson(text)) {
    parts.push(text.slice(from, start), text.slice(start, end).replace(IN_LINE, ' '))
    from = end
  }
  return parts.join('') + text.slice(from)
}

/** What a comma comes after that has no value before it: the beginning of the text, or one of these signs. */
const BEFORE_VALUE: readonly string[] = ['', '[', '{', ':', ',']

/** Returns the ranges of comments and trailing commas, in the order of the text. */
function partsBeyondJson(text: string): Range[] {
  const scanner = createScanner(text)
  const ranges: Range[] = []
  /** The latest token, if it's a comma after a value. */
  let comma: Range | undefined
  /** How the latest token begins. */
  let latestSign = ''

  for (scanner.scan(); scanner.getTokenOffset() < text.length; scanner.scan()) {
    const start = scanner.getTokenOffset()
    const range = { start, end: start + scanner.getTokenLength() }
    const sign = text.charAt(start)

    const isBlank = sign.trim() === ''
    const isComment = sign === '/' && range.end > start + 1
    if (isComment && scanner.getTokenError() === 0) ranges.push(range)
    if (isBlank || isComment) continue

    const isClosing = sign === '}' || sign === ']'
    if (comma && isClosing) ranges.push(comma)

    const isAfterValue = sign === ',' && !BEFORE_VALUE.includes(latestSign)
    comma = isAfterValue ? range : undefined
    latestSign = sign
  }
  return ranges.sort((a, b) => a.start - b.start)
}
