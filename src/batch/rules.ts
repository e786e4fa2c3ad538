/** Applies the rules for a page to every record: those of every site, and those of the content. */

import { content } from '../content.ts'
import { formFaults } from '../page/form-faults.ts'
import { ELEMENTS, refusedMarkup } from '../page/html.ts'
import { type CheckedPage, hasKind, type Rule } from '../page/rule.ts'
import { formatPointer, type Violation, violation } from '../page/violation.ts'
import { checkMarkup } from './markup.ts'
import { change } from './schema/shapes.ts'

const RULES: readonly Rule[] = [
  { reads: ['contentHtml'], check: bodyHasOnlyAllowedMarkup },
  { reads: ['form'], check: formCanBeShown },
  ...(content.rules ?? []),
]

/**
 * @param record a record of a batch; keys that no rule reads may be missing
 * @returns violations with pointers relative to the record
 */
export function checkRules(record: object): Violation[] {
  const page = record as CheckedPage
  const violations: Violation[] = []
  for (const rule of RULES) {
    if (!rule.reads.every((key) => hasKind(key, page[key]))) continue
    for (const violation of rule.check(page)) violations.push(violation)
  }
  return violations
}

/**
 * Checks a page that the schema has refused, by what the messages say that its values must be. If
 * a message does not say it, a rule that reads the value is skipped, and the message says that.
 *
 * @param faults the violations of the schema, with pointers relative to the page
 * @returns them and those of the rules
 */
export function checkRulesBeside(record: object, faults: readonly Violation[]): Violation[] {
  const page = record as CheckedPage
  let kept = faults.map((fault) => ({ ...fault }))
  const meant = faults.reduce<unknown>((page, { pointer, mended }) => {
    return mended === undefined ? page : change(page, pointer, mended)
  }, page) as CheckedPage
  const broken: Violation[] = []
  for (const rule of RULES) {
    const { reads, says } = rule
    const isOwn = ({ pointer: [key] }: Violation) =>
      says !== undefined && key === says && typeof page[says] === 'string'
    const blocking = kept.find((fault) => !isOwn(fault) && blocks(fault, page, rule))
    if (blocking) {
      const [key, , , inner] = blocking.pointer
      const hasOther = reads.some((each) => each !== key && page[each] !== undefined)
      const isNew = !blocking.message.endsWith('not checked)')
      if (isNew && (hasOther || inner === 'name')) blocking.message += UNCOMPARED
    } else if (reads.every((key) => hasKind(key, meant[key]))) {
      const found = rule.check(meant)
      broken.push(...found)
      if (found.length > 0)
        kept = kept.filter((fault) => !isOwn(fault) || fault.mended !== undefined)
    }
  }
  // Within a form, both the schema and the rule say what a key must be.
  const refused = kept.filter(({ mended }) => mended === undefined)
  const places = new Set(refused.map(({ pointer }) => formatPointer(pointer)))
  return [...kept, ...broken.filter(({ pointer }) => !places.has(formatPointer(pointer)))]
}

const UNCOMPARED = ' (what must fit it was not checked)'

/** Whether a fault leaves a rule without a value to compare. */
function blocks({ pointer, mended }: Violation, page: CheckedPage, { reads }: Rule): boolean {
  const [key, , , inner] = pointer
  if (pointer.length === 0) return reads.some((each) => page[each] === undefined)
  if (mended !== undefined || !reads.some((each) => each === key)) return false
  // Of a form, rules read the names; of other values, perhaps everything.
  const isRead = pointer.length === 1 || key !== 'form' || inner === 'name'
  return isRead || !hasKind(key as keyof CheckedPage, page[key as keyof CheckedPage])
}

const REFUSED = refusedMarkup(ELEMENTS)

/** The site shows bodies as raw HTML. This rule belongs to every site: see `html.ts`. */
function bodyHasOnlyAllowedMarkup({ contentHtml }: CheckedPage): Violation[] {
  const faults = checkMarkup(contentHtml, REFUSED, ELEMENTS)
  return faults.map((fault) => ({ pointer: ['contentHtml'], at: 'value', ...fault }))
}

/** The site shows forms, and the receiver checks them. This rule belongs to every site, too. */
function formCanBeShown({ form }: CheckedPage): Violation[] {
  return formFaults(form).map(({ pointer, message }) => violation(['form', ...pointer], message))
}
