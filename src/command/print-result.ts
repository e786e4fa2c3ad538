/** Prints the result of a command: what is right, what is wrong, or an error. */
import fs from 'node:fs'
import path from 'node:path'
import type { WrittenRecords } from '../build/output/records-writer.ts'
import { SchemaError } from '../build/read-schema.ts'
import type { BuildResult, Result } from '../build/result.ts'
import type { CollectionToBuild } from '../build/source.ts'
import { MANIFEST } from '../dataset/format.ts'
import type { Problem } from '../explain/problem.ts'
import { isRefusal } from '../fault/codes.ts'
import { BuildError, messageOf, missingPackage, traceOf } from '../machine/errors.ts'
import {
  batchesOf,
  describeOutdated,
  describePublished,
  describeUnsaid,
  formatLeftOut,
  formatNamed,
  formatNotLeftOut,
  formatRight,
  formatWrong,
  problemsOf,
  type ShownCollection,
} from '../report/collections.ts'
import { formatJson, formatLine, formatRecordsJson, toData } from '../report/json.ts'
import { type Context, formatSchemaProblems } from '../report/problems.ts'
import { MOST_REPORTED } from '../report/report-file.ts'
import { countDifferent, showOnce } from '../report/show-once.ts'
import {
  describeBatches,
  describeDuplicates,
  describeWarnings,
  formatDropped,
  formatRows,
  type Row,
} from '../report/summary.ts'
import { printable } from '../text/printable.ts'
import { formatBytes, formatNumber, plural } from '../text/wording.ts'
import { addStepSummary, annotate } from './github-step.ts'
import { isShown, type Selection, shownProblems } from './selection.ts'
import { styleOf } from './style.ts'
import { say, type Terminal } from './terminal.ts'
import type { Work } from './work.ts'

/** The result of a check or a build. */
interface Outcome {
  results: readonly BuildResult[]
  /** The files in the output folder that are out of date, as messages name them. */
  outdated: readonly string[]
  /** Whether --strict refuses that. */
  isStale: boolean
  selection: Selection
}

/**
 * Prints the result of a check or a build.
 *
 * @returns what was shown
 */
export async function printResult(outcome: Outcome, work: Work): Promise<ShownCollection[]> {
  const { results, outdated, isStale, selection } = outcome
  const { options, terminal } = work
  const collections = results.map((result) => shownOf(result, selection))

  await say(terminal, 'stderr', formatLeftOut(collections, contextOf(work, 'stderr')))
  if (options.isSkipping) await say(terminal, 'stderr', formatNotLeftOut(collections))

  const wanted = collections.filter(({ isWhole, problems, warnings }) => {
    return isWhole || problems.length + warnings.length > 0
  })
  const shown = showOnce(wanted)
  const isWrong = shown.some(({ problems }) => problems.length > 0)

  if (options.json) {
    const verdict = { isOk: !isWrong && !isStale, outdated }
    await say(terminal, 'stdout', formatJson(shown, verdict))
  }
  if (isWrong) await printWrong(shown, work)
  else await printRight(shown, outdated, work)

  const hasNamedFiles = selection !== undefined && selection.files.size > 0
  if (!isWrong && hasNamedFiles) {
    await sayResult([formatNamed(selection.files, collections)], work)
  }
  await countOthers(results, shown, terminal)
  return shown
}

/** The advice if --skip-refused can't leave out what is wrong. */
const NOT_SKIPPED = '--skip-refused only leaves out records that the schema or a function refuses'

/** The first line of a refused build. */
export const NOTHING_WRITTEN = 'No dataset was written.\n'

/** Returns a result with the problems that somebody asked for. */
export function shownOf(result: BuildResult, selection: Selection): ShownCollection {
  const { collection, words } = result.collection
  const { name, schema } = collection
  const shown = (problems: readonly Problem[]) => {
    return shownProblems(problems, selection, name, batchesOf(result))
  }

  const warnings = shown(result.warnings)
  return {
    name,
    words,
    hasSchema: schema.kind !== 'none',
    isWhole: isShown(selection, name),
    result,
    problems: shown(problemsOf(result)),
    elsewhere: new Map(),
    refusals: warnings.filter(isRefusal),
    warnings,
  }
}

