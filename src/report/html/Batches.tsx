/** The table of batches: the counts of each, and the batches to which it lost paths. */
import { printable } from '../../text/printable.ts'
import { formatNumber } from '../../text/wording.ts'
import { describeLosses, type Losses } from '../summary.ts'
import { toWord } from './Conflicts.tsx'
import { More } from './Versus.tsx'

/** The outcome of a batch. */
export interface BatchFacts extends Losses {
  file: string
  records: number
  kept: number
  dropped: number
  problems: number
}

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
            </tr>
          </thead>
          {items.map((batch) => (
            <Batch key={batch.file} batch={batch} />
          ))}
        </table>
      </section>
      <More count={count - items.length} />
    </section>
  )
}

/** How many of the batches that kept the paths are named. */
const MOST_NAMED = 8

function Batch({ batch }: { batch: BatchFacts }) {
  const { file, records, kept, dropped, identical, conflicting, problems } = batch
  return (
    <tbody className={kept === 0 ? 'nothing' : undefined}>
      <tr>
        <th scope="row">{printable(file)}</th>
        <td className="number">{formatNumber(records)}</td>
        <td className="number">{formatNumber(kept)}</td>
        <td className="number">{formatNumber(identical)}</td>
        <td className="number">
          {/* The script shows only the conflicts of this batch. */}
          {conflicting > 0 ? (
            <a href="#conflicts" data-words={toWord('dropped', file)}>
              {formatNumber(conflicting)}
            </a>
          ) : (
            0
          )}
        </td>
        <td className="number">
          {problems > 0 ? <a href="#problems">{formatNumber(problems)}</a> : 0}
        </td>
      </tr>
      <tr>
        <td colSpan={COLUMNS.length}>
          {kept === 0 && (
            <p>
              <strong>Nothing was kept.</strong> {whyNothing(batch)}
            </p>
          )}
          {dropped > 0 && (
            <p>{`Dropped: ${printable(describeLosses(file, batch, MOST_NAMED))}.`}</p>
          )}
        </td>
      </tr>
    </tbody>
  )
}

function whyNothing({ records, dropped }: BatchFacts): string {
  if (records === 0) return 'It holds no records, or could not be read.'
  if (dropped === records) return 'Each of its records lost its path to an earlier record.'
  return 'Its records have problems, or lost their paths to earlier records.'
}
