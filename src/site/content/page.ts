/** What the site needs of a page, and what `site.ts` says: the only place for both. */

import type { Page } from '../../generated/dataset.json'
import type { FormDefinition } from '../../page/fields.ts'
import type { Words } from '../words.ts'

/** A schema may have more keys than these, and leave out those with a question mark. */
export interface SitePage {
  path: string
  title: string
  /** Raw HTML: see `html.ts` for the elements that it may have. */
  contentHtml: string
  /** A site has forms if any page has this key, even if it is null. */
  form?: FormDefinition | null
  /** A BCP 47 tag, if it is not in the language of the site. */
  language?: string
  /** An RFC 3339 date-time. */
  updatedAt?: string
}

/** A generated page with the types of {@link SitePage}. Each kind of a union keeps its own keys. */
export type Shown<Generated> = Generated extends unknown
  ? SitePage & Omit<Generated, keyof SitePage>
  : never

/** What the receiver knows of a page. */
export interface FormPage {
  path: string
  title: string
  form?: SitePage['form'] | undefined
}

type Fits<Generated extends SitePage> = Generated

/**
 * A page with the keys that only the schema knows. If the next line does not compile, the schema has
 * no such pages: change the schema, or {@link SitePage}.
 */
export type SchemaPage = Shown<Fits<Page>>

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
  /** The lines below the title of a card. A page's other keys are on its own screen. */
  card?(page: SchemaPage): Texts
  /** What the search finds besides titles and paths. Of `contentHtml`, it reads the text. */
  searched(page: SchemaPage): Texts
  /**
   * What the index is in the order of: numbers by value, texts as a dictionary in the language of
   * the site. Without it, or where it is the same, pages are in the order of their paths.
   */
  order?(page: SchemaPage): string | number
  /** The paths of pages that the screen of a page names: it gets their entries. */
  others?(page: SchemaPage): readonly string[]
}

/** A text that is undefined or empty is left out. */
type Texts = readonly (string | undefined)[]
