/** Says what is wrong with a text that isn't JSON, even without its comments and trailing commas. */

import { type Fault, textFault } from '../../fault/fault.ts'
import { toJson } from '../../formats/json-with-comments.ts'
import type { Edit, Range } from '../../text/range.ts'
import { findFixes } from './fixes.ts'
import { findSyntaxError } from './json.ts'

export function findErrorBesideComments(text: string): Fault {
  const fault = findSyntaxError(toJson(text))
  if (fault.code !== 'json.comment') return fault

  // All other comments are blanked out.
  const { start, end } = fault.range as Range
  const isOpen = text.startsWith('/*', start)
  return textFault(isOpen ? 'json.comment-end' : 'json.comment-sign', { start, end })
}

export function findEditsBesideComments(text: string): Edit[] {
  return findFixes(toJson(text)).fixes.flatMap((fix) => fix.edits)
}
