/** The lookup rules: the page at a path, the pages next to it, and the order of the index. Pure. */

import type { Content } from '../../page/content.ts'
import type { SchemaPage, SitePage } from '../../page/page.ts'
import { naturalKey } from '../../text/natural-order.ts'
import { directionOf } from './language.ts'

/** What the index knows of a page, and the screens of other pages. */
export interface Entry {
  path: string
  title: string
  /** Undefined if the site has no forms: see {@link SitePage.form}. */
  hasForm: boolean | undefined
  /** The lines below the title, if `content.ts` says some. */
  card?: string[]
  /** Its language and direction, if they are not those of the site. */
  language?: string
  dir?: 'ltr' | 'rtl'
}

/** A page, the pages before and after it in the order of the index, and those that it names. */
export interface Found {
  page: SitePage
  previous?: Entry | undefined
  next?: Entry | undefined
  /** In the order of `others` in `content.ts`. */
  others?: readonly Entry[] | undefined
  /** What the search finds besides its title, path and body, if `content.ts` says something. */
  searched?: readonly string[] | undefined
  /** The direction of its language, if it names one. */
  dir?: 'ltr' | 'rtl' | undefined
}

export interface Lookup {
  /** One entry for each page, in the order of the index. */
  entries: readonly Entry[]
  /**
   * Returns the page with exactly this path: no case folding, no decoding, no trailing slash. It
   * searches a `Map`, so that no name of `Object.prototype` is a page.
   */
  find(path: string): Found | undefined
}

/** How many cards are shown at first. "Show more" doubles them: 50,000 are eight clicks. */
export const STEP = 240

/** What a document has of its own screen: a page, or an index whose cards are all in it. */
export interface Given {
  path: string
  found?: Found | undefined
  entries?: readonly Entry[] | undefined
}

export function givenOf(path: string, lookup: Lookup): Given {
  const isShort = path === '/' && lookup.entries.length <= STEP
  return { path, found: lookup.find(path), entries: isShort ? lookup.entries : undefined }
}

/** Looks up pages as `content.ts` says: what is on their cards, in which order, and whom they name. */
export function lookUp(
  pages: readonly SitePage[],
  of: Pick<Content, 'card' | 'order' | 'others' | 'searched'> & { language?: string } = {},
): Lookup {
  const sorted = byPath(pages as readonly SchemaPage[])
  if (of.order) sortBy(of.order, sorted, of.language)
  const hasForms = pages.some(({ form }) => form !== undefined)
  const entries = sorted.map((page): Entry => {
    const { path, title, form, language } = page
    const card = of.card?.(page).filter(isText)
    const isOther = language && language !== of.language
    const hasForm = hasForms ? Boolean(form) : undefined
    return {
      path,
      title,
      hasForm,
      ...(card && { card }),
      ...(isOther && { language, dir: directionOf(language) }),
    }
  })
  const entryAt = new Map(entries.map((entry) => [entry.path, entry]))
  const pairs = sorted.map((page, at): [string, Found] => {
    const others = of.others?.(page).map((path) => {
      const other = entryAt.get(path)
      if (other) return other
      throw new Error(`${page.path} names ${path}, but no page is there. Correct the batch.`)
    })
    const dir = page.language ? directionOf(page.language) : undefined
    const searched = of.searched?.(page).filter(isText)
    const [previous, next] = [entries[at - 1], entries[at + 1]]
    return [page.path, { page, previous, next, others, searched, dir }]
  })
  const found = new Map(pairs)
  return { entries, find: (path) => found.get(path) }
}

/** Returns pages, or what else has a path, in the order of their paths. */
export function byPath<T extends { path: string }>(all: readonly T[]): T[] {
  return all
    .map((each) => ({ each, order: orderOf(each.path) }))
    .sort((a, b) => (a.order < b.order ? -1 : 1))
    .map(({ each }) => each)
}

const isText = (text: string | undefined): text is string => Boolean(text)

type Order = NonNullable<Content['order']>

/** Sorts pages by what a site says. Where that is the same, they stay as they are. */
function sortBy(order: Order, pages: SchemaPage[], language?: string): void {
  const { compare } = new Intl.Collator(language, { numeric: true })
  const keys = new Map(pages.map((page) => [page, order(page)]))
  pages.sort((one, other) => {
    const [a = '', b = ''] = [keys.get(one), keys.get(other)]
    return typeof a === 'number' && typeof b === 'number' ? a - b : compare(String(a), String(b))
  })
}

/** Returns the first part of a path. */
export function categoryOf(path: string): string {
  return path.split('/', 2)[1] ?? ''
}

/** Returns the categories that have a page below them, in the order of their paths. */
export function categoriesOf(entries: readonly Entry[]): string[] {
  const below = entries.filter(({ path }) => path.includes('/', 1))
  const categories = new Set(below.map(({ path }) => categoryOf(path)))
  return [...categories].sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
}

/** Returns a string by which paths sort into natural order, part by part. */
export function orderOf(path: string): string {
  return naturalKey(path.replaceAll('/', '\0'))
}

/** Returns the number of pages with a form; undefined if the site has no forms. */
export function countForms(entries: readonly Entry[]): number | undefined {
  if (entries[0]?.hasForm === undefined) return undefined
  return entries.filter(({ hasForm }) => hasForm).length
}
