/** The changes since the previous dataset: the changed pages, and the paths of new and gone ones. */
import type { PageChanges } from '../../dataset/changes.ts'
import { printable } from '../../text/printable.ts'
import { plural } from '../../text/wording.ts'
import { More, Versus } from './Versus.tsx'

/** @param most how many pages of a kind are shown */
export function Changes({ changes, most }: { changes: PageChanges; most: number }) {
  const { changed } = changes
  return (
    <section id="changes">
      <h2>Changes</h2>
      <p>Compared with the dataset before this build, if there was one.</p>
      {(['new', 'gone'] as const).map((kind) => (
        <section key={kind}>
          <h3>{`${plural(changes[kind].length, 'page')} ${kind}`}</h3>
          <p>
            {changes[kind]
              .slice(0, most)
              .map(({ path }) => printable(path))
              .join(' ')}
          </p>
          <More count={changes[kind].length - most} />
        </section>
      ))}
      <section>
        <h3>{`${plural(changed.length, 'page')} changed`}</h3>
        {changed.slice(0, most).map(({ before, after, fields }) => (
          <article key={after.path}>
            <h3>{printable(after.path)}</h3>
            <Versus left={['Before', before]} right={['Now', after]} fields={fields} />
          </article>
        ))}
        <More count={changed.length - most} />
      </section>
    </section>
  )
}
