/** The conflicts: a card for each path that conflicting records claimed. */
import type { Duplicate, Provenance } from '../../dataset/precedence.ts'
import type { Page } from '../../page/page.ts'
import { printable } from '../../text/printable.ts'
import { formatNumber } from '../../text/wording.ts'
import { Versus } from './Versus.tsx'

interface ConflictProps {
  duplicate: Duplicate
  pages: ReadonlyMap<Provenance, Page>
  folder: string
}

/** The card of a path: the record that keeps it, beside each record that lost it. */
export function Conflict({ duplicate: { path, kept, dropped }, pages, folder }: ConflictProps) {
  const keptPage = pages.get(kept)
  return (
    <article id={path}>
      <h3>{printable(path)}</h3>
      <p>{`Kept, because it comes first: ${describePlace(folder, kept)}`}</p>
      {dropped.map((drop) => (
        <div className="versus" key={`${drop.batch} ${drop.index}`}>
          <p>{`Dropped: ${describePlace(folder, drop)}`}</p>
          {keptPage && pages.has(drop) ? (
            <Versus
              left={[`Kept from ${kept.batch}`, keptPage]}
              right={[`Dropped from ${drop.batch}`, pages.get(drop) as Page]}
              fields={drop.fields}
            />
          ) : (
            <p>
              {`They differ in ${printable(drop.fields.join(', '))}. The file has changed since the build read it.`}
            </p>
          )}
        </div>
      ))}
    </article>
  )
}

function describePlace(folder: string, { batch, index, line }: Provenance): string {
  const file = `${folder}/${batch}${line === undefined ? '' : `:${line}`}`
  return `${printable(file)}, record ${formatNumber(index)}`
}
