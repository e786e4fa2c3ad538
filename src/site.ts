/** What the site says of itself. Change it for a site of your own; everything else asks here. */
import { type Answers, english, englishAnswers } from './words.ts'

export const site = {
  /** The heading of the index, and the end of every document's title. */
  name: 'ManyURLs Pages',
  /** What search engines show below the name of the index, in one sentence. */
  description: 'Content pages on many subjects, some of them with a form.',
  /** The language of the words, and of pages that name no other: a BCP 47 tag. */
  language: 'en-GB',
  /** Of that language: 'rtl' is from right to left. */
  direction: 'ltr',
  words: english,
}

/**
 * Links in the footer of every document, such as `{ href: '/imprint', text: 'Imprint' }`. They may lead
 * where the links of `facts` may: to a page or a file of this site, to another site, or to a mailbox.
 */
export const footerLinks: { href: string; text: string }[] = []

/** The words of receipts and refused forms. */
export const answers: Answers = englishAnswers
