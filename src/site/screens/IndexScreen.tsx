/** The index: its cards, and which of them the filter leaves. */
import type { ComponentProps } from 'react'
import { useEffect, useEffectEvent, useMemo, useState, useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'
import { useLocation } from 'wouter'
import type { SiteContent } from '../content/documents.ts'
import { type Filter, filterEntries, formatFilter, parseFilter } from '../content/filter.ts'
import { categoriesOf, countForms, type Entry, nameOf, STEP } from '../content/lookup.ts'
import { site } from '../site.ts'
import { Cards } from './Cards.tsx'
import { historyState, type Visit } from './navigation.ts'

/** How long nothing is typed before the status is spoken, in milliseconds. */
const SPOKEN = 500
/** How long nothing is typed before words load, in milliseconds: one letter would load too much. */
const PAUSE = 100
/** How long after a failed attempt to load words comes the next, in milliseconds. */
const AGAIN = 2_000

interface IndexProps {
  content: SiteContent
  /** Of the visit: see {@link Visit}. */
  step: number
}

/** The screen at `/`: how many pages there are, a filter, their cards, and a button for more. */
export function IndexScreen({ content, step }: IndexProps) {
  const { entries, search } = content
  const categories = useMemo(() => categoriesOf(entries, site.language), [entries])
  const [tried, setTried] = useState({ text: '', hasFailed: false })
  const { view, change, save } = useView(entries, categories, step)
  const { filter, limit } = view ?? NO_VIEW
  const text = filter.q.trim()
  // biome-ignore lint/correctness/useExhaustiveDependencies: it finds more once more is loaded
  const results = useMemo(() => (text ? search?.find(text) : undefined), [search, text, tried])
  const found = results?.entries ?? entries
  const matches = useMemo(() => filterEntries(found, filter), [found, filter])
  const shown = useMemo(() => matches.slice(0, limit), [matches, limit])
  const withForms = useMemo(() => countForms(entries), [entries])
  const isSearching = view !== undefined && text !== '' && !results?.isWhole
  const hasFailed = tried.hasFailed && tried.text === text
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt that fails begins another
  useEffect(() => {
    if (!isSearching) return
    const end = (hasFailed: boolean) => () => setTried({ text, hasFailed })
    const attempt = () => search?.load(text).then(end(false), end(true))
    const timer = setTimeout(attempt, hasFailed ? AGAIN : PAUSE)
    return () => clearTimeout(timer)
  }, [isSearching, search, text, tried])

  const control = (name: keyof Filter) => ({
    name,
    value: filter[name],
    onChange: ({ target }: { target: { value: string } }) =>
      change({ filter: { ...filter, [name]: target.value }, limit: STEP }),
  })

  /** Loads the words before the first key. */
  const prepare = () => void search?.load('').catch(() => {})

  function showMore() {
    flushSync(() => change({ filter, limit: 2 * limit }))
    document.querySelectorAll<HTMLElement>('.card')[limit]?.focus()
  }

  function clear() {
    change(NO_VIEW)
    document.querySelector('input')?.focus()
  }

  const { words } = site
  const hasNone = matches.length === 0 && matches !== entries && !isSearching
  const hasSome = matches.length > 0 && matches !== entries
  // How many were found so far, and whether more may follow.
  const status: string[] = []
  if (hasNone) status.push(words.foundNone(text))
  if (hasSome) status.push(words.found(matches.length, entries.length))
  if (isSearching) status.push(hasFailed ? words.notSearchedYet : words.searching)
  return (
    // Saves the filter to the address before a link is followed.
    <main className="index" onClickCapture={save}>
      <header className="masthead">
        <h1 tabIndex={-1}>{site.name}</h1>
        <p>{words.counts(entries.length, withForms)}</p>
      </header>
      <search className="filter-place" hidden={!view}>
        {/* On Back, a browser would fill in the controls before React knows of them. */}
        <form className="filter" autoComplete="off" onSubmit={(event) => event.preventDefault()}>
          <label>
            <span>{words.search}</span>
            <input {...control('q')} type="search" dir="auto" placeholder=" " onFocus={prepare} />
          </label>
          {categories.length > 0 && (
            <Choice label={words.category} {...control('category')}>
              {categories.map((category) => (
                <option key={category} value={category}>
                  {nameOf(category)}
                </option>
              ))}
            </Choice>
          )}
          {withForms !== undefined && (
            <Choice label={words.form} {...control('form')}>
              <option value="with">{words.withForm}</option>
              <option value="without">{words.withoutForm}</option>
            </Choice>
          )}
          <Status text={status.join(' · ')} delay={SPOKEN} />
        </form>
      </search>
      <nav aria-label={words.pages}>
        <Cards entries={shown} search={search} results={results} />
      </nav>
      {view && matches.length > limit && (
        <p className="more">
          <button type="button" onClick={showMore}>
            {words.showMore}
          </button>
          <span>{words.shown(limit, matches.length)}</span>
        </p>
      )}
      {hasNone && entries.length > 0 && (
        <p className="more">
          <button type="button" onClick={clear}>
            {words.clearFilter}
          </button>
        </p>
      )}
    </main>
  )
}

function Choice({ label, children, ...control }: ComponentProps<'select'> & { label: string }) {
  return (
    <label>
      <span>{label}</span>
      <select {...control}>
        <option value="">{site.words.all}</option>
        {children}
      </select>
    </label>
  )
}

/** Shows a text, which screen readers speak, once it has stayed the same for so many milliseconds. */
export function Status({ text, delay }: { text: string; delay: number }) {
  const [settled, settle] = useState('')
  useEffect(() => {
    const timer = setTimeout(settle, delay, text)
    return () => clearTimeout(timer)
  }, [text, delay])
  return <p role="status">{settled}</p>
}

/** What is shown at first: the first cards of all. */
const NO_VIEW = { filter: parseFilter('', [], []), limit: STEP }

/** A delay in milliseconds: browsers limit address changes (Safari: 100 in 30 seconds). */
const SETTLED = 300

/**
 * Returns the view of the history entry or, once the visitor has changed it, the changed one, which
 * it saves there. Undefined until hydration ends: no document is rendered with a query.
 */
function useView(entries: readonly Entry[], categories: readonly string[], step: Visit['step']) {
  const [, navigate] = useLocation()
  const isBrowser = useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  )

  const remembered = useMemo(() => {
    if (!isBrowser) return undefined
    const { limit = STEP } = historyState()
    return { step, filter: parseFilter(location.search, entries, categories), limit }
  }, [isBrowser, entries, categories, step])
  const [lastChanged, setChanged] = useState<typeof remembered>()
  // What was changed in another visit is not of this one.
  const changed = lastChanged?.step === step ? lastChanged : undefined

  function change(view: typeof NO_VIEW) {
    setChanged({ ...view, step })
  }

  function save() {
    if (!changed) return
    // wouter takes an address after ~ as it is, without adding the base.
    const { pathname, search, hash } = location
    const address = `~${pathname}${formatFilter(changed.filter, search)}${hash}`
    navigate(address, { replace: true, state: { limit: changed.limit } })
  }
  const latest = useEffectEvent(save)
  useEffect(() => {
    if (!changed) return
    const timer = setTimeout(latest, SETTLED)
    addEventListener('pagehide', latest)
    return () => {
      clearTimeout(timer)
      removeEventListener('pagehide', latest)
    }
  }, [changed])

  return { view: changed ?? remembered, change, save }
}
