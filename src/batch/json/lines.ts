/** JSON Lines (jsonlines.org): one record a line, read as if the file were the list of them. */
import type { Range, Violation } from '../../page/violation.ts'
import { faultAt } from '../sentences.ts'
import { findSyntaxError, isJson } from './syntax.ts'

/** Whether a file is JSON Lines, by its name. */
export function isLines(name: string): boolean {
  return /\.(?:jsonl|ndjson)$/i.test(name)
}

/** @throws SyntaxError if a line is not JSON by itself, or blank */
export function parseLines(text: string): unknown[] {
  return text.split('\n').flatMap((line) => (isBlank(line) ? [] : [JSON.parse(line)]))
}

function isBlank(line: string): boolean {
  return /^[ \t\r]*$/.test(line)
}

/**
 * Says what is wrong with the first line that is not JSON by itself.
 *
 * @param from where the lines begin
 */
export function findBrokenLine(text: string, from: number): Violation {
  let start = from
  for (const [index, line] of text.split('\n').entries()) {
    if (!isBlank(line) && !isJson(line)) return explainLine(line, index, start)
    start += line.length + 1
  }
  throw new Error('every line is JSON')
}

function explainLine(line: string, index: number, start: number): Violation {
  // Empty lines come before it, so that what is said of lines is true.
  const { range, fix, ...found } = findSyntaxError('\n'.repeat(index) + line)
  const by = start - index
  const move = <T extends Range>(each: T): T => {
    return { ...each, start: each.start + by, end: each.end + by }
  }
  const place = move(range as Range)
  if (fix) return { ...found, range: place, fix: fix.map(move) }
  const isRecord = /^[ \t\r]*[[{]/.test(line) && !isJson(line.slice(0, place.start - start))
  const isInside = isRecord && place.end - start < line.trimEnd().length
  return isInside ? { ...found, range: place } : faultAt('json.line', place)
}
