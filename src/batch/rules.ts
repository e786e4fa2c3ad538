/** Applies rules: those of the content to records, those of every site to pages. */
import type { Fault } from '../page/content.ts'
import { formFaults } from '../page/form-faults.ts'
import type { Page } from '../page/page.ts'
import type { Violation } from '../page/violation.ts'
import { asObject } from '../text/as-object.ts'
import { checkMarkup } from './markup.ts'
import { fault } from './sentences.ts'

/**
 * @param subject a record that the schema accepts, or a page
 * @returns violations with pointers relative to it; one that says so, if a rule throws
 */
export function checkRules<Subject>(
  subject: Subject,
  rules: readonly ((subject: Subject) => Fault[])[],
): Violation[] {
  const violations: Violation[] = []
  for (const rule of rules) {
    try {
      for (const fault of rule(subject))
        violations.push({ code: `rule.${rule.name}`, at: 'value', ...fault })
    } catch (error) {
      const failed = fault('content.fails', [], rule.name, (error as Error).message)
      violations.push({ ...failed, code: `rule.${rule.name}` })
    }
  }
  return violations
}

/** What every site demands of a page, whatever the schema says. */
export const PAGE_RULES = [bodyHasOnlyAllowedMarkup, formCanBeShown] as const

/** The site shows bodies as raw HTML: see `html.ts`. */
function bodyHasOnlyAllowedMarkup({ contentHtml }: Page): Fault[] {
  if (typeof contentHtml !== 'string') return []
  return checkMarkup(contentHtml).map((fault) => ({ ...fault, pointer: ['contentHtml'] }))
}

/** The site shows forms, and the receiver checks them. */
function formCanBeShown({ form }: Page): Fault[] {
  // Where a schema means something else by the key, only the site refuses it.
  if (!Array.isArray(asObject(form).fields)) return []
  const faults = formFaults(form)
  return faults.map(({ pointer, message }) => ({ pointer: ['form', ...pointer], message }))
}
