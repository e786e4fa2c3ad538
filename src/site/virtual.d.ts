/** What the plugin in `documents.ts` makes of the dataset for the browser. */
declare module 'virtual:pages' {
  import type { Page } from '../generated/dataset.json'

  /** Path, title and whether there is a form (1) of every page, in the order of the dataset. */
  export const list: () => Promise<{ default: (readonly [string, string, 0 | 1])[] }>
  /** The pages themselves, in runs of bounded size. */
  export const bodies: (() => Promise<{ default: Page[] }>)[]
  /** The position of the first page of each run. */
  export const starts: number[]
}
