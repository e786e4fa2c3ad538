/** `npm run build-data` as a function: arguments in, messages and an exit status out. */
import fs from 'node:fs'
import path from 'node:path'
import { isRefusal } from '../accept/codes.ts'
import {
  type BuildOptions,
  type BuildResult,
  build,
  buildInto,
  type Result,
} from '../build/build.ts'
import { Cache } from '../build/disk/cache.ts'
import { type WrittenRecords, writeRecords } from '../build/output/records-writer.ts'
import { readSchema, SchemaError } from '../build/read-schema.ts'
import { addLines } from '../build/record-lines.ts'
import { batchSource, type Delivery } from '../build/source.ts'
import { collectionOfContent } from '../collections/of-content.ts'
import { FILES } from '../dataset/format.ts'
import type { Problem } from '../explain/problem.ts'
import { SITE_WORDS } from '../explain/words.ts'
import { BuildError, describeSystemError, missingPackage } from '../machine/errors.ts'
import { print } from '../machine/print.ts'
import { formatAnnotations, formatStepSummary } from '../report/github.ts'
import { formatJson, formatLine, formatRecordsJson, toData } from '../report/json.ts'
import { formatProblems, formatSchemaProblems } from '../report/problems.ts'
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
import { Fixer, fixBatches, fixedSource } from './fix-files.ts'
import { loadContent } from './load-content.ts'
import { describeCommand, type Options, placeOptions, readOptions } from './options.ts'
import { say, type Terminal } from './terminal.ts'

/**
 * Runs the command.
 *
 * @param args the arguments after the command's name
 * @param limits only tests change them
 * @returns the exit status: 0 done, 1 problems in the data, 2 the command line or the machine
 */
export async function buildData(
  args: string[],
  terminal: Terminal,
  limits: Pick<BuildOptions, 'largeFrom'> = {},
): Promise<number> {
  try {
    const { command } = terminal
    const given = readOptions(args, terminal.env, command)
    if (given.help) {
      await say(terminal, 'stdout', [describeCommand(command)])
      return 0
    }
    const { content, delivery, folder, digestContent } = await loadContent(given.content, terminal)
    const options = placeOptions(given, delivery, folder)
    const settings: BuildOptions = {
      source: batchSource(options.place),
      schema: options.schema,
      collection: collectionOfContent(content),
      words: SITE_WORDS,
      digestContent,
      out: options.out,
      isStrict: options.strict,
      isSkipping: options['skip-refused'],
      isCheck: !isWriting(options, terminal),
      ...limits,
      shard: options.shard,
      frames: options.shown,
      loadExplain: terminal.loadExplain,
      ...(terminal.signal && { signal: terminal.signal }),
    }

    const left = options.fix ? await fix(settings, options, terminal) : 0
    if (options.records !== undefined)
      return await buildRecords(settings, options.records, options, terminal)

    const status = await buildDataset(settings, options, terminal)
    return left > 0 ? Math.max(status, 1) : status
  } catch (error) {
    return printError(error, args, terminal)
  }
}

/**
 * Makes the fixes; with --check, only in what the build reads.
 *
 * @returns how many files still have a fix
 */
async function fix(settings: BuildOptions, options: Options, terminal: Terminal): Promise<number> {
  const { source, collection, words } = settings
  const schema = await readSchema(settings.schema, new Cache(options.out), terminal.loadExplain)
  const schemas = { kind: 'file', schema } as const
  const explaining = { schemas, collection, words, frames: 0 }
  const fixer = new Fixer(await terminal.loadExplain(), explaining)

  const left = await fixBatches(source, fixer, options, terminal)
  if (options.check) settings.source = fixedSource(source, fixer)
  return left
}

/** Writes the records instead of a dataset. @returns the exit status */
async function buildRecords(
  settings: BuildOptions,
  folder: string,
  options: Options,
  terminal: Terminal,
): Promise<number> {
  const open = ({ all }: Delivery) =>
    writeRecords(folder, all, options.shard.of, settings.collection)
  const result = await buildInto(settings, `write ${folder}`, open)

  if (result.ok) await printRecords(result, options, terminal)
  else await printProblems(result, options, terminal)
  return result.ok ? 0 : 1
}

