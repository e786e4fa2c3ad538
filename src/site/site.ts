/** What the site says of itself. Change it for a site of your own; everything else asks here. */
import { type Answers, english, englishAnswers, type Site } from './words.ts'

export const site: Site = {
  name: 'ManyURLs Pages',
  description: 'Content pages on many subjects, some of them with a form.',
  language: 'en-GB',
  words: english,
}

/** The words of receipts and refused forms. */
export const answers: Answers = englishAnswers
