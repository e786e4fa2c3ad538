/** The lookup rules: the page at a path, the pages next to it, and the order of the index. Pure. */
import type { SitePage } from './page.ts'

/** The content of a card on the index. */
export interface Entry {
  path: string
  title: string
  /** Undefined if the site has no forms: see {@link SitePage.form}. */
  hasForm: boolean | undefined
}

/** A page, and the pages before and after it in the order of the index. */
export interface Found {
  page: SitePage
  previous?: Entry | undefined
  next?: Entry | undefined
}

export interface Lookup {
  /** One entry for each page, in the order of the index: by {@link orderOf}. */
  entries: readonly Entry[]
  /**
   * Returns the page with exactly this path: no case folding, no decoding, no trailing slash. It
   * searches a `Map`, so that no name of `Object.prototype` is a page.
   */
  find(path: string): Found | undefined
}

export function lookUp(pages: readonly SitePage[]): Lookup {
  const sorted = pages
    .map((page) => ({ page, order: orderOf(page.path) }))
    .sort((a, b) => (a.order < b.order ? -1 : 1))
    .map(({ page }) => page)
  const hasForms = pages.some(({ form }) => form !== undefined)
  const entries = sorted.map(({ path, title, form }) => {
    return { path, title, hasForm: hasForms ? Boolean(form) : undefined }
  })
  const pairs = sorted.map((page, at): [string, Found] => {
    return [page.path, { page, previous: entries[at - 1], next: entries[at + 1] }]
  })
  const found = new Map(pairs)
  return { entries, find: (path) => found.get(path) }
}

/** Returns the first part of a path. */
export function categoryOf(path: string): string {
  return path.split('/', 2)[1] ?? ''
}

/** Returns the categories that have a page below them, in the order of the index. */
export function categoriesOf(entries: readonly Entry[]): string[] {
  const below = entries.filter(({ path }) => path.includes('/', 1))
  return [...new Set(below.map(({ path }) => categoryOf(path)))]
}

/**
 * Returns a string by which paths sort into the order of the index: part by part, runs of up to 16
 * digits by their value, all else by code unit. It is the same on every machine.
 */
export function orderOf(path: string): string {
  const key = path.replace(
    /[/]|0*(\d+)/g,
    (_, digits?: string) => digits?.padStart(16, '0') ?? '\0',
  )
  // Paths that differ only in zeros have the same key.
  return `${key}\0\0${path}`
}

/** Returns the number of pages with a form; undefined if the site has no forms. */
export function countForms(entries: readonly Entry[]): number | undefined {
  if (entries[0]?.hasForm === undefined) return undefined
  return entries.filter(({ hasForm }) => hasForm).length
}
