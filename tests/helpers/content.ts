/** The `content.ts` of the tests, which hold with any other `content.ts` in `src`. */
import { defineContent } from '../../src/page/content.ts'

// Their records are seldom pages that a site could show.
export const content = defineContent({ site: false })
