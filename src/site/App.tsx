import { useLayoutEffect } from 'react'
import { useRouter } from 'wouter'
import { usePathname } from 'wouter/use-browser-location'
import pages from '../generated/dataset.json'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { IndexScreen } from './IndexScreen.tsx'
import { documentTitle, findPage } from './lookup.ts'
import { useNavigation } from './navigation.ts'
import { PageScreen } from './PageScreen.tsx'
import { Sheet } from './Sheet.tsx'

/**
 * The whole site: the screen of the current address. Wrap it in wouter's `<Router ssrPath>` to render
 * an address without a browser.
 */
export function App() {
  // The address as it stands: `useLocation` and `useParams` decode it, and `/blog/%30%32%39` is no page.
  const path = usePathname(useRouter())
  useNavigation(path)
  return (
    // The key gives each address a screen of its own: what was typed into one page's form, or an
    // error on it, does not follow the visitor to the next.
    <ErrorBoundary key={path}>
      <Screen path={path} />
    </ErrorBoundary>
  )
}

/** The index at `/`, a page at its own path, 'Not found' everywhere else. */
function Screen({ path }: { path: string }) {
  useLayoutEffect(() => {
    document.title = documentTitle(path)
  }, [path])
  if (path === '/') return <IndexScreen pages={pages} />
  const page = findPage(path)
  if (page) return <PageScreen page={page} />
  return (
    <Sheet kind="message">
      <h1 tabIndex={-1}>Not found</h1>
    </Sheet>
  )
}
