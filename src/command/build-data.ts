/** `npm run build-data` as a function: arguments in, messages and an exit status out. */
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
import type { ExplainRoom } from '../build/explainer.ts'
import { type WrittenRecords, writeRecords } from '../build/output/records-writer.ts'
import { readSchema, SchemaError } from '../build/read-schema.ts'
import { addLines } from '../build/record-lines.ts'
import { type Delivery, folderSource } from '../build/source.ts'
import { FILES } from '../dataset/format.ts'
import type { Problem } from '../explain/problem.ts'
import { BuildError } from '../machine/errors.ts'
import { print } from '../machine/print.ts'
import { formatAnnotations } from '../report/github.ts'
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
import { HELP, type Options, placeOptions, readOptions } from './options.ts'
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
    const given = readOptions(args, terminal.env)
    if (given.help) {
      await say(terminal, 'stdout', [HELP])
      return 0
    }
    const { content, delivery, digestContent } = await loadContent(given.content, terminal)
    const options = placeOptions(given, delivery)
    const { records, report } = options
    const settings: BuildOptions = {
      source: folderSource(options.batches),
      schema: options.schema,
      content,
      digestContent,
      out: options.out,
      isStrict: options.strict,
      isSkipping: options['skip-refused'],
      isCheck: options.check,
      ...limits,
      shard: options.shard,
      frames: options.shown,
      loadExplain: () => loadExplain(terminal),
      ...(terminal.signal && { signal: terminal.signal }),
    }
    let left = 0
    if (options.fix) {
      const cache = new Cache(options.out)
      const load = () => loadExplain(terminal)
      const { check, root } = await readSchema(options.schema, cache, load)
      const fixer = new Fixer(await load(), { check, schema: root, content, frames: 0 })
      left = await fixBatches(settings.source, fixer, options, terminal)
      if (options.check) settings.source = fixedSource(settings.source, fixer)
    }
    if (records !== undefined) {
      const open = ({ all }: Delivery) => writeRecords(records, all, options.shard.of)
      const result = await buildInto(settings, `write ${records}`, open)
      if (result.ok) await printRecords(result, options, terminal)
      else await printProblems(result, options, terminal)
      return result.ok ? 0 : 1
    }
    const result = await build(settings)
    if (result.ok && options.verbose) await addLines(settings.source, content, result.manifest)
    if (result.ok) await printSummary(result, options, terminal)
    else await printProblems(result, options, terminal)
    try {
      if (report !== undefined) await writeReport(result, options, settings, terminal)
      return result.ok && left === 0 ? 0 : 1
    } catch (error) {
      // With --json, the result of the build is already printed.
      const status = await printError(error, [], terminal)
      return result.ok ? status : 1
    }
  } catch (error) {
    return printError(error, args, terminal)
  }
}

/** @returns the exit status */
export async function printError(
  error: unknown,
  args: string[],
  terminal: Terminal,
): Promise<number> {
  const { message, stack } = error as Error
  const isOfSchema = error instanceof SchemaError
  if (args.includes('--json')) {
    const problems = isOfSchema ? { problems: error.problems.map(toData) } : {}
    await say(terminal, 'stdout', [formatLine({ ok: false, error: message, ...problems })])
  }
  if (isOfSchema) {
    await say(terminal, 'stderr', formatSchemaProblems(error))
    const { GITHUB_WORKSPACE = '.' } = terminal.env
    const problems = error.problems.map((problem) => {
      return { ...problem, batch: path.relative(GITHUB_WORKSPACE, problem.batch) }
    })
    await annotate(problems, GITHUB_WORKSPACE, terminal)
    return error.status
  }
  const line = error instanceof BuildError ? printable(message) : `internal error: ${stack}`
  await say(terminal, 'stderr', [`build-data: ${line}\n`])
  return error instanceof BuildError ? error.status : 2
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
function describeOutcome({ manifest, wasCurrent }: Good, { out, check }: Options): string {
  const file = path.join(out, FILES.dataset)
  const size = formatBytes(manifest.dataset.bytes)
  if (wasCurrent) return `${file} (${size}, unchanged)`
  return check ? `${file} is out of date; run without --check to write it` : `${file} (${size})`
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
  const build = describeBuild(result, folder, describeOutcome(result, options))
  const time: Row = ['Time', `${(performance.now() / 1000).toFixed(2)} s`]
  if (verbose) await say(terminal, messages, formatDropped(manifest.duplicates, folder))
  if (batches.length > 0) await say(terminal, messages, [`${formatRows(batches)}\n`])
  await say(terminal, messages, [formatRows([...build, time])])
}

const EXPLAIN = path.join(import.meta.dirname, '../explain/explain.ts')

/** Most builds have no faults, and need no explanations. */
async function loadExplain(terminal: Terminal): Promise<ExplainRoom> {
  return (await terminal.load(EXPLAIN)) as ExplainRoom
}

const REPORT = path.join(import.meta.dirname, '../report/html/write-report.ts')

/** How many conflicts, problems and batches a report shows, and changes of each kind. */
const MOST_REPORTED = 1_000

/** Writes the report and says where it is. */
async function writeReport(
  result: BuildResult,
  options: Options,
  of: Pick<BuildOptions, 'source' | 'content'>,
  terminal: Terminal,
): Promise<void> {
  const report = (await terminal.load(REPORT)) as typeof import('../report/html/write-report.ts')
  const file = options.report as string
  const outcome = result.ok ? describeOutcome(result, options) : ''
  const { batches: folder, check: isCheck, all } = options
  const most = all ? Number.POSITIVE_INFINITY : MOST_REPORTED
  const told = { result, folder, outcome, isCheck, most }
  const { bytes } = await report.writeReport(file, of, told)
  const messages = options.json || !result.ok ? 'stderr' : 'stdout'
  await say(terminal, messages, [`\nThe report is in ${file} (${formatBytes(bytes)}).\n`])
}

/** What is said after a build with --skip-refused that has failed all the same. */
const NOT_SKIPPED =
  '--skip-refused leaves out records that the schema, a rule or "page" refuses, if any other is left'

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

  const root = path.relative(env.GITHUB_WORKSPACE ?? '.', folder)
  await print(stderr, [formatAnnotations(problems, root)])
}
