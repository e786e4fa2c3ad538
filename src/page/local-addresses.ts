/** Finds the addresses of this site in the HTML of a body. Pure; a parser only decodes characters. */
import type { Range } from '../text/range.ts'
import { htmlParser } from './parse-html.ts'

/** An address in a tag that a browser resolves to this site: where it is in the HTML, as written there. */
export interface LocalAddress extends Range {
  key: 'href' | 'src'
  /** The address as a browser has it in `location.pathname`. */
  pathname: string
}

/**
 * A tag with its values in double quotes, as `html.ts` demands. It never reaches beyond the next <: a
 * body of many open tags would take quadratic time.
 */
export const TAG = /<[a-z](?:[^<">]|"[^"]*")*>/g
/** An address of this site in a tag, as in ` href="/docs/001"`. */
const ADDRESS = / (href|src)="(\/[^"]*)"/g

/** Stands for the site at any address. */
const SITE = 'https://site.invalid'

/** Returns the addresses of this site in a body that `html.ts` allows. */
export function localAddresses(html: string): LocalAddress[] {
  // Most bodies have none, and few have an equals sign.
  if (!html.includes('="/')) return []

  const addresses: LocalAddress[] = []
  for (const { 0: tag, index: tagStart } of html.matchAll(TAG)) {
    for (const { 1: key, 2: written = '', index } of tag.matchAll(ADDRESS)) {
      const pathname = resolve(decode(written))
      if (pathname === undefined) continue

      const start = tagStart + index + ` ${key}="`.length
      const end = start + written.length
      addresses.push({ key: key as LocalAddress['key'], start, end, pathname })
    }
  }
  return addresses
}

/** Returns a body with the base of a site before each of its addresses. */
export function withBase(html: string, base: string): string {
  if (base === '') return html

  const parts: string[] = []
  let end = 0
  for (const { start } of localAddresses(html)) {
    parts.push(html.slice(end, start), base)
    end = start
  }
  return parts.join('') + html.slice(end)
}

/** Returns the path of an address of this site. `//example.com` is another one. */
function resolve(address: string): string | undefined {
  if (!URL.canParse(address, SITE)) return undefined

  const { origin, pathname } = new URL(address, SITE)
  return origin === SITE ? pathname : undefined
}

/** Decodes the character references of the value of an attribute. */
export function decode(written: string): string {
  if (!written.includes('&')) return written

  const link = firstNode(`<a href="${written}">`)
  return link && 'attrs' in link ? (link.attrs[0]?.value ?? '') : ''
}

/** Decodes a character reference of a text, where it may lack its semicolon. */
export function decodeInText(reference: string): string {
  // Most are this one, and a parser takes a hundred times as long.
  if (reference === '&amp;') return '&'

  const text = firstNode(reference)
  return text && 'value' in text ? text.value : ''
}

function firstNode(html: string) {
  return htmlParser().parseFragment(html).childNodes[0]
}
