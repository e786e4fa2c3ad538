/** The dataset as a module for the browser, created by the plugin in `static-site.ts`. */
declare module 'virtual:pages' {
  import type { Entry, Found } from './lookup.ts'

  export interface Chunk {
    /** The path of its first page. */
    first: string
    load(): Promise<{ default: readonly Found[] }>
  }

  export const list: () => Promise<{ default: readonly Entry[] }>
  /** All pages, in the order of the index. */
  export const chunks: readonly Chunk[]
}
