/** The document of the report: React components that are rendered once and have no state. */
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { BuildResult } from '../../build/result.ts'
import type { ItemChanges } from '../../dataset/changes.ts'
import type { BatchEntry } from '../../dataset/format.ts'
import type { Duplicate, Provenance } from '../../dataset/precedence.ts'
import type { Problem } from '../../explain/problem.ts'
import type { ReaderWords } from '../../explain/words.ts'
import { isRefusal } from '../../fault/codes.ts'
import { placeIn } from '../../machine/place-in.ts'
import { SHOWN_PER_BATCH } from '../../page/shown.ts'
import { printable } from '../../text/printable.ts'
import { formatNumber, plural } from '../../text/wording.ts'
import {
  countAll,
  describeProblems,
  foldByBatch,
  formatProblem,
  formatRepeats,
} from '../problems.ts'
import { REPORT_MARK } from '../report-file.ts'
import {
  describeBuild,
  describeWarnings,
  type Losses,
  lossesByBatch,
  type Row,
} from '../summary.ts'
import type { Difference, Part, ShownValue } from './differences.ts'
import { Frame, type Look } from './Frame.tsx'
import type { Conflict, DroppedRecord, Newer } from './read-conflicts.ts'

export interface Report {
  result: BuildResult
  /** The batch folder as the reader named it. */
  folder: string
  /** Whether the dataset was written, and where; empty for a failed build. */
  outcome: string
  isCheck: boolean
  /** How many conflicts, problems and batches are shown, and changes of each kind. */
  most: number
  conflicts: readonly Conflict[]
  look: Look
}

/** Yields the document in pieces: one string of all conflicts could be too long for V8. */
export function* renderReport(report: Report): Generator<string> {
  const frame = renderToStaticMarkup(<Document {...report} />)
  const [start, end] = frame.split(renderToStaticMarkup(PLACE))

  yield `${REPORT_MARK}${start}`
  for (const conflict of report.conflicts) {
    yield renderToStaticMarkup(<ConflictArticle {...conflict} folder={report.folder} />)
  }
  yield `${end}`
}

/** The placeholder for the conflicts, which are rendered one by one. */
const PLACE = <div id="conflicts-go-here" />

function Document(report: Report) {
  const { result, folder, outcome, isCheck, most, conflicts, look } = report
  const title = `Build of ${printable(folder)}`

  const batches = result.ok ? result.manifest.batches : result.batches
  const problems = result.ok ? result.warnings.filter(isRefusal) : result.problems
  const verdict = result.ok
    ? verdictOf(result, isCheck)
    : describeProblems(problems, batches.length)
  const totals = result.ok
    ? describeBuild(result, folder, outcome, ', listed below')
    : describeWarnings(result.warnings, folder)

  return (
    <Frame tab={result.ok ? title : `Failed: ${title}`} title={title} look={look}>
      <p className={`verdict ${stateOf(result, isCheck)}`}>{verdict}</p>
      <p className="note">
        A batch is a delivered file; each of its records is one page of the site. The first record
        to claim a path keeps it, and the site shows that record: batches in the order of this list,
        records in the order of their file. A later record for the same path is dropped: it is
        identical to the kept one, or conflicts with it.
      </p>

      <Rows rows={totals} />
      {problems.length > 0 && <Problems problems={problems} folder={folder} most={most} />}

      <section id="batches">
        <h2 id="batches-title">Batches</h2>
        {!result.ok && (
          <p>
            No dataset was written. This is what would be kept if the records with problems were not
            there.
          </p>
        )}
        <Batches batches={batches} duplicates={result.duplicates} most={most} />
      </section>

      <Conflicts duplicates={result.duplicates} conflicts={conflicts} />
      {result.ok && typeof result.changes === 'object' && (
        <Changes changes={result.changes} most={most} />
      )}
    </Frame>
  )
}

