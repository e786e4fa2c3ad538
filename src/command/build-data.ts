/** `npm run build-data` as a function: arguments in, messages and an exit status out. */
import { type BuildResult, build, buildInto, type Result } from '../build/build.ts'
import { Cache } from '../build/disk/cache.ts'
import type { BuildOptions } from '../build/options.ts'
import { type WrittenRecords, writeRecords } from '../build/output/records-writer.ts'
import { SchemaReader } from '../build/read-schema.ts'
import { readSchemas } from '../build/read-schemas.ts'
import { addLines } from '../build/record-lines.ts'
import { batchSource, type CollectionSource, type CollectionToBuild } from '../build/source.ts'
import { collectionOfContent } from '../collections/of-content.ts'
import { SITE } from '../dataset/format.ts'
import type { Problem } from '../explain/problem.ts'
import { SITE_WORDS } from '../explain/words.ts'
import { statusOf } from './exit-status.ts'
import { Fixer, fixBatches, fixedSource } from './fix-files.ts'
import { loadContent } from './load-content.ts'
import { describeCommand, type Options, placeOptions, readOptions } from './options.ts'
import {
  printError,
  printProblems,
  printRecords,
  printSummary,
  verdictOn,
  writeReport,
} from './print-result.ts'
import { type SiteCommand, say, type Terminal } from './terminal.ts'

/** What is said of a schema that isn't there. */
const SCHEMA_HINT = ' (--schema names another)'

/**
 * Runs the command.
 *
 * @param args the arguments after the command's name
 * @returns the exit status: 0 done, 1 problems in the data, 2 anything that is not in the data
 */
export async function buildData(args: string[], terminal: Terminal<SiteCommand>): Promise<number> {
  try {
    const { command } = terminal
    const given = readOptions(args, terminal.env, command)
    if (given.help) {
      await say(terminal, 'stdout', [describeCommand(command)])
      return 0
    }

    const { content, delivery } = await loadContent(given.content, terminal)
    const options = placeOptions(given, { ...delivery, out: command.out })

    const schema = { kind: 'file', file: options.schema, hint: SCHEMA_HINT } as const
    const site: CollectionToBuild = {
      collection: collectionOfContent(content, schema),
      source: batchSource(options.place),
      words: SITE_WORDS,
    }

    if (options.records !== undefined) {
      return await buildRecords(site, options.records, options, terminal)
    }

    const fixed = options.fix ? await fix(site, options, terminal) : { site, left: 0 }
    const status = await buildDataset(fixed.site, options, terminal)
    return fixed.left > 0 ? Math.max(status, 1) : status
  } catch (error) {
    return printError(error, args, terminal)
  }
}

function buildOptions(site: CollectionToBuild, options: Options, terminal: Terminal): BuildOptions {
  const { loadExplain } = terminal
  return {
    collections: [site],
    layout: SITE,
    out: options.out,
    isStrict: options.strict,
    isSkipping: options['skip-refused'],
    isCheck: options.check,
    shard: options.shard,
    frames: options.shown,
    loadExplain,
  }
}

/**
 * Makes the fixes; with --check, only in what the build reads.
 *
 * @returns the site to build, and how many files still have a fix
 */
async function fix(
  site: CollectionToBuild,
  options: Options,
  terminal: Terminal,
): Promise<{ site: CollectionToBuild; left: number }> {
  const { source, collection, words } = site
  const room = await terminal.loadExplain()
  const reader = new SchemaReader(new Cache(options.out), terminal.loadExplain)
  const schemas = await readSchemas(collection.schema, reader)
  const fixer = new Fixer(room, { schemas: schemas.choice, collection, words, frames: 0 })

  const left = await fixBatches([{ source, fixer }], options, terminal)
  const fixed = options.check ? { ...site, source: fixedSource(source, fixer) } : site
  return { site: fixed, left }
}

/** Writes the records instead of a dataset. @returns the exit status */
async function buildRecords(
  site: CollectionToBuild,
  folder: string,
  options: Options,
  terminal: Terminal,
): Promise<number> {
  const shards = options.shard.of
  const settings = buildOptions(site, options, terminal)
  const results = await buildInto(settings, `write ${folder}`, ([source]) => {
    return writeRecords(folder, source as CollectionSource, shards)
  })
  const [result] = results as [Result<WrittenRecords>]

  if (result.ok) await printRecords(result, options, terminal)
  else await printProblems(result, options, terminal)
  return statusOf(problemsOf(result))
}

function problemsOf(result: Result<unknown>): readonly Problem[] {
  return result.ok ? [] : result.problems
}

/** Builds the dataset, and says what came of it. @returns the exit status */
async function buildDataset(
  site: CollectionToBuild,
  options: Options,
  terminal: Terminal,
): Promise<number> {
  const results = await build(buildOptions(site, options, terminal))
  const [result] = results as [BuildResult]

  if (result.ok && options.verbose) await addLines(site, result.manifest)
  if (result.ok) await printSummary(result, options, terminal)
  else await printProblems(result, options, terminal)

  const isOk = result.ok && verdictOn(result, options).isOk
  const status = isOk ? 0 : Math.max(1, statusOf(problemsOf(result)))
  const { report } = options
  if (report === undefined) return status

  try {
    await writeReport(report, result, options, site, terminal)
    return status
  } catch (error) {
    // With --json, the result of the build is already printed.
    const errorStatus = await printError(error, [], terminal)
    return isOk ? errorStatus : status
  }
}
