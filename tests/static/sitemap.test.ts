import { expect, test } from 'vitest'
import { lookUp } from '../../src/app/lookup.ts'
import { sitemapFiles } from '../../src/static/sitemap.ts'
import { page } from '../helpers/page.ts'

const ADDRESS = 'https://example.com/docs'

/** Returns the files of a sitemap of so many pages. */
function filesOf(count: number): Map<string, string> {
  const pages = Array.from({ length: count }, (_, at) => page({ path: `/a/${at}` }))
  return sitemapFiles(lookUp(pages), ADDRESS)
}

/** Returns the addresses in a file. */
function addressesIn(file: string | undefined): string[] {
  return Array.from(file?.matchAll(/<loc>(.*?)<\/loc>/g) ?? [], ([, address = '']) => address)
}

test('a sitemap has the index and each page, with the time of its last change', () => {
  const [, file = ''] = [...filesOf(1)].flat()
  expect(file).toContain('<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">')
  expect(file).toMatch(/<url><loc>https:\/\/example.com\/docs\/a\/0<\/loc><lastmod>2025-/)
  expect(addressesIn(file)).toEqual([`${ADDRESS}/`, `${ADDRESS}/a/0`])
})

test('a site with 50,000 addresses has one file', () => {
  const files = filesOf(49_999)
  expect([...files.keys()]).toEqual(['sitemap.xml'])
  expect(addressesIn(files.get('sitemap.xml'))).toHaveLength(50_000)
})

test('a site with more has several, and an index that names them', () => {
  const files = filesOf(50_000)
  const index = files.get('sitemap.xml')
  expect(index).toContain('<sitemapindex xmlns=')
  expect(addressesIn(index)).toEqual([`${ADDRESS}/sitemap-1.xml`, `${ADDRESS}/sitemap-2.xml`])
  expect(addressesIn(files.get('sitemap-1.xml'))).toHaveLength(50_000)
  expect(addressesIn(files.get('sitemap-2.xml'))).toEqual([`${ADDRESS}/a/49999`])
})
