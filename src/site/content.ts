/** Hides what a screen shows: what an address leads to, and what of it is already here. */
import type { Page } from '../generated/dataset.json'

/** What a card of the index says of a page. */
export interface Entry {
  path: string
  title: string
  hasForm: boolean
}

export type Screen =
  | { kind: 'index'; entries: readonly Entry[] }
  | { kind: 'page'; page: Page }
  | { kind: 'not-found' }

export interface Content {
  /** The screen of an address, or undefined while what it shows is still to be loaded. */
  read(path: string): Screen | undefined
  /** Loads what the screen of an address shows. */
  load(path: string): Promise<void>
}

export const SITE_NAME = 'ManyURLs Pages'
export const NOT_FOUND: Screen = { kind: 'not-found' }

/**
 * The content of a whole dataset. A page is found by the very string of its path: no folding of
 * case, no decoding, no trailing slash; in a `Map`, so that no name of `Object.prototype` is one.
 */
export function contentOf(pages: readonly Page[]): Content {
  const byPath = new Map(pages.map((page) => [page.path, page]))
  const index: Screen = { kind: 'index', entries: pages.map(toEntry) }
  return {
    read(path) {
      if (path === '/') return index
      const page = byPath.get(path)
      return page ? { kind: 'page', page } : NOT_FOUND
    },
    load: async () => {},
  }
}

function toEntry({ path, title, form }: Page): Entry {
  return { path, title, hasForm: form !== null }
}

/** The document's title on a screen: the site's name on the index, led by the screen's elsewhere. */
export function documentTitle(screen: Screen): string {
  if (screen.kind === 'index') return SITE_NAME
  return `${screen.kind === 'page' ? screen.page.title : 'Not found'} · ${SITE_NAME}`
}
