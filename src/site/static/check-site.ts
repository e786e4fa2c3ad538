/** Which pages and links a site can have. All others stop its build, and are named. Pure. */
import { addressOf, baseOf, documentFile, NOT_FOUND, pathAt } from '../../page/address.ts'
import type { Content } from '../../page/content.ts'
import { formFaults } from '../../page/form-faults.ts'
import { isLink } from '../../page/html.ts'
import { decode, TAG } from '../../page/local-addresses.ts'
import type { SchemaPage, SitePage } from '../../page/page.ts'
import { readInstant } from '../../text/instant.ts'
import { show } from '../../text/wording.ts'

/** The site cannot show some pages. Each line of the message names one and says what to do. */
export class UnshowableError extends Error {
  constructor(faults: readonly string[]) {
    const more = faults.length - MOST_NAMED
    super([...faults.slice(0, MOST_NAMED), ...(more > 0 ? [`And ${more} more.`] : [])].join('\n'))
  }
}

const MOST_NAMED = 20

/**
 * Paths that browsers, disks and hosts read in one way only: no empty part and no "." or "..", no
 * space at the end of a part, and no character that has a meaning in a URL or that engines encode
 * differently (WHATWG URL, 4.4).
 */
const PATH = /^(?:\/(?!\.{1,2}(?:\/|$)| )[^/\\?#%[\]|^"<>`{}\p{Cc}\p{Cs}]+(?<! ))+$/u

/** In bytes: with `.html.br`, the longest name of a file on most disks. */
const LONGEST = 247

/** Names of devices, which Windows gives to no file and no folder, whatever follows a dot. */
const DEVICE = /\/(?:con|prn|aux|nul|(?:com|lpt)[\d¹²³])(?:\.[^/]*)?(?:\/|$)/i

/**
 * Names of what React asks of each element. A control of such a name would hide it from React (HTML,
 * the named properties of a form), which fails or never ends. Tried with all names in Chromium.
 */
const HIDING_NAMES = new Set([
  ...['nodeName', 'nodeType', 'parentNode', 'firstChild', 'nextSibling', 'ownerDocument'],
  ...['appendChild', 'insertBefore', 'removeChild', 'setAttribute', 'removeAttribute'],
])

/** Addresses of the site's own files and of the receiver, and names that hosts do not serve. */
const TAKEN =
  /^\/(?:404|healthz|readyz|robots\.txt|sitemap(?:-\d+)?\.xml|_headers|_receipt|_refused|site\.json|immutable(?:\/.*)?|(?:api\/forms|forms\/received)\/.*)$|\/index$|\.(?:br|gz)$|\.html(?:\/|$)/i

/**
 * Checks that each page can be a document of its own, and what `content.ts` says of it: that the
 * pages that it names are there, and that its facts lead where links in a body may lead. If not, it
 * throws an {@link UnshowableError}.
 */
export function checkPages(pages: readonly SitePage[], { others, facts }: Content = {}): void {
  const paths = new Set(pages.map(({ path }) => path))
  const documents = new Map<string, string>()
  const faults: string[] = []
  for (const page of pages as readonly SchemaPage[]) {
    const { path } = page
    const refuse = (why: string) => faults.push(`${JSON.stringify(path)} cannot be shown: ${why}`)
    const isLong = path.split('/').some((part) => Buffer.byteLength(part) > LONGEST)
    if (isLong || !PATH.test(path)) {
      refuse(
        `a path has parts such as "/guides/first-steps", each of at most ${LONGEST} bytes and without \\ ? # % [ ] | ^ " < > \` { } or a space at its ends. Change the path.`,
      )
    }
    if (DEVICE.test(path)) {
      refuse('on Windows, a part of it is the name of a device, and of no file. Change the path.')
    }
    if (TAKEN.test(path)) refuse('the site itself uses that address. Change the path.')
    const document = path.normalize('NFC').toLowerCase()
    const other = documents.get(document)
    if (other) refuse(`on some disks its document is also that of ${other}. Change one path.`)
    documents.set(document, path)
    const fault = faultOf(page)
    if (fault) {
      refuse(`${fault}. Correct the batch.`)
      continue
    }
    for (const named of others?.(page) ?? []) {
      if (paths.has(named)) continue
      faults.push(`${path} names ${named}, but no page is there. Correct the batch.`)
    }
    for (const [, value] of facts?.(page).filter((fact) => fact !== undefined) ?? []) {
      if (typeof value === 'string' || isLink(value.href)) continue
      const written = show(value.href)
      refuse(`one of its facts leads to ${written}, which no link may have. Correct content.ts.`)
    }
  }
  if (faults.length > 0) throw new UnshowableError(faults)
}

/** Returns the first value of a page that the site cannot show: the compiler knows only the schema. */
function faultOf(page: SitePage): string | undefined {
  const { title, contentHtml, language = 'en', updatedAt = '2025-08-28T10:15:00Z' } = page
  const not = (key: keyof SitePage, what: string) =>
    `its "${key}" must be a ${what}, but is ${show(page[key])}`
  if (typeof title !== 'string') return not('title', 'text')
  if (typeof contentHtml !== 'string') return not('contentHtml', 'text')
  if (!isLanguage(String(language))) return not('language', 'language such as "en" or "pt-BR"')
  if (readInstant(updatedAt) === undefined) {
    return not('updatedAt', 'date and time such as 2025-08-28T10:15:00Z')
  }
  const [fault] = formFaults(page.form)
  if (fault) return `its ${['form', ...fault.pointer].join('/')} ${fault.message}`

  const hiding = page.form?.fields.find(({ name }) => HIDING_NAMES.has(name))
  if (!hiding) return undefined
  return `its form has a field with the name ${show(hiding.name)}, which browsers would take for a part of the form`
}

/** Whether a text is a BCP 47 tag. `Intl` also takes names such as "English". */
function isLanguage(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length > 0 && /^[a-z]{2,3}(-|$)/i.test(text)
  } catch {
    return false
  }
}

/** An attribute that names a file or a document. React and `html.ts` use double quotes only. */
const NAMING = / (?:href|src|poster)="([^"]*)"/g

