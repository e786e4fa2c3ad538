/** JSON Lines (jsonlines.org): one record a line, read as if the file were the list of them. */

import { faultAt } from '../explain/sentences.ts'
import { findSyntaxError, isJson } from '../explain/syntax/json.ts'
import type { Range, Violation } from '../page/fault.ts'

/** Whether a file is JSON Lines, by its name. */
export function isLines(name: string): boolean {
  return /\.(?:jsonl|ndjson)$/i.test(name)
}

/** A line that is not blank. */
const LINE = /[^ \t\r\n][^\n]*/g

/** @throws SyntaxError if a line is not JSON by itself */
export function parseLines(text: string): unknown[] {
  return text.match(LINE)?.map((line) => JSON.parse(line)) ?? []
}

/**
 * Says what is wrong with the first line that is not JSON by itself.
 *
 * @param from where the lines begin
 */
export function findBrokenLine(text: string, from: number): Violation {
  for (const { index, 0: line } of text.slice(from).matchAll(LINE)) {
    if (isJson(line)) continue
    const start = from + index
    const fault = findSyntaxError(text.slice(0, start + line.length), start)
    const range = fault.range as Range
    const isRecord = /^[[{]/.test(line) && fault.code !== 'json.after-end'
    const isInside = isRecord && range.end < start + line.trimEnd().length
    // The other marks are on the next lines.
    if (fault.code === 'json.conflict') return findSyntaxError(text, start)
    const isTold = fault.fix || isInside || fault.code === 'json.invisible'
    return isTold ? fault : faultAt('json.line', range)
  }
  throw new Error('every line is JSON')
}
