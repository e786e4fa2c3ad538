/** Links that load their screens ahead of the click: those of the screens, and those in a body. */
import { type ComponentProps, type MouseEvent, type SyntheticEvent, use } from 'react'
import { Link, useLocation, useRouter } from 'wouter'
import { NOT_FOUND, pathAt } from '../../page/address.ts'
import { LoadContext } from '../content/content.ts'
import type { Found } from '../content/lookup.ts'
import { trustBody } from '../content/trusted-body.ts'

/** A link to a screen of the site. */
export function ScreenLink({ href, ...props }: { href: string } & ComponentProps<'a'>) {
  const load = use(LoadContext)
  const [path = ''] = href.split('?')
  const start = () => void load(path).catch(() => {})
  return <Link {...props} href={href} onPointerEnter={start} onTouchStart={start} onFocus={start} />
}

/**
 * The body of a page, with the base of the site in its addresses. Its links to other pages open as a
 * {@link ScreenLink} does.
 */
export function Body({ page: { contentHtml, language }, dir }: Pick<Found, 'page' | 'dir'>) {
  const { base } = useRouter()
  const [, navigate] = useLocation()
  const load = use(LoadContext)

  function start(event: SyntheticEvent) {
    const link = pageLinkOf(event, base)
    if (link) load(link.path).catch(() => {})
  }

  function follow(event: MouseEvent) {
    const link = pageLinkOf(event, base)
    const opensElsewhere = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey
    if (!link || opensElsewhere || event.button !== 0) return
    event.preventDefault()
    navigate(link.path + link.search)
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: for the links in it, on which the keys click
    <div
      className="body"
      lang={language}
      dir={dir}
      onClick={follow}
      onPointerOver={start}
      onTouchStart={start}
      onFocus={start}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: only the elements of page/html.ts pass
      dangerouslySetInnerHTML={{ __html: trustBody(contentHtml) }}
    />
  )
}

/** Returns where the link of an event leads, if that is a page. A name with a dot may be of a file. */
function pageLinkOf({ target }: SyntheticEvent, base: string) {
  const link = (target as Element).closest<HTMLAnchorElement>('a[href]')
  if (!link || link.origin !== location.origin || link.hash || link.target) return undefined
  const path = pathAt(link.pathname, base)
  if (path === NOT_FOUND || /\.[^/]*$/.test(path)) return undefined
  return { path, search: link.search }
}
