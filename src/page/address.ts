/**
 * The path of a page, its address in a browser, and its file in a built site. The base of a site is
 * the part of every address before the path, as browsers encode it: `/docs`, or '' for a site at the
 * root. Pure.
 */

/** A path that no page has: that of the Not found document. */
export const NOT_FOUND = '/404'

/** The beginning of the path of a receipt. */
export const RECEIPTS = '/forms/received/'

/**
 * Returns the path that an address leads to. Browsers encode what is beyond ASCII; only that one
 * spelling is the page, so an address that is encoded otherwise leads to {@link NOT_FOUND}.
 *
 * @param address as in `location.pathname` or in a request, without a query
 */
export function pathAt(address: string, base = ''): string {
  if (!address.startsWith(`${base}/`)) return NOT_FOUND

  try {
    const path = decodeURI(address.slice(base.length))
    const isSpelledAsBrowsersDo = base + addressOf(path) === address
    return isSpelledAsBrowsersDo ? path : NOT_FOUND
  } catch {
    // It isn't UTF-8, so no browser made it from a path.
    return NOT_FOUND
  }
}

/** Returns the address of a path, as browsers encode it. */
export function addressOf(path: string): string {
  return encodeURI(path)
}

/** Returns the file of the document at a path, in the folder of a built site. */
export function documentFile(path: string): string {
  return path === '/' ? 'index.html' : `${path.slice(1)}.html`
}

/** The ending of the last part of a path, such as the ".pdf" of "/docs/a.pdf". */
const ENDING = /\.[^/]*$/

/** Whether a path may name another file: its last part has a dot. Only the build of the site knows. */
export function mayBeFile(path: string): boolean {
  return ENDING.test(path)
}

/** Returns the base of a site at an address such as https://example.com/docs. */
export function baseOf(address: string | undefined): string {
  return address === undefined ? '' : withoutLastSlash(new URL(address).pathname)
}

function withoutLastSlash(text: string): string {
  return text.endsWith('/') ? text.slice(0, -1) : text
}

/** Returns an address with the base of a site before it, if it is one of this site: it begins with a slash. */
export function underBase(address: string, base: string): string {
  return address.startsWith('/') ? base + address : address
}

/** The beginning of an address of the web. */
const WEB = /^https?:/i

/** What a pathname may not have: an empty part, or a character that is encoded, as in "/a//b" and "/%20". */
const EMPTY_PART_OR_ENCODED = /\/\/|%/

/**
 * Returns the address of the site, without a slash at its end; undefined if it is not set.
 *
 * @param text the environment variable SITE_URL
 * @throws Error in one line, if it isn't an address
 */
export function readAddress(text: string | undefined): string | undefined {
  if (!text) return undefined

  if (WEB.test(text) && URL.canParse(text)) {
    const { href, origin, pathname } = new URL(text)
    const address = origin + pathname
    const hasMore = href !== address
    // Vite decodes what is encoded in a base, so links and assets would differ.
    const isPlain = !EMPTY_PART_OR_ENCODED.test(pathname)
    if (!hasMore && isPlain) return withoutLastSlash(address)
  }

  throw new Error(
    `SITE_URL is "${text}", but must be the address of the site, such as https://example.com or https://example.com/docs/`,
  )
}
