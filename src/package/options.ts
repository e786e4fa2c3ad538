/** The options of `manyurls check`, `fix` and `build`. */
import { parseArgs } from 'node:util'
import { readShard, type Shard } from '../command/shard.ts'
import { explainArguments } from '../machine/arguments.ts'
import { BuildError } from '../machine/errors.ts'
import { SHOWN_PER_BATCH } from '../page/shown.ts'
import { refuseUnwritable } from '../report/report-file.ts'

/** What is checked, fixed or built. */
export type Task = 'check' | 'fix' | 'build'

export const HELP_OF_OPTIONS = `  NAME or FILE       with check and fix: only this collection, file or folder; several may be named
  --check            with fix: only show the fixes
  --strict           fail if a key may be misspelled, a text has U+FFFD, YAML 1.1 reads a text in
                     another way, a file is not read, or two records differ of which 'drop' keeps the
                     first; check, but not fix, also fails if datasets are there and out of date
  --skip-refused     leave out the records that the schema or a function refuses, and name them
  --all              show every problem, not only the first ${SHOWN_PER_BATCH} kinds of a file
  --report FILE      an HTML file that shows the result
  --json             the result as JSON on standard output, messages on standard error
  --out FOLDER       where build puts the datasets (generated)
  --records FOLDER   with build and the NAME of a collection: write its valid records as JSON Lines
                     into a new folder
  --shard K/N        with --records: only the Kth of every N files
  -h, --help         this text

Exit status: 0 all is well, 1 problems in the data, 2 the command line, the machine or ManyURLs itself.
`

const OPTIONS = {
  check: { type: 'boolean', default: false },
  strict: { type: 'boolean', default: false },
  'skip-refused': { type: 'boolean', default: false },
  all: { type: 'boolean', default: false },
  report: { type: 'string' },
  json: { type: 'boolean', default: false },
  out: { type: 'string' },
  records: { type: 'string' },
  shard: { type: 'string' },
  help: { type: 'boolean', default: false, short: 'h' },
} as const

export interface Options {
  task: Task
  /** The collections and files that are named. */
  named: string[]
  isStrict: boolean
  isSkipping: boolean
  /** Whether to only show the fixes. */
  isPreview: boolean
  /** How many kinds of problems of one file are shown. */
  shown: number
  report: string | undefined
  json: boolean
  out: string | undefined
  /** The folder of the records, if they are written instead of datasets. */
  records: string | undefined
  shard: Shard
  help: boolean
}

/**
 * @param command its task, and how it's called
 * @throws BuildError if an argument is invalid
 */
export function readOptions(
  { task, usage }: { task: Task; usage: string },
  args: readonly string[],
): Options {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: OPTIONS,
      allowPositionals: true,
    })

    refuseMixed(task, values, positionals)
    if (values.report !== undefined) refuseUnwritable(values.report)

    return {
      task,
      named: positionals,
      isStrict: values.strict,
      isSkipping: values['skip-refused'],
      isPreview: values.check,
      shown: values.all ? Number.POSITIVE_INFINITY : SHOWN_PER_BATCH,
      report: values.report,
      json: values.json,
      out: values.out,
      records: values.records,
      shard: readShard(values.shard),
      help: values.help,
    }
  } catch (error) {
    const reason = explainArguments(error, Object.keys(OPTIONS))
    throw new BuildError(`${reason}; "${usage} --help" lists the options`)
  }
}

type Values = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values']

function refuseMixed(task: Task, values: Values, named: readonly string[]): void {
  for (const name of ['out', 'records'] as const)
    if (values[name] === '') throw new Error(`--${name} is empty; name a folder`)

  if (values.strict && values['skip-refused'])
    throw new Error('--skip-refused and --strict cannot be used together')

  if (values.check && task === 'build')
    throw new Error('--check is for fix; "check" says what is wrong, and writes nothing')

  if (values.shard !== undefined && values.records === undefined)
    throw new Error('--shard needs --records')

  if (values.records !== undefined) refuseWithRecords(task, values, named)
  else if (task === 'build' && named.length > 0)
    throw new Error(`"build" builds all collections, so it takes no ${JSON.stringify(named[0])}`)
}

function refuseWithRecords(task: Task, values: Values, named: readonly string[]): void {
  if (task !== 'build') throw new Error(`--records is for build, not for ${task}`)
  if (named.length > 1) throw new Error('--records writes one collection; name only one')

  const others = ['report', 'skip-refused', 'strict'] as const
  const other = others.find((name) => values[name])
  if (other) throw new Error(`--${other} cannot be used with --records, which makes no dataset`)
}
