/** The index: its cards, and which of them the filter leaves. */
import { type ReactNode, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'
import { site } from '../../site.ts'
import type { SiteContent } from '../documents.ts'
import { filterEntries } from '../filter.ts'
import type { Search } from '../loaded-index.ts'
import { categoriesOf, countForms, type Entry, STEP } from '../lookup.ts'
import type { Results } from '../search.ts'
import { Cards, SentCards } from './Cards.tsx'
import { FilterForm } from './FilterForm.tsx'
import { FIRST_VIEW, type IndexView, useIndexView } from './index-view.ts'
import type { Visit } from './navigation.ts'

/** How long nothing is typed before words load, in milliseconds: one letter would load too much. */
const PAUSE = 100
/** How long after a failed attempt to load words comes the next, in milliseconds. */
const AGAIN = 2_000

interface IndexProps {
  content: SiteContent
  step: Visit['step']
}

/** The screen at `/`: how many pages there are, a filter, their cards, and a button for more. */
export function IndexScreen({ content, step }: IndexProps) {
  const { entries, search } = content
  const { words } = site
  const isBrowser = useIsBrowser()

  const categories = useMemo(() => categoriesOf(entries, site.language), [entries])
  const withForms = useMemo(() => countForms(entries), [entries])

  const { view, change, save } = useIndexView({ entries, categories, step, isBrowser })
  const { filter, limit } = view ?? FIRST_VIEW

  const text = filter.q.trim()
  const { results, isSearching, hasFailed } = useResults(search, view ? text : '')

  const hits = results?.entries ?? entries
  const matches = useMemo(() => filterEntries(hits, filter), [hits, filter])
  const shown = useMemo(() => matches.slice(0, limit), [matches, limit])

  const isFiltered = matches !== entries
  const hasNone = isFiltered && matches.length === 0 && !isSearching
  const areAsSent = useAreAsSent(entries, isBrowser, !isFiltered && limit === STEP)

  // How many were found so far, and whether more may follow.
  const status: string[] = []
  if (hasNone) status.push(words.foundNone(text))
  if (isFiltered && matches.length > 0) status.push(words.found(matches.length, entries.length))
  if (isSearching) status.push(hasFailed ? words.notSearchedYet : words.searching)

  function showMore() {
    flushSync(() => change({ filter, limit: 2 * limit }))
    document.querySelectorAll<HTMLElement>('.card')[limit]?.focus()
  }

  function clear() {
    change(FIRST_VIEW)
    document.querySelector('input')?.focus()
  }

  return (
    // Saves the filter to the address before a link is followed.
    <main className="index" onClickCapture={save}>
      <header className="masthead">
        <h1 tabIndex={-1}>{site.name}</h1>
        <p>{words.counts(entries.length, withForms)}</p>
      </header>

      <search className="filter-place" hidden={!view}>
        <FilterForm
          filter={filter}
          categories={categories}
          hasForms={withForms !== undefined}
          status={status.join(' · ')}
          onChange={(changed) => change({ filter: changed, limit: STEP } satisfies IndexView)}
          // Loads the words before the first key.
          onFocus={() => void search?.load('').catch(() => {})}
        />
      </search>

      <nav aria-label={words.pages}>
        {areAsSent ? (
          <SentCards key="sent" />
        ) : (
          <Cards entries={shown} search={search} results={results} />
        )}
      </nav>

      {view && matches.length > limit && (
        <More label={words.showMore} onClick={showMore}>
          <span>{words.shown(limit, matches.length)}</span>
        </More>
      )}
      {hasNone && entries.length > 0 && <More label={words.clearFilter} onClick={clear} />}
    </main>
  )
}

interface MoreProps {
  label: string
  onClick: () => void
  children?: ReactNode
}

/** A button below the cards. */
function More({ label, onClick, children }: MoreProps) {
  return (
    <p className="more">
      <button type="button" onClick={onClick}>
        {label}
      </button>
      {children}
    </p>
  )
}

/** Returns false in the build, and until hydration ends. */
function useIsBrowser(): boolean {
  return useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  )
}

/**
 * Returns whether the cards are those that the document was sent with. React leaves them alone until
 * others are shown: to hydrate them takes longer than all else that a document needs to start.
 *
 * @param areFirst whether the first cards of all are to be shown
 */
function useAreAsSent(entries: readonly Entry[], isBrowser: boolean, areFirst: boolean): boolean {
  // A screen that is not hydrated has no such cards.
  const [sentEntries, setSentEntries] = useState(isBrowser ? undefined : entries)
  const areAsSent = areFirst && sentEntries === entries

  // Once others were shown, those of the document are gone.
  if (sentEntries && !areAsSent) setSentEntries(undefined)
  return areAsSent && typeof document !== 'undefined'
}

interface SearchState {
  results: Results | undefined
  /** Whether more may be found once more has loaded. */
  isSearching: boolean
  /** Whether the last attempt to load it has failed. */
  hasFailed: boolean
}

/** Returns what a text finds, and loads what it needs. Nothing is searched without a text. */
function useResults(search: Search | undefined, text: string): SearchState {
  const [lastAttempt, setLastAttempt] = useState({ text: '', hasFailed: false })
  const hasFailed = lastAttempt.hasFailed && lastAttempt.text === text

  // biome-ignore lint/correctness/useExhaustiveDependencies: it finds more after each attempt
  const results = useMemo(() => {
    return text ? search?.find(text) : undefined
  }, [search, text, lastAttempt])
  const isSearching = results?.isWhole === false

  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt that fails begins another
  useEffect(() => {
    if (!isSearching || !search) return

    async function attempt() {
      const isLoaded = await search?.load(text).then(
        () => true,
        () => false,
      )
      setLastAttempt({ text, hasFailed: !isLoaded })
    }

    const timer = setTimeout(attempt, hasFailed ? AGAIN : PAUSE)
    return () => clearTimeout(timer)
  }, [isSearching, search, text, lastAttempt])

  return { results, isSearching, hasFailed }
}
