/** Finds what pages name: the pages that their bodies link to, and those that they refer to. Pure. */
import { pathAt } from '../page/address.ts'
import { localAddresses } from '../page/links.ts'
import type { Pointer, Range, Reference } from '../page/violation.ts'

/** A link of a page to a page of this site. */
export interface PageLink {
  /** The position of the page in its batch. */
  index: number
  /** The path of the other page. */
  target: string
}

/** A link, and where it is. */
interface PlacedLink extends PageLink {
  /** From the batch. */
  pointer: Pointer
  /** Of a body: the address. */
  within?: Range
  /** As it stands in the batch. */
  written: string
}

/**
 * Finds the links to pages. Left out are those to the index, and those whose last part has a dot:
 * they name files, which only the build of the site knows.
 *
 * @param batch its records
 * @param references those that the check of the schema found in it
 */
export function* findLinks(
  batch: readonly unknown[],
  references: readonly Reference[],
): Generator<PlacedLink> {
  for (const [index, record] of batch.entries()) {
    const html = Object(record).contentHtml
    if (typeof html !== 'string') continue
    for (const { key, start, end, pathname } of localAddresses(html)) {
      if (key !== 'href' || pathname === '/' || /\.[^/]*$/.test(pathname)) continue
      const place = { pointer: [index, 'contentHtml'], within: { start, end } }
      yield { index, target: pathAt(pathname), written: html.slice(start, end), ...place }
    }
  }
  for (const { pointer, path } of references) {
    yield { index: Number(pointer[0]), target: path, written: path, pointer }
  }
}
