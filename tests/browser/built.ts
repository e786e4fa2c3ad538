/** The built site, whatever its content is. */
import { join } from 'node:path'
import { addressOf as encode } from '../../src/site/content/address.ts'
import type { FieldDefinition, SitePage } from '../../src/site/content/page.ts'
import { openSite } from '../../src/site/static/open-site.ts'

/** Made by `npm run build`. */
export const DIST = join(import.meta.dirname, '../../dist')

export const { base, pages } = openSite(DIST)

/** A path that no page has. */
export const NOWHERE = '/nowhere/at/all'

const TYPES: FieldDefinition['type'][] = ['text', 'email', 'textarea']

/** A page without a form, and one for each combination of the types of fields that a form has. */
export const kinds = [...new Map(pages.map((page) => [kindOf(page), page])).values()]

function kindOf({ form }: SitePage): string {
  const types = TYPES.filter((type) => form?.fields.some((field) => field.type === type))
  return form ? `form ${types}` : ''
}

/** Returns the address of a path on a host of the site. */
export function addressOf(path: string): string {
  return base + encode(path)
}
