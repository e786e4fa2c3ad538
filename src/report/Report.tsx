/** What the report looks like: components of React, which are rendered once and have no state. */
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { PageChanges } from '../dataset/changes.ts'
import type { Duplicate, Provenance } from '../dataset/dedupe.ts'
import { printable } from '../dataset/problem.ts'
import type { Row } from '../dataset/summary.ts'
import { formatNumber, plural } from '../dataset/wording.ts'
import type { Delivered } from '../pipeline/places.ts'
import { beginningOf, compareTexts, type Piece, spanOf, textOf } from './differences.ts'
import { type BatchFacts, whyNothing } from './facts.ts'

export interface Report {
  /** The batch folder as the reader named it. */
  folder: string
  /** What came of the build, in one sentence. */
  verdict: string
  /** Stale: the batches are valid, and the dataset is out of date. */
  state: 'good' | 'stale' | 'failed'
  /** What is said of the whole build, as in the terminal. */
  totals: readonly Row[]
  /** Of a good build, where they were counted. */
  changes: PageChanges | undefined
  problems: { items: readonly ProblemText[]; count: number }
  batches: { items: readonly BatchFacts[]; count: number }
  conflicts: { items: readonly Duplicate[]; shown: number; count: number }
  /** How many changes of a kind are shown. */
  most: number
  links: Links
}

/** What of the conflicts a link can lead to. */
export interface Links {
  /** The paths that have a conflict in the report. */
  paths: ReadonlySet<string>
  /** By a batch, or two batches: the path of the first conflict that the one lost, to the other. */
  first: ReadonlyMap<string, string>
}

/** The key of `first`. */
export function keyOf(dropped: string, kept = ''): string {
  return JSON.stringify([dropped, kept])
}

/** A problem as the terminal shows it. */
interface ProblemText {
  place: string
  message: string
  frame: string
}

interface Resources {
  /** The Content Security Policy. */
  policy: string
  style: string
  script: string
}

/**
 * The document in pieces: one string of all conflicts could be too long for V8.
 *
 * @param records of the conflicts; one that is not there has changed meanwhile
 */
export function* renderReport(
  report: Report,
  records: ReadonlyMap<Provenance, Delivered>,
  resources: Resources,
): Generator<string> {
  const frame = renderToStaticMarkup(<Document report={report} {...resources} />)
  const [start, end] = frame.split(renderToStaticMarkup(PLACE))
  yield `<!doctype html>${start}`
  for (const duplicate of report.conflicts.items) {
    yield renderToStaticMarkup(
      <Conflict duplicate={duplicate} records={records} folder={report.folder} />,
    )
  }
  yield `${end}`
}

/** Where the conflicts go, which are rendered one by one. */
const PLACE = <div id="conflicts-go-here" />

function Document({ report, policy, style, script }: { report: Report } & Resources) {
  const { folder, verdict, state, totals, changes, problems, batches, conflicts } = report
  const title = `Build of ${printable(folder)}`
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta httpEquiv="Content-Security-Policy" content={policy} />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${state === 'failed' ? 'Failed: ' : ''}${title}`}</title>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a file of the project, no data */}
        <style dangerouslySetInnerHTML={{ __html: style }} />
      </head>
      <body>
        <main className="index report">
          <header className="masthead">
            <h1>{title}</h1>
            <p>ManyURLs</p>
          </header>
          <p className={`verdict ${state}`}>{verdict}</p>
          <p className="note">
            A batch is a delivered file; each of its records is one page of the site. The first
            record to claim a path keeps it, and the site shows that record: batches in the order of
            this table, records in the order of their file. A later record for the same path is
            dropped: it is identical to the kept one, or conflicts with it.
          </p>
          <dl className="totals">
            {totals.map(([name, text]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{printable(text)}</dd>
              </div>
            ))}
          </dl>
          {changes && <ChangedPaths changes={changes} />}
          <nav aria-label="Parts of this report">
            <ul className="parts">
              {problems.count > 0 && <Part id="problems" name="Problems" count={problems.count} />}
              <Part id="batches" name="Batches" count={batches.count} />
              <Part id="conflicts" name="Conflicts" count={conflicts.count} />
              {changes && <Part id="changes" name="Changes" count={countOf(changes)} />}
            </ul>
          </nav>
          {problems.count > 0 && <Problems {...problems} />}
          <Batches {...batches} isFailed={state === 'failed'} links={report.links} />
          <section id="conflicts">
            <h2>Conflicts</h2>
            <p>
              {conflicts.count === 0
                ? 'None: no record lost its path to a record that differs from it.'
                : 'Records that lost their paths to earlier ones, and differ from them. The site shows the kept ones. Where two texts are close, the words that differ are marked; fields that are equal are left out. Records are counted from 0. A path that is not here was claimed once, or by identical records only.'}
            </p>
            {conflicts.shown < conflicts.count && (
              <More>
                {`The first ${formatNumber(conflicts.shown)} of ${formatNumber(conflicts.count)}, spread over the batches, are here; `}
              </More>
            )}
            {conflicts.count > 0 && <Filter duplicates={conflicts.items} />}
            {PLACE}
          </section>
          {changes && <Changes changes={changes} most={report.most} links={report.links} />}
        </main>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a file of the project, no data */}
        <script type="module" dangerouslySetInnerHTML={{ __html: script }} />
      </body>
    </html>
  )
}

function Part({ id, name, count }: { id: string; name: string; count: number }) {
  return (
    <li>
      <a href={`#${id}`}>{name}</a> {formatNumber(count)}
    </li>
  )
}

