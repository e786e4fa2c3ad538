/** The document of the report about the collections of a repository. It's rendered once and has no state. */
import { renderToStaticMarkup } from 'react-dom/server'
import {
  describeCollection,
  describeUnsaid,
  isWrong,
  type ShownCollection,
} from '../collections.ts'
import { REPORT_MARK } from '../report-file.ts'
import { Frame, type Look } from './Frame.tsx'
import { Problems, Rows } from './Report.tsx'

export interface CollectionsReport {
  collections: readonly ShownCollection[]
  /** The folder that the names of files are relative to. */
  folder: string
  /** Says that datasets are out of date; or ''. */
  state: string
  /** How many problems of a collection are shown. */
  most: number
  look: Look
}

export function renderCollections(report: CollectionsReport): string {
  return REPORT_MARK + renderToStaticMarkup(<Document {...report} />)
}

function Document({ collections, folder, state, most, look }: CollectionsReport) {
  const isFailed = collections.some(isWrong)
  const title = 'Check of the data'

  return (
    <Frame tab={isFailed ? 'Failed: check of the data' : title} title={title} look={look}>
      {collections.map((collection) => (
        <Collection
          key={collection.name}
          collection={collection}
          lines={describeCollection(collection, collections, folder)}
          folder={folder}
          most={most}
        />
      ))}
      {state !== '' && <p className="verdict stale">{state}</p>}
    </Frame>
  )
}

interface CollectionProps extends Pick<CollectionsReport, 'folder' | 'most'> {
  collection: ShownCollection
  /** What is said of it. */
  lines: readonly string[]
}

function Collection({ collection, lines, folder, most }: CollectionProps) {
  const { problems, refusals, words } = collection
  const listed = problems.length > 0 ? problems : refusals
  const warnings = describeUnsaid(collection, folder)

  return (
    <>
      {lines.map((line) => (
        <p key={line} className={`verdict ${isWrong(collection) ? 'failed' : 'good'}`}>
          {line}
        </p>
      ))}
      {warnings.length > 0 && <Rows rows={warnings} />}
      {listed.length > 0 && (
        <Problems problems={listed} folder={folder} most={most} words={words} />
      )}
    </>
  )
}
