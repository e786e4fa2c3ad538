/** Hides what is in a document: the head and the screen of one address, as HTML. Pure. */
import { renderToStaticMarkup, renderToString } from 'react-dom/server'
import { Router } from 'wouter'
import type { Page } from '../generated/dataset.json'
import { App } from './App.tsx'
import { contentOf, documentTitle, type Screen, SITE_NAME } from './content.ts'

export interface RenderedDocument {
  /** What goes into the head: title, description and, where the site's address is known, links. */
  head: string
  /** The screen, for React to take over. */
  screen: string
}

/** The documents of a dataset, by the path of the address; any that is no page says 'Not found'. */
export function documentsOf(
  pages: readonly Page[],
): (path: string, base?: string) => RenderedDocument {
  const content = contentOf(pages)
  return (path, base) => {
    const screen = content.read(path) as Screen
    return {
      head: renderToStaticMarkup(<Head screen={screen} base={base} />),
      screen: renderToString(
        <Router ssrPath={path}>
          <App content={content} />
        </Router>,
      ),
    }
  }
}

function Head({ screen, base }: { screen: Screen; base: string | undefined }) {
  const title = documentTitle(screen)
  const description = describe(screen)
  const path = screen.kind === 'page' ? screen.page.path : '/'
  return (
    <>
      <title>{title}</title>
      {description && <meta name="description" content={description} />}
      {screen.kind === 'not-found' && <meta name="robots" content="noindex" />}
      {base && screen.kind !== 'not-found' && (
        <>
          <link rel="canonical" href={base + path} />
          <meta property="og:url" content={base + path} />
          <meta property="og:type" content={screen.kind === 'page' ? 'article' : 'website'} />
          <meta property="og:site_name" content={SITE_NAME} />
          <meta
            property="og:title"
            content={screen.kind === 'page' ? screen.page.title : SITE_NAME}
          />
          <meta property="og:description" content={description} />
        </>
      )}
    </>
  )
}

const LONGEST_DESCRIPTION = 160

/** What a search engine may show below the title: how a page begins, cut at a word. */
function describe(screen: Screen): string | undefined {
  if (screen.kind === 'not-found') return undefined
  if (screen.kind === 'index') return `All ${screen.entries.length} pages of ${SITE_NAME}.`
  const [, text = ''] = /^<p>([\s\S]*?)<\/p>/.exec(screen.page.contentHtml) ?? []
  const plain = decode(text).replace(/\s+/g, ' ').trim()
  if (plain.length <= LONGEST_DESCRIPTION) return plain
  return `${plain.slice(0, LONGEST_DESCRIPTION - 1).replace(/\s+\S*$/, '')}…`
}

const NAMED = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }

/** Character references as the schema admits them, which are the only markup in a paragraph. */
function decode(text: string): string {
  return text.replace(/&(?:#(\d+)|#[xX]([\da-fA-F]+)|(\w+));/g, (reference, decimal, hex, name) => {
    if (name) return NAMED[name as keyof typeof NAMED] ?? reference
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd'
  })
}
