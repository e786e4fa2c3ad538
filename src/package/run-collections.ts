/** `manyurls check`, `fix` and `build`: reads the collections, and says what came of it. */
import path from 'node:path'
import { type BuildResult, build, buildInto, type Result } from '../build/build.ts'
import { Cache } from '../build/disk/cache.ts'
import type { BuildOptions } from '../build/options.ts'
import { type WrittenRecords, writeRecords } from '../build/output/records-writer.ts'
import { SchemaReader } from '../build/read-schema.ts'
import { readSchemas } from '../build/read-schemas.ts'
import type { CollectionSource, CollectionToBuild } from '../build/source.ts'
import { statusOf } from '../command/exit-status.ts'
import { Fixer, fixBatches, fixedSource } from '../command/fix-files.ts'
import { addStepSummary, annotate } from '../command/github-step.ts'
import { outdatedFiles, printError } from '../command/print-result.ts'
import { type Command, say, type Terminal } from '../command/terminal.ts'
import { COLLECTIONS } from '../dataset/format.ts'
import type { Problem } from '../explain/problem.ts'
import { isRefusal } from '../fault/codes.ts'
import { BuildError } from '../machine/errors.ts'
import {
  batchesOf,
  formatCollectionsJson,
  formatLeftOut,
  formatNamed,
  formatNotLeftOut,
  formatPublished,
  formatRight,
  formatWarnings,
  formatWrong,
  type ShownCollection,
} from '../report/collections.ts'
import { MOST_REPORTED } from '../report/report-file.ts'
import { countDifferent, showOnce } from '../report/show-once.ts'
import { describeWarnings, formatRows, type Row } from '../report/summary.ts'
import { printable } from '../text/printable.ts'
import { formatBytes, formatNumber, plural, show } from '../text/wording.ts'
import { type Config, loadConfig, refuseSameRecords, sourceOf } from './load-config.ts'
import { HELP_OF_OPTIONS, type Options, readOptions, type Task } from './options.ts'
import {
  collectionsToRead,
  isShown,
  namesFiles,
  type Selection,
  selectionOf,
  shownProblems,
} from './selection.ts'

/** What is said of the checks that need all records. */
const UNCHECKED_BY_RECORDS: Row = [
  'Not checked',
  'references and "unique": only a build of all collections can',
]

/** How the commands of the package are called. */
export interface PackageCommand extends Command {
  task: Task
  /** The configuration; undefined if there is none. */
  config: string | undefined
  /** What is said if there is none. */
  withoutConfig: string
  /** The command that writes datasets. */
  build: string
  /** The command that fixes files. */
  fix: string
}

type PackageTerminal = Terminal<PackageCommand>

/** The folder of the datasets, if `--out` names no other. */
const OUT = 'generated'

/**
 * Runs a command.
 *
 * @param args the arguments after the command's name
 * @returns the exit status: 0 all is well, 1 problems in the data, 2 anything that is not in the data
 */
export async function runCollections(args: string[], terminal: PackageTerminal): Promise<number> {
  const { command } = terminal
  try {
    const options = readOptions(command, args)
    if (options.help) {
      await say(terminal, 'stdout', [`${command.usage} [options]\n\n${HELP_OF_OPTIONS}`])
      return 0
    }
    if (command.config === undefined) throw new BuildError(command.withoutConfig)

    const config = await loadConfig(command.config, terminal)
    return await new Run(config, options, terminal).run()
  } catch (error) {
    return printError(error, args, terminal)
  }
}

/** One run of a command. */
class Run {
  readonly #config: Config
  readonly #options: Options
  readonly #terminal: PackageTerminal
  readonly #out: string

  constructor(config: Config, options: Options, terminal: PackageTerminal) {
    this.#config = config
    this.#options = options
    this.#terminal = terminal
    this.#out = options.out ?? path.join(config.folder, OUT)
  }

