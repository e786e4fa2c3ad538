/** The table of batches: the counts of each, and the batches to which it lost paths. */
import { printable } from '../../text/printable.ts'
import { formatNumber, plural } from '../../text/wording.ts'
import { type BatchFacts, whyNothing } from './batch-facts.ts'
import { More } from './Versus.tsx'

const COLUMNS = ['Batch', 'Records', 'Kept', 'Identical', 'Conflicting', 'Problems'] as const

interface BatchesProps {
  items: readonly BatchFacts[]
  count: number
  isFailed: boolean
}

export function Batches({ items, count, isFailed }: BatchesProps) {
  return (
    <section id="batches">
      <h2>Batches</h2>
      {isFailed && (
        <p>
          Nothing was written. This is what would be kept if the records with problems were not
          there.
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it */}
      <section className="scroll" tabIndex={0} aria-label="What each batch contributed">
        <table>
          <thead>
            <tr>
              {COLUMNS.map((name) => (
                <th scope="col" key={name} className={name === 'Batch' ? undefined : 'number'}>
                  {name}
                </th>
              ))}
              <th scope="col" className="share">
                Share kept
              </th>
            </tr>
          </thead>
          {items.map((batch) => (
            <Batch key={batch.file} batch={batch} />
          ))}
        </table>
      </section>
      {items.length < count && (
        <More>{`${formatNumber(count - items.length)} more batches are not shown; `}</More>
      )}
    </section>
  )
}

function Batch({ batch }: { batch: BatchFacts }) {
  const { file, records, kept, identical, conflicting, problems, lostTo } = batch
  const why = whyNothing(batch)
  return (
    <tbody className={why ? 'nothing' : undefined}>
      <tr>
        <th scope="row">{printable(file)}</th>
        <td className="number">{formatNumber(records)}</td>
        <td className="number">{formatNumber(kept)}</td>
        <td className="number">{formatNumber(identical)}</td>
        <td className="number">
          {/* The script shows only the conflicts of this batch. */}
          {conflicting > 0 ? (
            <a href="#conflicts" data-dropped={file}>
              {formatNumber(conflicting)}
            </a>
          ) : (
            0
          )}
        </td>
        <td className="number">
          {problems > 0 ? <a href="#problems">{formatNumber(problems)}</a> : 0}
        </td>
        <td className="share" aria-hidden="true">
          <meter max={Math.max(1, records)} value={kept} />
        </td>
      </tr>
      <tr>
        <td colSpan={COLUMNS.length + 1}>
          {why && (
            <p>
              <strong>Nothing was kept.</strong> {why}
            </p>
          )}
          {lostTo.size > 0 && <p>{`Lost paths to ${describeLosses(batch)}`}</p>}
          {kept > 0 && <Kept batch={batch} />}
        </td>
      </tr>
    </tbody>
  )
}

/** How many of the batches that kept the paths are named. */
const MOST_NAMED = 8

/** For example "a.json 7, itself 1, and 3 other batches". */
function describeLosses({ file, lostTo }: BatchFacts): string {
  const named = [...lostTo].sort(([, a], [, b]) => b - a).slice(0, MOST_NAMED)
  const names = named.map(([batch, count]) => {
    return `${batch === file ? 'itself' : printable(batch)} ${formatNumber(count)}`
  })
  const more = lostTo.size - named.length
  return names.join(', ') + (more > 0 ? `, and ${formatNumber(more)} other batches` : '')
}

function Kept({ batch: { kept, keptPaths } }: { batch: BatchFacts }) {
  const more = kept - keptPaths.length
  return (
    <details>
      <summary>{`Kept ${plural(kept, 'page')}`}</summary>
      <p className="paths">
        {keptPaths.map(printable).join(' ')}
        {more > 0 && ` and ${formatNumber(more)} more`}
      </p>
    </details>
  )
}
