/** The lookup rules: the page at a path, the pages next to it, and the order of the index. Pure. */
import type { CardImage, Content, Fact, FactLink } from '../page/content.ts'
import type { SchemaPage, SitePage } from '../page/page.ts'
import { naturalKey } from '../text/natural-order.ts'

/** A page as the index and the screens of other pages know it: see {@link Content}. */
export interface Entry {
  path: string
  title: string
  /** Undefined if the site has no forms: see {@link SitePage.form}. */
  hasForm: boolean | undefined
  /** Its categories, if `content.ts` names any. */
  groups?: readonly string[] | undefined
  card?: string[] | undefined
  image?: CardImage | undefined
  /** Its language, if it is not that of the site. */
  language?: string | undefined
}

/** A page, the pages before and after it in the order of the index, and what `content.ts` says. */
export interface Found {
  page: SitePage
  categories: readonly string[]
  previous?: Entry | undefined
  next?: Entry | undefined
  image?: CardImage | undefined
  facts?: readonly ShownFact[] | undefined
  others?: readonly Entry[] | undefined
  /** What the search finds besides the texts of the body. Only the index has it. */
  searched?: readonly string[] | undefined
}

/** A fact that has something to show: its values, each once. */
export type ShownFact = readonly [name: string, values: readonly (string | FactLink)[]]

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

/** The settings of `content.ts` for pages, and the language of the site. */
type ShownContent = Content & { language?: string }

/** Looks up pages as `content.ts` says: what is on their cards, in which order, and whom they name. */
export function lookUp(pages: readonly SitePage[], content: ShownContent = {}) {
  const hasForms = pages.some(({ form }) => form !== undefined)
  const sorted = inOrderOfIndex(pages as readonly SchemaPage[], content).map((page) => {
    return { page, entry: entryOf(page, hasForms, content) }
  })

  const entries = sorted.map(({ entry }) => entry)
  const entryAt = new Map(entries.map((entry) => [entry.path, entry]))
  const { facts, others, searched } = content

  const pagesByPath = new Map<string, Found>()
  for (const [at, { page, entry }] of sorted.entries()) {
    pagesByPath.set(page.path, {
      page,
      categories: categoriesOfEntry(entry),
      image: entry.image,
      facts: facts && shownFacts(facts(page)),
      previous: entries[at - 1],
      next: entries[at + 1],
      others: others && entriesAt(others(page), entryAt),
      searched: searched?.(page).filter(isText),
    })
  }

  return {
    /** One for each page, in the order of the index. */
    entries,
    /** Returns the page with exactly this path: no case folding, no decoding, no trailing slash. */
    find: (path: string) => pagesByPath.get(path),
  }
}

/** Sorts pages as `order` of `content.ts` says, then by their paths. */
function inOrderOfIndex(pages: readonly SchemaPage[], content: ShownContent): SchemaPage[] {
  const compare = inOrder(content.language)
  const keyed = pages.map((page) => {
    const order = content.order?.(page) ?? ''
    return { page, order, pathKey: naturalKey(page.path.replaceAll('/', '\0')) }
  })

  keyed.sort((a, b) => compare(a.order, b.order) || (a.pathKey < b.pathKey ? -1 : 1))
  return keyed.map(({ page }) => page)
}

/** Returns what the index knows of a page. */
function entryOf(page: SchemaPage, hasForms: boolean, content: ShownContent): Entry {
  const { path, title, form, language } = page
  return {
    path,
    title,
    hasForm: hasForms ? Boolean(form) : undefined,
    groups: groupsOf(content.group?.(page)),
    card: content.card?.(page).filter(isText),
    image: content.image?.(page),
    language: language === content.language ? undefined : language,
  }
}

/** Returns the entries at some paths, each once. */
function entriesAt(paths: readonly string[], entryAt: ReadonlyMap<string, Entry>): Entry[] {
  return [...new Set(paths)].flatMap((path) => entryAt.get(path) ?? [])
}

const isText = (text: string | undefined): text is string => Boolean(text)

/** Returns the categories that `content.ts` names, each once; undefined if it leaves that to the path. */
function groupsOf(group: ReturnType<NonNullable<Content['group']>>): string[] | undefined {
  if (typeof group === 'object') return [...new Set(group.filter(isText))]
  return group ? [group] : undefined
}

/** Returns the facts that have something to show. What a list has twice is in it once. */
function shownFacts(facts: readonly (Fact | undefined)[]): ShownFact[] {
  const shown: ShownFact[] = []
  for (const fact of facts) {
    if (fact === undefined) continue

    const [name, value = []] = fact
    const distinct = new Map([value].flat().map((item) => [keyOf(item), item]))
    if (distinct.size > 0) shown.push([name, [...distinct.values()]])
  }
  return shown
}

/** Returns a text that is the same for two items of a fact only if they show the same. */
function keyOf(item: string | FactLink): string {
  return typeof item === 'string' ? item : JSON.stringify([item.href, item.text])
}

/** Numbers by value, else as in a dictionary: an unknown language counts as English everywhere. */
function inOrder(language = 'en') {
  const { compare } = new Intl.Collator([language, 'en'], { numeric: true })
  return (a: string | number, b: string | number) =>
    typeof a === 'number' && typeof b === 'number' ? a - b : compare(String(a), String(b))
}

/** Whether an entry is in a category: in one of its groups, or in that of the first part of its path. */
export function isInCategory({ path, groups }: Entry, category: string): boolean {
  return groups ? groups.includes(category) : firstPart(path) === category
}

/** Returns the first part of a path, such as "guides" of "/guides/first-steps". */
function firstPart(path: string): string {
  return path.split('/', 2)[1] ?? ''
}

/** Returns a category as people write it: one of paths with a capital and without hyphens. */
export function nameOfCategory(category: string): string {
  if (/[\p{Lu}\s]/u.test(category)) return category
  return category.charAt(0).toUpperCase() + category.slice(1).replaceAll('-', ' ')
}

/** Returns the categories of an entry. One with a path of one part has none, unless it has groups. */
function categoriesOfEntry({ path, groups }: Entry): readonly string[] {
  if (groups) return groups
  return path.includes('/', 1) ? [firstPart(path)] : []
}

/** Returns the categories of entries, in the order of a dictionary of a language. */
export function categoriesOf(entries: readonly Entry[], language?: string): string[] {
  const categories = new Set(entries.flatMap(categoriesOfEntry))
  return [...categories].sort(inOrder(language))
}

/** Returns the number of pages with a form; undefined if the site has no forms. */
export function countForms(entries: readonly Entry[]): number | undefined {
  if (entries[0]?.hasForm === undefined) return undefined
  return entries.filter(({ hasForm }) => hasForm).length
}
