/** What the tests say of the records that they bring, so that they hold with any other `content.ts`. */
import { defineContent } from '../../src/page/content.ts'

export const content = defineContent({})
