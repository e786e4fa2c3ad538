/** The document of the report about the collections of a repository. It's rendered once and has no state. */
import { renderToStaticMarkup } from 'react-dom/server'
import { describeCollection, type ShownCollection } from '../collections.ts'
import { REPORT_MARK } from '../report-file.ts'
import { describeWarnings } from '../summary.ts'
import { Problems, Rows } from './Report.tsx'

export interface CollectionsReport {
  collections: readonly ShownCollection[]
  /** The folder that the names of files are relative to. */
  folder: string
  /** How many problems of a collection are shown. */
  most: number
  policy: string
  style: string
}

export function renderCollections(report: CollectionsReport): string {
  return REPORT_MARK + renderToStaticMarkup(<Document {...report} />)
}

function Document({ collections, folder, most, policy, style }: CollectionsReport) {
  const isWrong = collections.some(({ problems }) => problems.length > 0)
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta httpEquiv="Content-Security-Policy" content={policy} />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <title>{isWrong ? 'Failed: check of the data' : 'Check of the data'}</title>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a file of the project, no data */}
        <style dangerouslySetInnerHTML={{ __html: style }} />
      </head>
      <body>
        <main className="index report">
          <header className="masthead">
            <h1>Check of the data</h1>
            <p>ManyURLs</p>
          </header>
          {collections.map((collection) => (
            <Collection key={collection.name} {...collection} folder={folder} most={most} />
          ))}
        </main>
      </body>
    </html>
  )
}

type CollectionProps = ShownCollection & Pick<CollectionsReport, 'folder' | 'most'>

function Collection({ folder, most, ...collection }: CollectionProps) {
  const { problems, words, result } = collection
  const warnings = describeWarnings(result.warnings, folder)
  return (
    <>
      <p className={`verdict ${problems.length > 0 ? 'failed' : 'good'}`}>
        {describeCollection(collection)}
      </p>
      {warnings.length > 0 && <Rows rows={warnings} />}
      {problems.length > 0 && (
        <Problems problems={problems} folder={folder} most={most} words={words} />
      )}
    </>
  )
}
