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

/** Saves what was typed and chosen in the filter before React has loaded to the address of the entry. */
export function saveFilter(): void {
  const form = document.querySelector<HTMLFormElement>('.filter')
  if (!form) return

  const query = new URLSearchParams()
  for (const [name, value] of new FormData(form)) {
    if (value) query.set(name, String(value))
  }
  if (!String(query)) return
  history.replaceState(history.state, '', `?${query}${location.hash}`)
}

/** Goes back to the index as it was left, if the visitor came from it. If not, the link works. */
export function goBack(event: Pick<Event, 'defaultPrevented' | 'preventDefault'>): void {
  const { steps } = historyState()
  if (steps === undefined || event.defaultPrevented) return

  event.preventDefault()
  history.go(-steps)
}

/**
 * Keeps the state of a screen when a link leads to a place in it, such as `#title`. The browser makes
 * such an entry itself, and gives it no state.
 */
export function keepStateAtFragments(): void {
  let last = currentEntry()
  const remember = () => {
    last = currentEntry()
  }

  addEventListener('popstate', () => {
    const { screen, address } = currentEntry()
    if (history.state === null && screen === last.screen) {
      const { top, ...state } = last.state
      // A link to where the visitor is already replaces the entry.
      if (state.steps !== undefined && address !== last.address) state.steps += 1
      history.replaceState(state, '')
    }
    remember()
  })

  // wouter says so when it has called these methods.
  addEventListener('pushState', remember)
  addEventListener('replaceState', remember)
}

function currentEntry() {
  const { href, pathname, search } = location
  return { address: href, screen: pathname + search, state: historyState() }
}
