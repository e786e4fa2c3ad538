import type { ReactNode } from 'react'

interface SheetProps {
  /** What lies on it: a page with a form, a page without, or nothing but a message. */
  kind: 'has-form' | 'static' | 'message'
  children: ReactNode
}

/** Every screen but the index: the way back, and a single sheet of at most 800px. */
export function Sheet({ kind, children }: SheetProps) {
  return (
    <div className="detail">
      <nav className="back">
        <a href="/">← Back</a>
      </nav>
      <main className={`sheet ${kind}`}>{children}</main>
    </div>
  )
}
