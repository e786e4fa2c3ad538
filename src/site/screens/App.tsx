/** The component around all screens: decides which one an address shows, and when. */
import {
  Component,
  type ReactNode,
  use,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useState,
} from 'react'
import { Route, Router, Switch, useRouter } from 'wouter'
import { usePathname } from 'wouter/use-browser-location'
import { pathAt } from '../../page/address.ts'
import type { SiteContent } from '../content/documents.ts'
import { site } from '../site.ts'
import { DetailLayout } from './DetailLayout.tsx'
import { IndexScreen } from './IndexScreen.tsx'
import { Links } from './link-events.ts'
import { documentTitle, useNavigation } from './navigation.ts'
import { PageScreen } from './PageScreen.tsx'

interface AppProps {
  content: SiteContent
  /** Returns the path to show at an address. By default, the path that the address leads to. */
  pathOf?: (address: string, base: string) => string
}

/**
 * The whole site: the screen of the current address, or the previous screen while that one loads.
 * Wrap it in wouter's `<Router base>` if the site has a base, and `<Router ssrPath>` to render an
 * address without a browser.
 */
export function App({ content, pathOf = pathAt }: AppProps) {
  const router = useRouter()
  // The raw address: `useLocation` decodes it, but `/blog/%30%32%39` must not find a page.
  const wanted = pathOf(usePathname(router), router.base)
  const deferred = useDeferredValue(wanted)
  // A loaded screen is shown at once, so that the browser can restore its scroll position.
  const path = content.loading(wanted) ? deferred : wanted
  const loading = content.loading(path)
  // Only a deferred render suspends here, and React holds it back as a whole. A `<Suspense>` around
  // the screens would hide a screen that fails to render from the build.
  if (loading) use(loading)
  const found = content.find(path)
  const aroundNav = useNavigation(path, wanted, router.base)
  useLayoutEffect(() => {
    document.title =
      path === '/' ? documentTitle() : documentTitle(found?.page.title ?? site.words.notFound)
  }, [path, found])
  return (
    <Router aroundNav={aroundNav}>
      <Links load={content.load} />
      {path !== wanted && <Pending key={wanted} />}
      {/* The key gives each address its own screen: no typed text or error carries over. */}
      <ErrorBoundary key={path}>
        <Switch location={path}>
          <Route path="/">
            <IndexScreen content={content} />
          </Route>
          {/* `/:category/:pageId`, and paths of any other number of parts. */}
          <Route>{found ? <PageScreen {...found} /> : <NotFound />}</Route>
        </Switch>
      </ErrorBoundary>
      <Footer />
    </Router>
  )
}

export function Footer() {
  return (
    <footer className="footer">
      {site.name} · {site.description}
    </footer>
  )
}

/** Shows 'Unexpected Application Error!' in place of a screen that failed to render. */
class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <DetailLayout kind="message">
        <div role="alert">
          <h1 tabIndex={-1}>{site.words.failed}</h1>
        </div>
        <button type="button" onClick={() => location.reload()}>
          {site.words.reload}
        </button>
      </DetailLayout>
    )
  }
}

function NotFound() {
  return (
    <DetailLayout kind="message">
      <h1 tabIndex={-1}>{site.words.notFound}</h1>
    </DetailLayout>
  )
}

/** The delay in milliseconds before 'Loading…' is shown: most screens load sooner. */
const PATIENCE = 100

/** Shows, and tells screen readers, that the next screen is loading. */
function Pending() {
  const [text, setText] = useState('')
  useEffect(() => {
    const timer = setTimeout(setText, PATIENCE, site.words.loading)
    return () => clearTimeout(timer)
  }, [])
  return (
    <p className="pending" role="status">
      {text}
    </p>
  )
}
