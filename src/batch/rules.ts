/** Applies the rules for a page to a record: those of every site, and those of the content. */

import { content } from '../content.ts'
import { formFaults } from '../page/form-faults.ts'
import { ELEMENTS, refusedMarkup } from '../page/html.ts'
import { type CheckedPage, type Fault, hasKind, type Rule } from '../page/rule.ts'
import type { Violation } from '../page/violation.ts'
import { checkMarkup } from './markup.ts'

const RULES: readonly Rule[] = [
  { reads: ['contentHtml'], check: bodyHasOnlyAllowedMarkup },
  { reads: ['form'], check: formCanBeShown },
  ...(content.rules ?? []),
]

/**
 * @param record one that the schema accepts; keys that no rule reads may be missing
 * @returns violations with pointers relative to the record
 */
export function checkRules(record: object): Violation[] {
  const page = record as CheckedPage
  const violations: Violation[] = []
  for (const rule of RULES) {
    if (!rule.reads.every((key) => hasKind(key, page[key]))) continue
    const code = `rule.${rule.check.name}`
    for (const fault of rule.check(page)) violations.push({ code, at: 'value', ...fault })
  }
  return violations
}

const REFUSED = refusedMarkup(ELEMENTS)

/** The site shows bodies as raw HTML. This rule belongs to every site: see `html.ts`. */
function bodyHasOnlyAllowedMarkup({ contentHtml }: CheckedPage): Fault[] {
  const faults = checkMarkup(contentHtml, REFUSED, ELEMENTS)
  return faults.map((fault) => ({ pointer: ['contentHtml'], ...fault }))
}

/** The site shows forms, and the receiver checks them. This rule belongs to every site, too. */
function formCanBeShown({ form }: CheckedPage): Fault[] {
  const faults = formFaults(form)
  return faults.map(({ pointer, message }) => ({ pointer: ['form', ...pointer], message }))
}
