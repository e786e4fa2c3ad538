/** Hydrates a document that the build has rendered: from then on, React shows its screens. */
import { StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { Router } from 'wouter'
import { pathAt } from '../page/address.ts'
import { BrowserContent, type SiteContent } from './documents.ts'
import type { Given } from './lookup.ts'
import { BASE } from './read-document.ts'
import { App } from './screens/App.tsx'

/** Returns whether React has hydrated the document. One that has changed since its load stays as it is. */
export async function hydrate(
  root: HTMLElement,
  pathname: string,
  given: Given,
  isAsSent: () => boolean,
): Promise<boolean> {
  // A host may serve a document at an address other than its path, for example /index.html. In
  // development, an address that was 'Not found' may have a page later.
  const pathOf = (address: string) =>
    (address === pathname && !import.meta.hot && given.path) || pathAt(address, BASE)

  async function app(content: SiteContent) {
    await content.load(pathOf(location.pathname))
    return (
      <StrictMode>
        <Router base={BASE}>
          <App content={content} />
        </Router>
      </StrictMode>
    )
  }

  const first = await app(new BrowserContent(pathOf, given))
  if (!isAsSent()) return false

  const react = hydrateRoot(root, first)
  // In development, the server reloads a document in which something changed before it ran.
  // `timeOrigin` may be of another clock: Firefox sets it once for each process.
  import.meta.hot?.send('site:runs', Date.now() - performance.now())
  // In development, what was loaded is forgotten when the dataset has changed. Vite's client awaits
  // the promise before the next event, so that a slower update never replaces a later one.
  import.meta.hot?.on('site:data', async () => react.render(await app(new BrowserContent(pathOf))))
  return true
}
