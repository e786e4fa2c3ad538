/** Prints what came of a command: a summary, problems, or an error. */
import fs from 'node:fs'
import path from 'node:path'
import type { BuildResult, Result } from '../build/build.ts'
import type { WrittenRecords } from '../build/output/records-writer.ts'
import { SchemaError } from '../build/read-schema.ts'
import type { CollectionToBuild } from '../build/source.ts'
import { countChanges, type ItemChanges } from '../dataset/changes.ts'
import { FILES } from '../dataset/format.ts'
import type { Problem } from '../explain/problem.ts'
import { isRefusal } from '../fault/codes.ts'
import { BuildError, messageOf, missingPackage, traceOf } from '../machine/errors.ts'
import { formatJson, formatLine, formatRecordsJson, toData, type Verdict } from '../report/json.ts'
import { formatProblems, formatSchemaProblems } from '../report/problems.ts'
import { MOST_REPORTED } from '../report/report-file.ts'
import {
  describeBatches,
  describeBuild,
  describeWarnings,
  formatDropped,
  formatRows,
  type Row,
} from '../report/summary.ts'
import { printable } from '../text/printable.ts'
import { formatBytes, formatNumber, plural } from '../text/wording.ts'
import { addStepSummary, annotate } from './github-step.ts'
import type { Options } from './options.ts'
import { say, type Terminal } from './terminal.ts'

type GoodResult = Extract<BuildResult, { ok: true }>
type BadResult = Extract<Result<unknown>, { ok: false }>

/**
 * Returns the files in the output folder that are out of date; none if nothing was built there, so that
 * neither the manifest nor a dataset is there.
 *
 * @param results those of all datasets
 */
export function outdatedFiles(results: readonly GoodResult[], out: string): string[] {
  const datasets = results.map(({ manifest }) => manifest.dataset.file)
  const built = [FILES.manifest, ...datasets].map((file) => path.join(out, file))
  if (!built.some((file) => fs.existsSync(file))) return []

  const outdated = new Set(results.flatMap((result) => result.outdated))
  return Array.from(outdated, (file) => path.join(out, file))
}

/** Says what a check has found in the output folder: --strict refuses a dataset that is out of date. */
export function verdictOn(result: GoodResult, { check, strict, out }: Options): Verdict {
  const outdated = check ? outdatedFiles([result], out) : []
  return { isOk: !strict || outdated.length === 0, outdated }
}

/** Prints the summary of a build without problems. */
export async function printSummary(
  result: GoodResult,
  options: Options,
  terminal: Terminal,
): Promise<void> {
  const { manifest, warnings } = result
  const { json, verbose, batches: folder } = options
  if (json) await say(terminal, 'stdout', formatJson(result, verdictOn(result, options)))

  const leftOut = warnings.filter(isRefusal)
  if (leftOut.length > 0) {
    const context = contextOf(options, manifest.batches)
    const outcome = `${plural(manifest.totals.refused, 'record')} left out`
    await say(terminal, 'stderr', [...formatProblems(leftOut, context, outcome), '\n'])
  }

  // With --json, standard output has only the JSON.
  const stream = json ? 'stderr' : 'stdout'
  if (verbose) await say(terminal, stream, formatDropped(manifest.duplicates, folder))

  const batchRows = describeBatches(manifest)
  if (batchRows.length > 0) await say(terminal, stream, [`${formatRows(batchRows)}\n`])

  const rows = describeBuild(result, folder, describeOutcome(result, options))
  await say(terminal, stream, [formatRows([...rows, timeRow()])])
  await addStepSummary([formatRows(rows)], terminal)
}

/** Prints what `--records` has written. */
export async function printRecords(
  result: WrittenRecords & { warnings: Problem[] },
  { records: folder, shard, json, batches: from }: Options,
  terminal: Terminal,
): Promise<void> {
  const { warnings, ...written } = result
  if (json) return say(terminal, 'stdout', [formatRecordsJson({ shard, ...written }, warnings)])

  const { batches, of, records, bytes, names } = written
  const part = shard.of === 1 ? '' : ` of ${formatNumber(of)} (shard ${shard.number}/${shard.of})`
  const files = batches === 0 ? 'no files: fewer batches than shards' : plural(batches, 'file')
  const rows: Row[] = [
    ['Batches', `${formatNumber(batches)}${part}`],
    ['Records', formatNumber(records)],
    ...describeWarnings(warnings, from),
    ['Output', `${folder} (${files}, ${formatBytes(bytes)})`],
    ['Names', `SHA-256 ${names} of the names of all batches; the same for every shard`],
    ['Not checked', 'links, references, "unique" and identity: only a single build can'],
    timeRow(),
  ]
  await say(terminal, 'stdout', [formatRows(rows)])
}

