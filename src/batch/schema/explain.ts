/**
 * Explains what exactly is wrong with a value that the schema refuses, and how to fix it: a table
 * of explanations by place in a batch.
 *
 * An explanation never decides what is valid. It is looked up only after the schema has refused a
 * value. So with another schema the table has no effect, and the general message is used.
 */

import { CONTENT_EXPLANATIONS } from '../content.ts'
import { type Explainer, type Explanation, explainText, LOOKALIKES, type Refusal } from '../mend.ts'
import { explainForm, explainOnly, explainPage, explainRoot } from './shapes.ts'

const EXPLAINERS: readonly Explainer[] = [
  [/^ type$/, ({ value }) => explainRoot(value)],
  [/^\/# type$/, ({ value }) => (Array.isArray(value) ? LIST_IN_LIST : undefined)],
  [/^\/# required$/, ({ value, general }) => explainPage(value, general)],
  [/^\/#\/form (?:required|type|anyOf)$/, ({ value, general }) => explainForm(value, general)],
  [/ type$/, ({ value, general }) => explainOnly(value, general)],
  ...CONTENT_EXPLANATIONS,
]

const LIST_IN_LIST = 'must be a page, but is a list; remove this [ and the ] that closes it'

/** In characters: for a body, and for all other texts. The expressions are slow on longer ones. */
const [LONGEST_BODY, LONGEST] = [100_000, 200]

/** @returns one explanation for each fault; none if there is nothing to add to the general message */
export function explain(refusal: Refusal): Explanation[] {
  const { at, value } = refusal
  const longest = at.includes('contentHtml') ? LONGEST_BODY : LONGEST
  if (typeof value === 'string' && value.length > longest) return []
  if (/ (pattern|format)$/.test(at)) {
    // Some formats are of numbers.
    if (typeof value !== 'string') return []
    const seen = explainText(refusal, LOOKALIKES)
    if (seen.length > 0) return seen
  }
  for (const [place, find] of EXPLAINERS) {
    const found = place.test(at) ? find(refusal) : undefined
    if (typeof found === 'string') return [{ message: found }]
    if (found) return 'message' in found ? [found] : explainText(refusal, found)
  }
  return []
}
