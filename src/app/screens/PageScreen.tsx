/**
 * The screen of a page: its title, image, body, facts and form, and links to the pages that it names and to
 * those next to it.
 */
import { Link, useRouter } from 'wouter'
import { underBase } from '../../page/address.ts'
import type { FactLink } from '../../page/content.ts'
import type { SchemaPage } from '../../page/page.ts'
import { site } from '../../site.ts'
import type { Entry, Found, ShownFact } from '../lookup.ts'
import { trustBody } from '../trusted-body.ts'
import { DetailLayout } from './DetailLayout.tsx'
import { PageForm } from './PageForm.tsx'
import { Picture } from './Picture.tsx'

/** In UTC, and never in the language of a machine: every document shows the same day. */
const DAY = new Intl.DateTimeFormat([site.language, 'en-GB'], {
  dateStyle: 'long',
  timeZone: 'UTC',
})

export function PageScreen(found: Found) {
  const page = found.page as SchemaPage
  const { base } = useRouter()

  return (
    <DetailLayout
      kind={page.form ? 'has-form' : 'static'}
      title={page.title}
      language={page.language}
      categories={found.categories}
      below={<Neighbours {...found} />}
    >
      {page.updatedAt && (
        <p className="note">
          {/* A browser that does not know the language keeps the day of the document. */}
          <time dateTime={page.updatedAt} suppressHydrationWarning>
            {site.words.updated(DAY.format(new Date(page.updatedAt)))}
          </time>
        </p>
      )}

      {found.image && <Picture className="picture" image={found.image} />}

      {page.contentHtml && (
        <div
          className="body"
          lang={page.language}
          dir="auto"
          // biome-ignore lint/security/noDangerouslySetInnerHtml: only the elements of page/html.ts pass
          dangerouslySetInnerHTML={{ __html: trustBody(page.contentHtml) }}
        />
      )}

      {found.facts && found.facts.length > 0 && (
        <dl className="facts">
          {found.facts.map((fact, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two facts may have one name, and none changes
            <FactRow key={at} fact={fact} language={page.language} base={base} />
          ))}
        </dl>
      )}

      {found.others && found.others.length > 0 && <SeeAlso entries={found.others} />}
      {page.form && <PageForm form={page.form} path={page.path} base={base} />}
    </DetailLayout>
  )
}

interface FactRowProps {
  fact: ShownFact
  /** Of the values. Names are written in `content.ts`, in the language of the site. */
  language: string | undefined
  base: string
}

function FactRow({ fact: [name, values], language, base }: FactRowProps) {
  return (
    <div>
      <dt>{name}</dt>
      {values.map((item, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the values of a fact never change
        <dd key={at} lang={language} dir="auto">
          {typeof item === 'string' ? item : <OwnerLink link={item} base={base} />}
        </dd>
      ))}
    </div>
  )
}

/** A link of `facts`, or of the footer. */
export function OwnerLink({ link: { href, text }, base }: { link: FactLink; base: string }) {
  return <a href={underBase(href, base)}>{text || href}</a>
}

/** The pages that `others` of `content.ts` names. */
function SeeAlso({ entries }: { entries: readonly Entry[] }) {
  return (
    <nav className="see-also" aria-labelledby="see-also">
      <h2 id="see-also">{site.words.seeAlso}</h2>
      <ul>
        {entries.map(({ path, title, language }) => (
          <li key={path}>
            <Link href={path} lang={language} dir="auto">
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** The links to the pages before and after a page. The only page of a site has none. */
function Neighbours({ previous, next }: Found) {
  if (!previous && !next) return null

  return (
    <nav className="neighbours" aria-label={site.words.neighbours}>
      {previous && <Neighbour rel="prev" label={site.words.previous} entry={previous} />}
      {next && <Neighbour rel="next" label={site.words.next} entry={next} />}
    </nav>
  )
}

function Neighbour({ rel, label, entry }: { rel: string; label: string; entry: Entry }) {
  return (
    <Link rel={rel} href={entry.path}>
      <span className="label">{label}</span>{' '}
      <span lang={entry.language} dir="auto">
        {entry.title}
      </span>
    </Link>
  )
}
