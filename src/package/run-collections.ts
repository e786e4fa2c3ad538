/** `manyurls check`, `fix` and `build`: reads the collections, and says what came of it. */
import fs from 'node:fs'
import path from 'node:path'
import { type BuildOptions, type BuildResult, build, buildInto } from '../build/build.ts'
import { Cache } from '../build/disk/cache.ts'
import { writeRecords } from '../build/output/records-writer.ts'
import { readSchemas } from '../build/read-schemas.ts'
import type { CollectionSource, CollectionToBuild, Source } from '../build/source.ts'
import { Fixer, fixBatches, fixedSource } from '../command/fix-files.ts'
import { addStepSummary, annotate } from '../command/github-step.ts'
import { printError } from '../command/print-result.ts'
import { type Command, say, type Terminal } from '../command/terminal.ts'
import { COLLECTIONS, FILES } from '../dataset/format.ts'
import type { Problem } from '../explain/problem.ts'
import { BuildError } from '../machine/errors.ts'
import {
  formatCollectionsJson,
  formatLeftOut,
  formatPublished,
  formatRight,
  formatWarnings,
  formatWrong,
  type ShownCollection,
} from '../report/collections.ts'
import { nearest } from '../text/nearest.ts'
import { printable } from '../text/printable.ts'
import { formatBytes, formatNumber, plural, show } from '../text/wording.ts'
import { type Config, loadConfig, namesOf, refuseSameRecords, sourceOf } from './load-config.ts'
import { HELP_OF_OPTIONS, type Options, readOptions, type Task } from './options.ts'

/** How the commands of the package are called. */
export interface PackageCommand extends Command {
  task: Task
  /** The configuration; undefined if there is none. */
  config: string | undefined
  /** What is said if there is none. */
  withoutConfig: string
  /** The command that fixes files. */
  fix: string
}

type PackageTerminal = Terminal<PackageCommand>

/** How many problems of a collection a report shows. */
const MOST_REPORTED = 1_000

/** The folder of the datasets, if `--out` names no other. */
const OUT = 'generated'

/**
 * Runs a command.
 *
 * @param args the arguments after the command's name
 * @returns the exit status: 0 all is well, 1 problems in the data, 2 the command line or the machine
 */
