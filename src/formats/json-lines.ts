/** JSON Lines (jsonlines.org): one record a line, read as if the file were the list of them. */
import type { Fault } from '../fault/fault.ts'
import { isPlainObject } from '../text/as-object.ts'
import type { Range } from '../text/range.ts'
import { EMPTY, type Format, type Parsed, type Tree, UNREADABLE, unreadable } from './format.ts'
import { treeOf, withLosses } from './json.ts'

/** A line that isn't blank, such as `{"id": 1}`. */
export const LINE = /[^ \t\r\n][^\n]*/g

/**
 * With a bracket before them, jsonc-parser, which needs no commas, finds a list of the records. All
 * places in that list are one further on than in the file.
 */
const BRACKET = '['

export const jsonLines: Format = {
  name: 'JSON Lines',
  language: 'JSON',
  extensions: ['.jsonl', '.ndjson'],
  allowsByteOrderMark: false,
  guessesTypes: false,

  parse(text) {
    const lines = text.match(LINE)
    if (!lines) return EMPTY

    const records: unknown[] = []
    try {
      for (const line of lines) records.push(JSON.parse(line))
    } catch {
      return UNREADABLE
    }
    // Without a schema, nothing else would refuse a line such as null.
    if (!records.every(isPlainObject)) return UNREADABLE

    const parsed = withLosses(BRACKET + text, records, treeOfLines(text))
    return withPlacesInFile(parsed)
  },
}

/** Returns the tree of a text. The list of its records is a second copy of it, made when it's needed. */
function treeOfLines(text: string): Tree {
  return {
    locate(targets) {
      const ranges = treeOf(BRACKET + text).locate(targets)
      return ranges.map(withoutBracket)
    },

    write(replacements) {
      const edits = treeOf(BRACKET + text).write(replacements)
      return edits.map((edit) => edit && { ...edit, ...withoutBracket(edit) })
    },
  }
}

function withPlacesInFile(parsed: Parsed): Parsed {
  const faults = parsed.faults.map(moved)
  if (!parsed.tree) return unreadable(...faults)

  return { ...parsed, faults, damages: parsed.damages.map(moved) }
}

function moved(fault: Fault): Fault {
  return fault.range ? { ...fault, range: withoutBracket(fault.range) } : fault
}

function withoutBracket({ start, end }: Range): Range {
  return { start: Math.max(0, start - BRACKET.length), end: Math.max(0, end - BRACKET.length) }
}
