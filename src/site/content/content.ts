/** What the screens need of the content, wherever it comes from. */
import { createContext } from 'react'
import type { Lookup } from './lookup.ts'
import type { WordIndex } from './search.ts'

/** The content of the screens. Some of it loads later. */
export interface Content extends Lookup {
  /**
   * Loads the content of the screen at a path. Returns undefined when it is loaded. Until then it
   * returns the same promise, which never rejects.
   */
  loading(path: string): Promise<void> | undefined
  /** Starts to load the content of the screen at a path, in case the visitor goes there. */
  prepare(path: string): void
  /** Sets what is called when a screen cannot be loaded because the site cannot be reached. */
  onUnreachable?(listener: () => void): void
  /** Returns the rows of the index that the words of a text need; undefined until they are loaded. */
  rowsFor?(text: string): WordIndex | undefined
  /**
   * Loads them, and without a text those of an index that has only one part. Missing if the search
   * finds only titles and paths. Never rejects.
   */
  loadRows?: ((text: string) => Promise<void>) | undefined
}

/** {@link Content.prepare}, for the links. */
export const PrepareContext = createContext<Content['prepare']>(() => {})
