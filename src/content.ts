/** What the records in `raw-batches` are, and which pages they become. No other module imports `sample`. */
import type { Explainer } from './batch/mend.ts'
import { defineContent } from './page/content.ts'
import { SAMPLE_EXPLANATIONS } from './sample/explanations.ts'
import { SAMPLE_RULES } from './sample/rules.ts'

export const content = defineContent({
  rules: SAMPLE_RULES,
})

export const CONTENT_EXPLANATIONS: readonly Explainer[] = [
  // How texts of your own are mended.
  ...SAMPLE_EXPLANATIONS,
]
