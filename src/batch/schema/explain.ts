/**
 * Explains what exactly is wrong with a value that the schema refuses, and how to fix it: a table
 * of explanations by place in a batch.
 *
 * An explanation never decides what is valid. It is looked up only after the schema has refused a
 * value. So with another schema the table has no effect, and the general message is used.
 */

import { CONTENT_EXPLANATIONS } from '../content.ts'
import { type Explainer, explainText, LOOKALIKES, type Mend, type TextSchema } from '../mend.ts'
import { explainForm, explainOnly, explainPage, explainRoot } from './shapes.ts'

const EXPLAINERS: readonly Explainer[] = [
  [/^ type$/, explainRoot],
  [/^\/# type$/, (value) => (Array.isArray(value) ? LIST_IN_LIST : undefined)],
  [/^\/# required$/, explainPage],
  [/^\/#\/form (?:required|type|anyOf)$/, explainForm],
  [/ type$/, explainOnly],
  ...CONTENT_EXPLANATIONS,
]

const LIST_IN_LIST = 'must be a page, but is a list; remove this [ and the ] that closes it'

/** In characters: for a body, and for all other texts. The expressions are slow on longer ones. */
const [LONGEST_BODY, LONGEST] = [100_000, 200]

/**
 * @param at the place and the keyword: see `Explainer`
 * @param general the message if there is no explanation
 * @returns what is wrong, one for each fault; none if there is nothing to add to the general message
 */
export function explain(at: string, value: unknown, general: string, schema: TextSchema) {
  const longest = at.includes('contentHtml') ? LONGEST_BODY : LONGEST
  if (typeof value === 'string' && value.length > longest) return []
  const mend = (mends: readonly Mend[]) => explainText(value as string, general, schema, mends)
  if (/ (pattern|format)$/.test(at)) {
    // Some formats are of numbers.
    if (typeof value !== 'string') return []
    const seen = mend(LOOKALIKES)
    if (seen.length > 0) return seen
  }
  for (const [place, find] of EXPLAINERS) {
    const found = place.test(at) ? find(value, general, schema) : undefined
    if (typeof found === 'string') return [{ message: found }]
    if (found) return 'message' in found ? [found] : mend(found)
  }
  return []
}
