/** The cards of the index, and on each that the search found, why. */
import { memo, useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { site } from '../../site.ts'
import type { Search } from '../loaded-index.ts'
import type { Entry } from '../lookup.ts'
import type { Results } from '../search.ts'
import { Picture } from './Picture.tsx'

interface CardsProps {
  entries: readonly Entry[]
  search: Search | undefined
  /** Undefined while nothing is searched for. */
  results: Results | undefined
}

export const Cards = memo(function Cards({ entries, search, results }: CardsProps) {
  return (
    <ul className="cards">
      {entries.map((entry) => (
        <li key={entry.path}>
          <Card entry={entry} search={search} results={results} />
        </li>
      ))}
    </ul>
  )
})

/** Keeps React from looking at what is in an element that the build has rendered. */
const leftAlone = { dangerouslySetInnerHTML: { __html: '' }, suppressHydrationWarning: true }

/** The cards as they were sent with the document. Links that are not React's work as those in bodies do. */
export function SentCards() {
  return <ul className="cards" {...leftAlone} />
}

type CardProps = Omit<CardsProps, 'entries'> & { entry: Entry }

function Card({ entry, search, results }: CardProps) {
  const { path, title, hasForm, card = [], image, language } = entry
  const kind = hasForm ? 'card has-form' : 'card static'

  const marked = (text: string) => (results ? marks(results.mark(text)) : text)
  const place = results?.placeOf(entry)
  const isOnCard = card.some((line) => results && results.mark(line).length > 1)

  return (
    <Link className={image ? `${kind} has-image` : kind} href={path}>
      {image && <Picture image={image} loading="lazy" />}
      <h2 lang={language} dir="auto">
        {marked(title)}
      </h2>

      {place === 'path' && <p>{marked(path)}</p>}
      {search && results && place === 'text' && !isOnCard && (
        <Excerpt path={path} search={search} results={results} />
      )}

      {card.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a card never change
        <p key={at} dir="auto">
          {marked(line)}
        </p>
      ))}

      {hasForm !== undefined && (
        <p className="kind">
          <span aria-hidden>{hasForm ? '📝 ' : '📄 '}</span>
          {hasForm ? site.words.hasForm : site.words.isStatic}
        </p>
      )}
    </Link>
  )
}

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

/** How far below or above the window an excerpt is loaded. */
const MARGIN = '200px 0px'

interface ExcerptProps {
  path: string
  search: Search
  results: Results
}

/** The words around what was found in a page. They load when the card comes into sight. */
function Excerpt({ path, search, results }: ExcerptProps) {
  const place = useRef<HTMLParagraphElement>(null)
  const texts = search.textsOf(path)
  const isLoaded = texts !== undefined
  const [, showLoaded] = useState({})

  useEffect(() => {
    if (isLoaded || !place.current) return

    const load = async () => {
      // What fails twice stays without an excerpt.
      await search.loadTexts(path).catch(() => {})
      showLoaded({})
    }

    const observer = new IntersectionObserver(
      (changes) => {
        if (!changes.some(({ isIntersecting }) => isIntersecting)) return
        observer.disconnect()
        load()
      },
      { rootMargin: MARGIN },
    )

    observer.observe(place.current)
    return () => observer.disconnect()
  }, [isLoaded, path, search])

  const parts = texts && results.excerpt(texts)
  return (
    <p className="excerpt" dir="auto" ref={place}>
      {parts && marks(parts)}
    </p>
  )
}
