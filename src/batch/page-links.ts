/** Finds the pages that other pages name: by a link in a body, or by a value marked `pagePath`. Pure. */
import { mayBeFile, pathAt } from '../page/address.ts'
import { localAddresses } from '../page/local-addresses.ts'
import { type Marked, type Pointer, parsePointer, type Range } from '../page/violation.ts'
import type { OpenBatch } from './open.ts'

/** A link to a page of this site. */
export interface PageLink {
  /** The position of the page with the link in its batch. */
  index: number
  /** The path of the other page. */
  target: string
}

/** A link, and where it is. */
interface PlacedLink extends PageLink {
  /** The page with the link in its body, or the record with the reference. */
  subject: unknown
  /** Where the link is in the subject. */
  pointer: Pointer
  /** Where the address is in the body; undefined for a reference. */
  within?: Range
  /** The address, or the path, as it is written. */
  written: string
}

/**
 * Finds the links to pages. Left out are those to the index, and those whose last part has a dot:
 * they name files, which only the build of the site knows.
 *
 * @param isPage whether a record is one of the pages in question, by its position
 */
export function* findLinks(
  { records, pageOf }: OpenBatch,
  isPage: (index: number) => boolean,
  references: readonly Marked[] = [],
): Generator<PlacedLink> {
  for (const index of records.all.keys()) {
    if (!isPage(index)) continue
    const subject = pageOf(index)
    const { contentHtml: html } = subject
    if (typeof html !== 'string') continue
    for (const { key, start, end, pathname } of localAddresses(html)) {
      if (key !== 'href' || pathname === '/' || mayBeFile(pathname)) continue
      const place = { subject, pointer: ['contentHtml'], within: { start, end } }
      yield { index, target: pathAt(pathname), written: html.slice(start, end), ...place }
    }
  }
  for (const { place, value } of references) {
    const { index, within } = records.at(parsePointer(place)) ?? { index: -1, within: [] }
    if (!isPage(index)) continue
    const path = String(value)
    yield { index, target: path, written: path, subject: records.all[index], pointer: within }
  }
}
