/** The dataset as a module for the browser, created by the plugin in `static-site.ts`. */
declare module 'virtual:pages' {
  import type { Entry, Found } from './lookup.ts'
  import type { WordIndex } from './search.ts'

  export const list: () => Promise<{ default: readonly Entry[] }>
  /** The path of the first page of each chunk; all pages are in one, in the order of the index. */
  export const firsts: readonly string[]
  export const chunk: (at: number) => Promise<{ default: readonly Found[] }>
  /** The words of the bodies; undefined if there are too many. */
  export const words: (() => Promise<{ default: WordIndex }>) | undefined
}
