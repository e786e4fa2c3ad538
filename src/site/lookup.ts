/** The lookup rules: which page is at a path, in what order pages are listed, what stands next to one. Pure. */
import type { Page } from '../generated/dataset.json'

/** What a card of the index says of a page. */
export interface Entry {
  path: string
  title: string
  hasForm: boolean
}

/** A page, and those before and after it in the order of the index. */
export interface Found {
  page: Page
  previous?: Entry | undefined
  next?: Entry | undefined
}

export interface Lookup {
  /** One entry for each page, by category, then number. */
  entries: readonly Entry[]
  /**
   * The page whose path is this very string: no folding of case, no decoding, no slash at the end.
   * The search is in a `Map`, so that no name of `Object.prototype` is a page.
   */
  find(path: string): Found | undefined
}

export function lookUp(pages: readonly Page[]): Lookup {
  const sorted = pages.toSorted((a, b) => comparePaths(a.path, b.path))
  const entries = sorted.map(({ path, title, form }) => ({ path, title, hasForm: form !== null }))
  const pairs = sorted.map((page, at): [string, Found] => {
    return [page.path, { page, previous: entries[at - 1], next: entries[at + 1] }]
  })
  const found = new Map(pairs)
  return { entries, find: (path) => found.get(path) }
}

/** The path that the parameters of the route `/:category/:pageId` make. */
export function joinPath({ category, pageId }: { category: string; pageId: string }): string {
  return `/${category}/${pageId}`
}

/** Whether a path is of the shape `/{category}/{pageId}`, so that there may be a page. */
export function isPagePath(path: string): boolean {
  return /^\/[^/]+\/[^/]+$/.test(path)
}

/** The first step of a path. */
export function categoryOf(path: string): string {
  return path.slice(1, path.indexOf('/', 1))
}

/** The order of the index. By code unit, so that it is the same on every machine. */
export function comparePaths(a: string, b: string): number {
  const [categoryA, categoryB] = [categoryOf(a), categoryOf(b)]
  if (categoryA !== categoryB) return categoryA < categoryB ? -1 : 1
  // Numbers have leading zeros, so the longer one is the greater.
  if (a.length !== b.length) return a.length - b.length
  return a < b ? -1 : a > b ? 1 : 0
}

export function countsOf(entries: readonly Entry[]): { total: number; withForms: number } {
  return { total: entries.length, withForms: entries.filter(({ hasForm }) => hasForm).length }
}
