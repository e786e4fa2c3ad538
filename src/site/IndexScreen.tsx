import { memo, useDeferredValue, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { type Entry, SITE_NAME } from './content.ts'
import { FilterForm } from './FilterForm.tsx'
import { type Filter, formatFilter, matcherOf, parseFilter } from './filter.ts'

/**
 * The screen at `/`: how many pages there are, and a card for each, in the order of the dataset.
 * Where scripts run, a filter stands above the cards.
 */
export function IndexScreen({ entries }: { entries: readonly Entry[] }) {
  const [filter, setFilter] = useFilter(entries)
  const matches = useMemo(() => {
    const isMatch = filter && matcherOf(filter)
    return isMatch && entries.filter(isMatch)
  }, [entries, filter])
  const withForms = useMemo(() => entries.filter(({ hasForm }) => hasForm).length, [entries])
  return (
    <main className="index">
      <header className="masthead">
        <h1 tabIndex={-1}>{SITE_NAME}</h1>
        <p>{`Total Pages: ${entries.length} · With Forms: ${withForms}`}</p>
      </header>
      <div className="filter-place">
        {filter && (
          <FilterForm
            entries={entries}
            filter={filter}
            shown={matches?.length}
            onChange={setFilter}
          />
        )}
      </div>
      {/* Typing comes first; the cards follow when there is time. */}
      <Cards entries={entries} matches={useDeferredValue(matches)} />
    </main>
  )
}

interface CardsProps {
  entries: readonly Entry[]
  /** The entries that a filter lets through; undefined without one. */
  matches: readonly Entry[] | undefined
}

/**
 * The cards: all, or in their place those that the filter lets through. All of them stay in the
 * document, for to make ten thousand anew when the filter is taken back keeps a phone busy for
 * seconds.
 */
function Cards({ entries, matches }: CardsProps) {
  // Known when this is first rendered: then the cards of the document are there, or they are not.
  const [sent] = useState(() => (hasCards() ? entries : undefined))
  // Where a visitor returns to a filtered index, the browser scrolls to a place among its cards.
  const [atFirst] = useState(matches)
  const isFiltered = matches !== undefined
  return (
    <nav aria-label="Pages">
      {entries === sent ? (
        // Left as sent: nothing in it changes, and to take over ten thousand cards takes as long.
        <div
          hidden={isFiltered}
          // biome-ignore lint/security/noDangerouslySetInnerHtml: nothing is set, what was sent stays
          dangerouslySetInnerHTML={AS_SENT}
          suppressHydrationWarning
        />
      ) : (
        <div hidden={isFiltered} key="rendered">
          <Lists entries={entries} count={entries.length} />
        </div>
      )}
      {matches && <Matches matches={matches} isWhole={matches === atFirst} />}
    </nav>
  )
}

/** React compares nothing of what is inside and sets it only when this changes, which it never does. */
const AS_SENT = { __html: '' }

function hasCards(): boolean {
  return typeof document !== 'undefined' && document.querySelector('.cards') !== null
}

/** How many cards are shown at the keystroke that filters them: more than a screen has room for. */
const AT_ONCE = 60

/** The cards that a filter lets through: the first ones at once, the others while there is time. */
function Matches({ matches, isWhole }: { matches: readonly Entry[]; isWhole: boolean }) {
  const [grown, setGrown] = useState({ matches, count: AT_ONCE })
  const shown = grown.matches === matches ? grown.count : AT_ONCE
  const count = isWhole ? matches.length : Math.min(shown, matches.length)
  useEffect(() => {
    if (count === matches.length) return
    const timer = setTimeout(() => setGrown({ matches, count: count - (count % LIST) + LIST }))
    return () => clearTimeout(timer)
  }, [matches, count])
  return <Lists entries={matches} count={count} />
}

/**
 * How many cards are one list. A browser lays out no list that is out of sight; that it looks after
 * each list, and not after each card, makes the difference at ten thousand. Divides by every number
 * of columns that style.css knows, so that each list but the last ends with a full row.
 */
const LIST = 120

interface ListsProps {
  entries: readonly Entry[]
  /** How many of the entries to show. */
  count: number
}

interface ListProps {
  entries: readonly Entry[]
  start: number
  end: number
}

/** The cards as one list; where there are more than fit into one, each is named by what is in it. */
const Lists = memo(function Lists({ entries, count }: ListsProps) {
  const starts = Array.from({ length: Math.ceil(count / LIST) }, (_, at) => at * LIST)
  return starts.map((start) => (
    <List key={start} entries={entries} start={start} end={Math.min(start + LIST, count)} />
  ))
})

const List = memo(function List({ entries, start, end }: ListProps) {
  const name = entries.length > LIST ? `Pages ${start + 1} to ${end}` : undefined
  return (
    <ul className={end - start === LIST ? 'cards full' : 'cards'} aria-label={name}>
      {entries.slice(start, end).map((entry) => (
        <Card key={entry.path} entry={entry} />
      ))}
    </ul>
  )
})

function Card({ entry: { path, title, hasForm } }: { entry: Entry }) {
  return (
    <li>
      <a className={hasForm ? 'card has-form' : 'card static'} href={path}>
        <h2>{title}</h2>
        <p>{hasForm ? '📝 Has Form' : '📄 Static Page'}</p>
      </a>
    </li>
  )
}

const SETTLED = 300

/**
 * The filter of the address, and a function that changes both. Undefined in the document as sent
 * and while React takes it over, for it knows no query string.
 */
function useFilter(entries: readonly Entry[]): [Filter | undefined, (filter: Filter) => void] {
  const isBrowser = useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  )
  const [changed, setChanged] = useState<Filter>()
  const initial = useMemo(
    () => (isBrowser ? parseFilter(location.search, entries) : undefined),
    [isBrowser, entries],
  )
  useEffect(() => {
    if (!changed) return
    // Browsers refuse an address that changes with every key (Safari: 100 times in 30 seconds).
    const timer = setTimeout(() => {
      history.replaceState(history.state, '', `/${formatFilter(changed)}`)
    }, SETTLED)
    return () => clearTimeout(timer)
  }, [changed])
  return [changed ?? initial, setChanged]
}
