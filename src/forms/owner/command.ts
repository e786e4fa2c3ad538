/** The command line of `npm run submissions`: lists, shows, exports and deletes submissions. */
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { formatNumber, plural } from '../../batch/wording.ts'
import { describeSystemError } from '../../build/disk/errors.ts'
import { DEFAULT_FILE, openStore } from '../store/open-store.ts'
import { readReceipt, type Store, StoreError } from '../store/store.ts'
import { FORMATS } from './export.ts'
import { formatCounts, formatSubmission, formatTable } from './listing.ts'

const HELP = `Reads what visitors have sent, also while the server runs.

npm run submissions -- [command] [options]

  list [--limit N]             the newest submissions, at most N (20); the default
  count                        how many there are
  show RECEIPT                 one submission, whole
  export --format FORMAT       all of them, the oldest first: csv, xlsx, json or ndjson
         [--out FILE]          into a file, not to standard output
  delete RECEIPT               delete one for good
  delete --older-than DAYS     delete all received more than DAYS days ago; 0 means all
         --yes                 confirm; without it, only say how many there are
  --help                       this text

The submissions are in the Postgres database of DATABASE_URL; without it, in the SQLite file of
SUBMISSIONS_FILE (${DEFAULT_FILE}).

Exit status: 0 done, 1 no such submission, 2 the command line or the machine.
`

const DAY = 24 * 60 * 60 * 1000

export interface Streams {
  /** `columns` is the width of a terminal. */
  stdout: NodeJS.WritableStream & { columns?: number }
  stderr: NodeJS.WritableStream
}

/** An error in the command line or what it needs. The message is one line that says what to do. */
export class UsageError extends Error {}

/** The error for a submission that does not exist. */
class MissingError extends Error {}

type Values = ReturnType<typeof readCommandLine>['values']

type Pieces = Iterable<string> | AsyncIterable<string | Buffer>

interface Call {
  store: Store
  values: Values
  argument: string | undefined
  stdout: Streams['stdout']
  /** Returns the names of the fields of all forms, each once. */
  formNames(): readonly string[]
}

interface Command {
  options: readonly (keyof Values)[]
  run(call: Call): Promise<void>
}

const COMMANDS: Record<string, Command> = {
  list: {
    options: ['limit'],
    async run({ store, values, stdout }) {
      const submissions = await store.list(demandNumber('limit', values.limit ?? '20'))
      const counts = await store.count()
      const rest = counts.received + counts.suspect - submissions.length
      await print(stdout, [
        ...(submissions.length > 0 ? formatTable(submissions, stdout.columns ?? 120) : []),
        submissions.length > 0 ? '\n' : '',
        formatCounts(counts),
        rest > 0 ? `${formatNumber(rest)} older ones are not shown (--limit)\n` : '',
      ])
    },
  },

  count: {
    options: [],
    run: async ({ store, stdout }) => print(stdout, [formatCounts(await store.count())]),
  },

  show: {
    options: [],
    async run({ store, argument, stdout }) {
      const submission = await store.find(readReceipt(demandReceipt(argument)))
      if (!submission) throw missing(argument)
      await print(stdout, [formatSubmission(submission)])
    },
  },

  export: {
    options: ['format', 'out'],
    async run({ store, values: { format = '', out }, stdout, formNames }) {
      if (!isFormat(format)) {
        throw new UsageError(`--format must be one of ${Object.keys(FORMATS).join(', ')}`)
      }
      const isTable = format === 'csv' || format === 'xlsx'
      if (format === 'xlsx' && out === undefined) {
        throw new UsageError('xlsx is not text; name a file, such as --out data/all.xlsx')
      }
      const pieces = FORMATS[format](() => store.all(), isTable ? formNames() : [])
      if (out === undefined) return print(stdout, pieces)
      await writeFile(out, pieces)
      await print(stdout, [`The submissions are in ${out}.\n`])
    },
  },

  delete: {
    options: ['older-than', 'yes'],
    async run({ store, values: { 'older-than': days, yes }, argument, stdout }) {
      if (days === undefined) {
        if (!(await store.delete(readReceipt(demandReceipt(argument))))) throw missing(argument)
        return print(stdout, ['Deleted 1 submission.\n'])
      }
      if (argument !== undefined) throw new UsageError('delete takes RECEIPT or --older-than')
      const since = Date.now() - demandNumber('older-than', days) * DAY
      // Nothing was received before 1970, and a store or Date may not know dates long before.
      const moment = new Date(Math.max(0, since))
      if (yes) {
        const deleted = await store.deleteBefore(moment)
        return print(stdout, [`Deleted ${plural(deleted, 'submission')}.\n`])
      }
      let old = 0
      for await (const { receivedAt } of store.all()) {
        if (receivedAt >= moment.toISOString()) break
        old += 1
      }
      throw new UsageError(
        `nothing was deleted; --yes would delete ${plural(old, 'submission')} from before ${moment.toISOString()}`,
      )
    },
  },
}

