/** The command line of `npm run submissions`: lists, shows, exports and deletes submissions. */
import { createWriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { explainArguments, refuseTaken } from '../../machine/arguments.ts'
import { describeSystemError } from '../../machine/errors.ts'
import { addFile } from '../../machine/files.ts'
import { print } from '../../machine/print.ts'
import type { FormPage } from '../../page/page.ts'
import { formatNumber, plural } from '../../text/wording.ts'
import { ConfigError, readPlace } from '../config.ts'
import { describeUnsent } from '../jobs/message.ts'
import { openStore, type Store } from '../store/open-store.ts'
import type { LeaveOut } from '../store/queries.ts'
import {
  DEFAULT_FILE,
  describeDamaged,
  readNumberedReceipt,
  readReceipt,
  type StoredSubmission,
  StoreError,
  type SubmissionFilter,
  type Verdict,
} from '../store/submission.ts'
import { formatCounts, formatSubmission, formatTable, formatWait } from './listing.ts'
import { sendTest, showUnsent } from './notifications.ts'
import { FILTER_HELP, FILTER_OPTIONS, readFilter, UsageError } from './which-submissions.ts'

const HELP = `Reads what visitors have sent, also while the server runs.

npm run submissions -- [command] [options]

  list [FILTERS]               the newest submissions; the default. Without --status, no spam
       [--limit N]             at most N (20)
  count [FILTERS]              how many there are
  show RECEIPT                 one submission, whole
  export --format FORMAT       all of them, the oldest first: csv, xlsx or json
         [FILTERS]
         [--out FILE]          into a new file, not to standard output
  spam RECEIPT… or FILTERS     mark as spam
  ham RECEIPT… or FILTERS      mark as no spam
  delete RECEIPT…              delete for good, and show what
  delete FILTERS               delete all of them for good, such as those --until 365d
         --yes                 confirm; without it, only show them and say how many there are
  notifications [--limit N]    those that are not sent yet, and why
  test                         send an example, with the settings of the receiver
  backup FILE                  copy everything into a new SQLite file, also while it is in use
  --help                       this text

Without the --, npm would take the options for its own. FILTERS are any of these, and mean the
submissions for which all of them are true:

${FILTER_HELP}

Without --status, count, export and delete mean every status: received, suspect (a program seems to
have sent it) and spam (you have marked it). RECEIPT may be shortened to its first two groups.

The submissions are in the Postgres database of DATABASE_URL; without it, in the SQLite file of
SUBMISSIONS_FILE (${DEFAULT_FILE}).

Exit status: 0 done, 1 there is no such submission, or damaged ones were left out, 2 the command line
or the machine.
`

/** How many submissions `delete` shows. */
const EXAMPLES = 20

/** How much of a receipt has to be typed: two groups of four, and what is between them. */
const LEAST = 9

/** Files have personal data, so only their owner can read them. */
const PRIVATE = { mode: 0o600, flush: true }

const FILTERS = Object.keys(FILTER_OPTIONS) as (keyof typeof FILTER_OPTIONS)[]

export interface Surroundings {
  /** The settings, and the variables that npm sets. */
  env: NodeJS.ProcessEnv
  /** `columns` is the width of a terminal. */
  stdout: NodeJS.WritableStream & { columns?: number }
  stderr: NodeJS.WritableStream
  /** Returns the pages of the site; undefined when it is not built. */
  readPages(): readonly FormPage[] | undefined
}

class MissingError extends UsageError {}

/** What people can mend. Any other error without a system call is a fault of the program. */
const KNOWN = [UsageError, StoreError, ConfigError]

type Values = ReturnType<typeof readCommandLine>['values']

interface Call extends Surroundings {
  store: Store
  values: Values
  filter: SubmissionFilter
  /** The receipts or the file that were typed. */
  typed: readonly string[]
  /** The width of the table. */
  columns: number
  /** Is called with what the command leaves out because it is damaged. */
  leaveOut: LeaveOut
}

interface Command {
  options?: readonly (keyof Values)[]
  /** How many receipts or files it takes. */
  most?: number
  /** Whether it changes the store. Other commands change no byte of it. */
  isChange?: true
  /** Yields what it prints. */
  run(call: Call): AsyncIterable<string | Buffer>
}

const COMMANDS: Record<string, Command> = {
  list: {
    options: [...FILTERS, 'limit'],
    async *run({ store, values, filter, columns, leaveOut }) {
      const limit = demandNumber('limit', values.limit ?? '20')
      const shown = filter.statuses ?? ['received']
      const { newest, counts } = await store.list(filter, limit, shown, leaveOut)
      let older = -newest.length
      for (const status of shown) older += counts[status]
      const spam = filter.statuses ? 0 : counts.suspect + counts.spam
      const { waiting } = await store.outbox.unsent(0)
      const unsent = describeUnsent(waiting)
      if (newest.length > 0) {
        yield* formatTable(newest, columns)
        yield '\n'
      }
      yield formatCounts(counts)
      if (older > 0) yield `Not shown: ${formatNumber(older)} older (--limit)\n`
      if (spam > 0) yield `Not shown: ${formatNumber(spam)} that may be spam (--status all)\n`
      if (unsent) yield `${unsent} ("notifications" shows them)\n`
    },
  },

  count: {
    options: FILTERS,
    async *run({ store, filter, leaveOut }) {
      yield formatCounts(await store.count(filter, leaveOut))
    },
  },

  show: {
    most: 1,
    async *run({ store, typed: [receipt] }) {
      yield formatSubmission(await demandSubmission(store, receipt))
    },
  },

  export: {
    options: [...FILTERS, 'format', 'out'],
    async *run({ store, values: { format = '', out }, filter, readPages, leaveOut }) {
      // Loaded only here, because spreadsheets take longer to load than everything else.
      const { FORMATS } = await import('./export.ts')
      const formats = new Map(Object.entries(FORMATS))
      const write = formats.get(format)
      if (!write) throw new UsageError(`--format must be one of ${[...formats.keys()].join(', ')}`)
      if (format === 'xlsx' && out === undefined) {
        throw new UsageError('xlsx is not text; name a file, such as --out data/all.xlsx')
      }
      const pages = format === 'json' ? [] : readPages()
      if (!pages) throw new UsageError('the fields are those of the site; first: npm run build')
      const names = new Set<string>()
      for (const { form } of pages) {
        for (const { name } of form?.fields ?? []) names.add(name)
      }
      const pieces = write(() => store.all(filter, leaveOut), [...names])
      if (out === undefined) yield* pieces
      else {
        await writing(out, (work) => pipeline(pieces, createWriteStream(work, PRIVATE)))
        yield `The submissions are in ${out}.\n`
      }
    },
  },

  spam: { isChange: true, most: Infinity, options: FILTERS, run: (call) => judge(call, 'spam') },

  ham: { isChange: true, most: Infinity, options: FILTERS, run: (call) => judge(call, 'ham') },

  delete: {
    options: [...FILTERS, 'yes'],
    most: Infinity,
    isChange: true,
    async *run(call) {
      const { store, stdout, columns, values, typed } = call
      // Submissions that arrive from now on stay.
      const ids = await demandIds(call)
      const { newest } = await store.list({ ids }, EXAMPLES)
      const which = ids.length > newest.length ? `; these are the newest ${newest.length}` : ''
      // Printed now, because an error or a long wait may follow.
      if (ids.length > 0) await print(stdout, formatTable(newest, columns))
      if (typed.length === 0 && !values.yes) {
        const all = plural(ids.length, 'submission')
        throw new UsageError(`nothing was deleted; --yes would delete ${all}${which}`)
      }
      const { deleted, seconds } = await store.delete(ids)
      const wait = formatWait(seconds)
      yield `Deleted ${plural(deleted, 'submission')}${which}.${wait}\n`
    },
  },

  notifications: {
    options: ['limit'],
    run: ({ store, values: { limit = '20' } }) => showUnsent(store, demandNumber('limit', limit)),
  },

  test: { run: ({ env }) => sendTest(env) },

  backup: {
    most: 1,
    async *run({ store, typed: [file = ''] }) {
      if (file === '') throw new UsageError('FILE is missing')
      await writing(file, async (work) => {
        await writeFile(work, '', PRIVATE)
        await store.copyTo(work)
      })
      yield `The copy is in ${file}.\n`
    },
  },
}

async function* judge(call: Call, verdict: Verdict) {
  const ids = await demandIds(call)
  const judged = await call.store.judge(ids, verdict)
  const words = verdict === 'spam' ? 'spam' : 'no spam'
  yield `Marked ${plural(judged, 'submission')} as ${words}.\n`
}

/** Finds what a command changes, all of it before anything is changed. */
async function demandIds(call: Call): Promise<number[]> {
  const { store, values, filter, typed, leaveOut } = call
  const isFiltered = FILTERS.some((name) => values[name] !== undefined)
  if (isFiltered && typed.length > 0) throw new UsageError('type RECEIPT or filters, not both')
  if (isFiltered) return store.idsOf(filter, leaveOut)
  const receipts = typed.length > 0 ? typed : ['']
  const ids: number[] = []
  for (const receipt of receipts) {
    const { id } = await demandSubmission(store, receipt)
    ids.push(id)
  }
  return ids
}

/** Finds one submission by a receipt or its start. */
async function demandSubmission(store: Store, typed = ''): Promise<StoredSubmission> {
  const number = readNumberedReceipt(typed)
  const numbered = number === undefined ? undefined : await store.numbered(number)
  if (numbered) return numbered
  if (number !== undefined) throw new MissingError(`there is no submission ${typed}`)
  const start = readReceipt(typed)
  if (start === '') throw new UsageError('RECEIPT is missing; "list" shows the receipts')
  if (start.length < LEAST) {
    throw new UsageError(`"${typed}" is too short; type at least the first two groups of a receipt`)
  }
  const [submission, another] = await store.startingWith(start, 2)
  if (!submission) throw new MissingError(`there is no submission ${typed}`)
  if (!another) return submission
  throw new UsageError(`more than one receipt begins with "${typed}"; type more of it`)
}

/** Runs one command, and returns its exit status, as HELP says. An error is one line on `stderr`. */
export async function runSubmissions(args: readonly string[], around: Surroundings) {
  try {
    const { values, positionals } = readCommandLine(args, around.env)
    const damaged = new Set<string>()
    const leaveOut: LeaveOut = ({ receipt }) => void damaged.add(receipt)
    const output = values.help ? [HELP] : runCommand(positionals, values, around, leaveOut)
    await print(around.stdout, output)
    if (damaged.size === 0) return 0
    around.stderr.write(`submissions: ${describeDamaged([...damaged])}\n`)
    return 1
  } catch (error) {
    const { message, stack, syscall } = error as NodeJS.ErrnoException
    const isKnown = KNOWN.some((known) => error instanceof known)
    const line = isKnown || syscall ? message : `internal error: ${stack}`
    around.stderr.write(`submissions: ${line}\n`)
    return error instanceof MissingError ? 1 : 2
  }
}

async function* runCommand(
  [name = 'list', ...typed]: readonly string[],
  values: Values,
  around: Surroundings,
  leaveOut: LeaveOut,
) {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command) throw new UsageError(`there is no command "${name}"; --help lists them`)
  const { options = [], most = 0, isChange, run } = command
  if (typed.length > most) {
    throw new UsageError(
      `"${typed[most]}" is not expected; npm needs -- before options: npm run submissions -- ${name} --help`,
    )
  }
  const given = Object.keys(values) as (keyof Values)[]
  const foreign = given.find((option) => !options.includes(option))
  if (foreign) throw new UsageError(`${name} has no option --${foreign}; --help lists them`)

  const filter = readFilter(values)
  const { columns = 120 } = around.stdout
  const access = isChange ? 'change' : 'read'
  const store = await openStore({ ...readPlace(around.env), access })
  try {
    yield* run({ ...around, store, values, filter, typed, columns, leaveOut })
  } finally {
    await store.close()
  }
}

const OPTIONS = {
  ...FILTER_OPTIONS,
  limit: { type: 'string' },
  format: { type: 'string' },
  out: { type: 'string' },
  yes: { type: 'boolean' },
  help: { type: 'boolean' },
} as const

/** npm has settings of these names, or shortens them, so a variable of npm says nothing about them. */
const { yes, format, email, help, ...OWN_OPTIONS } = OPTIONS

function readCommandLine(args: readonly string[], env: NodeJS.ProcessEnv) {
  try {
    refuseTaken(Object.keys(OWN_OPTIONS), env, 'submissions')
    return parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS })
  } catch (error) {
    const reason = explainArguments(error as Error, Object.keys(OPTIONS))
    throw new UsageError(`${reason}; --help lists the options`)
  }
}

function demandNumber(option: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new UsageError(`--${option} must be a whole number, but is "${text}"`)
}

/** Writes a new file. Turns the system's errors into one line that names it. */
function writing(file: string, write: (work: string) => Promise<void>): Promise<void> {
  return addFile(file, write).catch((error) => {
    if (error.errno === undefined) throw error
    throw new UsageError(`cannot write ${file}: ${describeSystemError(error)}`)
  })
}
