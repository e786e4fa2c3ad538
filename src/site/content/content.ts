/** What the screens need of the content, wherever it comes from. */
import { createContext } from 'react'
import type { Lookup } from './lookup.ts'
import type { Results } from './search.ts'

/** The content of the screens. Some of it loads later. */
export interface Content extends Lookup {
  /**
   * Loads the content of the screen at a path. Returns undefined when it is loaded. Until then it
   * returns the same promise, which never rejects.
   */
  loading(path: string): Promise<void> | undefined
  /** Loads the content of the screen at a path, in case the visitor goes there. Never rejects. */
  prepare(path: string): Promise<void>
  /** Sets what is called when a screen cannot be loaded because the site cannot be reached. */
  onUnreachable?(listener: () => void): void
  /** Where scripts run. */
  search?: Search
}

/** The search. Its code and the parts of its index load when they are needed. */
export interface Search {
  /** Whether it finds more than titles and paths. */
  hasTexts: boolean
  /** Returns what a text finds, and whether that is all; undefined until the code is loaded. */
  find(text: string): (Results & { isWhole: boolean }) | undefined
  /**
   * Loads what a text needs. Without a text, the code, and an index that has only one part. Resolves
   * to whether it is there. Never rejects.
   *
   * @param onCode called once the code is there
   */
  load(text: string, onCode?: () => void): Promise<boolean>
}

/** How often to try again what could not be loaded, in milliseconds. */
export const RETRY = 2_000

/** {@link Content.prepare}, for the links. */
export const PrepareContext = createContext<Content['prepare']>(async () => {})
