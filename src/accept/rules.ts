/** Applies rules: those of the content to records, those of every site to pages. */
import type { Collection, Pages } from '../collections/collection.ts'
import type { Rule, Where } from '../page/content.ts'
import { type Fault, fault } from '../page/fault.ts'
import { formFaults } from '../page/form-faults.ts'
import type { Page, SchemaPage } from '../page/page.ts'
import { factFaults, groupFaults, imageFaults, showableFaults } from '../page/showable.ts'
import { asObject } from '../text/as-object.ts'
import type { MarkupCheck } from './markup.ts'
import { callOwner, takeList, takeValue } from './owner-calls.ts'
import { namedRecords } from './references.ts'
import { takeFault } from './rule-faults.ts'

/**
 * Applies the owner's rules to a record that the schema accepts.
 *
 * @returns faults with pointers from the record. If a rule throws, or returns something else than
 *   faults, one at the record says so
 */
export function checkRecord(record: unknown, rules: readonly Rule<never>[], where: Where): Fault[] {
  const faults: Fault[] = []
  for (const [position, rule] of rules.entries()) {
    const name = rule.name || `rules[${position}]`
    const checked = callOwner(name, () => {
      return takeList(name, rule(record as never, where)).map((item) =>
        takeFault(item, name, record),
      )
    })

    if (checked.fault) faults.push({ ...checked.fault, about: name })
    for (const ruleFault of checked.value ?? []) faults.push(ruleFault)
  }
  return faults
}

/**
 * Checks what every site demands of a page, whatever the schema says.
 *
 * @returns faults with pointers from the page
 */
export function checkPage(page: Page, isAllowedMarkup: MarkupCheck): Fault[] {
  return [...checkBody(page, isAllowedMarkup), ...checkForm(page)]
}

/**
 * Checks what a site needs of a page besides, and what `content.ts` shows of it.
 *
 * @returns faults with pointers from the page
 */
export function checkForSite(page: Page, { facts, image, group, others }: Pages): Fault[] {
  const faults = showableFaults(page)
  if (faults.length > 0) return faults

  const shown = page as SchemaPage
  if (facts) {
    const find = () => factFaults(takeList('facts', facts(shown)))
    faults.push(...checkShown('facts', find))
  }

  if (image) {
    const find = () => imageFaults(takeValue('image', image(shown)))
    faults.push(...checkShown('image', find))
  }

  if (group) {
    const find = () => groupFaults(takeValue('group', group(shown)))
    faults.push(...checkShown('group', find))
  }

  if (others) {
    const named = callOwner('others', () => takeList('others', others(shown)))
    if (named.fault) faults.push(named.fault)
  }
  return faults
}

/**
 * Checks what a function of `content.ts` shows of a page.
 *
 * @param name of the function
 * @param find calls it, and returns the faults in what it returns
 */
function checkShown(name: string, find: () => Fault[]): Fault[] {
  const found = callOwner(name, find)
  return found.fault ? [found.fault] : found.value
}

/** Asks which other records a record names. @returns why that can't be */
export function checkReferences(
  record: unknown,
  collection: Collection,
  where: Where,
): Fault | undefined {
  return callOwner('references', () => namedRecords(record, collection, where)).fault
}

/** The site shows bodies as raw HTML: see `html.ts`. */
function checkBody({ contentHtml }: Page, isAllowedMarkup: MarkupCheck): Fault[] {
  if (typeof contentHtml !== 'string' || isAllowedMarkup(contentHtml)) return []
  return [fault('html.refused', ['contentHtml'])]
}

/** The site shows forms, and the receiver checks them. */
function checkForm({ form }: Page): Fault[] {
  // Where a schema means something else by the key, only the site refuses it.
  const isForm = Array.isArray(asObject(form).fields)
  if (!isForm) return []

  return formFaults(form).map((formFault) => {
    return { ...formFault, pointer: ['form', ...formFault.pointer] }
  })
}