export async function runCollections(args: string[], terminal: PackageTerminal): Promise<number> {
  const { command } = terminal
  try {
    const options = readOptions(command.task, args)
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

/** What is shown: some collections, and of the others what is in some files. */
interface Selection {
  collections: ReadonlySet<string>
  files: ReadonlySet<string>
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
    const { folder, collections } = this.#config
    const { records, task } = this.#options
    const { fix } = this.#terminal.command
    const out = this.#out
    const sources = collections.map((collection) => sourceOf(collection, { folder, out, fix }))
    await refuseSameRecords(sources)

    if (records !== undefined) return this.#writeRecords(sources, records)

    const selection = await this.#selectionOf(sources)
    const read = this.#toRead(sources, selection)
    const fixed = task === 'fix' ? await this.#fix(read, selection) : { sources: read, left: 0 }
    const status = await this.#build(fixed.sources, selection)
    return fixed.left > 0 ? Math.max(status, 1) : status
  }

  /** Finds out which collections and files are named; undefined if all are meant. */
  async #selectionOf(sources: readonly CollectionToBuild[]): Promise<Selection | undefined> {
    const { named } = this.#options
    if (named.length === 0) return undefined

    const collections = new Set<string>()
    const files = new Set<string>()
    for (const name of named) {
      const isCollection = sources.some(({ collection }) => collection.name === name)
      if (isCollection) collections.add(name)
      else files.add(this.#fileNamed(name, sources))
    }

    const known = new Set((await Promise.all(sources.map(({ source }) => namesOf(source)))).flat())
    for (const file of files) {
      if (known.has(file)) continue
      const { name } = this.#terminal.command
      await say(this.#terminal, 'stderr', [`${name}: ${printable(file)} is in no collection\n`])
    }
    return { collections, files }
  }

  /** Returns the name of a file, as collections name it. @throws BuildError if there is none */
  #fileNamed(name: string, sources: readonly CollectionToBuild[]): string {
    if (fs.existsSync(name)) {
      const way = path.relative(this.#config.folder, name)
      return way.split(path.sep).join('/').normalize('NFC')
    }

    const names = sources.map(({ collection }) => collection.name)
    const [near] = nearest(name, names)
    const hint =
      near === undefined
        ? `the collections are ${names.map(show).join(', ')}`
        : `do you mean ${show(near)}?`
    throw new BuildError(`there is no collection and no file ${show(name)}; ${hint}`)
  }

  /** Returns the collections to read: if one refers to others, all of them. */
  #toRead(
    sources: readonly CollectionToBuild[],
    selection: Selection | undefined,
  ): readonly CollectionToBuild[] {
    if (!selection || selection.files.size > 0) return sources

    const wanted = sources.filter(({ collection }) => selection.collections.has(collection.name))
    const refersToOthers = wanted.some(({ collection }) => collection.references !== undefined)
    return refersToOthers ? sources : wanted
  }

  /** Makes the fixes; or, for a preview, only in what is checked afterwards. */
  async #fix(
    sources: readonly CollectionToBuild[],
    selection: Selection | undefined,
  ): Promise<{ sources: readonly CollectionToBuild[]; left: number }> {
    const { isPreview, json } = this.#options
    const { loadExplain } = this.#terminal
    const room = await loadExplain()
    const cache = new Cache(this.#out)

    const fixables: { source: Source; fixer: Fixer; name: string }[] = []
    for (const { collection, source, words } of sources) {
      const { choice: schemas } = await readSchemas(collection.schema, cache, loadExplain)
      const fixer = new Fixer(room, { schemas, collection, words, frames: 0 })
      fixables.push({ source, fixer, name: collection.name })
    }

    const hasFiles = selection !== undefined && selection.files.size > 0
    const wanted = fixables.filter(({ name }) => hasFiles || isShown(selection, name))
    const left = await fixBatches(
      wanted,
      {
        batches: this.#config.folder,
        check: isPreview,
        json,
        ...(hasFiles && { isWanted: (name: string) => selection.files.has(name) }),
      },
      this.#terminal,
    )
    if (!isPreview) return { sources, left }

    const previews = sources.map((source, at) => {
      const { fixer } = fixables[at] as (typeof fixables)[number]
      return { ...source, source: fixedSource(source.source, fixer) }
    })
    return { sources: previews, left }
  }

  #buildOptions(collections: readonly CollectionToBuild[]): BuildOptions {
    const { task, isStrict, isSkipping, shown, shard } = this.#options
    const { signal, loadExplain } = this.#terminal
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
      ...(signal && { signal }),
    }
  }

  /** Checks or builds, and says what came of it. */
  async #build(
    sources: readonly CollectionToBuild[],
    selection: Selection | undefined,
  ): Promise<number> {
    const results = await build(this.#buildOptions(sources))
    const all = results.map((result, at) =>
      shownOf(sources[at] as CollectionToBuild, result, selection),
    )
    const shown = all.filter(({ name, problems }) => {
      return isShown(selection, name) || problems.length > 0
    })
    const isWrong = shown.some(({ problems }) => problems.length > 0)

    if (this.#options.json) await say(this.#terminal, 'stdout', formatCollectionsJson(shown))
    if (isWrong) await this.#sayWrong(shown)
    else await this.#sayRight(shown, sources)
    if (!isWrong && selection) await this.#sayRightFiles(selection)

    await this.#countOthers(results, shown)
    const { report } = this.#options
    if (report !== undefined) await this.#writeReport(report, shown)
    return isWrong ? 1 : 0
  }

  async #sayWrong(collections: readonly ShownCollection[]): Promise<void> {
    const context = this.#context()
    const pieces = [...formatRight(collections), ...formatWrong(collections, context)]
    await say(this.#terminal, 'stderr', pieces)
    await addStepSummary(pieces, this.#terminal)

    const warnings = formatWarnings(collections, context)
    if (warnings !== '') await say(this.#terminal, 'stderr', [`\n${warnings}`])
    const problems = collections.flatMap((collection) => collection.problems)
    await annotate(problems, this.#config.folder, this.#terminal)
  }

  /** Says how many of the named files are right, if no collection is named. */
  async #sayRightFiles({ files }: Selection): Promise<void> {
    if (files.size === 0) return

    const line = `${plural(files.size, 'named file')}, no mistake\n`
    await say(this.#terminal, this.#options.json ? 'stderr' : 'stdout', [line])
  }

  /** How problems are shown. */
  #context() {
    const { folder } = this.#config
    return { folder: folder === '.' ? '' : folder, shown: this.#options.shown }
  }

  async #sayRight(
    collections: readonly ShownCollection[],
    sources: readonly CollectionToBuild[],
  ): Promise<void> {
    const { task, json } = this.#options
    const context = this.#context()
    await say(this.#terminal, 'stderr', formatLeftOut(collections, context))

    const stream = json ? 'stderr' : 'stdout'
    const lines = [...formatRight(collections)]
    const warnings = formatWarnings(collections, context)
    if (warnings !== '') lines.push(warnings)

    if (task === 'build') {
      for (const collection of collections)
        lines.push(`${formatPublished(collection, (file) => path.join(this.#out, file))}\n`)
    } else if (sources.length === this.#config.collections.length) {
      lines.push(...this.#describeState(collections))
    }
    await say(this.#terminal, stream, lines)
    await addStepSummary(lines, this.#terminal)
  }

  /** Says whether the datasets that were built before are out of date. */
  #describeState(collections: readonly ShownCollection[]): string[] {
    const isBuilt = fs.existsSync(path.join(this.#out, FILES.manifest))
    const [first] = collections.map(({ result }) => (result.ok ? result.outdated : []))
    if (!isBuilt || first === undefined || first.length === 0) return []

    const files = first.map((file) => path.join(this.#out, file)).join(', ')
    const verb = first.length === 1 ? 'is' : 'are'
    const line = `${files} ${verb} out of date; ${this.#terminal.command.howToWrite}`
    return [printable(line), '\n']
  }

  /** Counts the problems that are not shown, because they are elsewhere. */
  async #countOthers(
    results: readonly BuildResult[],
    shown: readonly ShownCollection[],
  ): Promise<void> {
    const all = results.reduce((sum, result) => sum + problemsOf(result).length, 0)
    const others = all - shown.reduce((sum, { problems }) => sum + problems.length, 0)
    if (others === 0) return

    const line = `\n${plural(others, 'more problem')} elsewhere; "${this.#terminal.command.usage}" shows all\n`
    await say(this.#terminal, 'stderr', [line])
  }

  async #writeReport(file: string, collections: readonly ShownCollection[]): Promise<void> {
    const room = await this.#terminal.loadReport()
    const { folder } = this.#config
    const most = Number.isFinite(this.#options.shown) ? MOST_REPORTED : Number.POSITIVE_INFINITY
    const { bytes } = await room.writeCollectionsReport(file, { collections, folder, most })
    const line = `\nThe report is in ${file} (${formatBytes(bytes)}).\n`
    await say(this.#terminal, this.#options.json ? 'stderr' : 'stdout', [line])
  }

  /** Writes the records of a collection for an engine. */
  async #writeRecords(sources: readonly CollectionToBuild[], folder: string): Promise<number> {
    const { named, shard, json } = this.#options
    const wanted = named[0] ?? (sources.length === 1 ? sources[0]?.collection.name : undefined)
    const source = sources.find(({ collection }) => collection.name === wanted)
    if (!source) {
      const names = sources.map(({ collection }) => show(collection.name)).join(', ')
      throw new BuildError(`--records needs the name of a collection: ${names}`)
    }

    const [result] = await buildInto(
      this.#buildOptions([source]),
      `write ${folder}`,
      ([listed]) => {
        return writeRecords(folder, listed as CollectionSource, { shards: shard.of, idKey: 'id' })
      },
    )
    if (!result?.ok) {
      const refused = { ...result, duplicates: [] } as BuildResult
      await this.#sayWrong([shownOf(source, refused, undefined)])
      return 1
    }

    const { warnings, ok, ...written } = result
    if (json) {
      await say(this.#terminal, 'stdout', [`${JSON.stringify({ ok, shard, ...written })}\n`])
      return 0
    }
    const records = `${source.collection.name}: ${plural(written.records, 'record')}`
    const files = `${folder} (${plural(written.batches, 'file')} of ${formatNumber(written.of)}, ${formatBytes(written.bytes)})`
    await say(this.#terminal, 'stdout', [printable(`${records} in ${files}`), '\n'])
    return 0
  }
}

function isShown(selection: Selection | undefined, name: string): boolean {
  return selection === undefined || selection.collections.has(name)
}

/** Returns a result with the problems that somebody asked for. */
function shownOf(
  { collection, words }: CollectionToBuild,
  result: BuildResult,
  selection: Selection | undefined,
): ShownCollection {
  const { name, schema } = collection
  const problems = problemsOf(result)
  const isWanted = ({ batch, other }: Problem) => {
    const files = selection?.files
    return files?.has(batch) || (other !== undefined && files?.has(other.batch))
  }
  return {
    name,
    words,
    hasSchema: schema.kind !== 'none',
    result,
    problems: isShown(selection, name) ? problems : problems.filter(isWanted),
  }
}

function problemsOf(result: BuildResult): readonly Problem[] {
  return result.ok ? [] : result.problems
}