  async run(): Promise<number> {
    const { folder, name: config, collections } = this.#config
    const { named, records, task } = this.#options
    const { fix } = this.#terminal.command

    const places = { folder, config, out: this.#out, fix }
    const sources = collections.map((collection) => sourceOf(collection, places))
    await refuseSameRecords(sources)

    if (records !== undefined) return this.#writeRecords(sources, records)

    const selection = await selectionOf(named, sources, folder)
    if (selection) await this.#sayForeign(selection.foreign)

    const wanted = collectionsToRead(sources, selection)
    if (task !== 'fix') return this.#build(wanted, selection)

    const fixed = await this.#fix(wanted, selection)
    const status = await this.#build(fixed.sources, selection)
    return fixed.left > 0 ? Math.max(status, 1) : status
  }

  /** Says what somebody has named that is in no collection. */
  async #sayForeign(files: ReadonlySet<string>): Promise<void> {
    const { name } = this.#terminal.command
    const lines = [...files].map((file) => {
      return `${name}: ${printable(file)} isn't read: no collection has it, or a file in it\n`
    })
    await say(this.#terminal, 'stderr', lines)
  }

  /** Makes the fixes; or, for a preview, only in what is checked afterwards. */
  async #fix(
    sources: readonly CollectionToBuild[],
    selection: Selection,
  ): Promise<{ sources: readonly CollectionToBuild[]; left: number }> {
    const { isPreview, json } = this.#options
    const fixables = await this.#fixablesOf(sources)

    const hasFiles = selection !== undefined && namesFiles(selection)
    const isWanted = (file: string) => !hasFiles || selection.files.has(file)
    const wanted = fixables.filter(({ collection }) => {
      return hasFiles || isShown(selection, collection.name)
    })

    const options = { batches: this.#config.folder, check: isPreview, json, isWanted }
    const left = await fixBatches(wanted, options, this.#terminal)
    if (!isPreview) return { sources, left }

    const previews = fixables.map(({ fixer, ...collection }) => {
      return { ...collection, source: fixedSource(collection.source, fixer) }
    })
    return { sources: previews, left }
  }

  async #fixablesOf(
    sources: readonly CollectionToBuild[],
  ): Promise<(CollectionToBuild & { fixer: Fixer })[]> {
    const { loadExplain } = this.#terminal
    const room = await loadExplain()
    const reader = new SchemaReader(new Cache(this.#out), loadExplain)

    const fixables: (CollectionToBuild & { fixer: Fixer })[] = []
    for (const source of sources) {
      const { collection, words } = source
      const { choice: schemas } = await readSchemas(collection.schema, reader)
      const fixer = new Fixer(room, { schemas, collection, words, frames: 0 })

      fixables.push({ ...source, fixer })
    }
    return fixables
  }

  #buildOptions(collections: readonly CollectionToBuild[]): BuildOptions {
    const { task, isStrict, isSkipping, shown, shard } = this.#options
    const { loadExplain } = this.#terminal
    return {
      collections,
      layout: COLLECTIONS,
      out: this.#out,
      isStrict,
      isSkipping,
      isCheck: task !== 'build',
      hasTypes: task === 'build',
      frames: shown,
      shard,
      loadExplain,
    }
  }

  /** Checks or builds, and says what came of it. */
  async #build(sources: readonly CollectionToBuild[], selection: Selection): Promise<number> {
    const { json, report, isStrict, isSkipping, task } = this.#options
    const results = await build(this.#buildOptions(sources))

    const collections = results.map((result, at) => {
      return shownOf(sources[at] as CollectionToBuild, result, selection)
    })
    await say(this.#terminal, 'stderr', formatLeftOut(collections, this.#context()))
    if (isSkipping) await say(this.#terminal, 'stderr', formatNotLeftOut(collections))

    const wanted = collections.filter(({ isWhole, problems, warnings }) => {
      return isWhole || problems.length + warnings.length > 0
    })
    const shown = showOnce(wanted)
    const isWrong = shown.some(({ problems }) => problems.length > 0)
    const outdated = this.#outdatedFiles(results)
    const isStale = isStrict && task === 'check' && outdated.length > 0
    const isRefused = isWrong || isStale

    if (json) {
      const pieces = formatCollectionsJson(shown, { isOk: !isRefused, outdated })
      await say(this.#terminal, 'stdout', pieces)
    }

    if (isWrong) await this.#sayWrong(shown)
    else await this.#sayRight(shown, outdated)

    const hasNamedFiles = selection !== undefined && selection.files.size > 0
    if (!isWrong && hasNamedFiles) {
      await this.#sayResult([formatNamed(selection.files, collections)])
    }

    await this.#countOthers(results, shown)
    if (report !== undefined) await this.#writeReport(report, shown, outdated)
    return isRefused ? Math.max(1, statusOf(shown.flatMap(({ problems }) => problems))) : 0
  }

  async #sayWrong(collections: readonly ShownCollection[]): Promise<void> {
    const context = this.#context()
    const pieces = [
      this.#describeOutcome(),
      ...formatRight(collections),
      ...formatWrong(collections, context),
    ]
    await say(this.#terminal, 'stderr', pieces)
    await addStepSummary(pieces, this.#terminal)

    const warnings = formatWarnings(collections, context)
    if (warnings !== '') await say(this.#terminal, 'stderr', [`\n${warnings}`])

    const problems = collections.flatMap((collection) => collection.problems)
    await annotate(problems, this.#config.folder, this.#terminal)
  }

  /** Says that a build wrote nothing; '' if none was asked for. */
  #describeOutcome(): string {
    const { task, records } = this.#options
    if (records !== undefined) return 'Nothing was written.\n'
    return task === 'build' ? 'No dataset was written.\n' : ''
  }

  async #sayRight(
    collections: readonly ShownCollection[],
    outdated: readonly string[],
  ): Promise<void> {
    const { task } = this.#options
    const context = this.#context()
    const lines = [...formatRight(collections), formatWarnings(collections, context)]

    if (task === 'build') lines.push(...this.#describePublished(collections))
    if (outdated.length > 0) lines.push(`${this.#describeOutdated(outdated)}\n`)

    await this.#sayResult(lines)
    await addStepSummary(lines, this.#terminal)
  }

  /** Says what came of a command. With --json, standard output has only the JSON. */
  async #sayResult(lines: readonly string[]): Promise<void> {
    await say(this.#terminal, this.#options.json ? 'stderr' : 'stdout', lines)
  }

  /** How problems are shown. */
  #context() {
    const { folder } = this.#config
    return { folder: folder === '.' ? '' : folder, shown: this.#options.shown }
  }

  /** Says where each dataset is, and what changed in it. */
  #describePublished(collections: readonly ShownCollection[]): string[] {
    const placeOf = (file: string) => path.join(this.#out, file)
    return collections.map((collection) => `${formatPublished(collection, placeOf)}\n`)
  }

  /** Returns the datasets that were built before and are out of date. If only some are read, nothing is known. */
  #outdatedFiles(results: readonly BuildResult[]): string[] {
    const built = results.filter((result) => result.ok)
    const isWhole = built.length === this.#config.collections.length
    if (this.#options.task === 'build' || !isWhole) return []

    return outdatedFiles(built, this.#out)
  }

  #describeOutdated(files: readonly string[]): string {
    const { out } = this.#options
    const { build } = this.#terminal.command
    const command = out === undefined ? build : `${build} --out ${out}`

    const names = files.join(', ')
    const line =
      files.length === 1
        ? `${names} is out of date; "${command}" writes it`
        : `${names} are out of date; "${command}" writes them`
    return printable(line)
  }

  /** Counts the problems that are not shown, because they are elsewhere. */
  async #countOthers(
    results: readonly BuildResult[],
    shown: readonly ShownCollection[],
  ): Promise<void> {
    const all = countDifferent(results.flatMap(problemsOf))
    const others = all - countDifferent(shown.flatMap(({ problems }) => problems))
    if (others === 0) return

    const { usage } = this.#terminal.command
    const line = `\n${plural(others, 'more problem')} elsewhere; "${usage}" shows all\n`
    await say(this.#terminal, 'stderr', [line])
  }

  async #writeReport(
    file: string,
    collections: readonly ShownCollection[],
    outdated: readonly string[],
  ): Promise<void> {
    const { folder } = this.#config
    const state = outdated.length === 0 ? '' : this.#describeOutdated(outdated)
    const most = Number.isFinite(this.#options.shown) ? MOST_REPORTED : Number.POSITIVE_INFINITY

    const room = await this.#terminal.loadReport()
    const { bytes } = await room.writeCollectionsReport(file, { collections, folder, state, most })
    await this.#sayResult([`\nThe report is in ${file} (${formatBytes(bytes)}).\n`])
  }

  /** Writes the records of a collection for an engine. */
  async #writeRecords(sources: readonly CollectionToBuild[], folder: string): Promise<number> {
    const { shard, json } = this.#options
    const source = this.#sourceOfRecords(sources)
    const { name } = source.collection

    const settings = this.#buildOptions([source])
    const results = await buildInto(settings, `write ${folder}`, ([listed]) => {
      return writeRecords(folder, listed as CollectionSource, shard.of)
    })

    const [result] = results as [Result<WrittenRecords>]
    if (!result.ok) {
      await this.#sayWrong([shownOf(source, { ...result, duplicates: [] }, undefined)])
      return statusOf(result.problems)
    }

    const { warnings, ok, ...written } = result
    if (json) {
      await say(this.#terminal, 'stdout', [`${JSON.stringify({ ok, shard, ...written })}\n`])
      return 0
    }

    const records = plural(written.records, 'record')
    const files = `${plural(written.batches, 'file')} of ${formatNumber(written.of)}`
    const size = formatBytes(written.bytes)
    const line = `${name}: ${records} in ${folder} (${files}, ${size})`
    const rows: Row[] = [
      ...describeWarnings(warnings, this.#context().folder),
      UNCHECKED_BY_RECORDS,
    ]
    await say(this.#terminal, 'stdout', [printable(line), '\n', formatRows(rows)])
    return 0
  }

  /** @throws BuildError unless one collection is meant */
  #sourceOfRecords(sources: readonly CollectionToBuild[]): CollectionToBuild {
    const [named] = this.#options.named
    const [only] = sources
    if (named === undefined && only && sources.length === 1) return only

    const source = sources.find(({ collection }) => collection.name === named)
    if (source) return source

    const names = sources.map(({ collection }) => show(collection.name)).join(', ')
    throw new BuildError(`--records needs the name of a collection: ${names}`)
  }
}

/** Returns a result with the problems that somebody asked for. */
function shownOf(
  { collection, words }: CollectionToBuild,
  result: BuildResult,
  selection: Selection,
): ShownCollection {
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

function problemsOf(result: BuildResult): readonly Problem[] {
  return result.ok ? [] : result.problems
}
