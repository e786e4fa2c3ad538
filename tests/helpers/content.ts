/** What the tests say of the records that they bring, so that they hold with any other `content.ts`. */
import { defineContent } from '../../src/page/content.ts'

// Their records are seldom pages that a site could show.
export const content = defineContent({ site: false })
