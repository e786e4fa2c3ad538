/** What the site keeps with an entry of the browser's history. Needs no React: it works before React has loaded. */

export interface HistoryState {
  /** Of a page: how many entries back the index is, if the visitor came from it. */
  steps?: number
  /** Of the index: the maximum number of cards. */
  limit?: number
  /** The scroll position in which a screen was left. */
  top?: number
}

/** Returns the state of the current entry. */
export function historyState(): HistoryState {
  return history.state ?? {}
}

/** Goes back to the index as it was left, if the visitor came from it. If not, the link works. */
export function goBack(event: Pick<Event, 'defaultPrevented' | 'preventDefault'>): void {
  const { steps } = historyState()
  if (steps === undefined || event.defaultPrevented) return
  event.preventDefault()
  history.go(-steps)
}
