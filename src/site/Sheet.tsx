import type { ReactNode } from 'react'
import { goBack } from './navigation.ts'
import { ScreenLink } from './ScreenLink.tsx'

interface SheetProps {
  /** What lies on it: a page with a form, a page without, or nothing but a message. */
  kind: 'has-form' | 'static' | 'message'
  children: ReactNode
  /** What stands below it. */
  below?: ReactNode
}

/** Every screen but the index: the way back, and a single sheet of at most 800px. */
export function Sheet({ kind, children, below }: SheetProps) {
  return (
    <div className="detail">
      <nav className="back" aria-label="Back">
        <ScreenLink href="/" onClick={goBack}>
          ← Back
        </ScreenLink>
      </nav>
      <main className={`sheet ${kind}`}>{children}</main>
      {below}
    </div>
  )
}
