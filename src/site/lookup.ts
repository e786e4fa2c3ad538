/** Hides how the screen of an address is found: which page it names and what its document is called. */
import type { Page } from '../generated/dataset.json'
import pages from '../generated/dataset.json'

export const SITE_NAME = 'ManyURLs Pages'

const byPath = new Map(pages.map((page) => [page.path, page]))

/**
 * The page whose path is this very string: no folding of case, no decoding, no trailing slash. A
 * `Map`, so that no name of `Object.prototype` is ever a page.
 */
export function findPage(path: string): Page | undefined {
  return byPath.get(path)
}

/** The document's title at a path: the site's name on the index, led by the screen's elsewhere. */
export function documentTitle(path: string): string {
  if (path === '/') return SITE_NAME
  return `${findPage(path)?.title ?? 'Not found'} · ${SITE_NAME}`
}
