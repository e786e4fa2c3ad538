/** Which pages the site can show. All others stop the build, and the first is named. Pure. */

import { formFaults } from '../../dataset/form-faults.ts'
import { readInstant } from '../../text/instant.ts'
import { show } from '../../text/wording.ts'
import type { SitePage } from '../content/page.ts'

/** The site cannot show a page. The message names it and says what to do, in one line. */
export class UnshowableError extends Error {
  override name = 'UnshowableError'
}

/**
 * Paths that browsers, disks and hosts read in one way only: no empty part and no "." or "..", no
 * space at the end of a part, and no character that has a meaning in a URL or that engines encode
 * differently (WHATWG URL, 4.4).
 */
const PATH = /^(?:\/(?!\.{1,2}(?:\/|$)| )[^/\\?#%[\]|^"<>`{}\p{Cc}\p{Cs}]+(?<! ))+$/u

/** In bytes: with `.html`, the longest name of a file on most disks. */
const LONGEST = 250

/** Addresses of the site's own files and of the receiver, and names that hosts do not serve. */
const TAKEN =
  /^\/(?:404|healthz|readyz|robots\.txt|sitemap\.xml|_headers|dataset\.json|site\.json|assets(?:\/.*)?|(?:api\/forms|forms\/received)\/.*)$|\/index$|\.(?:br|gz)$|\.html(?:\/|$)/i

/**
 * Checks that each page can be a document of its own.
 *
 * @throws {UnshowableError}
 */
export function checkPages(pages: readonly SitePage[]): void {
  const documents = new Map<string, string>()
  for (const page of pages) {
    const { path } = page
    const refuse = (why: string) => {
      throw new UnshowableError(`${JSON.stringify(path)} cannot be shown: ${why}`)
    }
    const parts = path.split('/')
    if (!PATH.test(path) || parts.some((part) => Buffer.byteLength(part) > LONGEST)) {
      refuse(
        `a path has parts such as "/guides/first-steps", each of at most ${LONGEST} bytes and without \\ ? # % [ ] | ^ " < > \` { } or a space at its ends. Change the path.`,
      )
    }
    if (TAKEN.test(path)) refuse('the site itself uses that address. Change the path.')
    const document = path.normalize('NFC').toLowerCase()
    const other = documents.get(document)
    if (other)
      refuse(`on some disks its document is also that of ${other}. Change one of the paths.`)
    documents.set(document, path)
    const fault = faultOf(page)
    if (fault) refuse(`${fault}. Correct the batch.`)
  }
}

/** Returns what a page lacks, or has in another shape than the site shows. */
function faultOf(page: SitePage): string | undefined {
  for (const [key, { is, must }] of Object.entries(SHOWN)) {
    const value = page[key as keyof typeof SHOWN]
    if (is(value)) continue
    if (value === undefined) return `it has no "${key}", which ${must}`
    return `its "${key}" is ${JSON.stringify(value).slice(0, 80)}, but ${must}`
  }
  const [fault] = formFaults(page.form)
  if (!fault) return undefined
  const [, index, key] = fault.pointer
  if (index === undefined) return `its "form" ${fault.message}`
  const { name } = Object(page.form?.fields[Number(index)]) as { name?: unknown }
  const field = `field ${index} of its "form"${typeof name === 'string' ? ` (${show(name)})` : ''}`
  return `${key === undefined ? field : `"${key}" of ${field}`} ${fault.message}`
}

const isText = (value: unknown) => typeof value === 'string'

const isInstant = (value: unknown) => value === undefined || readInstant(value) !== undefined

/** BCP 47. */
function isLanguage(value: unknown): boolean {
  try {
    return value === undefined || Intl.getCanonicalLocales(value as string).length === 1
  } catch {
    return false
  }
}

const IS_INSTANT = { is: isInstant, must: 'must be a date and time such as 2025-08-28T10:15:00Z' }

/** The values of {@link SitePage} as the build checks them, for the compiler knows only the schema. */
const SHOWN = {
  title: { is: isText, must: 'must be a text' },
  contentHtml: { is: isText, must: 'must be a text' },
  language: { is: isLanguage, must: 'must be a language such as "en" or "pt-BR"' },
  createdAt: IS_INSTANT,
  updatedAt: IS_INSTANT,
}
