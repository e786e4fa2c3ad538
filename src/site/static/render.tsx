/** Renders the content of a document as HTML: the head and the screen of one address. Pure. */
import { parseFragment } from 'parse5'
import { renderToStaticMarkup, renderToString } from 'react-dom/server'
import { Router } from 'wouter'
import type { Lookup } from '../content/lookup.ts'
import { documentTitle, SITE_NAME } from '../content/title.ts'
import { App } from '../screens/App.tsx'

interface Place {
  pages: Lookup
  /** `/` for the index. A path that no page has renders 'Not found'. */
  path: string
  /** The address of the site without a path, such as https://example.com. */
  base: string | undefined
}

/** Renders the content of a document's head, and the screen for React to hydrate. */
export function renderDocument(place: Place): { head: string; screen: string } {
  const { pages, path } = place
  const content = { ...pages, loading: () => undefined, prepare: () => {} }
  return {
    head: renderToStaticMarkup(<Head {...place} />),
    screen: renderToString(
      <Router ssrPath={path}>
        <App content={content} />
      </Router>,
    ),
  }
}

function Head({ pages, path, base }: Place) {
  const page = pages.find(path)?.page
  if (path !== '/' && !page) {
    return (
      <>
        <title>{documentTitle('Not found')}</title>
        <meta name="robots" content="noindex" />
      </>
    )
  }
  const description = page
    ? beginningOf(page.contentHtml)
    : `All ${pages.entries.length} pages of ${SITE_NAME}.`
  return (
    <>
      <title>{documentTitle(page?.title)}</title>
      <meta name="description" content={description} />
      {base && (
        <>
          <link rel="canonical" href={base + path} />
          <meta property="og:url" content={base + path} />
          <meta property="og:type" content={page ? 'article' : 'website'} />
          <meta property="og:site_name" content={SITE_NAME} />
          <meta property="og:title" content={page?.title ?? SITE_NAME} />
          <meta property="og:description" content={description} />
        </>
      )}
    </>
  )
}

const LONGEST_DESCRIPTION = 160

/** Returns the beginning of a page, cut at a word, for search engines to show below the title. */
function beginningOf(contentHtml: string): string {
  const [, paragraph = ''] = /^<p>([\s\S]*?)<\/p>/.exec(contentHtml) ?? []
  const texts = parseFragment(paragraph).childNodes.map((node) =>
    'value' in node ? node.value : '',
  )
  const plain = texts.join('').replace(/\s+/g, ' ').trim()
  if (plain.length <= LONGEST_DESCRIPTION) return plain
  // A cut within a code point would leave half of a surrogate pair.
  const cut = plain.slice(0, LONGEST_DESCRIPTION - 1).replace(/\p{Surrogate}$/u, '')
  return `${cut.replace(/\s+\S*$/, '')}…`
}
