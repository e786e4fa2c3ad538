/** Starts the site in the browser, on a document that the build has rendered. */
import { StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { Router } from 'wouter'
import { pathAt } from '../dataset/address.ts'
import { BASE, browserContent } from './content/chunks.ts'
import { insist } from './content/content.ts'
import { App } from './screens/App.tsx'
import { dropStored, watchForm } from './screens/draft.ts'
import { site } from './site.ts'

// Every document has it: see `fill` in static-site.ts.
const element = document.getElementById('root') as HTMLElement
// Undefined in an answer of the receiver, which is no screen of the site.
const { path } = element.dataset

// A host may serve a document at an address other than its path, for example /index.html. In
// development, an address that was 'Not found' may have a page later.
const { pathname: address } = location
const pathOf = (pathname: string) =>
  (pathname === address && !import.meta.hot && path) || pathAt(pathname, BASE)

async function app(make: typeof browserContent) {
  const content = make()
  // The document of the first screen is there meanwhile, and works as without scripts.
  const status = document.createElement('p')
  status.className = 'pending'
  status.setAttribute('role', 'status')
  document.body.append(status)
  await insist(
    () => content.load(pathOf(location.pathname)),
    () => (status.textContent = site.words.retrying),
  )
  status.remove()
  return (
    <StrictMode>
      <Router base={BASE}>
        <App content={content} pathOf={pathOf} />
      </Router>
    </StrictMode>
  )
}

if (path === undefined) {
  dropStored(BASE)
  watchForm(document.querySelector('form[method="post"]'))
}
const root = path === undefined ? undefined : hydrateRoot(element, await app(browserContent))

// In development, the server reloads a document in which something changed before it ran.
import.meta.hot?.send('site:runs', performance.timeOrigin)
// In development, a changed dataset arrives through this module, and no document is loaded.
import.meta.hot?.accept('./content/chunks.ts', async (chunks) => {
  if (chunks) root?.render(await app(chunks.browserContent))
})
