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
  const kept = new Set(faults.map((fault) => ({ ...fault })))
  const meant = faults.reduce<unknown>((page, { pointer, mended }) => {
    return mended === undefined ? page : change(page, pointer, mended)
  }, page) as CheckedPage
  const broken: Violation[] = []
  for (const rule of RULES) {
    const { reads, says } = rule
    const isRead = ({ pointer: [key] }: Violation) => reads.some((each) => each === key)
    const isOwn = ({ pointer: [key] }: Violation) =>
      key === says?.key && typeof page[says?.key ?? 'title'] === 'string'
    const own = [...kept].filter(isOwn)
    const others = [...kept].filter((fault) => !isOwn(fault))
    const other = others.find(isRead)
    const blocking = others.find((fault) => blocks(fault, page, rule))
    // A text that fits a faulty value only repeats its mistake.
    const isRepeated =
      says && other && own.length > 0 && reads.every((key) => hasKind(key, page[key]))
    if (isRepeated && page[says.key] === says.must(page)) {
      remark(other, `the ${says.key} has the same mistake`)
      for (const fault of own) kept.delete(fault)
    } else if (blocking) {
      const [key, , , inner] = blocking.pointer
      const hasOther = reads.some((each) => each !== key && page[each] !== undefined)
      if (key !== undefined && (hasOther || inner === 'name')) remark(blocking, UNCOMPARED)
    } else if (reads.every((key) => hasKind(key, meant[key]))) {
      const found = rule.check(meant)
      broken.push(...found)
      if (found.length > 0)
        for (const fault of own) if (fault.mended === undefined) kept.delete(fault)
    }
  }
  // Within a form, both the schema and the rule say what a key must be.
  const refused = [...kept].filter(({ mended }) => mended === undefined)
  const places = new Set(refused.map(({ pointer }) => formatPointer(pointer)))
  return [...kept, ...broken.filter(({ pointer }) => !places.has(formatPointer(pointer)))]
}

const UNCOMPARED = 'what must fit it was not checked'

/** Whether a fault leaves a rule without a value to compare. */
function blocks({ pointer, mended }: Violation, page: CheckedPage, { reads }: Rule): boolean {
  const [key, , , inner] = pointer
  if (mended !== undefined) return false
  if (key === undefined) return reads.some((each) => page[each] === undefined)
  if (!reads.some((each) => each === key)) return false
  // Of a form, rules read the names; of other values, perhaps everything.
  const isRead = pointer.length === 1 || key !== 'form' || inner === 'name'
  return isRead || !hasKind(key as keyof CheckedPage, page[key as keyof CheckedPage])
}

function remark(fault: Violation, words: string): void {
  if (!fault.message.includes(words)) fault.message += ` (${words})`
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
