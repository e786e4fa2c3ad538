/** Applies the rules for a page to every record: those of every site, and those of the content. */
import { formFaults } from '../dataset/form-faults.ts'
import { ELEMENTS, refusedMarkup } from '../dataset/html.ts'
import { CONTENT_RULES } from './content.ts'
import { checkMarkup } from './markup.ts'
import { type CheckedPage, hasKind, type Rule } from './rule.ts'
import { change } from './schema/shapes.ts'
import { formatPointer, type Violation, violation } from './violation.ts'

const RULES: readonly Rule[] = [
  { reads: ['contentHtml'], check: bodyHasOnlyAllowedMarkup },
  { reads: ['form'], check: formCanBeShown },
  ...CONTENT_RULES,
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
  const faultOf = (key: string) => faults.find(({ pointer }) => pointer[0] === key)
  // A text that fits a faulty value only repeats its mistake.
  const repeating = RULES.find(({ reads, says }) => {
    const isFaulty = reads.every((key) => faultOf(key) && hasKind(key, page[key]))
    return says && isFaulty && page[says.key] === says.must(page)
  })
  const repeated = repeating?.says && faultOf(repeating.says.key)
  const kept = faults.filter((fault) => fault !== repeated).map((fault) => ({ ...fault }))
  const add = (at: Violation | undefined, remark: string) => {
    const fault = kept.find(({ pointer }) => pointer === at?.pointer)
    if (fault && remark !== '' && !fault.message.includes(remark)) fault.message += ` (${remark})`
  }
  for (const key of repeating?.reads ?? []) {
    if (key !== repeating?.says?.key)
      add(faultOf(key), `the ${repeating?.says?.key} has the same mistake`)
  }
  const meant = kept.reduce<unknown>((page, { pointer, mended }) => {
    return mended === undefined ? page : change(page, pointer, mended)
  }, page) as CheckedPage
  const rules = RULES.flatMap((rule) => {
    if (rule === repeating) return []
    const blocking = kept.find((fault) => blocks(fault, page, rule))
    if (!blocking)
      return rule.reads.every((key) => hasKind(key, meant[key])) ? rule.check(meant) : []
    const others = rule.reads.filter(
      (key) => key !== blocking.pointer[0] && page[key] !== undefined,
    )
    const what = others.join(' and ') || (blocking.pointer[3] === 'name' ? 'the other names' : '')
    // A fault of the page as a whole has no value that could be compared.
    const isValue = what !== '' && blocking.pointer.length > 0
    add(
      blocking,
      isValue ? `${what} ${others.length === 1 ? 'was' : 'were'} not compared with it` : '',
    )
    return []
  })
  const isSaid = ({ pointer: [key, inner] }: Violation) =>
    inner === undefined && rules.some(({ pointer }) => pointer[0] === key)
  // Within a form, both the schema and the rule say what a key must be.
  const refused = new Set(
    kept.flatMap(({ pointer, mended }) => (mended === undefined ? formatPointer(pointer) : [])),
  )
  const isNew = ({ pointer }: Violation) =>
    pointer.length === 1 || !refused.has(formatPointer(pointer))
  return [
    ...kept.filter((fault) => fault.mended !== undefined || !isSaid(fault)),
    ...rules.filter(isNew),
  ]
}

/** Whether a fault leaves a rule without a value to compare. */
function blocks({ pointer, mended }: Violation, page: CheckedPage, { reads, says }: Rule): boolean {
  const [key, , , inner] = pointer
  if (mended !== undefined || (says && says.key === key && typeof page[says.key] === 'string'))
    return false
  if (key === undefined) return reads.some((each) => page[each] === undefined)
  if (!reads.some((each) => each === key)) return false
  // Of a form, rules read the names; of other values, perhaps everything.
  const isRead = pointer.length === 1 || key !== 'form' || inner === 'name'
  return isRead || !hasKind(key as keyof CheckedPage, page[key as keyof CheckedPage])
}

const REFUSED = refusedMarkup(ELEMENTS)

/** The site shows bodies as raw HTML. This rule belongs to every site: see `html.ts`. */
function bodyHasOnlyAllowedMarkup({ contentHtml }: CheckedPage): Violation[] {
  return checkMarkup(contentHtml, REFUSED, ELEMENTS).map(({ message, within }) => {
    return { ...violation(['contentHtml'], message), ...(within && { within }) }
  })
}

/** The site shows forms, and the receiver checks them. This rule belongs to every site, too. */
function formCanBeShown({ form }: CheckedPage): Violation[] {
  return formFaults(form).map(({ pointer, message }) => violation(['form', ...pointer], message))
}
