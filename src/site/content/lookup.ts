/** The lookup rules: the page at a path, the pages next to it, and the order of the index. Pure. */
import { hasForm } from '../../dataset/page.ts'
import type { Page } from '../../generated/dataset.json'

/** The content of a card on the index. */
export interface Entry {
  path: string
  title: string
  hasForm: boolean
}

/** A page, and the pages before and after it in the order of the index. */
export interface Found {
  page: Page
  previous?: Entry | undefined
  next?: Entry | undefined
}

export interface Lookup {
  /** One entry for each page, by category, then number. */
  entries: readonly Entry[]
  /**
   * Returns the page with exactly this path: no case folding, no decoding, no trailing slash. It
   * searches a `Map`, so that no name of `Object.prototype` is a page.
   */
  find(path: string): Found | undefined
}

export function lookUp(pages: readonly Page[]): Lookup {
  const sorted = pages.toSorted((a, b) => comparePaths(a.path, b.path))
  const entries = sorted.map((page) => {
    return { path: page.path, title: page.title, hasForm: hasForm(page) }
  })
  const pairs = sorted.map((page, at): [string, Found] => {
    return [page.path, { page, previous: entries[at - 1], next: entries[at + 1] }]
  })
  const found = new Map(pairs)
  return { entries, find: (path) => found.get(path) }
}

/** Returns the path for the parameters of the route `/:category/:pageId`. */
export function joinPath({ category, pageId }: { category: string; pageId: string }): string {
  return `/${category}/${pageId}`
}

/** Returns whether a path has the shape `/{category}/{pageId}`, so that there may be a page. */
export function isPagePath(path: string): boolean {
  return /^\/[^/]+\/[^/]+$/.test(path)
}

/** Returns the first segment of a path. */
export function categoryOf(path: string): string {
  return path.slice(1, path.indexOf('/', 1))
}

/** Compares paths for the order of the index. By code unit: the same on every machine. */
export function comparePaths(a: string, b: string): number {
  const [categoryA, categoryB] = [categoryOf(a), categoryOf(b)]
  if (categoryA !== categoryB) return categoryA < categoryB ? -1 : 1
  // Numbers have leading zeros, so the longer one is greater.
  if (a.length !== b.length) return a.length - b.length
  return a < b ? -1 : a > b ? 1 : 0
}

export function countsOf(entries: readonly Entry[]): { total: number; withForms: number } {
  return { total: entries.length, withForms: entries.filter(({ hasForm }) => hasForm).length }
}
