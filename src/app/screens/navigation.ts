/**
 * Does the work of a document load for screens that change without one. After a link, the new
 * screen starts at its top, with the focus on its heading, which screen readers speak. After Back
 * or Forward, the browser restores the scroll position, and the focus returns to the link followed.
 * A screen that is not there by then is scrolled to where it was left.
 */
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { type AroundNavHandler, useLocation, useRouter } from 'wouter'
import { useLocationProperty } from 'wouter/use-browser-location'
import { mayBeFile, NOT_FOUND, pathAt } from '../../page/address.ts'
import { site } from '../../site.ts'
import type { SiteContent } from '../documents.ts'
import { historyState } from './history-state.ts'
import { linkOf } from './link-of.ts'

/** A screen that the visitor has come to. */
export interface Visit {
  path: string
  /** How many steps led to it: one path may be in the history several times, such as `/?q=a` and `/`. */
  step: number
}

/** Returns how many steps the visitor has taken in this document, by links, Back and Forward. */
export function useSteps(): number {
  const steps = useRef(0)

  // Before the effect in which wouter begins to listen: its listeners make React look at the number.
  useLayoutEffect(() => {
    const ended = new AbortController()
    const count = () => {
      steps.current += 1
    }
    for (const type of ['popstate', 'pushState']) {
      addEventListener(type, count, { signal: ended.signal })
    }
    return () => ended.abort()
  }, [])

  const stepsNow = () => steps.current
  return useLocationProperty(stepsNow, () => 0)
}

function keepPosition() {
  history.replaceState({ ...history.state, top: scrollY }, '')
}

/**
 * Manages the focus, the scroll position and the history. Returns the handler that wouter's router
 * calls for each navigation by the site itself.
 *
 * @param shown the visit whose screen is shown
 * @param isPending whether the address already belongs to another visit, whose screen is loading
 */
export function useNavigation(shown: Visit, isPending: boolean, base: string): AroundNavHandler {
  const left = useRef(shown)
  // The first screen may have been left before: by a reload, or for another site.
  const isLate = useRef(true)

  useLayoutEffect(() => {
    isLate.current ||= isPending

    // The address already belongs to the next screen.
    if (isPending) return
    addEventListener('pagehide', keepPosition)
    return () => removeEventListener('pagehide', keepPosition)
  }, [isPending])

  useLayoutEffect(() => {
    const isNew = history.scrollRestoration === 'manual'
    history.scrollRestoration = 'auto'
    const { top } = historyState()
    if (isNew) {
      scrollToStart()
    } else if (isLate.current && top !== undefined) {
      // The index shows its filter and its cards with the next frame.
      requestAnimationFrame(() => window.scrollTo(0, top))
    }
    isLate.current = false

    const { path } = left.current
    left.current = shown
    // The first screen keeps the focus that the browser gave it, and so does the index on Back to
    // another view of it.
    if (path === shown.path && !isNew) return

    const origin = isNew ? null : linkTo(base + path)
    const arrival = origin ?? document.querySelector('h1')
    arrival?.focus({ preventScroll: true })
  }, [shown, base])

  return (navigate, to, options) => {
    if (options?.replace) {
      // The address already belongs to the next screen, so this one must not change it.
      if (isPending) return

      const state = { ...history.state, ...options.state }
      navigate(to, { ...options, state })
      return
    }

    if (!isPending) keepPosition()
    const { steps } = historyState()
    const stepsOfNext = shown.path === '/' ? 1 : steps && steps + 1
    // As in a browser, a screen that never loaded leaves no entry in the history.
    const replace = isPending && history.scrollRestoration === 'manual'

    navigate(to, { ...options, replace, state: { steps: replace ? steps : stepsOfNext } })
    // Until its screen is shown, the new entry must not get the position of the one in place.
    history.scrollRestoration = 'manual'
  }
}

/** Returns the link of a screen that leads to an address, such as the one that the visitor has followed. */
function linkTo(address: string): HTMLElement | null {
  return document.querySelector(`:is(.cards, .body, .neighbours) a[href="${CSS.escape(address)}"]`)
}

/** Scrolls a new screen to the place that its address names, or to its top. */
function scrollToStart() {
  const place = document.getElementById(location.hash.slice(1))
  if (place) place.scrollIntoView()
  else window.scrollTo(0, 0)
}

/** Listens to links: one in a body opens a screen, as wouter's do, and each loads ahead of the click. */
export function useLinks(load: SiteContent['load']) {
  const { base } = useRouter()
  const [, navigate] = useLocation()

  const prepare = useEffectEvent((event: Event) => {
    const link = pageLinkOf(event, base)
    if (link) load(link.path).catch(() => {})
  })

  const follow = useEffectEvent((event: MouseEvent) => {
    const link = pageLinkOf(event, base)
    const opensElsewhere = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey
    // wouter's own links have done it.
    if (!link || event.defaultPrevented || opensElsewhere) return

    event.preventDefault()
    navigate(link.path + link.search + link.hash)
  })

  useEffect(() => {
    const ended = new AbortController()
    const { signal } = ended
    for (const type of ['pointerover', 'touchstart', 'focusin']) {
      addEventListener(type, (event) => prepare(event), { signal, passive: true })
    }

    addEventListener('click', (event) => follow(event), { signal })

    // By the second click of a double click, another link may be under the pointer.
    const openOnce = (event: MouseEvent) => {
      if (event.detail > 1 && linkOf(event)) event.preventDefault()
    }
    addEventListener('click', openOnce, { signal, capture: true })

    return () => ended.abort()
  }, [])
}

interface PageLink {
  path: string
  search: string
  hash: string
}

/**
 * Returns where the link of an event leads, if that is a page. A name with a dot may be of a file. A
 * place in the screen that is shown is left to the browser.
 */
function pageLinkOf(event: Event, base: string): PageLink | undefined {
  const link = linkOf(event)
  if (!link || link.origin !== location.origin || link.target) return undefined

  const { pathname, search, hash } = link
  const isHere = pathname === location.pathname && search === location.search
  if (hash && isHere) return undefined

  const path = pathAt(pathname, base)
  if (path === NOT_FOUND || mayBeFile(path)) return undefined
  return { path, search, hash }
}

/** Returns the document title of a screen: its name, then the site's. The index has no name. */
export function documentTitle(name?: string): string {
  return name === undefined ? site.name : `${name} · ${site.name}`
}