/** How problems are shown on a stream; without one, in the summary of a step. */
function contextOf({ folder, options, terminal }: Work, stream?: 'stdout' | 'stderr'): Context {
  const context = { folder, shown: options.shown }
  if (stream === undefined) return context

  return { ...context, style: styleOf(terminal[stream], terminal.env) }
}

async function printWrong(collections: readonly ShownCollection[], work: Work): Promise<void> {
  const { options, terminal, folder } = work
  const piecesIn = (context: Context) => [
    options.task === 'build' ? NOTHING_WRITTEN : '',
    ...formatRight(collections),
    ...formatWrong(collections, context),
  ]
  const context = contextOf(work, 'stderr')
  await say(terminal, 'stderr', piecesIn(context))
  await addStepSummary(piecesIn(contextOf(work)), terminal)

  const rows = collections.flatMap((collection) => describeUnsaid(collection, folder))
  if (rows.length > 0) {
    await say(terminal, 'stderr', [`\n${formatRows(rows, context.style)}`])
  }

  const problems = collections.flatMap((collection) => collection.problems)
  const isSkippable = problems.every(isRefusal)
  if (options.isSkipping && !isSkippable) {
    await say(terminal, 'stderr', [`\n${NOT_SKIPPED}\n`])
  }
  await annotate(problems, folder, terminal)
}

/** Adds the name of the collection to rows, if there are several. */
function withNames(
  rows: readonly Row[],
  { collection }: { collection: CollectionToBuild },
  all: readonly unknown[],
): Row[] {
  if (all.length === 1) return [...rows]

  const { name } = collection.collection
  return rows.map(([head, text]) => [head, head === '' ? text : `${name}: ${text}`])
}

/** Returns what was built of collections without a problem. */
function publishedOf(collections: readonly ShownCollection[]) {
  return collections.flatMap(({ result }) => (result.ok ? result : []))
}

async function printRight(
  collections: readonly ShownCollection[],
  outdated: readonly string[],
  work: Work,
): Promise<void> {
  const { options, terminal, folder, out } = work
  const published = publishedOf(collections)
  // If only some files of a collection are named, nobody asked for its duplicates.
  const whole = publishedOf(collections.filter(({ isWhole }) => isWhole))
  if (options.isVerbose) {
    for (const { manifest } of whole) {
      await sayResult(formatDropped(manifest.duplicates, folder), work)
    }
  }

  const dropping = whole.filter(({ collection }) => collection.collection.duplicates === 'drop')
  const batchRows = dropping.flatMap(({ manifest }) => describeBatches(manifest, folder))
  if (batchRows.length > 0) await sayResult([`${formatRows(batchRows)}\n`], work)

  const rows = [
    ...whole.flatMap((result) => withNames(describeDuplicates(result, folder), result, whole)),
    ...collections.flatMap((collection) => describeUnsaid(collection, folder)),
  ]
  const rest = options.task === 'build' ? [...describePublished(published, out)] : []
  rest.push(describeState(collections, outdated, work))

  const linesIn = ({ style }: Context) => {
    return [...formatRight(collections), formatRows(rows, style), ...rest]
  }
  await sayResult(linesIn(contextOf(work, streamOf(work))), work)
  await addStepSummary(linesIn(contextOf(work)), terminal)
}

/** Prints the result of a command. */
async function sayResult(lines: Iterable<string>, work: Work): Promise<void> {
  await say(work.terminal, streamOf(work), lines)
}

/** With --json, standard output has only the JSON. */
function streamOf({ options }: Work): 'stdout' | 'stderr' {
  return options.json ? 'stderr' : 'stdout'
}

/** Says which datasets are out of date, and how to write them; '' if none is. */
function describeState(
  collections: readonly ShownCollection[],
  outdated: readonly string[],
  work: Work,
): string {
  if (outdated.length === 0) return ''

  const command = commandOfBuild(work)
  return describeOutdated(publishedOf(collections), outdated, { out: work.out, command })
}

/** The command that writes the datasets that a check has compared, as people type it. */
function commandOfBuild({ options, terminal }: Work): string {
  const { build, isSite } = terminal.command
  if (options.out === undefined) return build
  return `${build}${isSite ? ' --' : ''} --out ${options.out}`
}

