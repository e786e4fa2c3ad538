/**
 * Starts on every document: keeps what is typed into its form, and loads the rest of the scripts when
 * a visitor reaches for something. Until then, and if they cannot be loaded, links load documents.
 */
import type { Given } from './content/lookup.ts'
import { dropStored, watchForm } from './screens/draft.ts'

const BASE = import.meta.env.BASE_URL.slice(0, -1)

// Every document has it: see `render.tsx`.
const root = document.getElementById('root') as HTMLElement
// Null in an answer of the receiver, which is no screen of the site.
const given: Given | null = JSON.parse(document.getElementById('screen')?.textContent ?? 'null')

if (!given) dropStored(BASE)
watchForm(document.querySelector('form[method="post"]'), !given)

const { pathname } = location
const { textContent } = root
/** False once a browser has translated the document, or Back has led to another address in it. */
const isAsSent = () => location.pathname === pathname && root.textContent === textContent

let isHydrated = false
const reached = new AbortController()

/** Not again if it fails: a browser remembers which modules it could not load. */
async function load(given: Given) {
  reached.abort()
  const { hydrate } = await import('./hydrate.tsx')
  isHydrated = await hydrate(root, pathname, given, isAsSent)
}

if (given) {
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const isFirst = history.state === null && visit?.type === 'navigate'
  const start = () => void load(given).catch(() => {})
  if (given.path === '/' || !isFirst || import.meta.hot) start()
  else {
    const reach = ({ type, movementX, movementY }: Partial<PointerEvent>) => {
      // A browser may report a pointer that only rests where a page appears.
      if (type !== 'pointermove' || movementX !== 0 || movementY !== 0) start()
    }
    for (const event of ['pointermove', 'pointerdown', 'keydown', 'focusin']) {
      addEventListener(event, reach, { signal: reached.signal })
    }
  }
  addEventListener('popstate', () => {
    if (!isHydrated && location.pathname !== pathname) location.reload()
  })
}