/** Collects the addresses of a site that its documents name. `site` is its own, if it is known. */
export function siteLinks(site = 'https://site.invalid') {
  /** Each with the first document that names it. */
  const named = new Map<string, string>()
  const { origin } = new URL(site)
  return {
    /** @param document its path */
    add(document: string, html: string): void {
      const tags = html.match(TAG)?.join('') ?? ''
      for (const [, value = ''] of tags.matchAll(NAMING)) {
        const written = decode(value)
        if (/^[a-z]+:/i.test(written) && !written.startsWith(`${site}/`)) continue
        // Those that begin with a slash mean the same in each document, and most are known by now.
        const address = written.startsWith('/')
          ? written
          : new URL(written, site + addressOf(document)).pathname
        if (!named.has(address)) named.set(address, document)
      }
    },
    /** Throws an {@link UnshowableError} if an address is none of the documents and other files. */
    check(files: ReadonlySet<string>): void {
      const faults = [...named].flatMap(([address, document]) => {
        const url = URL.canParse(address, origin) ? new URL(address, origin) : undefined
        if (url && url.origin !== origin) return []
        const path = pathAt(url?.pathname ?? '', baseOf(site))
        const isFile = files.has(path.slice(1)) && !path.endsWith('.html')
        const isThere = isFile || files.has(documentFile(path))
        if (isThere && path !== NOT_FOUND) return []
        return `${JSON.stringify(document)} names ${JSON.stringify(address)}, but the site has no such page or file. Correct the address, or add the file to src/site/public/.`
      })
      if (faults.length > 0) throw new UnshowableError(faults)
    },
  }
}
