/** JSON Lines (jsonlines.org): one record a line, read as if the file were the list of them. */
import type { Range, Violation } from '../../page/violation.ts'
import { faultAt } from '../sentences.ts'
import { findSyntaxError } from './syntax.ts'

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
 * Returns lines as a JSON list, in which each character is one further on, because a bracket comes
 * first. A break between two records becomes a comma, any other one a space.
 */
export function toList(text: string): string {
  const first = text.search(/[^ \t\r\n]/)
  const list = text.replace(/\n[ \t\r\n]*/g, (breaks, at) => {
    const isBetween = at > first && at + breaks.length < text.length
    return (isBetween ? ',' : ' ').padEnd(breaks.length)
  })
  return `[${list}]`
}

/** Says what is wrong with the first line that is not JSON by itself. */
export function findBrokenLine(text: string): Violation {
  let start = 0
  for (const line of text.split('\n')) {
    if (!isBlank(line) && !isJson(line)) return explainLine(line, start)
    start += line.length + 1
  }
  throw new Error('every line is JSON')
}

function explainLine(line: string, start: number): Violation {
  const { range = { start: 0, end: 1 }, fix, ...found } = findSyntaxError(line)
  const move = <T extends Range>(each: T): T => {
    return { ...each, start: start + each.start, end: start + each.end }
  }
  const place = move(range)
  if (fix) return { ...found, range: place, fix: fix.map(move) }
  const isRecord = /^[ \t\r]*[[{]/.test(line) && !isJson(line.slice(0, range.start))
  const isInside = isRecord && range.end < line.trimEnd().length
  return isInside ? { ...found, range: place } : faultAt('json.line', place)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