/** Counts the problems that are not shown, because they are elsewhere. */
async function countOthers(
  results: readonly BuildResult[],
  shown: readonly ShownCollection[],
  terminal: Terminal,
): Promise<void> {
  const all = countDifferent(results.flatMap(problemsOf))
  const others = all - countDifferent(shown.flatMap(({ problems }) => problems))
  if (others === 0) return

  const { check } = terminal.command
  const line = `\n${plural(others, 'more problem')} elsewhere; "${check}" shows all\n`
  await say(terminal, 'stderr', [line])
}

/** Prints the named files that are in no collection. */
export async function printForeign(files: ReadonlySet<string>, terminal: Terminal): Promise<void> {
  const { name } = terminal.command
  const lines = [...files].map((file) => {
    return `${name}: ${printable(file)} isn't read: no collection has it, or a file in it\n`
  })
  await say(terminal, 'stderr', lines)
}

/**
 * Returns the files in the output folder that are out of date; none if something is wrong, or if nothing
 * was built there, so that neither the manifest nor a dataset is there.
 *
 * @param results those of all datasets
 */
export function outdatedFiles(results: readonly BuildResult[], out: string): string[] {
  const published = results.filter((result) => result.ok)
  if (published.length < results.length) return []

  const datasets = published.map(({ manifest }) => manifest.dataset.file)
  const built = [MANIFEST, ...datasets].map((file) => path.join(out, file))
  if (!built.some((file) => fs.existsSync(file))) return []

  const outdated = new Set(published.flatMap((result) => result.outdated))
  return Array.from(outdated, (file) => path.join(out, file))
}

/** Writes the HTML report, and says where it is. */
export async function writeReport(
  file: string,
  collections: readonly ShownCollection[],
  outdated: readonly string[],
  work: Work,
): Promise<void> {
  const { folder, options, terminal } = work
  const state = describeState(collections, outdated, work)
  const most = Number.isFinite(options.shown) ? MOST_REPORTED : Number.POSITIVE_INFINITY

  const room = await terminal.loadReport()
  const { bytes } = await room.writeReport(file, { collections, folder, state, most })
  await sayResult([`\nThe report is in ${file} (${formatBytes(bytes)}).\n`], work)
}

/** The row about checks that need all records. */
const UNCHECKED_BY_RECORDS: Row = [
  'Not checked',
  'links, references, "unique" and identity: only a build of all collections can',
]

/** Prints what `--records` has written. */
export async function printRecords(
  result: WrittenRecords & { collection: CollectionToBuild; warnings: readonly Problem[] },
  target: string,
  work: Work,
): Promise<void> {
  const { folder, options, terminal } = work
  const { shard, json } = options
  const { collection, warnings, batches, of: all, records, bytes, names } = result
  if (json) {
    const written = { ok: true, shard, batches, of: all, records, bytes, names }
    await say(terminal, 'stdout', [formatRecordsJson(written, warnings)])
    return
  }

  const files = `${plural(batches, 'file')} of ${formatNumber(all)}`
  const size = formatBytes(bytes)
  const line = `${collection.collection.name}: ${plural(records, 'record')} in ${target} (${files}, ${size})`
  const rows: Row[] = [
    ...describeWarnings(warnings, folder),
    ['Names', `SHA-256 ${names} of the names of all files; the same for every shard`],
    UNCHECKED_BY_RECORDS,
  ]
  const { style } = contextOf(work, 'stdout')
  await say(terminal, 'stdout', [`${printable(line)}\n`, formatRows(rows, style)])
}

/** Prints why `--records` has written nothing. */
export async function printRefusedRecords(
  result: Extract<Result<unknown>, { ok: false }>,
  work: Work,
): Promise<void> {
  const collection = shownOf(result, undefined)
  if (work.options.json) {
    const verdict = { isOk: false, outdated: [] }
    await say(work.terminal, 'stdout', formatJson([collection], verdict))
  }

  const piecesIn = (context: Context) => {
    return ['Nothing was written.\n', ...formatWrong([collection], context)]
  }
  await say(work.terminal, 'stderr', piecesIn(contextOf(work, 'stderr')))
  await addStepSummary(piecesIn(contextOf(work)), work.terminal)
  await annotate(collection.problems, work.folder, work.terminal)
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
  const style = styleOf(terminal.stderr, terminal.env)
  await say(terminal, 'stderr', formatSchemaProblems(error, style))

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
