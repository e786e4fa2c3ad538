/** The content that the screens show, as React passes it down; it comes from documents or a build. */
import { createContext } from 'react'
import type { Lookup } from './lookup.ts'
import type { Results } from './search.ts'

/** The content of the screens. In the browser, it loads when it is needed. */
export interface Content extends Lookup {
  /** Loads the content of the screen at a path, once. Rejects when that fails. */
  load(path: string): Promise<void>
  /**
   * Returns undefined if the content of the screen at a path is loaded. If not, it returns a promise
   * that never rejects, the same until then: what fails is tried again every two seconds, and what
   * this script cannot show is loaded as a document.
   */
  loading(path: string): Promise<void> | undefined
  /** Does the same for as long as something is needed. Resolves to whether it is loaded. */
  loadWhile?(path: string, isNeeded: () => boolean): Promise<boolean>
  /** Forgets which other paths have no page: there may be one at the next visit. */
  arrived?(path: string): void
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

/** Loads the content of a link, in case the visitor goes there. */
export const LoadContext = createContext<Content['load']>(async () => {})
