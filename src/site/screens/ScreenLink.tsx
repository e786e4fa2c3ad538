/** A link that loads its screen ahead of the click. */
import { type ComponentProps, use } from 'react'
import { Link } from 'wouter'
import { PrepareContext } from '../content/content.ts'

/** A link to a screen of the site. Pointing at it, touching it or focusing it loads the screen. */
export function ScreenLink({ href, ...props }: { href: string } & ComponentProps<'a'>) {
  const prepare = use(PrepareContext)
  const [path = ''] = href.split('?')
  const start = () => prepare(path)
  return <Link {...props} href={href} onPointerEnter={start} onTouchStart={start} onFocus={start} />
}
