import { createContext } from 'react'
import type { Lookup } from './lookup.ts'

/** What the screens show, some of which is still to be loaded. */
export interface Content extends Lookup {
  /**
   * Loads what the screen of a path shows; undefined when it is here. It is the same promise until
   * then, and never rejected.
   */
  loading(path: string): Promise<void> | undefined
  /** Starts to load what the screen of a path shows, in case it is wanted. */
  prepare(path: string): void
}

/** {@link Content.prepare}, for the links. */
export const PrepareContext = createContext<Content['prepare']>(() => {})
