/** Says why a text isn't in its format, and what certainly fixes it: one module for each format. */

import type { Fault } from '../../fault/fault.ts'
import type { Format } from '../../formats/format.ts'
import type { Edit } from '../../text/range.ts'
import { findFixes } from './fixes.ts'
import { findSyntaxError } from './json.ts'
import { findBrokenLine, findEditsOfLines } from './json-lines.ts'
import { findEditsBesideComments, findErrorBesideComments } from './json-with-comments.ts'
import { findFrontMatterEdits, findFrontMatterError, findYamlEdits, findYamlError } from './yaml.ts'

interface SyntaxExplainer {
  /** Returns the first fault of a text that the format can't parse. */
  explain(text: string): Fault
  /** Returns the edits of a text that are certain. */
  findEdits(text: string): readonly Edit[]
}

const EXPLAINERS: Record<Format['name'], SyntaxExplainer> = {
  JSON: {
    explain: findSyntaxError,
    findEdits: (text) => findFixes(text).fixes.flatMap((fix) => fix.edits),
  },
  'JSON Lines': { explain: findBrokenLine, findEdits: findEditsOfLines },
  'JSON with comments': { explain: findErrorBesideComments, findEdits: findEditsBesideComments },
  YAML: { explain: findYamlError, findEdits: findYamlEdits },
  'front matter': { explain: findFrontMatterError, findEdits: findFrontMatterEdits },
}

/** @param text which the format can't parse */
export function explainSyntax({ name }: Format, text: string): Fault {
  return EXPLAINERS[name].explain(text)
}

const BYTE_ORDER_MARK = '\ufeff'

/** Returns the edits of all faults of syntax that are certain, in the order of the text. */
export function findSyntaxEdits({ name, allowsByteOrderMark }: Format, text: string): Edit[] {
  // A space, so that offsets stay.
  const hasMark = !allowsByteOrderMark && text.startsWith(BYTE_ORDER_MARK)
  const file = hasMark ? ` ${text.slice(1)}` : text

  // A comma of another alphabet that was made one of JSON may then be one too many.
  const edits = new Map<string, Edit>()
  for (const edit of EXPLAINERS[name].findEdits(file)) edits.set(`${edit.start}-${edit.end}`, edit)
  return [...edits.values()].sort((a, b) => a.start - b.start || a.end - b.end)
}
