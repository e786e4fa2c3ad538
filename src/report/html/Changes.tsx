/** The changes since the previous dataset: the paths of new, gone and changed pages. */
import type { PageChanges } from '../../dataset/changes.ts'
import { printable } from '../../text/printable.ts'
import { formatNumber, plural } from '../../text/wording.ts'

/** @param most how many pages of a kind are shown */
export function Changes({ changes, most }: { changes: PageChanges; most: number }) {
  const changed = changes.changed.map(({ path, fields }) => `${path} (${fields.join(', ')})`)
  const kinds = { new: changes.new, gone: changes.gone, changed }
  return (
    <section id="changes">
      <h2>Changes</h2>
      <p>Compared with the dataset before this build, if there was one.</p>
      {Object.entries(kinds).map(([kind, pages]) => (
        <section key={kind}>
          <h3>{`${plural(pages.length, 'page')} ${kind}`}</h3>
          <p>{pages.slice(0, most).map(printable).join(' ')}</p>
          <More count={pages.length - most} />
        </section>
      ))}
    </section>
  )
}

/** A note that not everything is shown. */
export function More({ count }: { count: number }) {
  return (
    count > 0 && (
      <p className="note">
        {`${formatNumber(count)} more are not shown; `}
        <code>--all</code> shows all of them.
      </p>
    )
  )
}