/** The class of the verdict, which gives it its color. */
function stateOf(result: BuildResult, isCheck: boolean): 'failed' | 'stale' | 'good' {
  if (!result.ok) return 'failed'

  return isCheck && !result.wasCurrent ? 'stale' : 'good'
}

export function Rows({ rows }: { rows: readonly Row[] }) {
  return (
    <dl>
      {rows.map(([name, text]) => (
        <div key={name + text}>
          <dt>{printable(name)}</dt>
          <dd>{printable(text)}</dd>
        </div>
      ))}
    </dl>
  )
}

function verdictOf({ wasCurrent }: { wasCurrent: boolean }, isCheck: boolean): string {
  if (wasCurrent) return 'The dataset is up to date.'
  if (!isCheck) return 'The dataset was written.'
  return 'The batches are valid. The dataset is out of date; --check wrote nothing.'
}

interface BatchesProps {
  batches: readonly BatchEntry[]
  duplicates: readonly Duplicate[]
  most: number
}

/** What each batch contributed, in the order of precedence. */
function Batches({ batches, duplicates, most }: BatchesProps) {
  const losses = lossesByBatch(duplicates)
  const hasRefused = batches.some(({ refused }) => refused > 0)
  const shown = batches.slice(0, most)

  return (
    <>
      <section className="wide" aria-labelledby="batches-title" {...scrollable}>
        <table>
          <thead>
            <tr>
              <th scope="col">Batch</th>
              <th scope="col">Records</th>
              <th scope="col">Kept</th>
              <th scope="col">Identical</th>
              <th scope="col">Conflicting</th>
              {hasRefused && <th scope="col">Refused</th>}
              <th scope="col">Lost to</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((batch) => (
              <BatchRow
                key={batch.file}
                batch={batch}
                losses={losses.get(batch.file)}
                hasRefused={hasRefused}
              />
            ))}
          </tbody>
        </table>
      </section>
      <More count={batches.length - shown.length} />
    </>
  )
}

/** The keyboard can scroll a table that is too wide for the window. */
const scrollable = { tabIndex: 0 }

interface BatchRowProps {
  batch: BatchEntry
  losses: Losses | undefined
  hasRefused: boolean
}

function BatchRow({ batch, losses, hasRefused }: BatchRowProps) {
  return (
    <tr>
      <th scope="row">{printable(batch.file)}</th>
      <td>{formatNumber(batch.records)}</td>
      <td>{formatNumber(batch.kept)}</td>
      <td>{formatNumber(losses?.identical ?? 0)}</td>
      <td>{formatNumber(losses?.conflicting ?? 0)}</td>
      {hasRefused && <td>{formatNumber(batch.refused)}</td>}
      <td>{printable(losses?.winners ?? '')}</td>
    </tr>
  )
}

interface ConflictsProps {
  duplicates: readonly Duplicate[]
  /** Those that are shown. */
  conflicts: readonly Conflict[]
}

/** The records that lost their paths to others that differ: all but the articles, which go to PLACE. */
function Conflicts({ duplicates, conflicts }: ConflictsProps) {
  return (
    <section id="conflicts">
      <h2>Conflicts</h2>
      <p>
        These records lost their paths to earlier ones, and differ from them. The site shows the
        kept ones. What only one of the two records has is marked. Records are counted from 0.
      </p>

      <More count={countConflicting(duplicates) - countDropped(conflicts)} />
      {conflicts.length === 0 && <p>None.</p>}
      {PLACE}
    </section>
  )
}

/** A path that conflicting records claimed: where each is, and how it differs. */
function ConflictArticle({ path, kept, dropped, folder }: Conflict & { folder: string }) {
  return (
    <article id={path}>
      <h3>{printable(path)}</h3>
      <p>{`Kept, because it comes first: ${describePlace(folder, kept)}`}</p>
      {dropped.map((record) => (
        <Dropped key={`${record.batch} ${record.index}`} record={record} folder={folder} />
      ))}
    </article>
  )
}

