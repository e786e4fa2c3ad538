import { type ComponentProps, use } from 'react'
import { Link } from 'wouter'
import { PrepareContext } from './content.ts'

/** A link to a screen of the site, which is loaded when one points at it or moves the focus to it. */
export function ScreenLink({ href, ...props }: { href: string } & ComponentProps<'a'>) {
  const prepare = use(PrepareContext)
  const start = () => prepare(href)
  return <Link {...props} href={href} onPointerEnter={start} onTouchStart={start} onFocus={start} />
}
