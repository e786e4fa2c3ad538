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
  for (const line of text.slice(from).split('\n')) {
    if (!isBlank(line) && !isJson(line)) {
      const fault = findSyntaxError(text.slice(0, start + line.length), start)
      const { start: at, end } = fault.range as Range
      const isRecord = /^[ \t\r]*[[{]/.test(line) && !isJson(text.slice(start, at))
      const isInside = isRecord && end - start < line.trimEnd().length
      return fault.fix || isInside ? fault : faultAt('json.line', { start: at, end })
    }
    start += line.length + 1
  }
  throw new Error('every line is JSON')
}
