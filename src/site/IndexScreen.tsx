import {
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
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
      <Cards entries={entries} isShown={isShown} />
    </main>
  )
}

interface CardsProps {
  entries: readonly Entry[]
  /** Which cards are to be seen; undefined for all. */
  isShown: ((entry: Entry) => boolean) | undefined
}

/**
 * The cards. Those of the document as sent are left as they are: nothing in them changes but
 * whether they are hidden, and to take over ten thousand would keep a phone busy for seconds.
 */
function Cards({ entries, isShown }: CardsProps) {
  const list = useRef<HTMLUListElement>(null)
  // Known when this is first rendered: then the list of the document is there, or it is not.
  const [sent] = useState(() => (hasCards() ? entries : undefined))
  const isSent = entries === sent

  useLayoutEffect(() => {
    const items = list.current?.children ?? []
    for (const [position, entry] of entries.entries()) {
      const item = items[position] as HTMLElement
      const isHidden = isShown ? !isShown(entry) : false
      if (item.hidden !== isHidden) item.hidden = isHidden
    }
  }, [entries, isShown])

  return (
    <nav aria-label="Pages">
      {isSent ? (
        <ul
          className="cards"
          ref={list}
          // biome-ignore lint/security/noDangerouslySetInnerHtml: nothing is set, what was sent stays
          dangerouslySetInnerHTML={AS_SENT}
          suppressHydrationWarning
        />
      ) : (
        <ul className="cards" ref={list} key="rendered">
          {entries.map((entry) => (
            <Card key={entry.path} entry={entry} />
          ))}
        </ul>
      )}
    </nav>
  )
}

/** React compares nothing of what is inside and sets it only when this changes, which it never does. */
const AS_SENT = { __html: '' }

function hasCards(): boolean {
  return typeof document !== 'undefined' && document.querySelector('.cards') !== null
}

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
