/** Links to the screens of the site, which load ahead of the click. */
import {
  type ComponentProps,
  createContext,
  type MouseEvent,
  type SyntheticEvent,
  use,
} from 'react'
import { Link, useLocation, useRouter } from 'wouter'
import { NOT_FOUND, pathAt } from '../../page/address.ts'

/** Loads the content of the screen at a path. */
export const LoadContext = createContext<(path: string) => Promise<void>>(async () => {})

/** A link to a screen of the site. */
export function ScreenLink({ href, ...props }: { href: string } & ComponentProps<'a'>) {
  const load = use(LoadContext)
  const [path = ''] = href.split('?')
  const start = () => void load(path).catch(() => {})
  return <Link {...props} href={href} onPointerEnter={start} onTouchStart={start} onFocus={start} />
}

/**
 * Returns the props of an element whose content decides where its links lead, such as a body. Those
 * to other pages open as a {@link ScreenLink} does.
 */
export function useLinksInside() {
  const { base } = useRouter()
  const [, navigate] = useLocation()
  const load = use(LoadContext)

  function start(event: SyntheticEvent) {
    const link = pageLinkOf(event, base)
    if (link) load(link.path).catch(() => {})
  }

  function onClick(event: MouseEvent) {
    const link = pageLinkOf(event, base)
    const opensElsewhere = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey
    if (!link || opensElsewhere || event.button !== 0) return
    event.preventDefault()
    navigate(link.path + link.search)
  }

  return { onClick, onPointerOver: start, onTouchStart: start, onFocus: start }
}

/** Returns where the link of an event leads, if that is a page. A name with a dot may be of a file. */
function pageLinkOf({ target }: SyntheticEvent, base: string) {
  const link = (target as Element).closest<HTMLAnchorElement>('a[href]')
  if (!link || link.origin !== location.origin || link.hash || link.target) return undefined
  const path = pathAt(link.pathname, base)
  if (path === NOT_FOUND || /\.[^/]*$/.test(path)) return undefined
  return { path, search: link.search }
}
