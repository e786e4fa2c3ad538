/** The sitemap of a site (sitemaps.org): the addresses of its documents, for search engines. Pure. */
import type { Lookup } from '../app/lookup.ts'
import { addressOf } from '../page/address.ts'

/** How many addresses a file may have, by the protocol. */
const MOST = 50_000

const XML = '<?xml version="1.0" encoding="UTF-8"?>'
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'

/**
 * Returns the files of the sitemap by their names: one or, for more addresses than it may have,
 * several and an index of them.
 *
 * @param address of the site: the addresses must be absolute
 */
export function sitemapFiles(pages: Lookup, address: string): Map<string, string> {
  const urls = [`<url><loc>${address}/</loc></url>`]

  for (const { path } of pages.entries) {
    const { updatedAt } = pages.find(path)?.page ?? {}
    const place = asXml(address + addressOf(path))
    const changed = updatedAt === undefined ? '' : `<lastmod>${updatedAt}</lastmod>`

    urls.push(`<url><loc>${place}</loc>${changed}</url>`)
  }
  if (urls.length <= MOST) return new Map([['sitemap.xml', sitemapOf(urls)]])

  const files = new Map<string, string>()
  for (let start = 0; start < urls.length; start += MOST) {
    files.set(`sitemap-${files.size + 1}.xml`, sitemapOf(urls.slice(start, start + MOST)))
  }

  const sitemaps = [...files.keys()].map((name) => {
    return `<sitemap><loc>${address}/${name}</loc></sitemap>`
  })
  return files.set('sitemap.xml', element('sitemapindex', sitemaps))
}

const sitemapOf = (urls: readonly string[]) => element('urlset', urls)

/** Returns a file with one element, and a line for each element in it. */
function element(name: string, children: readonly string[]): string {
  return `${XML}\n<${name} ${NAMESPACE}>\n${children.join('\n')}\n</${name}>\n`
}

/** Returns an address as XML. Browsers encode everything else that XML gives a meaning to. */
function asXml(address: string): string {
  return address.replaceAll('&', '&amp;')
}
