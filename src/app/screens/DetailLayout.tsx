/** The layout of every screen except the index: the name of the site, links to where it belongs, and a titled sheet. */
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { site } from '../../site.ts'
import { nameOfCategory } from '../lookup.ts'
import { goBack } from './history-state.ts'

interface Props {
  /** The content: a page with a form, a page without one, or only a message. */
  kind: 'has-form' | 'static' | 'message'
  title: ReactNode
  /** Of the title, if it is not that of the site. */
  language?: string | undefined
  children?: ReactNode
  /** Those of the page. */
  categories?: readonly string[]
  /** Shown below the sheet. */
  below?: ReactNode
}

export function DetailLayout({ kind, title, language, children, categories = [], below }: Props) {
  return (
    <div className="detail">
      <header>
        <Link className="home" href="/">
          {site.name}
        </Link>
        <div className="back">
          <Link href="/" onClick={goBack}>
            {backWords()}
          </Link>
          {categories.length > 0 && <Trail categories={categories} />}
        </div>
      </header>

      <main className={`sheet ${kind}`}>
        <h1 id="title" tabIndex={-1} lang={language} dir="auto">
          {title}
        </h1>
        {children}
      </main>

      {below}
    </div>
  )
}

/** The categories of a page. Each link leads to their pages on the index. */
function Trail({ categories }: { categories: readonly string[] }) {
  return (
    <nav className="trail" aria-label={site.words.category}>
      {categories.map((category) => (
        <Link key={category} href={`/?category=${encodeURIComponent(category)}`}>
          {nameOfCategory(category)}
        </Link>
      ))}
    </nav>
  )
}

/** Returns the words of the link back. In a site from right to left, the arrow points to the right. */
function backWords(): string {
  const { words, direction } = site
  return direction === 'rtl' ? words.back.replace('←', '→') : words.back
}
