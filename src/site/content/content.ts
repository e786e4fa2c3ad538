import { createContext } from 'react'
import type { Lookup } from './lookup.ts'

/** The content of the screens. Some of it loads later. */
export interface Content extends Lookup {
  /**
   * Loads the content of the screen at a path. Returns undefined when it is loaded. Until then it
   * returns the same promise, which never rejects.
   */
  loading(path: string): Promise<void> | undefined
  /** Starts to load the content of the screen at a path, in case the visitor goes there. */
  prepare(path: string): void
}

/** {@link Content.prepare}, for the links. */
export const PrepareContext = createContext<Content['prepare']>(() => {})