function Dropped({ record, folder }: { record: DroppedRecord; folder: string }) {
  const { fields, differences, newer } = record
  const place = describePlace(folder, record)

  return (
    <>
      <p>{`Dropped: ${place}; differs in ${printable(fields.join(', '))}`}</p>
      {newer && <p>{describeNewer(newer)}</p>}

      {differences ? (
        <dl className="differences">
          {differences.map((difference) => (
            <DifferenceRow
              key={difference.key}
              name={difference.key}
              kept={difference.kept}
              dropped={difference.dropped}
            />
          ))}
        </dl>
      ) : (
        <p className="note">A batch has changed since the build, so the values are not shown.</p>
      )}
    </>
  )
}

function describeNewer({ record, updatedAt }: Newer): string {
  return `The ${record} record is newer: its updatedAt is ${printable(updatedAt)}.`
}

function DifferenceRow({ name, kept, dropped }: Omit<Difference, 'key'> & { name: string }) {
  return (
    <div>
      <dt>{printable(name)}</dt>
      <dd>
        <span className="label">kept</span> <Value {...kept} />
      </dd>
      <dd>
        <span className="label">dropped</span> <Value {...dropped} />
      </dd>
    </div>
  )
}

/** A value: what is near the first difference, and the rest to be unfolded. */
function Value({ excerpt, rest }: ShownValue) {
  if (excerpt.length === 0) return <em>not there</em>

  return (
    <div>
      <Marked parts={excerpt} />
      {rest.length > 0 && (
        <details>
          <summary>The rest</summary>
          <Marked parts={rest} />
        </details>
      )}
    </div>
  )
}

function Marked({ parts }: { parts: readonly Part[] }) {
  const texts = parts.map(({ text, isMarked }) => {
    return isMarked ? createElement('mark', null, printable(text)) : printable(text)
  })

  // Not as a list, whose elements would need keys.
  return createElement('span', null, ...texts)
}

function describePlace(folder: string, { batch, index, line }: Provenance): string {
  const file = placeIn(folder, batch)
  const place = line === undefined ? file : `${file}:${line}`
  return `${printable(place)}, record ${formatNumber(index)}`
}

function countConflicting(duplicates: readonly Duplicate[]): number {
  const conflicting = duplicates.map(({ dropped }) => {
    return dropped.filter(({ kind }) => kind === 'conflicting').length
  })
  return conflicting.reduce((sum, count) => sum + count, 0)
}

function countDropped(conflicts: readonly Conflict[]): number {
  return conflicts.reduce((sum, { dropped }) => sum + dropped.length, 0)
}

type ProblemsProps = Pick<Report, 'folder' | 'most'> & {
  problems: readonly Problem[]
  words?: ReaderWords
}

export function Problems({ problems, folder, most, words }: ProblemsProps) {
  const perBatch = Number.isFinite(most) ? SHOWN_PER_BATCH : most
  const items = [...foldByBatch(problems, perBatch).values()]
    .flatMap((list) => list.slice(0, perBatch))
    .slice(0, most)

  return (
    <section id="problems">
      <h2>Problems</h2>
      {items.map((kind) => {
        const [place, message, ...frame] = formatProblem(kind.problem, folder, words)

        return (
          <article className="problem" key={`${place} ${message}`}>
            <h3>{place}</h3>
            <p>{message?.trim()}</p>
            {frame.length > 0 && <pre>{frame.join('\n')}</pre>}
            {kind.repeats.length > 0 && <p>{formatRepeats(kind, folder)}</p>}
          </article>
        )
      })}
      <More count={problems.length - countAll(items)} />
    </section>
  )
}

/** The changes since the previous dataset: the paths of new, gone and changed pages. */
function Changes({ changes, most }: { changes: ItemChanges; most: number }) {
  const changed = changes.changed.map(({ id, fields }) => `${id} (${fields.join(', ')})`)
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

function More({ count }: { count: number }) {
  return (
    count > 0 && (
      <p className="note">
        {`${formatNumber(count)} more are not shown. A report made with `}
        <code>--all</code> shows all of them.
      </p>
    )
  )
}
