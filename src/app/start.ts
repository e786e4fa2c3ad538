/**
 * Starts on every document: keeps what is typed into its form, shows the filter of the index, and loads
 * the rest of the scripts when a visitor reaches for something, on the index also when the browser is
 * idle. Until then, and if they cannot be loaded, links load documents.
 */
import type { Given } from './lookup.ts'
import { dropStored, watchForm } from './screens/draft.ts'
import { goBack, keepStateAtFragments, saveFilter } from './screens/history-state.ts'
import { linkOf } from './screens/link-of.ts'

const BASE = import.meta.env.BASE_URL.slice(0, -1)

// Every document has it: see `render.tsx`.
const root = document.getElementById('root') as HTMLElement
// Null in an answer of the receiver, which isn't a screen of the site.
const given: Given | null = JSON.parse(document.getElementById('screen')?.textContent ?? 'null')

if (import.meta.hot) import('./dev-overlay.ts')
if (!given) dropStored(BASE)
watchForm(document.querySelector('form[method="post"]'), !given)
if (given) startScreen(given)

/** Lets React hydrate a screen, when it is needed. */
function startScreen(given: Given) {
  const { pathname } = location
  const isUntranslated = watchTexts(root)
  /** False once a browser has translated the document, or Back has led to another address in it. */
  const isAsSent = () => location.pathname === pathname && isUntranslated()

  // Only the index has one.
  const filterPlace = document.querySelector<HTMLElement>('.filter-place')
  let isHydrated = false
  const loading = new AbortController()

  /** Not again if it fails: a browser remembers which modules it could not load. */
  async function load() {
    if (loading.signal.aborted) return
    loading.abort()

    try {
      const react = await import('./hydrate.tsx')
      isHydrated = await react.hydrate(root, pathname, given, isAsSent)
    } catch {
      // The document stays as it is.
    }
    // The filter needs React.
    if (!isHydrated) filterPlace?.remove()
  }

  // The document of the index shows no cards of a filter that is in the address.
  if (!isFirstVisit() || location.search || import.meta.hot) {
    load()
  } else {
    loadWhenReached(load, loading.signal)
    if (filterPlace) {
      filterPlace.hidden = false
      loadWhenIdle(load)
    }
  }

  addEventListener('pagehide', () => {
    if (!isHydrated) saveFilter()
  })

  keepStateAtFragments()
  // The link leads back to the index as it was left, even if React has not loaded yet. Once it has, its
  // own listener comes first.
  addEventListener('click', (event) => {
    const opensElsewhere = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey
    if (!opensElsewhere && linkOf(event)?.matches('.back > a')) goBack(event)
  })
  addEventListener('popstate', () => {
    if (!isHydrated && location.pathname !== pathname) location.reload()
  })
}

/**
 * Returns a function that says whether the texts of a screen are still those of the document. A browser
 * that translates exchanges them. What an extension adds beside them does no harm: React replaces it,
 * and leaves alone what is in the cards and the body.
 */
function watchTexts(screen: HTMLElement): () => boolean {
  const sent: [node: Text, data: string][] = []
  const texts = document.createTreeWalker(screen, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const text = texts.currentNode as Text
    if (!text.parentElement?.closest('.cards, .body')) sent.push([text, text.data])
  }
  return () => sent.every(([text, data]) => text.isConnected && text.data === data)
}

/** Whether the visitor has just come to this document, and not by a reload, Back or Forward. */
function isFirstVisit(): boolean {
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return history.state === null && visit?.type === 'navigate'
}

/** Loads the scripts in the first idle moment after the document has loaded. */
function loadWhenIdle(load: () => void): void {
  // Safari has no idle callbacks.
  const whenIdle = window.requestIdleCallback ?? setTimeout
  addEventListener('load', () => whenIdle(load))
}

/** Loads the scripts when a visitor uses a pointer, a finger, a key or the focus. */
function loadWhenReached(load: () => void, signal: AbortSignal): void {
  const reach = ({ type, movementX, movementY }: Partial<PointerEvent>) => {
    // A browser may report a pointer that only rests where a page appears.
    if (type !== 'pointermove' || movementX !== 0 || movementY !== 0) load()
  }
  for (const event of ['pointermove', 'pointerdown', 'keydown', 'focusin']) {
    addEventListener(event, reach, { signal })
  }
}
