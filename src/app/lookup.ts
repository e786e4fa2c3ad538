/** The lookup rules: the page at a path, the pages next to it, and the order of the index. Pure. */
import type { Content, Fact } from '../page/content.ts'
import type { SchemaPage, SitePage } from '../page/page.ts'
import { naturalKey } from '../text/natural-order.ts'

/** What the index knows of a page, and the screens of other pages: see {@link Content}. */
export interface Entry {
  path: string
  title: string
  /** Undefined if the site has no forms: see {@link SitePage.form}. */
  hasForm: boolean | undefined
  group?: string | undefined
  card?: string[] | undefined
  /** Its language, if it is not that of the site. */
  language?: string | undefined
}

/** A page, the pages before and after it in the order of the index, and what `content.ts` says. */
export interface Found {
  page: SitePage
  /** Its category, if it has one. */
  category?: string | undefined
  previous?: Entry | undefined
  next?: Entry | undefined
  facts?: readonly Fact[] | undefined
  others?: readonly Entry[] | undefined
  /** What the search finds besides the texts of the body. Only the index has it. */
  searched?: readonly string[] | undefined
}

export type Lookup = ReturnType<typeof lookUp>

/** How many cards are shown at first. "Show more" doubles them: 50,000 are eight clicks. */
export const STEP = 240

/** What a document has of its own screen: the page, or what the index needs. */
export interface Given {
  path: string
  found?: Found | undefined
  index?: IndexData | undefined
}

/** What the index needs. The names are addresses of files. */
export interface IndexData {
  /** All cards, unless they are more than are shown at first: then they are in this file. */
  entries: readonly Entry[] | string
  /** The files of the words that the search finds, each with its first word. */
  words: readonly (readonly [first: string, name: string])[]
  /** The files of the texts for its excerpts, each with the number of the first entry in it. */
  texts: readonly (readonly [first: number, name: string])[]
}

/** Looks up pages as `content.ts` says: what is on their cards, in which order, and whom they name. */
export function lookUp(pages: readonly SitePage[], of: Content & { language?: string } = {}) {
  const compare = inOrder(of.language)
  const keyed = (pages as readonly SchemaPage[]).map((page) => ({
    page,
    own: of.order?.(page) ?? '',
    key: naturalKey(page.path.replaceAll('/', '\0')),
  }))
  keyed.sort((a, b) => compare(a.own, b.own) || (a.key < b.key ? -1 : 1))
  const sorted = keyed.map(({ page }) => page)
  const hasForms = pages.some(({ form }) => form !== undefined)
  const entries = sorted.map((page): Entry => {
    const { path, title, form, language } = page
    return {
      path,
      title,
      hasForm: hasForms ? Boolean(form) : undefined,
      group: of.group?.(page) || undefined,
      card: of.card?.(page).filter(isText),
      language: language === of.language ? undefined : language,
    }
  })
  const entryAt = new Map(entries.map((entry) => [entry.path, entry]))
  const found = new Map<string, Found>()
  for (const [at, page] of sorted.entries()) {
    const entry = entries[at] as Entry
    found.set(page.path, {
      page,
      category: isInCategory(entry) ? categoryOf(entry) : undefined,
      facts: of.facts?.(page).filter((fact) => fact !== undefined),
      previous: entries[at - 1],
      next: entries[at + 1],
      others: of.others?.(page).flatMap((path) => entryAt.get(path) ?? []),
      searched: of.searched?.(page).filter(isText),
    })
  }
  return {
    /** One for each page, in the order of the index. */
    entries,
    /** Returns the page with exactly this path: no case folding, no decoding, no trailing slash. */
    find: (path: string) => found.get(path),
  }
}

const isText = (text: string | undefined): text is string => Boolean(text)

/** Numbers by value, else as in a dictionary: an unknown language counts as English everywhere. */
function inOrder(language = 'en') {
  const { compare } = new Intl.Collator([language, 'en'], { numeric: true })
  return (a: string | number, b: string | number) =>
    typeof a === 'number' && typeof b === 'number' ? a - b : compare(String(a), String(b))
}

/** Returns the category of an entry: its group, or the first part of its path. */
export function categoryOf({ path, group = path.split('/', 2)[1] ?? '' }: Entry): string {
  return group
}

/** Returns a category as people write it: one of paths with a capital and without hyphens. */
export function nameOf(category: string): string {
  if (/[\p{Lu}\s]/u.test(category)) return category
  return category.charAt(0).toUpperCase() + category.slice(1).replaceAll('-', ' ')
}

/** Whether an entry has a category: that with a path of one part has none, unless it has a group. */
const isInCategory = ({ path, group }: Entry) => group !== undefined || path.includes('/', 1)

/** Returns the categories of entries, in the order of a dictionary of a language. */
export function categoriesOf(entries: readonly Entry[], language?: string): string[] {
  const categories = new Set(entries.filter(isInCategory).map(categoryOf))
  return [...categories].sort(inOrder(language))
}

/** Returns the number of pages with a form; undefined if the site has no forms. */
export function countForms(entries: readonly Entry[]): number | undefined {
  if (entries[0]?.hasForm === undefined) return undefined
  return entries.filter(({ hasForm }) => hasForm).length
}
