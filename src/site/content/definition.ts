/** What a site says of itself: the type of `site.ts`. */
import type { Words } from '../words.ts'
import type { SchemaPage } from './page.ts'

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
