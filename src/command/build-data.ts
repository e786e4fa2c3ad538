/** `npm run build-data` as a function: arguments in, messages and an exit status out. */
import { type BuildOptions, build, buildInto } from '../build/build.ts'
import { Cache } from '../build/disk/cache.ts'
import { writeRecords } from '../build/output/records-writer.ts'
import { readSchema } from '../build/read-schema.ts'
import { addLines } from '../build/record-lines.ts'
import { batchSource, type Delivery } from '../build/source.ts'
import { collectionOfContent } from '../collections/of-content.ts'
import { SITE_WORDS } from '../explain/words.ts'
import { Fixer, fixBatches, fixedSource } from './fix-files.ts'
import { loadContent } from './load-content.ts'
import { describeCommand, type Options, placeOptions, readOptions } from './options.ts'
import {
  isWriting,
  printError,
  printProblems,
  printRecords,
  printSummary,
  writeReport,
} from './print-result.ts'
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
    if (options.records !== undefined) {
      return await buildRecords(settings, options.records, options, terminal)
    }

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
  const open = ({ all }: Delivery) => {
    return writeRecords(folder, all, options.shard.of, settings.collection)
  }
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
