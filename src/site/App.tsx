import { use, useDeferredValue, useEffect, useState } from 'react'
import { Route, Router, Switch, useRouter } from 'wouter'
import { usePathname } from 'wouter/use-browser-location'
import { type Content, ContentContext, isReady, useLoaded } from './content.ts'
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
 *
 * There is no `<Suspense>`: only a deferred render suspends, which React then holds back as a whole,
 * and around a screen that fails to render it would hide the error from the build.
 */
export function App({ content, pathOf = (address) => address }: AppProps) {
  // The address as it stands: `useLocation` decodes it, and `/blog/%30%32%39` is no page.
  const wanted = pathOf(usePathname(useRouter()))
  const deferred = useDeferredValue(wanted)
  // A screen that can be shown at once is there when the browser restores its scroll position.
  const path = isReady(content, wanted) ? wanted : deferred
  const aroundNav = useNavigation(path, wanted)
  return (
    <ContentContext value={content}>
      <Router aroundNav={aroundNav}>
        {path !== wanted && <Pending />}
        {/* The key gives each address a screen of its own: what was typed into one page's form, or
            an error on it, does not follow the visitor to the next. */}
        <ErrorBoundary key={path}>
          <Switch location={path}>
            <Route path="/">
              <Index />
            </Route>
            <Route path="/:category/:pageId">
              {/* wouter's patterns admit a slash at the end, which makes another path. */}
              {(params) => (joinPath(params) === path ? <Page path={path} /> : <NotFound />)}
            </Route>
            <Route>
              <NotFound />
            </Route>
          </Switch>
        </ErrorBoundary>
      </Router>
    </ContentContext>
  )
}

function Index() {
  const entries = useLoaded(use(ContentContext).entries())
  return <IndexScreen entries={entries} />
}

function Page({ path }: { path: string }) {
  const found = useLoaded(use(ContentContext).find(path))
  return found ? <PageScreen {...found} /> : <NotFound />
}

function NotFound() {
  useTitle('Not found')
  return (
    <Sheet kind="message">
      <h1 tabIndex={-1}>Not found</h1>
    </Sheet>
  )
}

/** After how many milliseconds one who waits is told so: most screens are there before. */
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
