/** Reads what the site is made from: the pages of a dataset. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { content } from '../content.ts'
import { baseOf } from '../page/address.ts'
import type { Content } from '../page/content.ts'
import { withBase } from '../page/local-addresses.ts'
import type { SitePage } from '../page/page.ts'
import { sha256Of } from '../text/digest.ts'
import { checkPages } from './check-site.ts'

/** The folder of the site's code, and the module that renders its documents. */
export const APP = join(import.meta.dirname, '../app')
export const RENDER = join(import.meta.dirname, 'render.tsx')

/** The dataset that the site shows, unless another one is named. */
export const DATASET = join(APP, '../generated/dataset.json')

export interface Options {
  dataset?: string | undefined
  /** The address of the site, such as https://example.com or https://example.com/docs. */
  address?: string | undefined
  /** What is shown of a page; by default that of `src/content.ts`. */
  shows?: Content | undefined
}

/**
 * Returns the pages of a dataset, in its order, and its digest.
 *
 * @throws {UnshowableError} if the site cannot show a page
 */
export function readPages({ dataset = DATASET, address, shows = content }: Options) {
  const bytes = readFileSync(dataset)
  const delivered: SitePage[] = JSON.parse(bytes.toString())
  // Only after this, a page surely has a body.
  checkPages(delivered, shows)

  // The base is not in the dataset, so that a site can move.
  const base = baseOf(address)
  const pages = delivered.map((page) => {
    return { ...page, contentHtml: withBase(page.contentHtml, base) }
  })
  return { pages, digest: sha256Of(bytes) }
}
