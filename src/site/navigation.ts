/**
 * Hides how the visitor moves between screens without loading a document. Links are plain anchors,
 * which work before the script arrives and cost nothing each, however many cards there are; one
 * handler takes over their clicks.
 */
import { useEffect, useLayoutEffect, useRef } from 'react'
import { navigate } from 'wouter/use-browser-location'
import type { Content } from './content.ts'

/**
 * Follows the clicks on links within the site, and sees to what a browser does when a document
 * loads: the scroll position and the focus. After a link, the new screen starts at its top
 * with the focus on its heading, which a screen reader speaks. After Back or Forward, the browser
 * restores the scroll position, and the focus returns to the link that was followed from there.
 */
export function useNavigation(path: string, content: Content): void {
  const left = useRef(path)
  const followed = useRef(false)

  useEffect(() => {
    async function follow(event: MouseEvent) {
      const target = clickedAddress(event)
      if (!target) return
      event.preventDefault()
      try {
        await content.load(target.pathname)
        followed.current = true
        navigate(target.pathname + target.search + target.hash)
      } catch {
        // The modules of a build that has been replaced are gone, but there is a document.
        location.assign(target.href)
      }
    }
    // What a visitor points at or moves to is loaded before the click.
    function prepare(event: Event) {
      const target = linkWithin(event)
      if (target) content.load(target.pathname).catch(() => {})
    }
    const listeners = new AbortController()
    const options = { signal: listeners.signal, passive: true }
    document.addEventListener('click', follow, { signal: listeners.signal })
    for (const type of ['pointerover', 'touchstart', 'focusin']) {
      document.addEventListener(type, prepare, options)
    }
    return () => listeners.abort()
  }, [content])

  useLayoutEffect(() => {
    // The first screen keeps the focus and the scroll position that the browser gave it.
    if (left.current === path) return
    if (followed.current) window.scrollTo(0, 0)
    const origin = followed.current ? null : linkTo(left.current)
    const arrival = origin ?? document.querySelector('h1')
    arrival?.focus({ preventScroll: true })
    left.current = path
    followed.current = false
  }, [path])
}

/** The link within the site that a click follows, or nothing when the click is the browser's. */
function clickedAddress(event: MouseEvent): HTMLAnchorElement | undefined {
  if (event.defaultPrevented || event.button !== 0) return
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  return linkWithin(event)
}

/** The link to another screen of the site that an event happened on. */
function linkWithin(event: Event): HTMLAnchorElement | undefined {
  const anchor = event.target instanceof Element && event.target.closest('a')
  if (!anchor || anchor.origin !== location.origin || anchor.pathname === location.pathname) return
  if (anchor.target || anchor.hasAttribute('download')) return
  return anchor
}

function linkTo(path: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`main a[href="${CSS.escape(path)}"]:not([hidden] *)`)
}
