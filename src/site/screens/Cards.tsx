/** The cards of the index, and on each that the search found, why. */
import { memo, useEffect, useRef, useState } from 'react'
import { type Content, insist } from '../content/content.ts'
import type { Entry } from '../content/lookup.ts'
import type { Results } from '../content/search.ts'
import { textByDom } from '../content/trusted-body.ts'
import { site } from '../site.ts'
import { ScreenLink } from './Links.tsx'

interface CardsProps {
  content: Content
  entries: readonly Entry[]
  /** Undefined while nothing is searched for. */
  results: Results | undefined
}

export const Cards = memo(function Cards({ content, entries, results }: CardsProps) {
  return (
    <ul className="cards">
      {entries.map((entry) => {
        const { path, title, hasForm, card = [], language, dir } = entry
        const marked = (text: string) => (results ? marks(results.mark(text)) : text)
        const place = results?.placeOf(entry)
        return (
          <li key={path}>
            <ScreenLink className={hasForm ? 'card has-form' : 'card static'} href={path}>
              <h2 lang={language} dir={dir}>
                {marked(title)}
              </h2>
              {place === 'path' && <p>{marked(path)}</p>}
              {results &&
                place === 'text' &&
                !card.some((line) => results.mark(line).length > 1) && (
                  <Excerpt content={content} path={path} results={results} />
                )}
              {card.map((line, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a card never change
                <p key={at} dir="auto">
                  {marked(line)}
                </p>
              ))}
              {hasForm !== undefined && (
                <p>
                  <span aria-hidden>{hasForm ? '📝 ' : '📄 '}</span>
                  {hasForm ? site.words.hasForm : site.words.isStatic}
                </p>
              )}
            </ScreenLink>
          </li>
        )
      })}
    </ul>
  )
})

function marks(parts: readonly string[]) {
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other names
  return parts.map((part, at) => (at % 2 === 1 ? <mark key={at}>{part}</mark> : part))
}

interface ExcerptProps {
  content: Content
  path: string
  results: Results
}

/** The words around what was found in the texts of a page, which loads when its card is near. */
function Excerpt({ content, path, results }: ExcerptProps) {
  const [, refresh] = useState({})
  const place = useRef<HTMLParagraphElement>(null)
  const found = content.find(path)
  useEffect(() => {
    const gone = new AbortController()
    const watch = new IntersectionObserver(
      ([card]) => {
        if (!card?.isIntersecting) return
        watch.disconnect()
        insist(() => content.load(path), undefined, gone.signal).then(() => refresh({}))
      },
      { rootMargin: '300px' },
    )
    watch.observe(place.current as Element)
    return () => {
      watch.disconnect()
      gone.abort()
    }
  }, [content, path])
  const texts = found && [textByDom(found.page.contentHtml), ...(found.searched ?? [])]
  return (
    <p className="excerpt" dir="auto" ref={place}>
      {texts ? marks(results.excerpt(texts)) : site.words.loading}
    </p>
  )
}
