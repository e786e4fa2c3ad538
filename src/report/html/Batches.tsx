/** The table of batches: the counts of each, and the batches to which it lost paths. */

import { printable } from '../../text/printable.ts'
import { formatNumber, plural } from '../../text/wording.ts'
import { type BatchFacts, keyOf, type Links, whyNothing } from './batch-facts.ts'
import { More } from './Versus.tsx'

const COLUMNS = ['Records', 'Kept', 'Identical', 'Conflicting', 'Problems'] as const

interface BatchesProps {
  items: readonly BatchFacts[]
  count: number
  isFailed: boolean
  links: Links
}

export function Batches({ items, count, isFailed, links }: BatchesProps) {
  const most = Math.max(1, ...items.map(({ records }) => records))
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
              <th scope="col">Batch</th>
              {COLUMNS.map((name) => (
                <th scope="col" key={name} className={`number ${name.toLowerCase()}`}>
                  {name}
                </th>
              ))}
              <th scope="col" className="bar">
                To scale
              </th>
            </tr>
          </thead>
          {items.map((batch) => (
            <Batch key={batch.file} batch={batch} most={most} links={links} />
          ))}
        </table>
      </section>
      {items.length < count && (
        <More>{`${formatNumber(count - items.length)} more batches are not shown; `}</More>
      )}
    </section>
  )
}

interface BatchProps {
  batch: BatchFacts
  most: number
  links: Links
}

function Batch({ batch, most, links }: BatchProps) {
  const { file, records, kept, identical, conflicting, problems, faulty, lostTo } = batch
  const why = whyNothing(batch)
  return (
    <tbody className={why ? 'nothing' : undefined}>
      <tr>
        <th scope="row">{printable(file)}</th>
        <td className="number">{formatNumber(records)}</td>
        <td className="number">{formatNumber(kept)}</td>
        <td className="number">{formatNumber(identical)}</td>
        <td className="number">
          <Conflicts count={conflicting} links={links} dropped={file} />
        </td>
        <td className="number">
          {problems > 0 ? <a href="#problems">{formatNumber(problems)}</a> : 0}
        </td>
        <td className="bar">
          <Bar parts={{ kept, identical, conflicting, faulty }} most={most} />
        </td>
      </tr>
      <tr>
        <td colSpan={COLUMNS.length + 2}>
          {why && (
            <p>
              <strong>Nothing was kept.</strong> {why}
            </p>
          )}
          {lostTo.length > 0 && (
            <p>
              Lost paths to <Winners batch={batch} links={links} />
            </p>
          )}
          <FoldedPaths
            title={`Kept ${plural(kept, 'page')}`}
            paths={batch.keptPaths}
            count={kept}
            links={links}
          />
          <FoldedPaths
            title={`Dropped ${plural(identical, 'record')} as identical`}
            paths={batch.identicalPaths}
            count={identical}
            links={links}
          />
        </td>
      </tr>
    </tbody>
  )
}

/** How many winners are named. */
const MOST_WINNERS = 8

function Winners({ batch: { file, lostTo }, links }: { batch: BatchFacts; links: Links }) {
  const others = lostTo.slice(MOST_WINNERS)
  const rest = others.reduce((sum, { dropped }) => sum + dropped, 0)
  return (
    <>
      {lostTo.slice(0, MOST_WINNERS).map(({ batch: winner, dropped, identical }, at) => {
        const conflicting = dropped - identical
        const link = <Conflicts count={conflicting} links={links} dropped={file} kept={winner} />
        return (
          <span key={winner}>
            {at > 0 && ', '}
            <span className="name">{winner === file ? 'itself' : printable(winner)}</span>{' '}
            {identical === 0 ? link : formatNumber(dropped)}
            {identical > 0 && conflicting > 0 && <> ({link} conflicting)</>}
            {conflicting === 0 && ' (identical)'}
          </span>
        )
      })}
      {others.length > 0 && `, and ${plural(others.length, 'other')} ${formatNumber(rest)}`}
    </>
  )
}

interface ConflictsProps {
  count: number
  links: Links
  /** The batch whose records were dropped. */
  dropped: string
  /** The batch whose records were kept. */
  kept?: string
}

/** A number that links to the conflicts it counts; without the script, to the first of them. */
function Conflicts({ count, links, dropped, kept }: ConflictsProps) {
  const first = links.first.get(keyOf(dropped, kept))
  if (first === undefined) return formatNumber(count)
  return (
    <a href={`#${encodeURI(first)}`} data-dropped={dropped} data-kept={kept}>
      {formatNumber(count)}
    </a>
  )
}

interface PathsProps {
  /** If there are many, only the first. */
  paths: readonly string[]
  count?: number
  links: Links
}

function FoldedPaths({ title, ...props }: PathsProps & { title: string }) {
  if (props.count === 0) return null
  return (
    <details>
      <summary>{title}</summary>
      <Paths {...props} />
    </details>
  )
}

/** Paths in the given order. A path with a conflict links to it. */
function Paths({ paths, count = paths.length, links }: PathsProps) {
  return (
    <p className="paths">
      {[...new Set(paths)].map((path) => (
        <span key={path}>
          {links.paths.has(path) ? (
            <a href={`#${encodeURI(path)}`}>{printable(path)}</a>
          ) : (
            printable(path)
          )}{' '}
        </span>
      ))}
      {paths.length < count && `and ${formatNumber(count - paths.length)} more`}
    </p>
  )
}

/** Uses attributes, because the policy forbids inline styles. */
function Bar({ parts, most }: { parts: Record<string, number>; most: number }) {
  let x = 0
  const label = Object.entries(parts).map(([name, count]) => `${formatNumber(count)} ${name}`)
  return (
    <svg
      viewBox={`0 0 ${most} 1`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label.join(', ')}
    >
      {Object.entries(parts).map(([name, width]) => {
        const rectangle = <rect key={name} className={name} x={x} width={width} height="1" />
        x += width
        return width > 0 && rectangle
      })}
    </svg>
  )
}
