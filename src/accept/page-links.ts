/** Finds the pages that other pages name: by a link in a body, or by a value marked `pagePath`. Pure. */
import { mayBeFile, pathAt } from '../page/address.ts'
import { type Marked, type Pointer, parsePointer, type Range } from '../page/fault.ts'
import { localAddresses } from '../page/local-addresses.ts'
import type { OpenBatch } from './open.ts'

/** A link to a page of this site, and where it is. */
interface FoundLink {
  /** The position of the page with the link in its batch. */
  index: number
  /** The path of the other page. */
  target: string
  /** Where a link is in the page, or a reference in the file. */
  pointer: Pointer
  /** Where the address is in the body; undefined for a reference. */
  within?: Range
  /** The address, or the path, as it is written. */
  written: string
}

/** What a batch tells others of its links. */
export type PageLink = Pick<FoundLink, 'index' | 'target'>

/**
 * Finds the links to pages. Left out are those to the index, and those whose last part has a dot:
 * they name files, which only the build of the site knows.
 *
 * @param indexes the positions of the records of the pages in question
 */
export function* findLinks(
  { records, pageOf }: OpenBatch,
  indexes: ReadonlySet<number>,
  references: readonly Marked[] = [],
): Generator<FoundLink> {
  for (const index of indexes) {
    const { contentHtml: html } = pageOf(index)
    if (typeof html !== 'string') continue
    for (const { key, start, end, pathname } of localAddresses(html)) {
      if (key !== 'href' || pathname === '/' || mayBeFile(pathname)) continue
      const place = { pointer: ['contentHtml'], within: { start, end } }
      yield { index, target: pathAt(pathname), written: html.slice(start, end), ...place }
    }
  }
  for (const { place, value } of references) {
    const pointer = parsePointer(place)
    const { index = -1 } = records.at(pointer) ?? {}
    const path = String(value)
    if (indexes.has(index)) yield { index, target: path, written: path, pointer }
  }
}
