/** The options of `build-data`: parsing, valid combinations, and where they may point. */
import { parseArgs } from 'node:util'
import { findPlace } from '../build/place.ts'
import { explainArguments, refuseTaken } from '../machine/arguments.ts'
import { BuildError } from '../machine/errors.ts'
import type { DeliveryPlace } from '../page/content.ts'
import { SHOWN_PER_BATCH } from '../page/shown.ts'
import { refuseUnwritable } from '../report/report-file.ts'
import { readShard } from './shard.ts'
import type { Command, SiteCommand } from './terminal.ts'
import { withoutWritten } from './written.ts'

/** Describes the options, with the defaults of a command. */
function describeOptions({ delivery, content, out }: SiteCommand): string {
  const batches = [delivery.batches].flat().join(', ')
  return `  --check            validate, and say whether the dataset is up to date; change nothing
  --fix              first make the fixes that are certain in the delivered files; with --check, only show them
  --strict           fail if two records for a path differ, a text has U+FFFD, a key may be
                     misspelled, YAML 1.1 reads a text in another way, or a file is not read;
                     with --check, also if the dataset that's there is out of date
  --skip-refused     leave out the records that the schema, a rule or content.ts refuses, and name them
  --verbose          name every dropped record and the one that was kept, with their lines
  --all              show every problem, not only the first ${SHOWN_PER_BATCH} kinds of a batch; the same for --report
  --report FILE      an HTML file that shows the build: batches, changes, conflicts, problems
  --json             the report as JSON on standard output, messages on standard error
  --batches PLACE    where the batches are: a folder, a file, or a pattern such as 'data/*.json';
                     may be repeated; '!drafts' leaves something out (${batches})
  --schema FILE      the JSON Schema of a batch (${delivery.schema})
  --content FILE     what a record is, and which page it becomes (${content.name})
  --out FOLDER       where the dataset goes (${out})
  --records FOLDER   instead of a dataset, write the valid records as JSON Lines into a new folder
  --shard K/N        with --records: only the Kth of every N batches
  -h, --help         this text

Exit status: 0 done, 1 problems in the data, 2 the command line, the machine or ManyURLs itself.
`
}

/** The help of `npm run build-data`. */
export function describeCommand(command: SiteCommand): string {
  return `Compiles the delivered batches into one deduplicated, typed dataset.

${command.usage} [options]

${describeOptions(command)}`
}

export type Options = ReturnType<typeof placeOptions>

/**
 * Completes options by where the delivery and the dataset are if they do not say it.
 *
 * @returns the options; `batches` is the folder that the names of batches are relative to, and
 *   `shown` is how many kinds of problems of one batch are shown
 * @throws BuildError in one line if an option points where it may not
 */
export function placeOptions(
  given: ReturnType<typeof readOptions>,
  places: Required<DeliveryPlace> & Pick<SiteCommand, 'out'>,
) {
  const { schema = places.schema, out = places.out, records, report, all } = given
  if (report !== undefined) refuseUnwritable(report)

  const batches = findPlace(given.batches ?? [places.batches].flat())
  const written = { '--out': out, ...(records === undefined ? {} : { '--records': records }) }
  const place = withoutWritten(batches, written)

  const shown = all ? Number.POSITIVE_INFINITY : SHOWN_PER_BATCH
  return { ...given, out, schema, shown, batches: place.folder, place }
}

/**
 * Options that are also settings of npm. npm puts its settings into the environment, wherever they
 * come from, so nobody can know whether such an option was meant for this command.
 */
const SETTINGS_OF_NPM = ['verbose', 'all', 'json', 'help']

export const OPTIONS = {
  check: { type: 'boolean', default: false },
  fix: { type: 'boolean', default: false },
  strict: { type: 'boolean', default: false },
  'skip-refused': { type: 'boolean', default: false },
  verbose: { type: 'boolean', default: false },
  all: { type: 'boolean', default: false },
  report: { type: 'string' },
  json: { type: 'boolean', default: false },
  batches: { type: 'string', multiple: true },
  schema: { type: 'string' },
  content: { type: 'string' },
  out: { type: 'string' },
  records: { type: 'string' },
  shard: { type: 'string' },
  help: { type: 'boolean', default: false, short: 'h' },
} as const

/** @throws BuildError in one line if an option is invalid, or npm took it */
export function readOptions(args: readonly string[], env: NodeJS.ProcessEnv, command: Command) {
  try {
    // If npm takes --check, for example, the build would write.
    const ours = Object.keys(OPTIONS).filter((name) => !SETTINGS_OF_NPM.includes(name))
    refuseTaken(ours, env, command.usage)

    const { values } = parseArgs({ args: withoutSeparators(args), options: OPTIONS })
    refuseEmpty(values)
    refuseMixed(values)

    return { ...values, shard: readShard(values.shard) }
  } catch (error) {
    const reason = explainArguments(error, Object.keys(OPTIONS))
    throw new BuildError(`${reason}; --help lists the options`)
  }
}

/** pnpm passes on the "--" that precedes the options of a script. All arguments are options here. */
function withoutSeparators(args: readonly string[]): string[] {
  return args.filter((argument) => argument !== '--')
}

type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values']

function refuseEmpty(values: Values): void {
  for (const name of ['batches', 'schema', 'content', 'out', 'records'] as const) {
    const isEmpty = [values[name]].flat().includes('')
    if (isEmpty) throw new Error(`--${name} is empty; name a place, such as "."`)
  }
}

function refuseMixed(values: Values): void {
  if (values.strict && values['skip-refused'])
    throw new Error('--skip-refused and --strict cannot be used together')

  if (values.records !== undefined) refuseWithRecords(values)
  else if (values.shard !== undefined) throw new Error('--shard needs --records')
}

/** Refuses options about a dataset: with --records there is none. */
function refuseWithRecords(values: Record<string, Values[keyof Values]>): void {
  const { records, shard, batches, schema, content, all, json, help, ...ofDataset } = values
  const other = Object.keys(ofDataset).find((name) => ofDataset[name])
  if (other) throw new Error(`--${other} cannot be used with --records, which makes no dataset`)
}
