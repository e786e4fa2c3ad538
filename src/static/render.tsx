/** Renders the document of each address as HTML. Pure. */
import type { ReactNode } from 'react'
import { renderToStaticMarkup, renderToString } from 'react-dom/server'
import { Router } from 'wouter'
import type { Found, Given, IndexData, Lookup } from '../app/lookup.ts'
import { answerScreens } from '../app/screens/AnswerScreens.tsx'
import { App, Footer } from '../app/screens/App.tsx'
import { documentTitle } from '../app/screens/navigation.ts'
import { messageOf } from '../machine/errors.ts'
import { addressOf, baseOf, underBase } from '../page/address.ts'
import type { CardImage } from '../page/content.ts'
import { site } from '../site.ts'
import { cut } from '../text/wording.ts'
import { textOfBody } from './index-files.ts'

interface Rendering {
  pages: Lookup
  /** `/` for the index. A path that no page has renders 'Not found'. */
  path: string
  /** The address of the site, such as https://example.com or https://example.com/docs. */
  address: string | undefined
  /** For the document of the index: its data. */
  index?: IndexData | undefined
  /** For the same: the address of the script that it loads at once. */
  script?: string | undefined
  /** The Content Security Policy of a built document. */
  policy?: string
}

/** Renders a document into the template. Throws an error with the path, if the screen fails. */
export function renderDocument(template: string, place: Rendering): string {
  const { pages, path, address, policy } = place
  const index = path === '/' ? place.index : undefined
  const content = { ...pages, pathOf: () => path, load: async () => {}, loading: () => undefined }

  try {
    const screen = renderToString(
      <Router base={baseOf(address)} ssrPath="/">
        <App content={content} />
      </Router>,
    )

    // Before the screen, so that nothing in a body can hide it. No policy concerns it: it isn't code.
    const given: Given = { path, found: foundOf(pages, path), index }
    const text = JSON.stringify(given).replaceAll('<', '\\u003c')
    const data = `<script type="application/json" id="screen">${text}</script>`
    const root = `<div id="root">${screen}</div>`

    return documentOf(template, policy, <Head {...place} />, data + root)
  } catch (cause) {
    throw new Error(`${path} cannot be rendered: ${messageOf(cause)}`, { cause })
  }
}

/** Returns what a document carries of its page: what the search finds is only in the index. */
function foundOf(pages: Lookup, path: string): Found | undefined {
  const found = pages.find(path)
  if (!found) return undefined
  const { searched, ...shown } = found
  return shown
}

/**
 * Renders the documents of the receiver, each with its name, and with the marks of their places,
 * which React does not hydrate. Throws an error with the place that a screen lacks.
 */
export function renderAnswers(template: string, { address, policy }: Partial<Rendering>) {
  const documents: [file: string, html: string][] = []

  for (const [file, { name, Screen, places }] of Object.entries(answerScreens)) {
    const screen = renderToStaticMarkup(
      <Router base={baseOf(address)} ssrPath="/">
        <Screen />
        <Footer base={baseOf(address)} />
      </Router>,
    )

    for (const [place, mark] of Object.entries(places)) {
      if (screen.includes(mark)) continue

      throw new Error(`${file}.html cannot be rendered: its screen has no ${place}`)
    }

    const root = `<div id="root">${screen}</div>`
    documents.push([file, documentOf(template, policy, NotIndexed({ name }), root)])
  }
  return documents
}

function documentOf(template: string, policy: string | undefined, head: ReactNode, body: string) {
  const parts = {
    'lang="en"': `lang="${site.language}" dir="${site.direction}"`,
    '<!--policy-->': policy && `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<!--head-->': renderToStaticMarkup(head),
    '<!--screen-->': body,
  }

  let html = template
  for (const [mark, part = ''] of Object.entries(parts)) {
    if (!html.includes(mark)) throw new Error(`index.html has no ${mark}. Put it back.`)
    html = html.replace(mark, () => part)
  }
  return html
}

function NotIndexed({ name }: { name: string }) {
  return (
    <>
      <title>{documentTitle(name)}</title>
      <meta name="robots" content="noindex" />
    </>
  )
}

const LONGEST_DESCRIPTION = 160

function Head({ pages, path, address, index, script }: Rendering) {
  const { page, image } = pages.find(path) ?? {}
  if (path !== '/' && !page) return <NotIndexed name={site.words.notFound} />

  const description = (page && descriptionOf(page.contentHtml)) || site.description
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
          {image && <SharedImage image={image} address={address} />}
        </>
      )}
      {!page && script && <link rel="modulepreload" href={script} />}
      {!page && typeof index?.entries === 'string' && (
        <link rel="preload" as="fetch" crossOrigin="" href={index.entries} />
      )}
    </>
  )
}

/** The image that others show beside a link to the page. */
function SharedImage({ image: { src, alt }, address }: { image: CardImage; address: string }) {
  return (
    <>
      <meta property="og:image" content={underBase(src, address)} />
      {alt && <meta property="og:image:alt" content={alt} />}
      <meta name="twitter:card" content="summary_large_image" />
    </>
  )
}

/** The end of a text that is cut: a part of a word, and the comma or full stop before it. */
const LAST_WORD = /[.,:;!?]?\s+\S*$/

/** Returns the beginning of the text of a body, cut between words, or else characters. */
function descriptionOf(html: string): string {
  const whole = textOfBody(html).replace(/\s+/g, ' ').trim()
  const start = cut(whole, LONGEST_DESCRIPTION)
  return start === whole ? whole : start.replace(LAST_WORD, '…')
}