/** Builds the dataset, and says what came of it. @returns the exit status */
async function buildDataset(
  settings: BuildOptions,
  options: Options,
  terminal: Terminal,
): Promise<number> {
  const { source, collection } = settings
  const result = await build(settings)

  if (result.ok && options.verbose) await addLines(source, collection, result.manifest)
  if (result.ok) await printSummary(result, options, terminal)
  else await printProblems(result, options, terminal)

  const status = result.ok ? 0 : 1
  if (options.report === undefined) return status
  try {
    await writeReport(result, options, settings, terminal)
    return status
  } catch (error) {
    // With --json, the result of the build is already printed.
    const errorStatus = await printError(error, [], terminal)
    return result.ok ? errorStatus : status
  }
}

/** @returns the exit status */
export async function printError(
  error: unknown,
  args: string[],
  terminal: Terminal,
): Promise<number> {
  const { command } = terminal
  const { message, stack } = error as Error
  const isOfSchema = error instanceof SchemaError
  const missing = missingPackage(error)
  if (args.includes('--json')) {
    const problems = isOfSchema ? { problems: error.problems.map(toData) } : {}
    await say(terminal, 'stdout', [formatLine({ ok: false, error: message, ...problems })])
  }
  if (isOfSchema) {
    await say(terminal, 'stderr', formatSchemaProblems(error))
    const folder = path.dirname(error.file)
    const problems = error.problems.map((problem) => {
      return { ...problem, batch: path.relative(folder, problem.batch) }
    })
    await annotate(problems, folder, terminal)
    return error.status
  }
  let line = `internal error: ${stack}`
  if (missing !== undefined) line = `the package ${missing} is missing; ${command.howToInstall}`
  if (error instanceof BuildError) line = printable(message)
  await say(terminal, 'stderr', [`${command.name}: ${line}\n`])
  return error instanceof BuildError ? error.status : 2
}

/** Whether the command writes a dataset. */
function isWriting({ check }: Pick<Options, 'check'>, { command }: Terminal): boolean {
  return command.isWriting && !check
}

type Good = Extract<BuildResult, { ok: true }>

async function printRecords(
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
    ['Left', 'links, "unique" and identity are not checked: only a single build can'],
    ['Time', `${(performance.now() / 1000).toFixed(2)} s`],
  ]
  await say(terminal, 'stdout', [formatRows(rows)])
}

/** Whether the dataset was written, and where. */
function describeOutcome(
  { manifest, wasCurrent }: Good,
  options: Options,
  terminal: Terminal,
): string {
  const file = path.join(options.out, FILES.dataset)
  const size = formatBytes(manifest.dataset.bytes)
  if (wasCurrent) return `${file} (${size}, unchanged)`
  if (isWriting(options, terminal)) return `${file} (${size})`
  const state = fs.existsSync(file) ? 'is out of date' : 'is not there yet'
  return `${file} ${state}; ${terminal.command.howToWrite}`
}

async function printSummary(result: Good, options: Options, terminal: Terminal): Promise<void> {
  const { manifest } = result
  const { json, verbose, batches: folder, shown } = options
  if (json) await say(terminal, 'stdout', formatJson(result))
  // With --json, standard output holds only the JSON.
  const messages = json ? 'stderr' : 'stdout'
  const leftOut = result.warnings.filter(isRefusal)
  const context = { folder, batches: manifest.batches.length, shown }
  if (leftOut.length > 0)
    await say(terminal, 'stderr', [...formatProblems(leftOut, context, 'Left out'), '\n'])
  const batches = describeBatches(manifest)
  const build = describeBuild(result, folder, describeOutcome(result, options, terminal))
  const time: Row = ['Time', `${(performance.now() / 1000).toFixed(2)} s`]
  if (verbose) await say(terminal, messages, formatDropped(manifest.duplicates, folder))
  if (batches.length > 0) await say(terminal, messages, [`${formatRows(batches)}\n`])
  await say(terminal, messages, [formatRows([...build, time])])
  await addStepSummary([formatRows(build)], terminal)
}

