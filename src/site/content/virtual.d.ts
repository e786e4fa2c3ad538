/** The dataset as a module for the browser, created by the plugin in `static-site.ts`. */
declare module 'virtual:pages' {
  import type { Entry, Found } from './lookup.ts'
  import type { WordIndex } from './words.ts'

  export interface Chunk {
    /** The path of its first page. */
    first: string
    load(): Promise<{ default: readonly Found[] }>
  }

  export const list: () => Promise<{ default: readonly Entry[] }>
  /** All pages, in the order of the index. */
  export const chunks: readonly Chunk[]
  /** The words of the bodies; undefined if there are too many. */
  export const words: (() => Promise<{ default: WordIndex }>) | undefined
}
