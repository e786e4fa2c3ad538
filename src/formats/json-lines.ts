/** JSON Lines (jsonlines.org): one record a line, read as if the file were the list of them. */
import type { Fault, Range } from '../page/fault.ts'
import { textFault } from '../page/fault.ts'
import { type Format, type Parsed, UNREADABLE, unreadable } from './format.ts'
import { json, withLosses } from './json.ts'

/** A line that isn't blank, such as `{"id": 1}`. */
export const LINE = /[^ \t\r\n][^\n]*/g

/**
 * With a bracket before them, jsonc-parser, which needs no commas, finds a list of the records. All
 * places in that list are one further on than in the file.
 */
const BRACKET = '['

export const jsonLines: Format = {
  name: 'JSON Lines',
  extensions: ['.jsonl', '.ndjson'],
  allowsByteOrderMark: false,
  guessesTypes: false,

  parse(text) {
    const lines = text.match(LINE)
    if (!lines) return unreadable(textFault('file.empty', { start: 0, end: 1 }))

    const records: unknown[] = []
    try {
      for (const line of lines) records.push(JSON.parse(line))
    } catch {
      return UNREADABLE
    }

    return inFile(withLosses(BRACKET + text, records))
  },

  locate(text, targets) {
    const ranges = json.locate(BRACKET + text, targets)
    return ranges.map(withoutBracket)
  },

  write(text, replacements) {
    const edits = json.write(BRACKET + text, replacements)
    return edits.map((edit) => edit && { ...edit, ...withoutBracket(edit) })
  },
}

function inFile({ faults, damages, ...rest }: Parsed): Parsed {
  return { ...rest, faults: faults.map(moved), damages: damages.map(moved) }
}

function moved(fault: Fault): Fault {
  return fault.range ? { ...fault, range: withoutBracket(fault.range) } : fault
}

function withoutBracket({ start, end }: Range): Range {
  return { start: Math.max(0, start - BRACKET.length), end: Math.max(0, end - BRACKET.length) }
}
