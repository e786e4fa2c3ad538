/** Listens to links: one in a body opens a screen, as wouter's do, and each loads ahead of the click. */
import { useEffect, useEffectEvent } from 'react'
import { mayBeFile, NOT_FOUND, pathAt } from '../../page/address.ts'

type Load = (path: string) => Promise<void>

/** @param open opens an address of this site without loading a document */
export function useLinks(base: string, load: Load, open: (address: string) => void): void {
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
    open(base + link.path + link.search)
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

const linkOf = ({ target }: Event) =>
  target instanceof Element && target.closest<HTMLAnchorElement>('a[href]')

/** Returns where the link of an event leads, if that is a page. A name with a dot may be of a file. */
function pageLinkOf(event: Event, base: string) {
  const link = linkOf(event)
  if (!link || link.origin !== location.origin || link.hash || link.target) return undefined
  const path = pathAt(link.pathname, base)
  if (path === NOT_FOUND || mayBeFile(path)) return undefined
  return { path, search: link.search }
}
