/**
 * Hides how the visitor moves between screens without loading a document. Links are plain anchors,
 * which work before the script arrives and cost nothing each, however many cards there are; one
 * handler takes over their clicks.
 */
import { useEffect, useLayoutEffect, useRef } from 'react'
import { navigate } from 'wouter/use-browser-location'

/**
 * Follows the clicks on links within the site, and sees to what a browser does when a document
 * loads: the scroll position and the focus. After a link, the new screen starts at its top
 * with the focus on its heading, which a screen reader speaks. After Back or Forward, the browser
 * restores the scroll position, and the focus returns to the link that was followed from there.
 */
export function useNavigation(path: string): void {
  const left = useRef(path)
  const followed = useRef(false)

  useEffect(() => {
    function follow(event: MouseEvent) {
      const target = clickedAddress(event)
      if (!target) return
      event.preventDefault()
      followed.current = true
      navigate(target)
    }
    document.addEventListener('click', follow)
    return () => document.removeEventListener('click', follow)
  }, [])

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

/** The address a click leads to within the site, or nothing when the click is the browser's to handle. */
function clickedAddress(event: MouseEvent): string | undefined {
  if (event.defaultPrevented || event.button !== 0) return
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  const anchor = event.target instanceof Element && event.target.closest('a')
  if (!anchor || anchor.origin !== location.origin || anchor.pathname === location.pathname) return
  if (anchor.target || anchor.hasAttribute('download')) return
  return anchor.pathname + anchor.search + anchor.hash
}

function linkTo(path: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`main a[href="${CSS.escape(path)}"]`)
}
