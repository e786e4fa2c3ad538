/** What the index shows: the filter, and how many cards. It belongs to an entry of the history, which keeps it. */
import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { type Filter, formatFilter, parseFilter } from '../filter.ts'
import { type Entry, STEP } from '../lookup.ts'
import { historyState, saveFilter } from './history-state.ts'
import type { Visit } from './navigation.ts'

export interface IndexView {
  filter: Filter
  /** The maximum number of cards. */
  limit: number
}

/** The first cards of all pages. */
export const FIRST_VIEW: IndexView = { filter: parseFilter('', [], []), limit: STEP }

/** How long nothing changes before it is saved, in milliseconds: Safari allows 100 addresses in 30 seconds. */
const SETTLED = 300

interface Options {
  entries: readonly Entry[]
  categories: readonly string[]
  step: Visit['step']
  /** False in the build, and until hydration ends: no document is rendered with a query. */
  isBrowser: boolean
}

/**
 * Returns the view of the entry in the history or, once the visitor has changed it, the changed one,
 * which it saves there. Undefined without a browser.
 */
export function useIndexView({ entries, categories, step, isBrowser }: Options) {
  const [, navigate] = useLocation()

  // Not sooner: until this commit, React hears of no key. After it, React reads the address.
  useLayoutEffect(() => {
    if (!isBrowser) saveFilter()
  }, [isBrowser])

  const remembered = useMemo(() => {
    if (!isBrowser) return undefined
    const { limit = STEP } = historyState()
    return { filter: parseFilter(location.search, entries, categories), limit, step }
  }, [isBrowser, entries, categories, step])

  const [lastChanged, setChanged] = useState<typeof remembered>()
  // A change in another visit doesn't count in this one.
  const changed = lastChanged?.step === step ? lastChanged : undefined

  function change(view: IndexView) {
    setChanged({ ...view, step })
  }

  function save() {
    if (!changed) return
    // wouter takes an address after ~ as it is, without adding the base.
    const { pathname, search, hash } = location
    const address = `~${pathname}${formatFilter(changed.filter, search)}${hash}`
    navigate(address, { replace: true, state: { limit: changed.limit } })
  }

  const saveLatest = useEffectEvent(save)
  useEffect(() => {
    if (!changed) return
    const timer = setTimeout(saveLatest, SETTLED)
    addEventListener('pagehide', saveLatest)
    return () => {
      clearTimeout(timer)
      removeEventListener('pagehide', saveLatest)
    }
  }, [changed])

  return { view: changed ?? remembered, change, save }
}
