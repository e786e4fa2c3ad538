/** The conflicts: a card for each path that conflicting records claimed, and the filter above them. */
import type { Duplicate, Provenance } from '../../dataset/precedence.ts'
import type { Page } from '../../page/page.ts'
import { printable } from '../../text/printable.ts'
import { formatNumber } from '../../text/wording.ts'
import { Versus } from './Versus.tsx'

/** A word by which the script finds conflicts, such as "dropped:batch-02.json". */
export function toWord(kind: 'kept' | 'dropped' | 'field', name: string): string {
  return `${kind}:${name.replace(/\s/g, '_').toLowerCase()}`
}

export function Filter({ example }: { example: Duplicate }) {
  const batch = example.dropped[0]?.batch ?? ''
  return (
    <>
      <search className="filter" hidden>
        <label>
          <span>Find by path, batch or field</span>
          <input
            type="search"
            id="words"
            autoComplete="off"
            placeholder={`Such as ${printable(`${example.path} ${toWord('dropped', batch)}`)}`}
          />
        </label>
      </search>
      <p role="status" id="found" />
    </>
  )
}

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
        <div
          className="versus"
          key={`${drop.batch} ${drop.index}`}
          data-words={[
            path.toLowerCase(),
            toWord('kept', kept.batch),
            toWord('dropped', drop.batch),
            ...drop.fields.map((field) => toWord('field', field)),
          ].join(' ')}
        >
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
