import { use, useDeferredValue, useEffect, useState } from 'react'
import { Route, Router, Switch, useRouter } from 'wouter'
import { usePathname } from 'wouter/use-browser-location'
import { type Content, PrepareContext } from './content.ts'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { IndexScreen } from './IndexScreen.tsx'
import { joinPath } from './lookup.ts'
import { useNavigation } from './navigation.ts'
import { PageScreen } from './PageScreen.tsx'
import { Sheet } from './Sheet.tsx'
import { useTitle } from './title.ts'

interface AppProps {
  content: Content
  /** The path that is shown at an address, where it is another than the address itself. */
  pathOf?: (address: string) => string
}

/**
 * The whole site: the screen of the current address, or the one before while it is loaded. Wrap it
 * in wouter's `<Router ssrPath>` to render an address without a browser.
 */
export function App({ content, pathOf = (address) => address }: AppProps) {
  // The address as it stands: `useLocation` decodes it, and `/blog/%30%32%39` is no page.
  const wanted = pathOf(usePathname(useRouter()))
  const deferred = useDeferredValue(wanted)
  // A screen that is here is shown at once, so that the browser can restore its scroll position.
  const path = content.loading(wanted) ? deferred : wanted
  const loading = content.loading(path)
  // Only a deferred render waits here, and React holds it back as a whole. A `<Suspense>` around the
  // screens would hide it from the build when one of them fails to render.
  if (loading) use(loading)
  const aroundNav = useNavigation(path, wanted)
  return (
    <PrepareContext value={content.prepare}>
      <Router aroundNav={aroundNav}>
        {path !== wanted && <Pending />}
        {/* The key gives each address a screen of its own: what was typed into one page's form, or
            an error on it, does not follow the visitor to the next. */}
        <ErrorBoundary key={path}>
          <Switch location={path}>
            <Route path="/">
              <IndexScreen entries={content.entries} />
            </Route>
            <Route path="/:category/:pageId">
              {(params) => {
                // wouter's patterns admit a slash at the end, which makes another path.
                const found = joinPath(params) === path && content.find(path)
                return found ? <PageScreen {...found} /> : <NotFound />
              }}
            </Route>
            <Route>
              <NotFound />
            </Route>
          </Switch>
        </ErrorBoundary>
      </Router>
    </PrepareContext>
  )
}

function NotFound() {
  useTitle('Not found')
  return (
    <Sheet kind="message">
      <h1 tabIndex={-1}>Not found</h1>
    </Sheet>
  )
}

/** After how many milliseconds a visitor who waits sees a word: most screens are there before. */
const PATIENCE = 100

/** Says, to the eye and to a screen reader, that the next screen is on its way. */
function Pending() {
  const [isLong, setIsLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(setIsLong, PATIENCE, true)
    return () => clearTimeout(timer)
  }, [])
  return (
    <p className="pending" role="status">
      {isLong && 'Loading…'}
    </p>
  )
}