/** What is said after a build with --skip-refused that has failed all the same. */
const NOT_SKIPPED =
  '--skip-refused only leaves out records that the schema, a rule or "page" refuses, and only if at least one record is left'

/** Prints the problems of a build, also in a pull request. */
export async function printProblems(
  result: BadResult,
  options: Options,
  terminal: Terminal,
): Promise<void> {
  const { problems, warnings, batches } = result
  const { batches: folder, json } = options
  if (json) await say(terminal, 'stdout', formatJson(result, { isOk: false, outdated: [] }))

  const context = contextOf(options, batches)
  const outcome = options.records === undefined ? undefined : 'Nothing was written'
  await say(terminal, 'stderr', formatProblems(problems, context, outcome))
  await addStepSummary(formatProblems(problems, context, outcome), terminal)
  if (options['skip-refused']) await say(terminal, 'stderr', [`\n${NOT_SKIPPED}\n`])

  const rows = describeWarnings(warnings, folder)
  if (rows.length > 0) await say(terminal, 'stderr', [`\n${formatRows(rows)}`])
  await annotate(problems, folder, terminal)
}

/**
 * Prints why the command could not run.
 *
 * @param args the arguments after the command's name, which may be the error
 * @returns the exit status
 */
export async function printError(
  error: unknown,
  args: string[],
  terminal: Terminal,
): Promise<number> {
  if (args.includes('--json')) {
    const isOfSchema = error instanceof SchemaError
    const problems = isOfSchema ? error.problems.map((problem) => toData(problem)) : undefined
    await say(terminal, 'stdout', [formatLine({ ok: false, error: messageOf(error), problems })])
  }

  if (error instanceof SchemaError) {
    await printSchemaError(error, terminal)
    return 2
  }

  const { name } = terminal.command
  await say(terminal, 'stderr', [`${name}: ${describeError(error, terminal)}\n`])
  return 2
}

async function printSchemaError(error: SchemaError, terminal: Terminal): Promise<void> {
  await say(terminal, 'stderr', formatSchemaProblems(error))

  const folder = path.dirname(error.file)
  const problems = error.problems.map((problem) => {
    return { ...problem, batch: path.relative(folder, problem.batch) }
  })
  await annotate(problems, folder, terminal)
}

function describeError(error: unknown, { command }: Terminal): string {
  if (error instanceof BuildError) return printable(error.message)

  const missing = missingPackage(error)
  if (missing !== undefined) return `the package ${missing} is missing; ${command.howToInstall}`
  return `internal error: ${traceOf(error)}`
}

/** Writes the HTML report, and says where it is. */
export async function writeReport(
  file: string,
  result: BuildResult,
  options: Options,
  site: CollectionToBuild,
  terminal: Terminal,
): Promise<void> {
  const { json, all, batches: folder } = options
  const room = await terminal.loadReport()

  const { bytes } = await room.writeReport(file, site, {
    result,
    folder,
    outcome: result.ok ? describeOutcome(result, options) : '',
    isCheck: options.check,
    most: all ? Number.POSITIVE_INFINITY : MOST_REPORTED,
  })

  const stream = json || !result.ok ? 'stderr' : 'stdout'
  await say(terminal, stream, [`\nThe report is in ${file} (${formatBytes(bytes)}).\n`])
}

/** How to write a dataset that --check finds out of date. */
const HOW_TO_WRITE = 'run without --check to write it'

/** Whether the dataset was written, and where. */
function describeOutcome(
  { manifest, wasCurrent, outdated, changes }: GoodResult,
  options: Options,
): string {
  const file = path.join(options.out, FILES.dataset)
  const size = formatBytes(manifest.dataset.bytes)
  if (wasCurrent) return `${file} (${size}, unchanged)`
  if (!options.check) return `${file} (${size})`

  if (!fs.existsSync(file)) return `${file} is not there yet; ${HOW_TO_WRITE}`

  if (!outdated.includes(FILES.dataset)) {
    const [name = ''] = outdated
    return `${path.join(options.out, name)} is out of date; ${HOW_TO_WRITE}`
  }
  // Git may have written the line breaks of Windows, for example.
  if (isEmpty(changes))
    return `${file} has the same content in other bytes, such as other line breaks; ${HOW_TO_WRITE}`
  return `${file} is out of date; ${HOW_TO_WRITE}`
}

function isEmpty(changes: ItemChanges | boolean): boolean {
  if (typeof changes === 'boolean') return !changes

  const { new: added, changed, gone } = countChanges(changes)
  return added + changed + gone === 0
}

function contextOf({ batches: folder, shown }: Options, batches: readonly unknown[]) {
  return { folder, batches: batches.length, shown }
}

/** The seconds since the process has started. */
function timeRow(): Row {
  return ['Time', `${(performance.now() / 1000).toFixed(2)} s`]
}