/**
 * Runs one command. An error is one line on `stderr`.
 *
 * @param env has `DATABASE_URL` and `SUBMISSIONS_FILE`, which say where the store is
 * @param formNames returns the names of the fields of all forms, each once; called for CSV and XLSX
 * @returns the exit status: 0 done, 1 no such submission, 2 the command line or the machine
 */
export async function runSubmissions(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  { stdout, stderr }: Streams,
  formNames: Call['formNames'],
): Promise<number> {
  try {
    const { values, positionals } = readCommandLine(args)
    if (values.help) await print(stdout, [HELP])
    else await runCommand(positionals, values, env, { stdout, formNames })
    return 0
  } catch (error) {
    const { message, stack, syscall } = error as NodeJS.ErrnoException
    const isMissing = error instanceof MissingError
    const isKnown = isMissing || error instanceof UsageError || error instanceof StoreError
    const words = isKnown || syscall !== undefined ? message : `internal error: ${stack}`
    stderr.write(`submissions: ${words}\n`)
    return isMissing ? 1 : 2
  }
}

async function runCommand(
  [name = 'list', argument, ...more]: readonly string[],
  values: Values,
  { DATABASE_URL: databaseUrl, SUBMISSIONS_FILE }: NodeJS.ProcessEnv,
  rest: Pick<Call, 'stdout' | 'formNames'>,
): Promise<void> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command) throw new UsageError(`there is no command "${name}"; --help lists them`)
  const takesReceipt = name === 'show' || name === 'delete'
  const surplus = takesReceipt ? more[0] : argument
  if (surplus !== undefined)
    throw new UsageError(
      `"${surplus}" is not expected; npm needs -- before options: npm run submissions -- ${name} --help`,
    )
  const given = Object.keys(values) as (keyof Values)[]
  const foreign = given.find((option) => !command.options.includes(option))
  if (foreign) throw new UsageError(`${name} has no option --${foreign}; --help lists them`)

  const file = SUBMISSIONS_FILE || DEFAULT_FILE
  const store = await openStore({ databaseUrl, file, mustExist: true })
  try {
    await command.run({ store, values, argument, ...rest })
  } finally {
    await store.close()
  }
}

function readCommandLine(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        limit: { type: 'string' },
        format: { type: 'string' },
        out: { type: 'string' },
        'older-than': { type: 'string' },
        yes: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    })
  } catch (error) {
    const [reason] = (error as Error).message.split(/\.\s/)
    throw new UsageError(`${reason}; --help lists the options`)
  }
}

function isFormat(name: string): name is keyof typeof FORMATS {
  return Object.hasOwn(FORMATS, name)
}

function demandNumber(option: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new UsageError(`--${option} must be a whole number, but is "${text}"`)
}

function demandReceipt(argument: string | undefined): string {
  if (argument) return argument
  throw new UsageError('RECEIPT is missing; "list" shows the receipts')
}

function missing(argument: string | undefined): MissingError {
  return new MissingError(`there is no submission ${argument}`)
}

async function print(stdout: NodeJS.WritableStream, pieces: Pieces): Promise<void> {
  try {
    await pipeline(Readable.from(pieces), stdout, { end: false })
  } catch (error) {
    // A reader that closes the pipe early (`| head`) is not an error.
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error
  }
}

/** Writes a whole file or none. Only its owner can read it, because it contains personal data. */
async function writeFile(file: string, pieces: Pieces): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`
  try {
    await pipeline(
      Readable.from(pieces),
      createWriteStream(temporary, { mode: 0o600, flush: true }),
    )
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true })
    if (!(error instanceof Error && 'errno' in error)) throw error
    throw new UsageError(`cannot write ${file}, which --out names: ${describeSystemError(error)}`)
  }
}
