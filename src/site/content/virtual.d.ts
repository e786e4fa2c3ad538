/** The dataset as a module for the browser, as `static/data-modules.ts` makes it. */
declare module 'virtual:pages' {
  import type { Entry, Found } from './lookup.ts'
  import type { WordIndex } from './search.ts'

  export function data(name: 'list'): Promise<{ default: readonly Entry[] }>
  /** The path of the first page of each chunk; all pages are in one, in the order of their paths. */
  export function data(name: 'firsts'): Promise<{ default: readonly string[] }>
  export function data(chunk: number): Promise<{ default: readonly Found[] }>
  export function data(part: `words-${number}`): Promise<{ default: WordIndex }>
  /** The first word of each part of the index of words. Without any, there are no parts. */
  export const firstWords: readonly string[]
  export const searchCode: () => Promise<typeof import('./search.ts')>
}
