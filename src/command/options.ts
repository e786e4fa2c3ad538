/** The options of a command: parsing, and what goes together. */
import { parseArgs } from 'node:util'
import { explainArguments, refuseTaken } from '../machine/arguments.ts'
import { BuildError } from '../machine/errors.ts'
import { SHOWN_PER_BATCH } from '../page/shown.ts'
import { readShard, type Shard } from './shard.ts'
import type { Command, Task } from './terminal.ts'

/** The help for tasks: `build-data` has options for them, `manyurls` has commands. */
const HELP_OF_TASKS = {
  site: `  --check            check, and change nothing; with --fix, only show the fixes
  --fix              first make the fixes that are certain in the files`,
  package: '  --check            with fix: only show the fixes',
}

/** The help of a command. */
export function describeCommand(command: Command): string {
  const { isSite, usage } = command
  const what = isSite
    ? 'Checks the delivered batches, and compiles them into one deduplicated, typed dataset.\n\n'
    : ''
  return `${what}${usage} [options]\n\n${describeOptions(command)}`
}

/** The help of the options of a command. */
export function describeOptions({ isSite, config = '', out }: Command): string {
  const tasks = isSite ? HELP_OF_TASKS.site : HELP_OF_TASKS.package
  const [check, fix] = isSite ? ['--check', '--fix'] : ['check', 'fix']
  const configuration = isSite ? config : 'manyurls.config.ts'

  return `  NAME or FILE       with ${check} and ${fix}: only this collection, file or folder; several may be named
${tasks}
  --strict           fail if a key may be misspelled, a text has U+FFFD, YAML leaves out a zero or what
                     follows a #, YAML 1.1 reads a text in another way, a file is not read, or two
                     records differ of which 'drop' keeps the first; ${check} also fails if datasets are
                     there and out of date
  --skip-refused     leave out the records that the schema or a function refuses, and name them
  --verbose          name every dropped record and the one that was kept, with their lines
  --all              show every problem, not only the first ${SHOWN_PER_BATCH} kinds of a file
  --report FILE      an HTML file that shows the result
  --json             the result as JSON on standard output, messages on standard error
  --config FILE      another configuration (${configuration})
  --out FOLDER       where datasets go (${out})
  --batches PLACE    instead of the "files" of the only collection: a folder, a file, or a pattern such
                     as 'data/*.json'; may be repeated; '!drafts' leaves something out
  --schema FILE      instead of the "schema" of the only collection
  --records FOLDER   instead of datasets, write the valid records of one collection as JSON Lines
                     into a new folder
  --shard K/N        with --records: only the Kth of every N files
  -h, --help         this text

Exit status: 0 all is well, 1 problems in the data, 2 the command line, the machine or ManyURLs itself.
`
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
  config: { type: 'string' },
  out: { type: 'string' },
  batches: { type: 'string', multiple: true },
  schema: { type: 'string' },
  records: { type: 'string' },
  shard: { type: 'string' },
  help: { type: 'boolean', default: false, short: 'h' },
} as const

export interface Options {
  task: 'check' | 'build'
  /** Whether the certain fixes are made before, or only shown. */
  fixes: 'none' | 'shown' | 'made'
  /** The collections and files that are named. */
  named: readonly string[]
  isStrict: boolean
  isSkipping: boolean
  isVerbose: boolean
  /** How many kinds of problems of one file are shown. */
  shown: number
  report: string | undefined
  json: boolean
  config: string | undefined
  /** Instead of the files and the schema of the only collection. */
  batches: readonly string[] | undefined
  schema: string | undefined
  out: string | undefined
  /** The folder of the records, if they are written instead of datasets. */
  records: string | undefined
  shard: Shard
  help: boolean
}

/**
 * @param args the arguments after the command's name
 * @throws BuildError in one line if an option is invalid, or npm took it
 */
export function readOptions(
  args: readonly string[],
  command: Command,
  env: NodeJS.ProcessEnv,
): Options {
  try {
    refuseTakenByNpm(env, command)
    const { values, positionals } = parseArgs({
      // pnpm passes on the "--" that precedes the options of a script.
      args: args.filter((argument) => argument !== '--'),
      options: OPTIONS,
      allowPositionals: true,
    })

    const work = taskOf(values, command)
    refuseEmpty(values)
    refuseMixed(values, positionals, { ...work, name: command.task })

    const { report, json, config, batches, schema, out, records, help } = values
    return {
      ...work,
      named: positionals,
      isStrict: values.strict,
      isSkipping: values['skip-refused'],
      isVerbose: values.verbose,
      shown: values.all ? Number.POSITIVE_INFINITY : SHOWN_PER_BATCH,
      shard: readShard(values.shard),
      ...{ report, json, config, batches, schema, out, records, help },
    }
  } catch (error) {
    const reason = explainArguments(error, Object.keys(OPTIONS))
    throw new BuildError(`${reason}; "${command.usage} --help" lists the options`)
  }
}

/** If npm takes --strict, for example, a check would pass that should fail. */
function refuseTakenByNpm(env: NodeJS.ProcessEnv, { usage }: Command): void {
  const options = Object.keys(OPTIONS).filter((name) => !SETTINGS_OF_NPM.includes(name))
  refuseTaken(options, env, usage)
}

type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values']

/** Returns the task: by the options of a site, or by the command of the package. */
function taskOf(
  { check, fix }: Values,
  { isSite, task }: Command,
): Pick<Options, 'task' | 'fixes'> {
  const isFixing = isSite ? fix : task === 'fix'
  if (isFixing && check) return { task: 'check', fixes: 'shown' }
  if (isFixing) return { task: isSite ? 'build' : 'check', fixes: 'made' }

  if (!isSite && fix) throw new Error(`"${task}" makes no fixes; "fix" does`)
  if (!isSite && check && task === 'build')
    throw new Error('--check is for fix; "check" says what is wrong, and writes nothing')

  const isCheck = check || task === 'check'
  return { task: isCheck ? 'check' : 'build', fixes: 'none' }
}

function refuseEmpty(values: Values): void {
  for (const name of ['config', 'batches', 'schema', 'out', 'records'] as const) {
    const isEmpty = [values[name]].flat().includes('')
    if (isEmpty) throw new Error(`--${name} is empty; name a place, such as "."`)
  }
}

function refuseMixed(
  values: Values,
  named: readonly string[],
  { task, fixes, name }: Pick<Options, 'task' | 'fixes'> & { name: Task },
): void {
  if (values.strict && values['skip-refused'])
    throw new Error('--skip-refused and --strict cannot be used together')

  if (values.shard !== undefined && values.records === undefined)
    throw new Error('--shard needs --records')

  if (values.records !== undefined) {
    refuseWithRecords(values, named, name)
    return
  }

  const isWholeBuild = task === 'build' && fixes === 'none'
  if (isWholeBuild && named.length > 0)
    throw new Error(`a build is of all collections, so it takes no ${JSON.stringify(named[0])}`)
}

/** Refuses options about datasets: with --records there are none. */
function refuseWithRecords(values: Values, named: readonly string[], task: Task): void {
  const ofDatasets = ['check', 'fix', 'strict', 'skip-refused', 'verbose', 'report', 'out'] as const
  const other = ofDatasets.find((name) => values[name])
  if (other) throw new Error(`--${other} cannot be used with --records, which makes no dataset`)

  if (task !== 'build') throw new Error(`--records is for build, not for ${task}`)
  if (named.length > 1) throw new Error('--records writes one collection; name only one')
}
