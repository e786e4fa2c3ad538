/** The dataset as a module for the browser, created by the plugin in `static-site.ts`. */
declare module 'virtual:pages' {
  import type { Entry, Found } from './lookup.ts'
  import type { WordIndex } from './search.ts'

  export const list: () => Promise<{ default: readonly Entry[] }>
  /** The path of the first page of each chunk; all pages are in one, in the order of their paths. */
  export const firsts: readonly string[]
  export const chunk: (at: number) => Promise<{ default: readonly Found[] }>
  /** The first word of each part of the index of words. Without any, there are no parts. */
  export const firstWords: readonly string[]
  export const words: (part: number) => Promise<{ default: WordIndex }>
}
