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
import { type Report, renderReport } from './Report.tsx'
import { readConflicts } from './read-conflicts.ts'

/**
 * Writes the report of a build that has just run, and returns its digest and size. Reads the batches
 * of the conflicts again, for the lines and the values of their records. Throws a BuildError if it
 * cannot.
 */
export async function writeReport(
  file: string,
  collection: Pick<CollectionToBuild, 'source' | 'collection'>,
  report: Omit<Report, 'conflicts' | 'policy' | 'style'>,
): Promise<Digest> {
  const { result, most } = report
  const batches = result.ok ? result.manifest.batches : result.batches
  const duplicates = firstConflicts(result.duplicates, most)
  const conflicts = await readConflicts(collection, batches, duplicates)
  return writeDocument(file, (look) => renderReport({ ...report, conflicts, ...look }))
}

/** Writes the report about collections. Throws a BuildError if it cannot. */
export function writeCollectionsReport(
  file: string,
  report: Omit<CollectionsReport, 'policy' | 'style'>,
): Promise<Digest> {
  return writeDocument(file, (look) => [renderCollections({ ...report, ...look })])
}

/** @param render yields the document, with a style and a policy that allows it */
async function writeDocument(
  file: string,
  render: (look: { style: string; policy: string }) => Iterable<string>,
): Promise<Digest> {
  try {
    const read = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8')
    const style = read('../../app/style.css') + read('report.css')
    const hash = createHash('sha256').update(style).digest('base64')
    // It has no scripts, images or forms.
    const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`

    return await replaceFile(file, (work) => writeFile(work, render({ style, policy })))
  } catch (error) {
    throw toBuildError(`write the report ${file}`, error)
  }
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
