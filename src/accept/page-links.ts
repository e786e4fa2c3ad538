/** Finds the pages that other pages name: by a link in a body, or by a value marked `pagePath`. Pure. */
import type { Pages } from '../collections/collection.ts'
import { mayBeFile, pathAt } from '../page/address.ts'
import { type Marked, type Pointer, parsePointer, type Range } from '../page/fault.ts'
import { localAddresses } from '../page/local-addresses.ts'
import type { Page, SchemaPage } from '../page/page.ts'
import type { Records } from './records.ts'

/** That a page names another page of this site. */
export interface PageLink {
  /** The position of the record of the page with the link. */
  index: number
  /** The path of the other page. */
  target: string
}

/** A link in the body of a page. */
export interface BodyLink {
  target: string
  /** Where the address is in the body. */
  within: Range
  /** The address as it is written. */
  written: string
}

/**
 * Finds the links of a page to other pages. Left out are those to the index, and those whose last
 * part has a dot: they name files, which only the build of the site knows.
 */
export function bodyLinks({ contentHtml: html }: Page): BodyLink[] {
  if (typeof html !== 'string') return []

  const links: BodyLink[] = []
  for (const { key, start, end, pathname } of localAddresses(html)) {
    const isPage = key === 'href' && pathname !== '/' && !mayBeFile(pathname)
    if (!isPage) continue

    links.push({
      target: pathAt(pathname),
      within: { start, end },
      written: html.slice(start, end),
    })
  }
  return links
}

/** Returns the paths of other pages that `content.ts` shows with a page. */
export function otherPaths(page: Page, { others, site }: Pages): readonly string[] {
  if (!others || site === false) return []
  return others(page as SchemaPage)
}

/** A value that the schema marks as the path of a page. */
export interface Reference extends PageLink {
  /** Its place in the file. */
  pointer: Pointer
}

/**
 * Finds the references of records.
 *
 * @param marked what the check of the schema has found in the whole file
 * @param indexes the positions of the records in question
 */
export function references(
  records: Records,
  marked: readonly Marked[],
  indexes: ReadonlySet<number>,
): Reference[] {
  const references: Reference[] = []
  for (const { place, value } of marked) {
    const pointer = parsePointer(place)
    const index = records.at(pointer)?.index
    const isWanted = index !== undefined && indexes.has(index)
    if (isWanted) references.push({ index, target: String(value), pointer })
  }
  return references
}
