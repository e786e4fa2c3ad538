/**
 * What a browser does when a document loads, for screens that change without one. After a link, the
 * new screen starts at its top with the focus on its heading, which a screen reader speaks. After
 * Back or Forward, the browser restores the scroll position, and the focus returns to the link that
 * was followed from there.
 */
import { type MouseEvent, useLayoutEffect, useRef } from 'react'
import type { AroundNavHandler } from 'wouter'

/** What an entry of the browser's history remembers. */
export interface HistoryState {
  /** On a page: how many entries back the index is from which one came. */
  steps?: number | undefined
  /** On the index: how many cards may be shown. */
  limit?: number
}

export function historyState(): HistoryState {
  return history.state ?? {}
}

/**
 * Cares for the focus, the scroll position and the history.
 *
 * @param shown the path of the screen
 * @param wanted the path of the address; another one while its screen is still to be loaded
 * @returns what wouter's router calls for each navigation by the site itself
 */
export function useNavigation(shown: string, wanted: string): AroundNavHandler {
  const left = useRef(shown)
  const followed = useRef<string>(undefined)

  useLayoutEffect(() => {
    // The first screen keeps the focus and the scroll position that the browser gave it.
    if (left.current === shown) return
    const isLink = followed.current === shown
    if (isLink) window.scrollTo(0, 0)
    const link = `:is(.cards, .neighbours) a[href="${CSS.escape(left.current)}"]`
    const origin = isLink ? null : document.querySelector<HTMLElement>(link)
    const arrival = origin ?? document.querySelector('h1')
    arrival?.focus({ preventScroll: true })
    left.current = shown
    followed.current = undefined
  }, [shown])

  return (navigate, to, options) => {
    const isPending = shown !== wanted
    if (options?.replace) {
      // The address is already that of the next screen, and not for this one to change.
      if (!isPending) navigate(to, options)
      return
    }
    const { steps } = historyState()
    if (isPending && followed.current === wanted) {
      // As in a browser, a screen that never came leaves no entry in the history.
      navigate(to, { ...options, replace: true, state: { steps } })
    } else {
      const further = steps === undefined ? undefined : steps + 1
      navigate(to, { ...options, state: { steps: shown === '/' ? 1 : further } })
    }
    followed.current = to
  }
}

/** Goes back to the index as it was left, when one came from there; else the link leads to it. */
export function goBack(event: MouseEvent): void {
  const { steps } = historyState()
  if (steps === undefined) return
  event.preventDefault()
  history.go(-steps)
}
