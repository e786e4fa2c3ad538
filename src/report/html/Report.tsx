/**
 * The document of the report: React components that are rendered once and have no state. Problems and
 * conflicts are rendered one by one, because one string of a million could be too long for V8.
 */
import { createElement, type ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { ItemChanges } from '../../dataset/changes.ts'
import type { BatchEntry } from '../../dataset/format.ts'
import type { Provenance } from '../../dataset/precedence.ts'
import type { ReaderWords } from '../../explain/words.ts'
import { placeIn } from '../../machine/place-in.ts'
import { SHOWN_PER_BATCH } from '../../page/shown.ts'
import { printable } from '../../text/printable.ts'
import { formatNumber, plural } from '../../text/wording.ts'
import {
  batchesOf,
  describeCollection,
  describeUnsaid,
  isWrong,
  type ShownCollection,
} from '../collections.ts'
import {
  countAll,
  type FoldedProblem,
  foldByBatch,
  formatProblem,
  formatRepeats,
} from '../problems.ts'
import { REPORT_MARK } from '../report-file.ts'
import {
  conflictsIn,
  describeNewWinners,
  type Losses,
  lossesByBatch,
  type Row,
} from '../summary.ts'
import type { Difference, Part, ShownValue } from './differences.ts'
import type { Conflict, DroppedRecord, Newer } from './read-conflicts.ts'

export interface Report {
  collections: readonly ComparedCollection[]
  /** The folder that the names of files are relative to. */
  folder: string
  /** Says that datasets are out of date; or ''. */
  state: string
  /** How many problems, files and conflicts of a collection are shown, and changes of each kind. */
  most: number
}

/** The style of a report, and a Content Security Policy that allows it. */
export interface Look {
  style: string
  policy: string
}

/** A collection, with those of its conflicts that are shown. */
export type ComparedCollection = ShownCollection & { conflicts: readonly Conflict[] }

/** A collection in a report. */
interface SectionProps extends Report {
  collection: ComparedCollection
  /** The level of the headings of its parts: with several collections, each has a heading above them. */
  level: 2 | 3
}

/** Yields the document in pieces. */
export function* renderReport(report: Report, look: Look): Generator<string> {
  yield REPORT_MARK
  yield* renderAround(<Document {...report} look={look} />, renderCollections(report))
}

/** The placeholder for what is rendered in pieces. */
const PLACE = <template />

/** Yields an element, with pieces instead of its placeholder. */
function* renderAround(element: ReactNode, pieces: Iterable<string>): Generator<string> {
  const [start, end] = renderToStaticMarkup(element).split(renderToStaticMarkup(PLACE))

  yield `${start}`
  yield* pieces
  yield `${end}`
}

function Document({ collections, state, look }: Report & { look: Look }) {
  const title = 'Report on the data'
  const isFailed = collections.some(isWrong)

  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta httpEquiv="Content-Security-Policy" content={look.policy} />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <title>{isFailed ? `Failed: ${title}` : title}</title>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a file of the project, no data */}
        <style dangerouslySetInnerHTML={{ __html: look.style }} />
      </head>
      <body>
        <main className="index report">
          <header className="masthead">
            <h1>{title}</h1>
            <p>ManyURLs</p>
          </header>

          {state !== '' && <p className="verdict stale">{state}</p>}
          {PLACE}
        </main>
      </body>
    </html>
  )
}

function* renderCollections(report: Report): Generator<string> {
  const level = report.collections.length > 1 ? 3 : 2

  for (const collection of report.collections) {
    const parts = renderParts({ ...report, collection, level })
    yield* renderAround(<section className="collection">{PLACE}</section>, parts)
  }
}

function* renderParts(props: SectionProps): Generator<string> {
  yield renderToStaticMarkup(<Verdict {...props} />)
  yield* renderProblems(props)
  // Of some files, a selection shows only what is wrong with them.
  if (!props.collection.isWhole) return

  yield renderToStaticMarkup(<Files {...props} />)
  yield* renderConflicts(props)
  yield renderToStaticMarkup(<Changes {...props} />)
}

/** The heading of a part, or of an article in it. */
function Heading({ level, children }: { level: number; children: ReactNode }) {
  return createElement(`h${level}`, null, children)
}