function More({ children }: { children: string }) {
  return (
    <p className="note">
      {children}
      <code>--all</code> has all of them.
    </p>
  )
}

// 1. Problems -------------------------------------------------------------------------------------

function Problems({ items, count }: Report['problems']) {
  return (
    <section id="problems">
      <h2>Problems</h2>
      {items.map(({ place, message, frame }) => (
        <article className="problem" key={`${place} ${message}`}>
          <h3>{place}</h3>
          <p>{message}</p>
          {frame && <pre>{frame}</pre>}
        </article>
      ))}
      {items.length < count && (
        <More>{`${formatNumber(count - items.length)} more are not shown; `}</More>
      )}
    </section>
  )
}

// 2. Batches --------------------------------------------------------------------------------------

const COLUMNS = ['Records', 'Kept', 'Identical', 'Conflicting', 'Problems'] as const

interface BatchesProps {
  items: readonly BatchFacts[]
  count: number
  isFailed: boolean
  links: Links
}

function Batches({ items, count, isFailed, links }: BatchesProps) {
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
      <section className="scroll" tabIndex={0} aria-label="What each batch gave">
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
              <strong>Nothing of it was kept.</strong> {why}
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

/** A number that leads to the conflicts it counts: by the script to these only, else to the first. */
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
  /** Of many only the first. */
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

/** Paths as they come; one with a conflict leads to it. */
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

/** Attributes, not styles, which the policy forbids. */
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

// 3. Conflicts ------------------------------------------------------------------------------------

function Filter({ duplicates }: { duplicates: readonly Duplicate[] }) {
  const all = duplicates.flatMap(({ kept, dropped }) => dropped.map((drop) => ({ kept, drop })))
  const distinct = (names: readonly string[]) => [...new Set(names)]
  return (
    <search>
      <div className="filter" id="filter" hidden>
        <label>
          <span>Path</span>
          <input
            type="search"
            id="by-path"
            autoComplete="off"
            placeholder={`Such as ${printable(duplicates[0]?.path ?? '')}`}
          />
        </label>
        <Choice
          id="dropped"
          label="Dropped from"
          all={distinct(all.map(({ drop }) => drop.batch))}
        />
        <Choice id="kept" label="Kept from" all={distinct(all.map(({ kept }) => kept.batch))} />
        <Choice id="field" label="Field" all={distinct(all.flatMap(({ drop }) => drop.fields))} />
        <button type="button" id="clear">
          Clear filters
        </button>
        <p role="status" id="found" />
      </div>
    </search>
  )
}

function Choice({ id, label, all }: { id: string; label: string; all: readonly string[] }) {
  return (
    <label>
      <span>{label}</span>
      <select id={`by-${id}`}>
        <option value="">All</option>
        {all.map((name) => (
          <option key={name} value={name}>
            {printable(name)}
          </option>
        ))}
      </select>
    </label>
  )
}

interface ConflictProps {
  duplicate: Duplicate
  records: ReadonlyMap<Provenance, Delivered>
  folder: string
}

/** A path with the record that keeps it, and the records that lost it. */
function Conflict({ duplicate: { path, kept, dropped }, records, folder }: ConflictProps) {
  const keptRecord = records.get(kept)
  return (
    <article id={path}>
      <h3>{printable(path)}</h3>
      <p>
        Kept, because it comes first: <Place folder={folder} place={kept} />
      </p>
      {dropped.map((drop) => (
        <div
          className="versus"
          key={`${drop.batch} ${drop.index}`}
          data-kept={kept.batch}
          data-dropped={drop.batch}
          data-fields={JSON.stringify(drop.fields)}
        >
          <p>
            Dropped: <Place folder={folder} place={drop} />
          </p>
          {keptRecord && records.has(drop) ? (
            <Versus
              left={[`Kept from ${kept.batch}`, keptRecord]}
              right={[`Dropped from ${drop.batch}`, records.get(drop) as Delivered]}
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

function Place({ folder, place }: { folder: string; place: Provenance }) {
  const { batch, index, line } = place
  const file = `${folder}/${batch}${line === undefined ? '' : `:${line}`}`
  return (
    <>
      <span className="name">{printable(file)}</span>, record {formatNumber(index)}
    </>
  )
}

type Side = [label: string, record: object]

interface VersusProps {
  left: Side
  right: Side
  fields: readonly string[]
}

/** Fields of two records side by side. */
function Versus({ left, right, fields }: VersusProps) {
  return fields.map((field) => {
    const [ours, theirs] = [left, right].map(([, record]) => (record as Delivered)[field])
    const [one, other] = [textOf(ours), textOf(theirs)]
    const isBoth = one !== undefined && other !== undefined
    const found = isBoth
      ? compareTexts(one, other)
      : { left: plainly(one), right: plainly(other), isUnlike: false }
    const span = spanOf(ours, theirs)
    return (
      <div className="pair" key={field}>
        <h4>
          {printable(field)}
          {span && <span>{` ${printable(right[0])}: ${span}`}</span>}
          {found.isUnlike && <span> two texts with little in common, so no words are marked</span>}
        </h4>
        <div className="sides">
          <Value label={left[0]} pieces={found.left} kind="left" />
          <Value label={right[0]} pieces={found.right} kind="right" />
        </div>
      </div>
    )
  })
}

function plainly(text: string | undefined): Piece[] | undefined {
  return text === undefined ? undefined : [{ text: beginningOf(text), isOwn: false }]
}

interface ValueProps {
  label: string
  /** Undefined where the record has no such key. */
  pieces: readonly Piece[] | undefined
  kind: 'left' | 'right'
}

function Value({ label, pieces, kind }: ValueProps) {
  return (
    <div className={`value ${kind}`}>
      <p>{printable(label)}</p>
      {pieces === undefined ? (
        <p>The record has no such key.</p>
      ) : (
        createElement('pre', null, ...pieces.map(show))
      )}
    </div>
  )
}

function show({ text, isOwn }: Piece) {
  return isOwn ? <mark>{visible(text)}</mark> : visible(text)
}

/** With line breaks as they are. */
function visible(text: string): string {
  return text.split('\n').map(printable).join('\n')
}

// 4. Changes --------------------------------------------------------------------------------------

const KINDS = ['new', 'changed', 'gone'] as const

/** How many paths of a kind are named at the top. */
const MOST_NAMED = 20

const countOf = (changes: PageChanges) => KINDS.reduce((sum, kind) => sum + changes[kind].length, 0)

function ChangedPaths({ changes }: { changes: PageChanges }) {
  const named = {
    new: changes.new.map(({ path }) => printable(path)),
    changed: changes.changed.map(({ after: { path }, fields }) => (
      <span key={path}>
        <a href={`#changed:${encodeURI(path)}`}>{printable(path)}</a>
        {` (${printable(fields.join(', '))})`}
      </span>
    )),
    gone: changes.gone.map(({ path }) => printable(path)),
  }
  return (
    <ul className="changed">
      {KINDS.filter((kind) => named[kind].length > 0).map((kind) => (
        <li key={kind}>
          <a href={`#${kind}`}>{`${plural(named[kind].length, 'page')} ${kind}`}</a>
          {named[kind].length <= MOST_NAMED &&
            named[kind].map((name, at) => [at === 0 ? ': ' : ', ', name])}
        </li>
      ))}
    </ul>
  )
}

function Changes({ changes, most, links }: { changes: PageChanges; most: number; links: Links }) {
  return (
    <section id="changes">
      <h2>Changes</h2>
      <p>
        {countOf(changes) === 0
          ? 'None: the dataset has the same pages as the one that was there before.'
          : 'Against the dataset that was there before this build, if there was one.'}
      </p>
      {KINDS.filter((kind) => changes[kind].length > 0).map((kind) => {
        const count = changes[kind].length
        return (
          <section key={kind} id={kind}>
            <h3>{`${plural(count, 'page')} ${kind}`}</h3>
            {kind === 'changed' ? (
              changes.changed.slice(0, most).map(({ before, after, fields }) => (
                <article key={after.path} id={`changed:${after.path}`}>
                  <h3>{printable(after.path)}</h3>
                  <Versus left={['Before', before]} right={['Now', after]} fields={fields} />
                </article>
              ))
            ) : (
              <Paths paths={changes[kind].slice(0, most).map(({ path }) => path)} links={links} />
            )}
            {count > most && <More>{`${formatNumber(count - most)} more are not shown; `}</More>}
          </section>
        )
      })}
    </section>
  )
}
