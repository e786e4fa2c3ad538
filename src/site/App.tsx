import { useEffect, useLayoutEffect, useReducer, useRef } from 'react'
import { useRouter } from 'wouter'
import { usePathname } from 'wouter/use-browser-location'
import { type Content, documentTitle, NOT_FOUND, type Screen } from './content.ts'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { IndexScreen } from './IndexScreen.tsx'
import { useNavigation } from './navigation.ts'
import { PageScreen } from './PageScreen.tsx'
import { Sheet } from './Sheet.tsx'

/**
 * The whole site: the screen of the current address. Wrap it in wouter's `<Router ssrPath>` to render
 * an address without a browser.
 */
export function App({ content }: { content: Content }) {
  // The address as it stands: `useLocation` and `useParams` decode it, and `/blog/%30%32%39` is no page.
  const { path, screen } = useScreen(content, usePathname(useRouter()))
  useNavigation(path, content)
  useLayoutEffect(() => {
    document.title = documentTitle(screen)
  }, [screen])
  return (
    // The key gives each address a screen of its own: what was typed into one page's form, or an
    // error on it, does not follow the visitor to the next.
    <ErrorBoundary key={path}>
      <View screen={screen} />
    </ErrorBoundary>
  )
}

/** The screen of an address; while it is still to be loaded (after Back, say) the one before it. */
function useScreen(content: Content, path: string): { path: string; screen: Screen } {
  const [, render] = useReducer((count: number) => count + 1, 0)
  const screen = content.read(path)
  const last = useRef({ path, screen: screen ?? NOT_FOUND })
  useEffect(() => {
    if (screen) last.current = { path, screen }
    // A module that cannot be had any more belongs to a build that has been replaced.
    else content.load(path).then(render, () => location.reload())
  }, [content, path, screen])
  return screen ? { path, screen } : last.current
}

/** The index at `/`, a page at its own path, 'Not found' everywhere else. */
function View({ screen }: { screen: Screen }) {
  switch (screen.kind) {
    case 'index':
      return <IndexScreen entries={screen.entries} />
    case 'page':
      return <PageScreen page={screen.page} />
    case 'not-found':
      return (
        <Sheet kind="message">
          <h1 tabIndex={-1}>Not found</h1>
        </Sheet>
      )
  }
}
