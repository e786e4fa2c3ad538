/** Renders the content of a document as HTML: the head and the screen of one address. Pure. */

import { renderToStaticMarkup, renderToString } from 'react-dom/server'
import { Router } from 'wouter'
import { addressOf, baseOf } from '../../dataset/address.ts'
import { cut } from '../../text/wording.ts'
import { givenOf, type Lookup } from '../content/lookup.ts'
import { App } from '../screens/App.tsx'
import { documentTitle } from '../screens/navigation.ts'
import { site } from '../site.ts'
import { textOf } from './word-index.ts'

interface Place {
  pages: Lookup
  /** `/` for the index. A path that no page has renders 'Not found'. */
  path: string
  /** The address of the site, such as https://example.com or https://example.com/docs. */
  address: string | undefined
}

/**
 * Renders the content of a document's head, and the screen for React to hydrate.
 *
 * @throws Error that names the path, if the screen fails, or shows anything else than the page
 */
export function renderDocument(place: Place): { head: string; screen: string } {
  const { pages, path, address } = place
  const base = baseOf(address)
  const content = { ...pages, load: async () => {}, loading: () => undefined }
  try {
    const screen = renderToString(
      <Router base={base} ssrPath={base + addressOf(path)}>
        <App content={content} />
      </Router>,
    )
    const page = pages.find(path)?.page
    const parts = page ? [renderToStaticMarkup(page.title), page.contentHtml] : []
    if (!parts.every((part) => screen.includes(part))) {
      throw new Error('its screen does not show its title and its body')
    }
    // Before the screen, so that nothing in a body can hide it. No policy concerns it: it is no code.
    const given = JSON.stringify(givenOf(path, pages)).replaceAll('<', '\\u003c')
    return {
      head: renderToStaticMarkup(<Head {...place} />),
      screen: `<script type="application/json" id="screen">${given}</script><div id="root">${screen}</div>`,
    }
  } catch (cause) {
    throw new Error(`${path} cannot be rendered: ${(cause as Error).message}`, { cause })
  }
}

const LONGEST_DESCRIPTION = 160

function Head({ pages, path, address }: Place) {
  const page = pages.find(path)?.page
  if (path !== '/' && !page) {
    return (
      <>
        <title>{documentTitle(site.words.notFound)}</title>
        <meta name="robots" content="noindex" />
      </>
    )
  }
  const text = page && textOf(page.contentHtml).replace(/\s+/g, ' ').trim()
  const isLong = text && text.length > LONGEST_DESCRIPTION
  const whole = isLong ? cut(text, LONGEST_DESCRIPTION).replace(/\s+\S*$/, '…') : text
  const description = whole || site.description
  return (
    <>
      <title>{documentTitle(page?.title)}</title>
      <meta name="description" content={description} />
      {address && (
        <>
          <link rel="canonical" href={address + addressOf(path)} />
          <meta property="og:url" content={address + addressOf(path)} />
          <meta property="og:type" content={page ? 'article' : 'website'} />
          <meta property="og:site_name" content={site.name} />
          <meta property="og:title" content={page?.title ?? site.name} />
          <meta property="og:description" content={description} />
        </>
      )}
    </>
  )
}
