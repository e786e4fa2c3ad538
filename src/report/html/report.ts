/** The report of a build as one HTML file, for people: `npm run build-data -- --report FILE`. */

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Problem, SHOWN_PER_BATCH } from '../../batch/problem.ts'
import type { BatchEntry } from '../../dataset/output.ts'
import type { Duplicate } from '../../dataset/precedence.ts'
import { toBuildError } from '../../machine/errors.ts'
import { replaceFile } from '../../machine/files.ts'
import { writeFile } from '../../machine/growing-file.ts'
import type { BuildResult } from '../../pipeline/build.ts'
import { readRecords } from '../../pipeline/delivered-records.ts'
import type { Source } from '../../pipeline/source.ts'
import { formatNumber, plural } from '../../text/wording.ts'
import { describeProblems, foldByBatch } from '../problems.ts'
import {
  describeBuild,
  describeTakeover,
  describeTakeovers,
  describeWarnings,
  type Losses,
  lossesOf,
} from '../summary.ts'
import type { BatchFacts } from './Batches.tsx'
import { type Report, renderReport } from './Report.tsx'

export interface ReportOptions {
  source: Source
  /** The batch folder as the reader named it. */
  folder: string
  /** Whether the dataset was written, and where; empty for a failed build. */
  outcome: string
  isCheck: boolean
  /** Whether to show everything, however much it is. */
  isAll: boolean
}

/** How many conflicts, problems and batches are shown, and changes of each kind. */
const MOST = 1_000

/**
 * Writes the report of a build that has just run. Reads the batches again whose
 * records it shows, to add their line numbers.
 *
 * @param file replaced as a whole
 * @returns its size in bytes
 * @throws BuildError if it cannot be written
 */
export async function writeReport(
  file: string,
  result: BuildResult,
  options: ReportOptions,
): Promise<number> {
  const most = options.isAll ? Number.POSITIVE_INFINITY : MOST
  const batches = result.ok ? result.manifest.batches : result.batches
  const shown = firstConflicts(result.duplicates, most)
  const records = await readRecords(options.source, batches, shown)
  const report = describe(result, options, shown, most)
  try {
    const pieces = renderReport(report, records, resources())
    return await replaceFile(file, (work) => writeFile(work, pieces).bytes)
  } catch (error) {
    throw toBuildError(`write the report ${file}`, error)
  }
}

/** Returns the duplicates with only the first conflicting records that they dropped. */
function firstConflicts(duplicates: readonly Duplicate[], most: number): Duplicate[] {
  let left = most
  return duplicates.flatMap((duplicate) => {
    const dropped = duplicate.dropped.filter(({ kind }) => kind === 'conflicting' && left-- > 0)
    return dropped.length === 0 ? [] : [{ ...duplicate, dropped }]
  })
}

function describe(
  result: BuildResult,
  { folder, outcome, isCheck, isAll }: ReportOptions,
  conflicts: readonly Duplicate[],
  most: number,
): Report {
  const { ok, duplicates } = result
  const entries = ok ? result.manifest.batches : result.batches
  const problems = ok ? [] : result.problems
  const warnings = describeWarnings(result.warnings, folder)
  const facts = factsOf(entries, duplicates, problems)
  const isFew = facts.length <= most
  const batches = facts.filter(({ problems, kept }) => isFew || problems > 0 || kept === 0)
  const perBatch = isAll ? Number.POSITIVE_INFINITY : SHOWN_PER_BATCH
  const shownProblems = [...foldByBatch(problems, perBatch).values()]
    .flatMap((list) => list.slice(0, perBatch))
    .slice(0, most)
  return {
    folder,
    verdict: ok ? verdictOf(result, isCheck) : describeProblems(problems, entries.length),
    state: !ok ? 'failed' : isCheck && !result.wasCurrent ? 'stale' : 'good',
    totals: ok
      ? describeBuild(result.manifest, result.changes, outcome, [
          ...describeTakeovers(result.takeovers),
          ...warnings,
        ])
      : [
          ['Batches', formatNumber(entries.length)],
          ['Records', formatNumber(facts.reduce((sum, { records }) => sum + records, 0))],
          ...warnings,
        ],
    changes: ok ? result.pages : undefined,
    takeovers: ok ? result.takeovers.slice(0, most).map(describeTakeover) : [],
    problems: { items: shownProblems, count: problems.length },
    batches: { items: batches.slice(0, most), count: facts.length },
    conflicts: {
      items: conflicts,
      count: facts.reduce((sum, { conflicting }) => sum + conflicting, 0),
    },
    most,
  }
}

function factsOf(
  batches: readonly BatchEntry[],
  duplicates: readonly Duplicate[],
  problems: readonly Problem[],
): BatchFacts[] {
  const losses = lossesOf(batches, duplicates)
  const counts = new Map<string, number>()
  for (const { batch } of problems) counts.set(batch, (counts.get(batch) ?? 0) + 1)
  return batches.map(({ sha256, ...batch }) => {
    const lost = losses.get(batch.file) as Losses
    return { ...batch, ...lost, problems: counts.get(batch.file) ?? 0 }
  })
}

function verdictOf(
  { manifest: { totals }, wasCurrent }: Extract<BuildResult, { ok: true }>,
  isCheck: boolean,
): string {
  const { records, kept, dropped } = totals
  const counts = `${plural(kept, 'page')} kept of ${plural(records, 'record')}, ${formatNumber(dropped)} dropped.`
  if (wasCurrent) return `The dataset is up to date: ${counts}`
  if (!isCheck) return `The dataset was written: ${counts}`
  return `The batches are valid: ${counts} The dataset is out of date; --check wrote nothing.`
}

/** The style, the script, and the policy that allows only these two. */
function resources() {
  const read = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8')
  const style = read('../../site/style.css') + read('report.css')
  const script = read('filter.js')
  const policy = [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    `script-src ${hashOf(script)}`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
  return { style, script, policy }
}

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
