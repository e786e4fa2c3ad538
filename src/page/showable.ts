/** What the site needs of a page, so that it can be a document of its own. Pure. */

import { type Fault, fault } from '../fault/fault.ts'
import { asObject } from '../text/as-object.ts'
import { readInstant } from '../text/instant.ts'
import { isImage, isLink } from './html.ts'
import type { Page } from './page.ts'

/**
 * Paths that browsers, disks and hosts read in one way only, such as "/guides/first-steps": no empty
 * part and no "." or "..", no space at the end of a part, and no character that has a meaning in a
 * URL or that engines encode differently (WHATWG URL, 4.4).
 */
const PATH = /^(?:\/(?!\.{1,2}(?:\/|$)| )[^/\\?#%[\]|^"<>`{}\p{Cc}\p{Cs}]+(?<! ))+$/u

/** In bytes: with `.html.br`, the longest name of a file on most disks. */
const LONGEST_PART = 247

/** Names of devices, such as "/con" and "/a/nul.txt", which Windows gives to no file and no folder. */
const DEVICE = /\/(?:con|prn|aux|nul|(?:com|lpt)[\d¹²³])(?:\.[^/]*)?(?:\/|$)/i

/**
 * Addresses of the site's own files and of the receiver, and names that hosts do not serve, such as
 * "/404", "/guides/index" and "/a.html".
 */
const TAKEN =
  /^\/(?:404|healthz|readyz|robots\.txt|sitemap(?:-\d+)?\.xml|_headers|_receipt|_refused|site\.json|immutable(?:\/.*)?|(?:api\/forms|forms\/received)\/.*)$|\/index$|\.(?:br|gz)$|\.html(?:\/|$)/i

/**
 * Checks that a page can be a document of the site.
 *
 * @returns faults with pointers from the page
 */
export function showableFaults(page: Page): Fault[] {
  const { path, title, contentHtml, form, language, updatedAt } = asObject(page)
  const faults = pathFaults(String(path))

  if (typeof title !== 'string' || title.trim() === '')
    faults.push(fault('site.title', ['title'], { value: title }))
  if (typeof contentHtml !== 'string')
    faults.push(fault('site.body', ['contentHtml'], { value: contentHtml }))
  if (language !== undefined && !isLanguage(language))
    faults.push(fault('site.language', ['language'], { value: language }))
  if (updatedAt !== undefined && readInstant(updatedAt) === undefined)
    faults.push(fault('site.instant', ['updatedAt'], { value: updatedAt }))
  return [...faults, ...hidingFields(form)]
}

/**
 * Properties that React reads of each element. A control with such a name would hide the property
 * (HTML, the named properties of a form), and React fails or never ends. Tried with all names in
 * Chromium.
 */
const HIDING_NAMES = new Set<unknown>([
  ...['nodeName', 'nodeType', 'parentNode', 'firstChild', 'nextSibling', 'ownerDocument'],
  ...['appendChild', 'insertBefore', 'removeChild', 'setAttribute', 'removeAttribute'],
])

/** Finds the fields of a form that would hide a part of it from scripts. */
function hidingFields(form: unknown): Fault[] {
  const { fields } = asObject(form)
  if (!Array.isArray(fields)) return []

  const faults: Fault[] = []
  for (const [index, field] of fields.entries()) {
    const { name } = asObject(field)
    if (HIDING_NAMES.has(name))
      faults.push(fault('site.hiding-field', ['form', 'fields', index, 'name'], { name }))
  }
  return faults
}

/** Says why a path can't be the address of a document. */
function pathFaults(path: string): Fault[] {
  // Nearly all paths are shorter than what a part of one may be.
  const isLong =
    Buffer.byteLength(path) > LONGEST_PART &&
    path.split('/').some((part) => Buffer.byteLength(part) > LONGEST_PART)

  const faults: Fault[] = []
  if (isLong || !PATH.test(path)) faults.push(fault('site.path', ['path'], { path }))
  if (DEVICE.test(path)) faults.push(fault('site.device', ['path'], { path }))
  if (TAKEN.test(path)) faults.push(fault('site.taken', ['path'], { path }))
  return faults
}

/**
 * Returns the name of a page's document, as disks compare names: two pages with the same one can't
 * both be shown, because on some disks /Blog and /blog are one file.
 */
export function documentName(path: string): string {
  return path.normalize('NFC').toLowerCase()
}

/** Checks the facts of a page, and where they lead. */
export function factFaults(facts: readonly unknown[]): Fault[] {
  const faults: Fault[] = []
  for (const fact of facts) {
    if (fact === undefined) continue

    const [name, value]: unknown[] = Array.isArray(fact) ? fact : []
    if (typeof name !== 'string') {
      faults.push(fault('site.fact', [], { item: fact }))
      continue
    }
    if (value === undefined) continue

    const items: unknown[] = Array.isArray(value) ? value : [value]
    for (const item of items) faults.push(...factValueFaults(name, item))
  }
  return faults
}

/** Checks a text or a link of a fact. */
function factValueFaults(name: string, item: unknown): Fault[] {
  if (typeof item === 'string') return []

  const { href, text } = asObject(item)
  const isText = text === undefined || typeof text === 'string'
  if (typeof href !== 'string' || !isText) return [fault('site.fact-value', [], { name, item })]

  return isLink(href) ? [] : [fault('site.fact-link', [], { name, href })]
}

/** Checks the image on the card of a page. */
export function imageFaults(image: unknown): Fault[] {
  if (image === undefined) return []

  const { src, alt } = asObject(image)
  if (typeof src !== 'string' || typeof alt !== 'string')
    return [fault('site.image', [], { returned: image })]

  return isImage(src) ? [] : [fault('site.image-address', [], { src })]
}

/** Checks the categories of a page. */
export function groupFaults(group: unknown): Fault[] {
  const items: unknown[] = Array.isArray(group) ? group : [group]
  const odd = items.filter((item) => item !== undefined && typeof item !== 'string')
  return odd.map((item) => fault('site.group', [], { item }))
}

/** A tag that begins with a code of two or three letters: `Intl` also takes names such as "English". */
const LANGUAGE_CODE = /^[a-z]{2,3}(-|$)/i

/** Whether a value is a BCP 47 tag, such as "en" and "pt-BR". */
function isLanguage(value: unknown): boolean {
  if (typeof value !== 'string' || !LANGUAGE_CODE.test(value)) return false

  try {
    return Intl.getCanonicalLocales(value).length > 0
  } catch {
    return false
  }
}
