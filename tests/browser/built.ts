/** The built site, whatever its content is. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { addressOf as encode } from '../../src/page/address.ts'
import { withBase } from '../../src/page/local-addresses.ts'
import type { SitePage } from '../../src/page/page.ts'
import { readSite } from '../../src/static/site-files.ts'

/** Made by `npm run build`. */
export const DIST = join(import.meta.dirname, '../../dist')

export const { base } = readSite(DIST)

const generated = new URL('../../src/generated/dataset.json', import.meta.url)
const dataset: SitePage[] = JSON.parse(readFileSync(generated, 'utf8'))

/** With bodies as the documents show them. */
export const pages = dataset.map((page) => {
  return { ...page, contentHtml: withBase(page.contentHtml, base) }
})

/** A path that no page has. */
export const NOWHERE = '/nowhere/at/all'

const KEYS = new Set(pages.flatMap((page) => Object.keys(page)))
const seen = new Set<string>()

/** Enough pages to have each key once, to lack it once, and to have each type of field. */
export const kinds = pages.filter((page) => {
  const { size } = seen
  const values = new Map<string, unknown>(Object.entries(page))
  for (const key of KEYS) seen.add(`${key}: ${values.get(key) ? 'yes' : 'no'}`)
  for (const { type } of page.form?.fields ?? []) seen.add(type)
  return seen.size > size
})

/** Returns the address of a path on a host of the site. */
export function addressOf(path: string): string {
  return base + encode(path)
}
