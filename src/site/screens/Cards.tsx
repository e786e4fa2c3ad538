/** The cards of the index, and on each that the search found, why. */
import { memo, useEffect, useState } from 'react'
import { Link } from 'wouter'
import type { SiteContent } from '../content/documents.ts'
import type { Entry } from '../content/lookup.ts'
import type { Results } from '../content/search.ts'
import { textByDom } from '../content/trusted-body.ts'
import { site } from '../site.ts'

interface CardsProps {
  content: SiteContent
  entries: readonly Entry[]
  /** Undefined while nothing is searched for. */
  results: Results | undefined
}

const { words } = site

export const Cards = memo(function Cards({ content, entries, results }: CardsProps) {
  return (
    <ul className="cards">
      {entries.map((entry) => {
        const { path, title, hasForm, card = [], language } = entry
        const marked = (text: string) => (results ? marks(results.mark(text)) : text)
        const place = results?.placeOf(entry)
        const isUnseen = place === 'text' && !card.some((line) => results?.mark(line)[1])
        return (
          <li key={path}>
            <Link className={hasForm ? 'card has-form' : 'card static'} href={path}>
              <h2 lang={language} dir="auto">
                {marked(title)}
              </h2>
              {place === 'path' && <p>{marked(path)}</p>}
              {isUnseen && <Excerpt content={content} path={path} results={results} />}
              {card.map((line, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a card never change
                <p key={at} dir="auto">
                  {marked(line)}
                </p>
              ))}
              {hasForm !== undefined && (
                <p>
                  <span aria-hidden>{hasForm ? '📝 ' : '📄 '}</span>
                  {hasForm ? words.hasForm : words.isStatic}
                </p>
              )}
            </Link>
          </li>
        )
      })}
    </ul>
  )
})

/**
 * The parts of a text, those that were searched for marked. They stand in an element that is replaced
 * with them: a browser that translates the page exchanges texts, and React would look for its own.
 */
function marks(parts: readonly string[]) {
  const marked = parts.map((part, at) => {
    if (at % 2 === 0) return part
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other names
    return <mark key={at}>{part}</mark>
  })
  return <span key={parts.join('|')}>{marked}</span>
}

/** One document is read after the other in each: browsers have six connections to a host. */
const lanes = Array.from({ length: 6 }, () => Promise.resolve())

interface ExcerptProps {
  content: SiteContent
  path: string
  results: Results | undefined
}

/** The words around what was found in a page, once its document has come in turn. */
function Excerpt({ content, path, results }: ExcerptProps) {
  const [, refresh] = useState({})
  const found = content.find(path)
  useEffect(() => {
    let isShown = true
    const turn = lanes.shift()?.then(async () => {
      if (isShown) await content.load(path).catch(() => {})
      if (isShown) refresh({})
    })
    lanes.push(turn ?? Promise.resolve())
    return () => {
      isShown = false
    }
  }, [content, path])
  const searched = found?.searched ?? []
  const texts = found && [textByDom(found.page.contentHtml), ...searched]
  const parts = texts && results?.excerpt(texts)
  return (
    <p className="excerpt" dir="auto">
      {parts && marks(parts)}
    </p>
  )
}