/** The lines about a collection, and what to look at. */
function Verdict({ collection, collections, folder }: SectionProps) {
  const { name, result } = collection
  const newWinners = result.ok && collection.isWhole ? result.newWinners : []
  const rows = [...describeNewWinners(newWinners, folder), ...describeUnsaid(collection, folder)]

  return (
    <>
      {collections.length > 1 && <h2>{printable(name)}</h2>}
      {describeCollection(collection, collections, { folder }).map((line) => (
        <p key={line} className={`verdict ${isWrong(collection) ? 'failed' : 'good'}`}>
          {line}
        </p>
      ))}
      {rows.length > 0 && <Rows rows={rows} />}
    </>
  )
}

function Rows({ rows }: { rows: readonly Row[] }) {
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

/** The problems of a collection or, if it has none, why records are left out. */
function* renderProblems({ collection, folder, most, level }: SectionProps): Generator<string> {
  const { problems, refusals, words } = collection
  const isFailed = problems.length > 0
  const listed = isFailed ? problems : refusals
  if (listed.length === 0) return

  const perFile = Number.isFinite(most) ? SHOWN_PER_BATCH : most
  const items = [...foldByBatch(listed, perFile).values()]
    .flatMap((kinds) => kinds.slice(0, perFile))
    .slice(0, most)

  const section = (
    <section>
      <Heading level={level}>{isFailed ? 'Problems' : 'Left-out records'}</Heading>
      {PLACE}
      <More count={listed.length - countAll(items)} />
    </section>
  )
  const articles = renderEach(items, (kind) => (
    <ProblemArticle kind={kind} folder={folder} words={words} level={level + 1} />
  ))
  yield* renderAround(section, articles)
}

function* renderEach<T>(items: readonly T[], elementOf: (item: T) => ReactNode): Generator<string> {
  for (const item of items) yield renderToStaticMarkup(elementOf(item))
}

interface ArticleProps {
  folder: string
  words: ReaderWords
  /** The level of its heading. */
  level: number
}

function ProblemArticle({ kind, folder, words, level }: ArticleProps & { kind: FoldedProblem }) {
  const [place, message, ...frame] = formatProblem(kind.problem, folder, words)

  return (
    <article className="problem">
      <Heading level={level}>{place}</Heading>
      <p>{message?.trim()}</p>
      {frame.length > 0 && <pre>{frame.join('\n')}</pre>}
      {kind.repeats.length > 0 && <p>{formatRepeats(kind, folder)}</p>}
    </article>
  )
}

/** The files that have lost records, in the order of precedence. */
function Files({ collection, folder, most, level }: SectionProps) {
  const { name, result, words } = collection
  const listed = batchesOf(result).filter(({ records, kept }) => kept < records)
  if (listed.length === 0) return null

  const losses = lossesByBatch(result.duplicates, folder)
  const hasDropped = losses.size > 0
  const title = `Records by ${words.file}`

  return (
    <section className="files">
      <Heading level={level}>{title}</Heading>
      <p>
        {`From any other ${words.file}, every record that was read is kept.`}
        {isWrong(collection) &&
          ' This is what would be kept without the records that have problems.'}
      </p>
      <section className="wide" aria-label={`${title}: ${printable(name)}`} {...scrollable}>
        <table>
          <thead>
            <tr>
              <th scope="col">{words.file === 'batch' ? 'Batch' : 'File'}</th>
              <th scope="col">Records</th>
              <th scope="col">Kept</th>
              {hasDropped && (
                <>
                  <th scope="col">Identical</th>
                  <th scope="col">Conflicting</th>
                </>
              )}
              <th scope="col">Refused</th>
              {hasDropped && (
                <th scope="col" className="names">
                  Lost to
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {listed.slice(0, most).map((entry) => (
              <FileRow
                key={entry.file}
                entry={entry}
                folder={folder}
                losses={losses.get(entry.file)}
                hasDropped={hasDropped}
              />
            ))}
          </tbody>
        </table>
      </section>
      <More count={listed.length - most} />
    </section>
  )
}

/** The keyboard can scroll a table that is too wide for the window. */
const scrollable = { tabIndex: 0 }

interface FileRowProps {
  entry: BatchEntry
  folder: string
  losses: Losses | undefined
  /** Whether the table has columns for records that were dropped. */
  hasDropped: boolean
}

function FileRow({ entry, folder, losses, hasDropped }: FileRowProps) {
  return (
    <tr>
      <th scope="row">{printable(placeIn(folder, entry.file))}</th>
      <td>{formatNumber(entry.records)}</td>
      <td>{formatNumber(entry.kept)}</td>
      {hasDropped && (
        <>
          <td>{formatNumber(losses?.identical ?? 0)}</td>
          <td>{formatNumber(losses?.conflicting ?? 0)}</td>
        </>
      )}
      <td>{formatNumber(entry.refused)}</td>
      {hasDropped && <td className="names">{printable(losses?.winners ?? '')}</td>}
    </tr>
  )
}

/** The records that were dropped though they differ from the ones that were kept. */
function* renderConflicts({ collection, folder, level }: SectionProps): Generator<string> {
  const { conflicts, result, words } = collection
  if (result.collection.collection.duplicates === 'refuse') return

  const { file, id } = words
  const shown = conflicts.flatMap(({ dropped }) => dropped)
  const section = (
    <section className="conflicts">
      <Heading level={level}>Conflicts</Heading>
      <p>
        {`If several records have the same ${id}, the first one is kept, by the natural order of ${file} names. `}
        {conflicts.length === 0
          ? 'No later one differs from it.'
          : 'These later ones differ from it, and were dropped. What only one of the two has is marked.'}
      </p>
      {PLACE}
      <More count={conflictsIn(result.duplicates).length - shown.length} />
    </section>
  )
  const articles = renderEach(conflicts, (conflict) => (
    <ConflictArticle conflict={conflict} folder={folder} words={words} level={level + 1} />
  ))
  yield* renderAround(section, articles)
}

/** An id that conflicting records claimed: where each is, and how it differs. */
function ConflictArticle({
  conflict,
  folder,
  words,
  level,
}: ArticleProps & { conflict: Conflict }) {
  const { id, kept, dropped } = conflict

  return (
    <article>
      <Heading level={level}>{printable(words.showId(id))}</Heading>
      <p>{`Kept, because it comes first: ${describePlace(folder, kept)}`}</p>
      {dropped.map((record) => (
        <Dropped
          key={`${record.batch} ${record.index}`}
          record={record}
          folder={folder}
          words={words}
        />
      ))}
    </article>
  )
}

interface DroppedProps {
  record: DroppedRecord
  folder: string
  words: ReaderWords
}

function Dropped({ record, folder, words }: DroppedProps) {
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
        <p className="note">
          {`A ${words.file} has changed since the build, so the values are not shown.`}
        </p>
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
  return `${printable(place)}, record ${formatNumber(index + 1)}`
}

/** The changes since the dataset before, if there was one: the ids of new, gone and changed records. */
function Changes({ collection, most, level }: SectionProps) {
  const { result, words } = collection
  if (!result.ok || typeof result.changes === 'boolean') return null
  if (isFirst(result.changes, result.manifest.totals)) return null

  const { changes } = result
  const changed = changes.changed.map(({ id, fields }) => `${id} (${fields.join(', ')})`)
  const kinds = Object.entries({ New: changes.new, Gone: changes.gone, Changed: changed })

  const rows: Row[] = []
  let hidden = 0
  for (const [kind, ids] of kinds) {
    if (ids.length === 0) continue

    const shown = ids.slice(0, most)
    rows.push([kind, `${plural(ids.length, words.item)}: ${shown.join(', ')}`])
    hidden += ids.length - shown.length
  }
  if (rows.length === 0) return null

  return (
    <section>
      <Heading level={level}>Changes</Heading>
      <p>Compared with the dataset before.</p>
      <Rows rows={rows} />
      <More count={hidden} />
    </section>
  )
}

/** Whether there was no dataset before, or none with records: then each record is new. */
function isFirst(changes: ItemChanges, { kept }: { kept: number }): boolean {
  return changes.gone.length === 0 && changes.new.length === kept
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
