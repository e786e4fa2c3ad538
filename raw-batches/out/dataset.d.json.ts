// Made by ManyURLs. Do not edit. TypeScript reads this file for an import of dataset.json.
import type { Page } from './dataset.js'

export type * from './dataset.js'

declare const items: readonly Page[]
export default items
