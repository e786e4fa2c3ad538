/** The report of a build as one HTML file, for people: `npm run build-data -- --report FILE`. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CollectionToBuild } from '../../build/source.ts'
import type { Duplicate } from '../../dataset/precedence.ts'
import { toBuildError } from '../../machine/errors.ts'
import { replaceFile } from '../../machine/files.ts'
import { type Digest, writeFile } from '../../machine/growing-file.ts'
import { type CollectionsReport, renderCollections } from './CollectionsReport.tsx'
import type { Look } from './Frame.tsx'
import { type Report, renderReport } from './Report.tsx'
import { readConflicts } from './read-conflicts.ts'

/**
 * Writes the report of a build that has just run. Reads the batches of the conflicts again, for the
 * lines and the values of their records.
 *
 * @throws BuildError
 */
export async function writeReport(
  file: string,
  collection: Pick<CollectionToBuild, 'source' | 'collection'>,
  report: Omit<Report, 'conflicts' | 'look'>,
): Promise<Digest> {
  const { result, most } = report
  const batches = result.ok ? result.manifest.batches : result.batches
  const duplicates = firstConflicts(result.duplicates, most)
  const conflicts = await readConflicts(collection, batches, duplicates)
  return writeDocument(file, (look) => renderReport({ ...report, conflicts, look }))
}

/**
 * Writes the report about collections.
 *
 * @throws BuildError
 */
export function writeCollectionsReport(
  file: string,
  report: Omit<CollectionsReport, 'look'>,
): Promise<Digest> {
  return writeDocument(file, (look) => [renderCollections({ ...report, look })])
}

/** @param render yields the document in pieces */
async function writeDocument(
  file: string,
  render: (look: Look) => Iterable<string>,
): Promise<Digest> {
  try {
    const look = readLook()
    return await replaceFile(file, (work) => writeFile(work, render(look)))
  } catch (error) {
    throw toBuildError(`write the report ${file}`, error)
  }
}

function readLook(): Look {
  const files = ['../../app/style.css', 'report.css']
  const styles = files.map((name) => readFileSync(join(import.meta.dirname, name), 'utf8'))
  const style = styles.join('')

  const hash = createHash('sha256').update(style).digest('base64')
  // It has no scripts, images or forms.
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`
  return { style, policy }
}

/** Returns the duplicates with only the first conflicting records that they dropped. */
function firstConflicts(duplicates: readonly Duplicate[], most: number): Duplicate[] {
  let left = most

  return duplicates.flatMap((duplicate) => {
    const conflicting = duplicate.dropped.filter(({ kind }) => kind === 'conflicting')
    const dropped = conflicting.slice(0, left)
    left -= dropped.length

    return dropped.length === 0 ? [] : [{ ...duplicate, dropped }]
  })
}
