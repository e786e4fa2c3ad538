/** The changes since the previous dataset: a list for the top, and the pages. */

import type { PageChanges } from '../../dataset/changes.ts'
import type { Page } from '../../dataset/page.ts'
import { printable } from '../../text/printable.ts'
import { formatNumber, plural } from '../../text/wording.ts'
import { Alone, More, Versus } from './Versus.tsx'

const KINDS = ['new', 'changed', 'gone'] as const

/** How many paths of a kind are named at the top. */
const MOST_NAMED = 20

export const countOf = (changes: PageChanges) =>
  KINDS.reduce((sum, kind) => sum + changes[kind].length, 0)

/** How many pages are new, changed and gone; each page links to its place below. */
export function ChangedPaths({ changes }: { changes: PageChanges }) {
  const named = {
    new: changes.new.map(({ path }) => ({ path, fields: '' })),
    changed: changes.changed.map(({ after: { path }, fields }) => {
      return { path, fields: ` (${printable(fields.join(', '))})` }
    }),
    gone: changes.gone.map(({ path }) => ({ path, fields: '' })),
  }
  return (
    <ul className="changed">
      {KINDS.filter((kind) => named[kind].length > 0).map((kind) => (
        <li key={kind}>
          <a href={`#${kind}`}>{`${plural(named[kind].length, 'page')} ${kind}`}</a>
          {named[kind].length <= MOST_NAMED &&
            named[kind].map(({ path, fields }, at) => (
              <span key={path}>
                {at === 0 ? ': ' : ', '}
                <a href={`#${kind}:${encodeURI(path)}`}>{printable(path)}</a>
                {fields}
              </span>
            ))}
        </li>
      ))}
    </ul>
  )
}

export function Changes({ changes, most }: { changes: PageChanges; most: number }) {
  return (
    <section id="changes">
      <h2>Changes</h2>
      <p>
        {countOf(changes) === 0
          ? 'None: the dataset has the same pages as before.'
          : 'Compared with the dataset before this build, if there was one.'}
      </p>
      {KINDS.filter((kind) => changes[kind].length > 0).map((kind) => {
        const count = changes[kind].length
        return (
          <section key={kind} id={kind}>
            <h3>{`${plural(count, 'page')} ${kind}`}</h3>
            {kind === 'changed'
              ? changes.changed.slice(0, most).map(({ before, after, fields }) => (
                  <article key={after.path} id={`changed:${after.path}`}>
                    <h3>{printable(after.path)}</h3>
                    <Versus left={['Before', before]} right={['Now', after]} fields={fields} />
                  </article>
                ))
              : changes[kind]
                  .slice(0, most)
                  .map((page) => <Folded key={page.path} kind={kind} page={page} />)}
            {count > most && <More>{`${formatNumber(count - most)} more are not shown; `}</More>}
          </section>
        )
      })}
    </section>
  )
}

/** A page without a counterpart to compare with. Folded, because there may be many. */
function Folded({ kind, page }: { kind: 'new' | 'gone'; page: Page }) {
  return (
    <details>
      <summary>{printable(page.path)}</summary>
      {/* The id is not on the details, because a browser unfolds them for a target inside. */}
      <article id={`${kind}:${page.path}`}>
        <Alone label={kind === 'new' ? 'Now' : 'Before'} record={page} />
      </article>
    </details>
  )
}
