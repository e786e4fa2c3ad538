/** The component around all screens: decides which one an address shows, and when. */
import { Component, type ReactNode, use, useDeferredValue, useMemo } from 'react'
import { Router, useRouter } from 'wouter'
import { usePathname } from 'wouter/use-browser-location'
import { footerLinks, site } from '../../site.ts'
import type { SiteContent } from '../documents.ts'
import { DetailLayout } from './DetailLayout.tsx'
import { IndexScreen } from './IndexScreen.tsx'
import { documentTitle, useLinks, useNavigation, useSteps, type Visit } from './navigation.ts'
import { OwnerLink, PageScreen } from './PageScreen.tsx'
import { Status } from './Status.tsx'

/** The delay in milliseconds before 'Loading…' is shown: most screens load sooner. */
const PATIENCE = 100

const notFound = <DetailLayout kind="message" title={site.words.notFound} />

/**
 * The whole site: the screen of the current address, or the previous screen while that one loads.
 * Wrap it in wouter's `<Router base>` if the site has a base, and `<Router ssrPath>` to render
 * without a browser.
 */
export function App({ content }: { content: SiteContent }) {
  const router = useRouter()
  const { base } = router

  // The raw address: `useLocation` decodes it, but `/blog/%30%32%39` must not find a page.
  const wanted: Visit = { path: content.pathOf(usePathname(router)), step: useSteps() }
  const shown = useVisitToShow(content, wanted)
  const { path, step } = shown

  const isLoading = path !== wanted.path || step !== wanted.step
  const aroundNav = useNavigation(shown, isLoading, base)

  const found = content.find(path)
  const name = found?.page.title ?? site.words.notFound
  const page = found ? <PageScreen {...found} /> : notFound
  const title = path === '/' ? documentTitle() : documentTitle(name)

  return (
    <Router aroundNav={aroundNav}>
      <Links load={(path) => content.load(path)} />
      {/* The build writes it into the head. */}
      {content.search && <title>{title}</title>}
      {isLoading && <Status key={wanted.path} text={site.words.loading} delay={PATIENCE} />}

      {/* The key gives each address its own screen: no typed text or error carries over. */}
      <ErrorBoundary key={path}>
        {path === '/' ? <IndexScreen content={content} step={step} /> : page}
      </ErrorBoundary>

      <Footer base={base} />
    </Router>
  )
}

/** Opens the links that are not wouter's own, through the router around it. */
function Links({ load }: Pick<SiteContent, 'load'>) {
  useLinks(load)
  return null
}

/** Returns the visit whose screen to show: the wanted one, or the previous one while that loads. */
function useVisitToShow(content: SiteContent, { path, step }: Visit): Visit {
  const next = useMemo(() => {
    return { path, step, loading: content.loading(path) }
  }, [content, path, step])
  const deferred = useDeferredValue(next)

  // A loaded screen is shown at once, so that the browser can restore its scroll position.
  if (!next.loading) return next

  // Only a deferred render suspends here, and React holds it back as a whole. A `<Suspense>` around
  // the screens would hide a screen that fails to render from the build.
  if (deferred.loading) use(deferred.loading)
  return deferred
}

export function Footer({ base }: { base: string }) {
  return (
    <footer className="footer">
      {site.name} · {site.description}
      {footerLinks.length > 0 && (
        <p>
          {footerLinks.map((link) => (
            <OwnerLink key={link.href} link={link} base={base} />
          ))}
        </p>
      )}
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
      <DetailLayout kind="message" title={<span role="alert">{site.words.failed}</span>}>
        <button type="button" onClick={() => location.reload()}>
          {site.words.reload}
        </button>
      </DetailLayout>
    )
  }
}
