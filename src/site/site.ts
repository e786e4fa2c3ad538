/** What an adopter changes first: the name of the site, its language and its words. */
import { english, type Words } from './words.ts'

/** What the site says of itself. Change it for a site of your own; everything else asks here. */
export const site = {
  /** The heading of the index, and the end of every document's title. */
  name: 'ManyURLs Pages',
  /** What search engines show below the name, in one sentence. */
  description: 'Content pages on many subjects, some of them with a form.',
  /** The language of the pages and of their dates: a BCP 47 tag. */
  language: 'en-GB',
  /** The words of the screens, receipts and refused forms, in that language. */
  words: english as Words,
}
