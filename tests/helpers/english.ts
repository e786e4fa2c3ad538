/** The tests say in English what visitors read, whatever the language of the site is. */
import { answers, site } from '../../src/site.ts'
import { english, englishAnswers } from '../../src/words.ts'

Object.assign(site, { language: 'en-GB', words: english })
Object.assign(answers, englishAnswers)
