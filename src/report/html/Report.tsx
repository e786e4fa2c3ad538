/** The document of the report: React components that are rendered once and have no state. */

import { renderToStaticMarkup } from 'react-dom/server'
import type { Problem } from '../../batch/problem.ts'
import type { PageChanges } from '../../dataset/changes.ts'
import type { Duplicate, Provenance } from '../../dataset/precedence.ts'
import type { Delivered } from '../../pipeline/delivered-records.ts'
import { printable } from '../../text/printable.ts'
import { formatNumber } from '../../text/wording.ts'
import { formatOthers, formatProblem } from '../problems.ts'
import { REPORT_MARK, type Row } from '../summary.ts'
import { Batches, type BatchFacts } from './Batches.tsx'
import { Changes } from './Changes.tsx'
import { Conflict, Filter } from './Conflicts.tsx'
import { More } from './Versus.tsx'

export interface Report {
  /** The batch folder as the reader named it. */
  folder: string
  /** The result of the build, in one sentence. */
  verdict: string
  /** Stale: the batches are valid, and the dataset is out of date. */
  state: 'good' | 'stale' | 'failed'
  /** The summary of the build, as in the terminal. */
  totals: readonly Row[]
  /** Undefined for a failed build, and if the pages were not compared. */
  changes: PageChanges | undefined
  /** Sentences, each about a page. */
  takeovers: readonly string[]
  problems: { items: readonly [Problem, others: Problem[]][]; count: number }
  batches: { items: readonly BatchFacts[]; count: number }
  conflicts: { items: readonly Duplicate[]; count: number }
  /** How many changes of a kind are shown. */
  most: number
}

interface Resources {
  /** The Content Security Policy. */
  policy: string
  style: string
  script: string
}

/**
 * Yields the document in pieces: one string of all conflicts could be too long for V8.
 *
 * @param records of the conflicts; those of batches that have changed since are missing
 */
export function* renderReport(
  report: Report,
  records: ReadonlyMap<Provenance, Delivered>,
  resources: Resources,
): Generator<string> {
  const frame = renderToStaticMarkup(<Document report={report} {...resources} />)
  const [start, end] = frame.split(renderToStaticMarkup(PLACE))
  yield `${REPORT_MARK}${start}`
  for (const duplicate of report.conflicts.items) {
    yield renderToStaticMarkup(
      <Conflict duplicate={duplicate} records={records} folder={report.folder} />,
    )
  }
  yield `${end}`
}

/** The placeholder for the conflicts, which are rendered one by one. */
const PLACE = <div id="conflicts-go-here" />

function Document({ report, policy, style, script }: { report: Report } & Resources) {
  const { folder, verdict, state, totals, changes, takeovers, problems, batches, conflicts } =
    report
  const title = `Build of ${printable(folder)}`
  const parts = [
    ...(problems.count > 0 ? ['Problems'] : []),
    ...(takeovers.length > 0 ? ['Taken paths'] : []),
    ...['Batches', 'Conflicts'],
    ...(changes ? ['Changes'] : []),
  ]
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
          <nav aria-label="Parts of this report">
            <ul className="parts">
              {parts.map((name) => (
                <li key={name}>
                  <a href={`#${name.toLowerCase().replace(' ', '-')}`}>{name}</a>
                </li>
              ))}
            </ul>
          </nav>
          {problems.count > 0 && <Problems {...problems} folder={folder} />}
          {takeovers.length > 0 && <Takeovers takeovers={takeovers} />}
          <Batches {...batches} isFailed={state === 'failed'} />
          <Conflicts {...conflicts} />
          {changes && <Changes changes={changes} most={report.most} />}
        </main>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a file of the project, no data */}
        <script type="module" dangerouslySetInnerHTML={{ __html: script }} />
      </body>
    </html>
  )
}

function Conflicts({ items, count }: Report['conflicts']) {
  const [example] = items
  const shown = items.reduce((sum, { dropped }) => sum + dropped.length, 0)
  return (
    <section id="conflicts">
      <h2>Conflicts</h2>
      <p>
        {count === 0
          ? 'None: no record lost its path to a record that differs from it.'
          : `${formatNumber(count)} records lost their paths to earlier ones, and differ from them. The site shows the kept ones. Where two texts are close, the words that differ are marked; fields that are equal are left out. Records are counted from 0.`}
      </p>
      <More count={count - shown} />
      {example && <Filter example={example} />}
      {PLACE}
    </section>
  )
}

function Takeovers({ takeovers }: Pick<Report, 'takeovers'>) {
  return (
    <section id="taken-paths">
      <h2>Taken paths</h2>
      <p>
        Pages of earlier batches that a new batch keeps, because its name sorts before theirs. To
        give them back, rename the new batch.
      </p>
      <ul>
        {takeovers.map((takeover) => (
          <li key={takeover}>{printable(takeover)}</li>
        ))}
      </ul>
    </section>
  )
}

/** For what scrolls in a narrow window: the keyboard has to reach it. */
const REACHABLE = { tabIndex: 0 }

function Problems({ items, count, folder }: Report['problems'] & { folder: string }) {
  const shown = items.reduce((sum, [, others]) => sum + 1 + others.length, 0)
  return (
    <section id="problems">
      <h2>Problems</h2>
      {items.map(([problem, others]) => {
        const [place, message, ...frame] = formatProblem(problem, folder).split('\n')
        return (
          <article className="problem" key={`${place} ${message}`}>
            <h3>{place}</h3>
            <p>{message?.trim()}</p>
            {frame.length > 0 && <pre {...REACHABLE}>{frame.join('\n')}</pre>}
            {others.length > 0 && <p>{formatOthers(others, folder)}</p>}
          </article>
        )
      })}
      <More count={count - shown} />
    </section>
  )
}
