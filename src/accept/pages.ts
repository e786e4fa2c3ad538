/** Makes the pages that records become, and checks what every site demands of one. Pure. */
import type { Pages } from '../collections/collection.ts'
import { type Fault, fault } from '../fault/fault.ts'
import type { Where } from '../page/content.ts'
import type { Delivered } from '../page/delivered.ts'
import { formFaults } from '../page/form-faults.ts'
import type { Page, SchemaPage } from '../page/page.ts'
import { factFaults, groupFaults, imageFaults, showableFaults } from '../page/showable.ts'
import { asObject } from '../text/as-object.ts'
import type { MarkupCheck } from './markup.ts'
import { callOwner, type Outcome, takeList, takePage, takeValue } from './owner-calls.ts'

/**
 * Makes the page of a record.
 *
 * @param record one that the schema accepts
 * @param make the function `page` of `content.ts`
 * @returns what it makes, with the other keys of the record; or why it makes none
 */
export function makePage(
  record: unknown,
  make: NonNullable<Pages['page']>,
  where: Where,
): Outcome<Record<string, unknown>> {
  return callOwner('page', () => {
    const page = takePage(make(record as Delivered, where))
    return withRemainingKeys(page, record)
  })
}

/** Adds to what `page` has made the keys of the record that the site doesn't know. */
function withRemainingKeys(
  page: Record<string, unknown>,
  record: unknown,
): Record<string, unknown> {
  const { path, title, contentHtml, form, language, updatedAt, ...remaining } = asObject(record)

  // The first time for the order of the keys, the second time because what `page` makes wins.
  return { ...page, ...remaining, ...page }
}

/**
 * Checks what every site demands of a page, whatever the schema says.
 *
 * @returns faults with pointers from the page
 */
export function checkPage(page: Page, isAllowedMarkup: MarkupCheck): Fault[] {
  return [...checkBody(page, isAllowedMarkup), ...checkForm(page)]
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
    const outcome = callOwner('others', () => takeList('others', others(shown)))
    if (outcome.fault) faults.push(outcome.fault)
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
  const outcome = callOwner(name, find)
  return outcome.fault ? [outcome.fault] : outcome.value
}
