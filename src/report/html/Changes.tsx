/** The changes since the previous dataset: the changed, new and gone pages. */
import type { PageChanges } from '../../dataset/changes.ts'
import { printable } from '../../text/printable.ts'
import { formatNumber, plural } from '../../text/wording.ts'
import { Alone, More, Versus } from './Versus.tsx'

const KINDS = ['new', 'changed', 'gone'] as const

export const countOf = (changes: PageChanges) =>
  KINDS.reduce((sum, kind) => sum + changes[kind].length, 0)

/** @param most how many pages of a kind are shown */
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
          <section key={kind}>
            <h3>{`${plural(count, 'page')} ${kind}`}</h3>
            {kind === 'changed'
              ? changes.changed.slice(0, most).map(({ before, after, fields }) => (
                  <article key={after.path}>
                    <h3>{printable(after.path)}</h3>
                    <Versus left={['Before', before]} right={['Now', after]} fields={fields} />
                  </article>
                ))
              : changes[kind].slice(0, most).map((page) => (
                  // Folded, because there may be many, and there is nothing to compare.
                  <details key={page.path}>
                    <summary>{printable(page.path)}</summary>
                    <article>
                      <Alone label={kind === 'new' ? 'Now' : 'Before'} record={page} />
                    </article>
                  </details>
                ))}
            {count > most && <More>{`${formatNumber(count - most)} more are not shown; `}</More>}
          </section>
        )
      })}
    </section>
  )
}
