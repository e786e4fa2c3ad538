/** Applies rules: those of the content to records, those of every site to pages. */

import { fault } from '../explain/sentences.ts'
import type { Fault } from '../page/content.ts'
import type { Pointer, Violation } from '../page/fault.ts'
import { formFaults } from '../page/form-faults.ts'
import type { Page } from '../page/page.ts'
import { asObject, isObject } from '../text/as-object.ts'
import { callContent, takeList } from './content-calls.ts'
import { checkMarkup } from './markup.ts'

/**
 * @param subject a record that the schema accepts, or a page
 * @returns violations with pointers relative to it; if a rule throws, or returns something else than
 *   faults, one at the subject that says so
 */
export function checkRules<Subject>(
  subject: Subject,
  rules: readonly ((subject: Subject) => Fault[])[],
): Violation[] {
  const violations: Violation[] = []
  for (const [position, rule] of rules.entries()) {
    const name = rule.name || `rules[${position}]`
    const code = `rule.${name}`
    const checked = callContent(name, () => {
      const faults = takeList(name, rule(subject))
      return faults.map((item) => takeFault(item, name, subject))
    })
    if (checked.fault) violations.push({ ...checked.fault, code })
    for (const violation of checked.value ?? [])
      violations.push({ code, at: 'value', ...violation })
  }
  return violations
}

/** Takes a fault that a rule returns; one that is not as it must be is replaced by one that says so. */
function takeFault(item: unknown, name: string, subject: unknown): Fault {
  if (!isObject(item)) return sayOdd(fault('content.no-fault', [], name, item))

  // Read once, because it may have getters.
  const { pointer, message, code, about, at, within, instead } = item
  const parts = { pointer, message, code, about, at, within, instead }
  for (const [key, isRight, mustBe] of PARTS) {
    const value = parts[key]
    if (!isRight(value, parts, subject))
      return sayOdd(fault('content.odd-fault', [], name, key, mustBe, value, message))
  }
  const given = Object.entries(parts).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given) as Fault
}

/** Of a fault that says what is wrong with another one, the code is that of the rule. */
function sayOdd({ pointer, message }: Violation): Fault {
  return { pointer, message }
}

type Parts = Record<keyof Fault, unknown>

/** What each part of a fault must be. All but the first two may be missing. */
const PARTS: readonly [
  key: keyof Fault,
  isRight: (value: unknown, parts: Parts, subject: unknown) => boolean,
  mustBe: string,
][] = [
  ['pointer', isPointer, 'a list of keys and positions, such as ["tags", 0]'],
  ['message', isText, 'a text'],
  ['code', isTextOrMissing, 'a text'],
  ['about', isTextOrMissing, 'a text'],
  ['at', isPlaceOrMissing, '"key" or "value"'],
  ['within', isWithinOrMissing, '{ start, end }, offsets into the text at "pointer"'],
  ['instead', isScalarOrMissing, 'a text, a finite number, true or false'],
]

function isPointer(value: unknown): value is Pointer {
  const isStep = (step: unknown) => typeof step === 'string' || isCount(step)
  return Array.isArray(value) && Array.from(value).every(isStep)
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== ''
}

function isTextOrMissing(value: unknown): boolean {
  return value === undefined || typeof value === 'string'
}

function isPlaceOrMissing(value: unknown): boolean {
  return value === undefined || value === 'key' || value === 'value'
}

function isWithinOrMissing(value: unknown, { pointer, at }: Parts, subject: unknown): boolean {
  if (value === undefined) return true
  if (!isPointer(pointer)) return false

  const { start, end } = asObject(value)
  const text = at === 'key' ? pointer.at(-1) : valueAt(subject, pointer)
  return isCount(start) && isCount(end) && start <= end && end <= String(text).length
}

function valueAt(subject: unknown, pointer: Pointer): unknown {
  return pointer.reduce<unknown>((value, step) => asObject(value)[step], subject)
}

function isScalarOrMissing(value: unknown): boolean {
  if (value === undefined || typeof value === 'string' || typeof value === 'boolean') return true
  return Number.isFinite(value)
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
