import type { Page } from '../generated/dataset.json'
import { SITE_NAME } from './lookup.ts'

/** The screen at `/`: how many pages there are, and a card for each, in the order of the dataset. */
export function IndexScreen({ pages }: { pages: readonly Page[] }) {
  const withForms = pages.filter((page) => page.form).length
  return (
    <main className="index">
      <header className="masthead">
        <h1 tabIndex={-1}>{SITE_NAME}</h1>
        <p>{`Total Pages: ${pages.length} · With Forms: ${withForms}`}</p>
      </header>
      <nav aria-label="Pages">
        <ul className="cards">
          {pages.map((page) => (
            <li key={page.path}>
              <Card page={page} />
            </li>
          ))}
        </ul>
      </nav>
    </main>
  )
}

function Card({ page }: { page: Page }) {
  return (
    <a className={page.form ? 'card has-form' : 'card static'} href={page.path}>
      <h2>{page.title}</h2>
      <p>{page.form ? '📝 Has Form' : '📄 Static Page'}</p>
    </a>
  )
}
