/** What the records in `raw-batches` are, and which pages they become. No other module imports `sample`. */
import { defineContent } from './page/content.ts'
import { SAMPLE_RULES } from './sample/rules.ts'

export const content = defineContent({
  rules: SAMPLE_RULES,
})
