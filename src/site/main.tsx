/** Starts the site in the browser, on a document that the build has rendered. */
import { StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { Router } from 'wouter'
import { pathAt } from '../page/address.ts'
import type { Content } from './content/content.ts'
import { BASE, browserContent } from './content/documents.ts'
import type { Given } from './content/lookup.ts'
import { App } from './screens/App.tsx'
import { dropStored, watchForm } from './screens/draft.ts'
import { site } from './site.ts'

// Every document has it: see `render.tsx`.
const element = document.getElementById('root') as HTMLElement
// Null in an answer of the receiver, which is no screen of the site.
const given: Given | null = JSON.parse(document.getElementById('screen')?.textContent ?? 'null')

// A host may serve a document at an address other than its path, for example /index.html. In
// development, an address that was 'Not found' may have a page later.
const { pathname: address } = location
const pathOf = (pathname: string) =>
  (pathname === address && !import.meta.hot && given?.path) || pathAt(pathname, BASE)

async function app(content: Content) {
  // The document of the first screen is there meanwhile, and works as without scripts.
  const status = document.createElement('p')
  status.className = 'pending'
  status.setAttribute('role', 'status')
  document.body.append(status)
  content.onUnreachable?.(() => (status.textContent = site.words.retrying))
  await content.loading(pathOf(location.pathname))
  status.remove()
  return (
    <StrictMode>
      <Router base={BASE}>
        <App content={content} pathOf={pathOf} />
      </Router>
    </StrictMode>
  )
}

if (!given) {
  dropStored(BASE)
  watchForm(document.querySelector('form[method="post"]'), true)
}
const root = given && hydrateRoot(element, await app(browserContent(pathOf, given)))

// In development, the server reloads a document in which something changed before it ran.
// `timeOrigin` may be of another clock: Firefox sets it once for each process.
import.meta.hot?.send('site:runs', Date.now() - performance.now())
// In development, what was loaded is forgotten when the dataset has changed. Vite's client awaits
// the promise before the next event, so that a slower update never replaces a later one.
import.meta.hot?.on('site:data', async () => root?.render(await app(browserContent(pathOf))))
