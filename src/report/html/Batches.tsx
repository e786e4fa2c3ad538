/** The table of batches: the counts of each, and the batches to which it lost paths. */
import type { Problem } from '../../batch/problem.ts'
import type { BatchEntry } from '../../dataset/output.ts'
import type { Duplicate } from '../../dataset/precedence.ts'
import { printable } from '../../text/printable.ts'
import { formatNumber } from '../../text/wording.ts'
import { describeLosses, type Losses, lossesOf } from '../summary.ts'
import { More } from './Versus.tsx'

const COLUMNS = ['Batch', 'Records', 'Kept', 'Identical', 'Conflicting', 'Problems'] as const

interface BatchesProps {
  batches: readonly BatchEntry[]
  duplicates: readonly Duplicate[]
  problems: readonly Problem[]
  isFailed: boolean
  most: number
}

export function Batches({ batches, duplicates, problems, isFailed, most }: BatchesProps) {
  const losses = lossesOf(batches, duplicates)
  const counts = new Map<string, number>()
  for (const { batch } of problems) counts.set(batch, (counts.get(batch) ?? 0) + 1)
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
          {batches.slice(0, most).map((batch) => (
            <Batch
              key={batch.file}
              {...batch}
              problems={counts.get(batch.file) ?? 0}
              losses={losses.get(batch.file) as Losses}
            />
          ))}
        </table>
      </section>
      <More count={batches.length - most} />
    </section>
  )
}

/** How many of the batches that took paths from another are named. */
const MOST_NAMED = 8

type BatchProps = BatchEntry & { problems: number; losses: Losses }

function Batch({ file, records, kept, dropped, problems, losses }: BatchProps) {
  const { identical, conflicting } = losses
  const counts = { records, kept, identical, conflicting, problems }
  return (
    <tbody>
      <tr>
        <th scope="row">{printable(file)}</th>
        {Object.entries(counts).map(([name, count]) => (
          <td className="number" key={name}>
            {formatNumber(count)}
          </td>
        ))}
      </tr>
      <tr>
        <td colSpan={COLUMNS.length}>
          {kept === 0 && <strong>Nothing was kept. </strong>}
          {dropped > 0 && `Dropped: ${printable(describeLosses(file, losses, MOST_NAMED))}.`}
        </td>
      </tr>
    </tbody>
  )
}
