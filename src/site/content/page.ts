/** What `site.ts` says of the site, and what the receiver knows of a page. */
import type { SitePage } from '../../page/page.ts'
import type { Words } from '../words.ts'

/** What the receiver knows of a page. */
export interface FormPage {
  path: string
  title: string
  form?: SitePage['form'] | undefined
}

/** What a site says of itself: the type of `site.ts`. */
export interface SiteDefinition {
  /** The heading of the index, and the end of every document's title. */
  name: string
  /** What search engines show below the name, in one sentence. */
  description: string
  /** The language of the words, and of pages that name no other: a BCP 47 tag. */
  language: string
  /** The words of the screens, receipts and refused forms, in that language. */
  words: Words
}