/** How many conflicts, problems and batches a report shows, and changes of each kind. */
const MOST_REPORTED = 1_000

/** Writes the report and says where it is. */
async function writeReport(
  result: BuildResult,
  options: Options,
  of: Pick<BuildOptions, 'source' | 'collection'>,
  terminal: Terminal,
): Promise<void> {
  const report = await terminal.loadReport()
  const file = options.report as string
  const outcome = result.ok ? describeOutcome(result, options, terminal) : ''
  const { batches: folder, all } = options
  const isCheck = !isWriting(options, terminal)
  const most = all ? Number.POSITIVE_INFINITY : MOST_REPORTED
  const told = { result, folder, outcome, isCheck, most }
  const { bytes } = await report.writeReport(file, of, told)
  const messages = options.json || !result.ok ? 'stderr' : 'stdout'
  await say(terminal, messages, [`\nThe report is in ${file} (${formatBytes(bytes)}).\n`])
}

/** What is said after a build with --skip-refused that has failed all the same. */
const NOT_SKIPPED =
  '--skip-refused only leaves out records that the schema, a rule or "page" refuses, and only if at least one record is left'

async function printProblems(
  result: Extract<Result<unknown>, { ok: false }>,
  options: Options,
  terminal: Terminal,
): Promise<void> {
  const { problems, warnings, batches } = result
  const { batches: folder, json, shown } = options
  const context = { folder, batches: batches.length, shown }
  if (json) await say(terminal, 'stdout', formatJson(result))
  const outcome = options.records === undefined ? undefined : 'Nothing was written'
  await say(terminal, 'stderr', formatProblems(problems, context, outcome))
  await addStepSummary(formatProblems(problems, context, outcome), terminal)
  if (options['skip-refused']) await say(terminal, 'stderr', [`\n${NOT_SKIPPED}\n`])
  const rows = describeWarnings(warnings, folder)
  if (rows.length > 0) await say(terminal, 'stderr', [`\n${formatRows(rows)}`])
  await annotate(problems, folder, terminal)
}

/**
 * Shows problems in a pull request.
 *
 * @param folder what their files are relative to
 */
async function annotate(
  problems: readonly Problem[],
  folder: string,
  { env, stderr }: Terminal,
): Promise<void> {
  if (env.GITHUB_ACTIONS !== 'true') return

  const root = path.relative(findRepository(folder, env), folder)
  await print(stderr, [formatAnnotations(problems, root.split(path.sep).join('/'))])
}

/**
 * Returns the folder of the repository that GitHub checks, where the batches are. A submodule, whose
 * `.git` is a file, belongs to the repository that it is in.
 */
function findRepository(folder: string, { GITHUB_WORKSPACE: workspace = '.' }: NodeJS.ProcessEnv) {
  let candidate = path.resolve(folder)
  while (isWithin(candidate, workspace)) {
    const git = fs.statSync(path.join(candidate, '.git'), { throwIfNoEntry: false })
    if (git?.isDirectory()) return candidate
    candidate = path.dirname(candidate)
  }
  return workspace
}

function isWithin(folder: string, outer: string): boolean {
  const way = path.relative(outer, folder)
  return way !== '' && way.split(path.sep)[0] !== '..' && !path.isAbsolute(way)
}

/** Adds what was printed to the summary of a step on GitHub. */
async function addStepSummary(pieces: Iterable<string>, terminal: Terminal): Promise<void> {
  const { GITHUB_ACTIONS, GITHUB_STEP_SUMMARY: file } = terminal.env
  if (GITHUB_ACTIONS !== 'true' || !file) return

  try {
    fs.appendFileSync(file, formatStepSummary(terminal.command.name, pieces))
  } catch (error) {
    const reason = describeSystemError(error)
    const line = `${terminal.command.name}: the summary of the step cannot be written: ${reason}\n`
    await say(terminal, 'stderr', [line])
  }
}
