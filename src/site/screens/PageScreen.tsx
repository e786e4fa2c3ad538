import { categoryOf, type Entry, type Found } from '../content/lookup.ts'
import { useTitle } from '../content/title.ts'
import { trustBody } from '../content/trusted-body.ts'
import { DetailLayout } from './DetailLayout.tsx'
import { PageForm } from './PageForm.tsx'
import { ScreenLink } from './ScreenLink.tsx'

/** In UTC, so that every document and every browser shows the same day. */
const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** The screen of one page: its title, body and form (if any), and links to the pages next to it. */
export function PageScreen({ page, previous, next }: Found) {
  useTitle(page.title)
  const neighbours = (
    <nav className="neighbours" aria-label="Previous and next page">
      {previous && <Neighbour rel="prev" label="Previous" entry={previous} />}
      {next && <Neighbour rel="next" label="Next" entry={next} />}
    </nav>
  )
  return (
    <DetailLayout
      kind={page.form ? 'has-form' : 'static'}
      category={categoryOf(page.path)}
      below={(previous || next) && neighbours}
    >
      <h1 id="title" tabIndex={-1}>
        {page.title}
      </h1>
      <p className="updated">
        Updated <time dateTime={page.updatedAt}>{DAY.format(new Date(page.updatedAt))}</time>
      </p>
      <div
        className="body"
        // biome-ignore lint/security/noDangerouslySetInnerHtml: the schema admits only paragraphs of text
        dangerouslySetInnerHTML={{ __html: trustBody(page.contentHtml) }}
      />
      {page.form && <PageForm form={page.form} path={page.path} />}
    </DetailLayout>
  )
}

function Neighbour({ rel, label, entry }: { rel: string; label: string; entry: Entry }) {
  return (
    <ScreenLink rel={rel} href={entry.path}>
      <span>{label}</span> {entry.title}
    </ScreenLink>
  )
}
