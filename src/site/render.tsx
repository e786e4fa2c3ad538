/** What is in a document: the head and the screen of one address, as HTML. Pure. */
import { renderToStaticMarkup, renderToString } from 'react-dom/server'
import { Router } from 'wouter'
import { App } from './App.tsx'
import type { Found, Lookup } from './lookup.ts'
import { documentTitle, SITE_NAME } from './title.ts'

export interface RenderedDocument {
  /** What goes into the head: title, description and, where the site's address is known, links. */
  head: string
  /** The screen, for React to take over. */
  screen: string
}

/**
 * The document of an address.
 *
 * @param path `/` for the index; one that no page has says 'Not found'
 * @param base the address of the site without a path, such as https://example.com
 */
export function renderDocument(pages: Lookup, path: string, base?: string): RenderedDocument {
  const content = { entries: () => pages.entries, find: pages.find, prepare: () => {} }
  const head = path === '/' ? indexHead(pages.entries.length) : pageHead(pages.find(path))
  return {
    head: renderToStaticMarkup(<Head {...head} path={path} base={base} />),
    screen: renderToString(
      <Router ssrPath={path}>
        <App content={content} />
      </Router>,
    ),
  }
}

interface HeadData {
  /** The name of the screen, which the index does not have. */
  name?: string
  /** Undefined for a document that is not for search engines. */
  description?: string
}

function indexHead(count: number): HeadData {
  return { description: `All ${count} pages of ${SITE_NAME}.` }
}

function pageHead(found: Found | undefined): HeadData {
  if (!found) return { name: 'Not found' }
  return { name: found.page.title, description: beginningOf(found.page.contentHtml) }
}

interface HeadProps extends HeadData {
  path: string
  base: string | undefined
}

function Head({ name, description, path, base }: HeadProps) {
  return (
    <>
      <title>{documentTitle(name)}</title>
      {description === undefined ? (
        <meta name="robots" content="noindex" />
      ) : (
        <meta name="description" content={description} />
      )}
      {base && description !== undefined && (
        <>
          <link rel="canonical" href={base + path} />
          <meta property="og:url" content={base + path} />
          <meta property="og:type" content={path === '/' ? 'website' : 'article'} />
          <meta property="og:site_name" content={SITE_NAME} />
          <meta property="og:title" content={name ?? SITE_NAME} />
          <meta property="og:description" content={description} />
        </>
      )}
    </>
  )
}

const LONGEST_DESCRIPTION = 160

/** How a page begins, cut at a word, for a search engine to show below the title. */
function beginningOf(contentHtml: string): string {
  const [, text = ''] = /^<p>([\s\S]*?)<\/p>/.exec(contentHtml) ?? []
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
