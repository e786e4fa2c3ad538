/** The report of a check or a build as one HTML file, for people: `--report FILE`. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Duplicate } from '../../dataset/precedence.ts'
import { toBuildError } from '../../machine/errors.ts'
import { replaceFile } from '../../machine/files.ts'
import { type Digest, writeFile } from '../../machine/growing-file.ts'
import { batchesOf, type ShownCollection } from '../collections.ts'
import { type ComparedCollection, type Look, type Report, renderReport } from './Report.tsx'
import { readConflicts } from './read-conflicts.ts'

/**
 * Writes the report of a check or a build that has just run. Reads the files of the conflicts again, for
 * the lines and the values of their records.
 *
 * @throws BuildError
 */
export async function writeReport(
  file: string,
  report: Omit<Report, 'collections'> & { collections: readonly ShownCollection[] },
): Promise<Digest> {
  const collections: ComparedCollection[] = []
  for (const collection of report.collections) {
    collections.push(await compareConflicts(collection, report.most))
  }

  try {
    const document = renderReport({ ...report, collections }, readLook())
    return await replaceFile(file, (work) => writeFile(work, document))
  } catch (error) {
    throw toBuildError(`write the report ${file}`, error)
  }
}

/** Adds the first conflicts of a collection, unless only some of its files are shown. */
async function compareConflicts(
  collection: ShownCollection,
  most: number,
): Promise<ComparedCollection> {
  const { isWhole, result } = collection
  const duplicates = isWhole ? firstConflicts(result.duplicates, most) : []
  const conflicts = await readConflicts(result.collection, batchesOf(result), duplicates)
  return { ...collection, conflicts }
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
