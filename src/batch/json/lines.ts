/** JSON Lines (jsonlines.org): one record a line, read as if the file were the list of them. */
import { faultAt, type Violation } from '../../page/violation.ts'
import { findSyntaxError } from './json.ts'

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
 * Returns lines as a JSON list. Each character is one further on than in the lines: there is one
 * more in front, and instead of each break between two records a comma, of others a space.
 */
export function toList(text: string): string {
  const first = text.search(/[^ \t\r\n]/)
  const list = text.replace(/\n[ \t\r\n]*/g, (breaks, at) => {
    const isBetween = at > first && at + breaks.length < text.length
    return (isBetween ? ',' : ' ').padEnd(breaks.length)
  })
  return `[${list}]`
}

const ONE_A_LINE = 'in JSON Lines each line is one record, from its { to its }'
const NOT_ENDED = `the record does not end on its line; ${ONE_A_LINE}, so join the lines that belong to one`
const ENDED = `the record ends before this; ${ONE_A_LINE}, and nothing stands between two`
const NO_RECORD = `this line is no record; ${ONE_A_LINE}`

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
  const { range = { start: 0, end: 1 }, ...fault } = findSyntaxError(line)
  const place = { start: start + range.start, end: start + range.end }
  const say = (code: string, message: string) => faultAt(code, place.start, place.end, message)
  if (fault.code === 'json.start') return say('json.line', NO_RECORD)
  if (isJson(line.slice(0, range.start))) return say('json.line-ended', ENDED)
  if (range.end >= line.trimEnd().length) return say('json.line-cut', NOT_ENDED)
  return { ...fault, range: place }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
