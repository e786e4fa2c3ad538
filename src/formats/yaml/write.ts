/** How another value is written in the place of a scalar, in its style. */
import type { Alias, ParsedNode, Scalar } from 'yaml'
import { changedPart } from '../../text/changed-part.ts'
import type { Edit } from '../../text/range.ts'
import { yamlLibrary } from './library.ts'
import { findPart } from './part-of.ts'
import { rangeOf } from './tree.ts'

/** A node, and what decides how it may be written. */
export interface Spot {
  node: ParsedNode
  /** Whether it's inside of [ ] or { }. */
  isInFlow: boolean
  /** Whether an alias or a merge key may repeat it elsewhere. */
  isShared: boolean
}

/**
 * Writes a value in the place of a scalar: a plain text stays plain unless it would be read as something
 * else, and quotes stay as they are. The edit is made only if the value is read from it again.
 *
 * @returns undefined if it would change a value elsewhere, or can't be written in this style
 */
export function writeScalar(
  text: string,
  { node, isInFlow, isShared }: Spot,
  value: string | number | boolean,
): Edit | undefined {
  const { isAlias, isScalar } = yamlLibrary()
  if (isShared || !(isAlias(node) || isScalar(node)) || hasProperties(node)) return undefined

  const { start, end } = rangeOf(node)
  const before = text.slice(start, end)
  const edits = candidates(before, node, value, isInFlow)
  const edit = edits.find((edit) => {
    const after = before.slice(0, edit.start) + edit.text + before.slice(edit.end)
    return isRead(after, value, isInFlow)
  })
  return edit && { ...edit, start: start + edit.start, end: start + edit.end }
}

/** Whether an alias repeats a scalar, or a tag says what it is. */
function hasProperties(node: Alias.Parsed | Scalar.Parsed): boolean {
  return ('anchor' in node && node.anchor !== undefined) || node.tag !== undefined
}

/** Returns edits of the text of a node, in the order of preference. */
function candidates(
  before: string,
  node: Alias.Parsed | Scalar.Parsed,
  value: string | number | boolean,
  inFlow: boolean,
): Edit[] {
  const { CST, isScalar } = yamlLibrary()
  const whole = { start: 0, end: before.length }
  if (typeof value !== 'string') return [{ ...whole, text: String(value) }]

  const isOneLine = !before.includes('\n')
  if (!isOneLine) return isScalar(node) ? changedLines(before, String(node.value), value) : []

  const type = (isScalar(node) && node.type) || 'PLAIN'
  return [type, 'QUOTE_DOUBLE' as const].map((style) => {
    // Within a key, it is one line.
    const context = { implicitKey: true, indent: 0, inFlow, type: style, end: [] }
    return { ...whole, text: CST.stringify(CST.createScalarToken(value, context)) }
  })
}

/** Changes only a part of a text of several lines, so that its lines stay. */
function changedLines(before: string, value: string, changed: string): Edit[] {
  const { start, end, text } = changedPart(value, changed)
  // What is only added stands after a character, such as `amp;` after `&`.
  const from = start === end ? Math.max(0, start - 1) : start
  const part = findPart(before, value, { start: from, end })
  return part ? [{ ...part, text: value.slice(from, start) + text }] : []
}

/** Whether a scalar is read as a value, in YAML 1.1, too. */
function isRead(written: string, value: string | number | boolean, isInFlow: boolean): boolean {
  const { parseDocument } = yamlLibrary()
  const text = isInFlow ? `[${written}]` : written
  return (['1.2', '1.1'] as const).every((version) => {
    const document = parseDocument(text, { version, prettyErrors: false })
    const read: unknown = document.errors.length === 0 ? document.toJS() : undefined
    return (isInFlow && Array.isArray(read) ? read[0] : read) === value
  })
}
