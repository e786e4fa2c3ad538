import {
  memo,
  Suspense,
  useDeferredValue,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react'
import { type Entry, SITE_NAME } from './content.ts'
import { FilterForm } from './FilterForm.tsx'
import { type Filter, formatFilter, matcherOf, parseFilter } from './filter.ts'

/**
 * The screen at `/`: how many pages there are, and a card for each, in the order of the dataset.
 * Where scripts run, a filter stands above the cards; it hides those that it does not let through.
 */
export function IndexScreen({ entries }: { entries: readonly Entry[] }) {
  const [filter, setFilter] = useFilter()
  const isMatch = useMemo(() => filter && matcherOf(filter), [filter])
  const shown = useMemo(() => isMatch && entries.filter(isMatch).length, [entries, isMatch])
  // Typing comes first; ten thousand cards follow when there is time.
  const isShown = useDeferredValue(isMatch)
  const withForms = useMemo(() => entries.filter(({ hasForm }) => hasForm).length, [entries])
  return (
    <main className="index">
      <header className="masthead">
        <h1 tabIndex={-1}>{SITE_NAME}</h1>
        <p>{`Total Pages: ${entries.length} · With Forms: ${withForms}`}</p>
      </header>
      <div className="filter-place">
        {filter && (
          <FilterForm entries={entries} filter={filter} shown={shown} onChange={setFilter} />
        )}
      </div>
      {/* A boundary of its own is taken over in slices, between which the page answers. */}
      <Suspense>
        <Cards entries={entries} isShown={isShown} />
      </Suspense>
    </main>
  )
}

type IsShown = ((entry: Entry) => boolean) | undefined

const Cards = memo(({ entries, isShown }: { entries: readonly Entry[]; isShown: IsShown }) => (
  <nav aria-label="Pages">
    <ul className="cards">
      {entries.map((entry) => (
        <Card key={entry.path} entry={entry} isHidden={isShown ? !isShown(entry) : false} />
      ))}
    </ul>
  </nav>
))

const Card = memo(({ entry, isHidden }: { entry: Entry; isHidden: boolean }) => {
  const { path, title, hasForm } = entry
  return (
    <li hidden={isHidden}>
      <a className={hasForm ? 'card has-form' : 'card static'} href={path}>
        <h2>{title}</h2>
        <p>{hasForm ? '📝 Has Form' : '📄 Static Page'}</p>
      </a>
    </li>
  )
})

const SETTLED = 300

/**
 * The filter of the address, and a function that changes both. Undefined in the document as sent
 * and while React takes it over, for it knows no query string.
 */
function useFilter(): [Filter | undefined, (filter: Filter) => void] {
  const isBrowser = useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  )
  const [changed, setChanged] = useState<Filter>()
  const initial = useMemo(() => (isBrowser ? parseFilter(location.search) : undefined), [isBrowser])
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
