/** The content that the screens show, as React passes it down; it comes from chunks or a build. */
import { createContext } from 'react'
import type { Lookup } from './lookup.ts'
import type { Results } from './search.ts'

/** The content of the screens. Some of it loads later. */
export interface Content extends Lookup {
  /** Loads the content of the screen at a path. Rejects when a module cannot be loaded. */
  load(path: string): Promise<void>
  /**
   * Does the same, unless it is loaded: then it returns undefined. Until then it returns the same
   * promise, which never rejects.
   */
  loading(path: string): Promise<void> | undefined
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
   * Loads what a text needs. Without a text, the code, and an index that has only one part. Rejects
   * when that fails.
   *
   * @param onCode called once the code is there
   */
  load(text: string, onCode?: () => void): Promise<void>
}

/** In milliseconds, between what could not be loaded and the next attempt. */
export const AGAIN = 2_000

/** Does work again and again until it does not fail, or nobody needs it any more. */
export async function insist(
  work: () => Promise<unknown>,
  onFailure = () => {},
  end?: AbortSignal,
) {
  while (!end?.aborted) {
    try {
      return await work()
    } catch {
      onFailure()
      await new Promise((done) => setTimeout(done, AGAIN))
    }
  }
}

/** Loads the content of a link, in case the visitor goes there. */
export const LoadContext = createContext<Content['load']>(async () => {})
