/** The tests say in English what visitors read, whatever the language of the site is. */
import { answers, site } from '../../src/site/site.ts'
import { english, englishAnswers } from '../../src/site/words.ts'

Object.assign(site, { language: 'en-GB', words: english })
Object.assign(answers, englishAnswers)
