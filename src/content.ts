/** The rules of the content in `raw-batches`, and how to mend it. No other module imports `sample`. */
import type { Explainer } from './batch/mend.ts'
import type { Rule } from './page/rule.ts'
import { SAMPLE_EXPLANATIONS } from './sample/explanations.ts'
import { SAMPLE_RULES } from './sample/rules.ts'

export const CONTENT_RULES: readonly Rule[] = [
  // Rules of your own go here.
  ...SAMPLE_RULES,
]

export const CONTENT_EXPLANATIONS: readonly Explainer[] = [
  // And how texts of your own are mended.
  ...SAMPLE_EXPLANATIONS,
]
