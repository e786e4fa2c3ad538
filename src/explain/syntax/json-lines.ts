/** Says what is wrong with the first line of a JSON Lines file that isn't an object of JSON by itself. */

import { type Fault, textFault } from '../../fault/fault.ts'
import { LINE } from '../../formats/json-lines.ts'
import type { Edit, Range } from '../../text/range.ts'
import { findFixes } from './fixes.ts'
import { findSyntaxError } from './json.ts'
import { isJson } from './tokens.ts'

export function findBrokenLine(text: string): Fault {
  for (const { index: start, 0: line } of text.matchAll(LINE)) {
    if (!isJson(line)) return explainLine(text, start, line)

    const isRecord = line.startsWith('{')
    if (!isRecord) return textFault('json.line', { start, end: start + line.trimEnd().length })
  }
  throw new Error('every line is a record')
}

function explainLine(text: string, start: number, line: string): Fault {
  const end = start + line.length
  const fault = findSyntaxError(text.slice(0, end), start)
  // The other marks of a merge conflict, or of a diff, are on the next lines.
  if (fault.code === 'json.conflict' || fault.code === 'json.diff')
    return findSyntaxError(text, start)

  const range = fault.range as Range
  const isOneRecord = fault.code !== 'json.after-end' && fault.code !== 'json.two-objects'
  const isRecord = /^[[{]/.test(line) && isOneRecord
  const isInside = isRecord && range.end < start + line.trimEnd().length
  const isClear = fault.fix !== undefined || isInside || fault.code === 'json.invisible'
  return isClear ? fault : textFault('json.line', range)
}

/** Finds the fixes of all lines that are JSON with them, and of the first one that is not. */
export function findEditsOfLines(text: string): Edit[] {
  const allEdits: Edit[] = []

  for (const { index, 0: line } of text.matchAll(LINE)) {
    if (isJson(line)) continue

    const { fixes, isJson: isFixed } = findFixes(line)
    for (const { start, end, text: after } of fixes.flatMap((fix) => fix.edits))
      allEdits.push({ start: start + index, end: end + index, text: after })
    if (!isFixed) break
  }
  return allEdits
}
