import type { ReactNode } from 'react'
import { goBack } from './navigation.ts'
import { ScreenLink } from './ScreenLink.tsx'

interface DetailLayoutProps {
  /** The content: a page with a form, a page without one, or only a message. */
  kind: 'has-form' | 'static' | 'message'
  children: ReactNode
  /** Shown below the sheet. */
  below?: ReactNode
}

/** Every screen except the index: a link back, and a single sheet of at most 800px. */
export function DetailLayout({ kind, children, below }: DetailLayoutProps) {
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
