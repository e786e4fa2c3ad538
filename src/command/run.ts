/** The program: reads the collections of a configuration, checks, fixes or builds, and prints the result. */
import { build, buildInto } from '../build/build.ts'
import { Cache } from '../build/disk/cache.ts'
import type { BuildOptions } from '../build/options.ts'
import { writeRecords } from '../build/output/records-writer.ts'
import { createSchemaReader } from '../build/read-schema.ts'
import { readSchemas } from '../build/read-schemas.ts'
import { addLines } from '../build/record-lines.ts'
import type { CollectionToBuild } from '../build/source.ts'
import { refuseUnwritable } from '../report/report-file.ts'
import { statusOf } from './exit-status.ts'
import { createFixer, type Fixable, fixBatches, fixedSource } from './fix-files.ts'
import { loadConfig, openCollections } from './load-config.ts'
import { describeCommand, readOptions } from './options.ts'
import {
  outdatedFiles,
  printError,
  printForeign,
  printRecords,
  printRefusedRecords,
  printResult,
  writeReport,
} from './print-result.ts'
import { collectionsToRead, isShown, namesFiles, type Selection, selectionOf } from './selection.ts'
import { say, type Terminal } from './terminal.ts'
import type { Work } from './work.ts'

/**
 * Runs a command.
 *
 * @param args the arguments after the command's name
 * @returns the exit status: 0 all is well, 1 problems in the data, 2 anything that is not in the data
 */
export async function run(args: string[], terminal: Terminal): Promise<number> {
  const { command, env } = terminal
  try {
    const options = readOptions(args, command, env)
    if (options.help) {
      await say(terminal, 'stdout', [describeCommand(command)])
      return 0
    }

    if (options.report !== undefined) refuseUnwritable(options.report)

    const config = await loadConfig(options.config, terminal)
    const wanted = collectionsToRead(config.collections, options)
    const opened = await openCollections(config, wanted, options, command)
    const isWhole = wanted.length === config.collections.length

    const work: Work = { ...opened, isWhole, options, terminal }
    return options.records === undefined
      ? await buildDatasets(work)
      : await buildRecords(work, options.records)
  } catch (error) {
    return printError(error, args, terminal)
  }
}

function buildOptionsOf({ collections, out, options, terminal }: Work): BuildOptions {
  const { task, isStrict, isSkipping, shown, shard } = options
  const { command, loadExplain, progress } = terminal
  return {
    ...{ collections, out, isStrict, isSkipping, shard, loadExplain },
    onRead: progress?.show,
    isCheck: task === 'check',
    hasTypes: task === 'build' || command.isSite,
    frames: shown,
  }
}

/** Checks or builds, after the fixes if there are some to make. */
async function buildDatasets(work: Work): Promise<number> {
  const { options, terminal, collections, folder } = work
  const selection = await selectionOf(options.named, collections, folder)
  if (selection) await printForeign(selection.foreign, terminal)
  if (options.fixes === 'none') return checkOrBuild(work, selection)

  const fixed = await fix(work, selection)
  const status = await checkOrBuild({ ...work, collections: fixed.collections }, selection)
  return fixed.left > 0 ? Math.max(status, 1) : status
}

/**
 * Makes the fixes, or only shows them.
 *
 * @returns the collections to build, with all fixes, and how many files still have one
 */
async function fix(
  { collections, out, folder, options, terminal }: Work,
  selection: Selection,
): Promise<{ collections: readonly CollectionToBuild[]; left: number }> {
  const fixables = await fixablesOf(collections, out, terminal)

  const hasFiles = selection !== undefined && namesFiles(selection)
  const isWanted = (file: string) => !hasFiles || selection.files.has(file)
  const isOfNamed = (name: string) => hasFiles || isShown(selection, name)
  const wanted = fixables.filter(({ collection }) => isOfNamed(collection.name))

  const isPreview = options.fixes === 'shown'
  const settings = { folder, isPreview, json: options.json, isWanted }
  const left = await fixBatches(wanted, settings, terminal)
  if (!isPreview) return { collections, left }

  const previews = fixables.map(({ fixer, ...collection }) => {
    const { source } = collection
    if (!isOfNamed(collection.collection.name)) return collection
    return { ...collection, source: fixedSource(source, fixer, isWanted) }
  })
  return { collections: previews, left }
}

async function fixablesOf(
  collections: readonly CollectionToBuild[],
  out: string,
  { loadExplain }: Terminal,
): Promise<Fixable[]> {
  const room = await loadExplain()
  const reader = createSchemaReader(new Cache(out), loadExplain)

  const fixables: Fixable[] = []
  for (const toBuild of collections) {
    const { collection, words } = toBuild
    const { choice: schemas } = await readSchemas(collection.schema, reader)
    const fixer = createFixer(room, { schemas, collection, words, frames: 0 })
    fixables.push({ ...toBuild, fixer })
  }
  return fixables
}

/** Checks or builds, and prints the result. */
async function checkOrBuild(work: Work, selection: Selection): Promise<number> {
  const { options, terminal, isWhole, out } = work
  const { task, fixes, isStrict, report } = options
  const results = await build(buildOptionsOf(work))

  if (options.isVerbose) {
    for (const result of results) {
      if (result.ok) await addLines(result.collection, result.manifest)
    }
  }

  const outdated = task === 'check' && isWhole ? outdatedFiles(results, out) : []
  const isStale = isStrict && fixes === 'none' && outdated.length > 0

  // A build publishes all collections, or none.
  const shownSelection = task === 'build' ? undefined : selection
  const shown = await printResult({ results, outdated, isStale, selection: shownSelection }, work)
  const problems = shown.flatMap((collection) => collection.problems)
  const status = Math.max(isStale ? 1 : 0, statusOf(problems))
  if (report === undefined) return status

  try {
    await writeReport(report, shown, outdated, work)
    return status
  } catch (error) {
    // With --json, the result is already printed.
    return Math.max(status, await printError(error, [], terminal))
  }
}

/** Writes the records of a collection for an engine. */
async function buildRecords(work: Work, folder: string): Promise<number> {
  const { shard } = work.options
  const [result] = await buildInto(buildOptionsOf(work), `write ${folder}`, () => {
    return writeRecords(folder, shard.of)
  })
  if (result === undefined) throw new Error('there is no collection')

  if (result.ok) {
    await printRecords(result, folder, work)
    return 0
  }
  await printRefusedRecords(result, work)
  return statusOf(result.problems)
}
