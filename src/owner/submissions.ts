/** The command line of `npm run submissions`: lists, shows, exports and deletes submissions. */
import { parseArgs } from 'node:util'
import { ConfigError, readPlace } from '../forms/config.ts'
import { explainArguments, refuseTaken } from '../machine/arguments.ts'
import { isSystemError, messageOf, traceOf } from '../machine/errors.ts'
import { print } from '../machine/print.ts'
import { openStore } from '../store/open-store.ts'
import { DEFAULT_FILE, StoreError } from '../store/submission.ts'
import {
  COMMANDS,
  type Command,
  MissingError,
  OPTIONS,
  type OptionName,
  type Surroundings,
  type Values,
} from './commands.ts'
import { FILTER_HELP, readFilter, UsageError } from './which-submissions.ts'

const HELP = `Shows what visitors have sent, also while the receiver runs.

npm run submissions -- [command] [options]

  list [FILTERS]               the newest submissions. This is the default. Spam is left out
                               unless you ask for it with --status
       [--limit N]             at most N (20)
  count [FILTERS]              how many there are
  show RECEIPT                 one submission, whole
  export --format FORMAT       all of them, oldest first: csv, xlsx or json. What is damaged is named
                               in the column "damage"
         [FILTERS]
         [--out FILE]          into a new file; without it, they are printed
  spam RECEIPT… or FILTERS     mark as spam
  not-spam RECEIPT… or FILTERS mark as not spam
  delete RECEIPT…              delete these for good
  delete FILTERS               show what would be deleted, such as --until 365d
         --yes                 delete it for good
  notifications [--limit N]    the notifications that are not sent yet, and why
  test                         send an example notification with the settings of the receiver
  backup FILE                  copy everything into a new SQLite file
  check                        look for damage in the store
  confirm-date                 confirm that the clock is right, if the receiver has asked for it
  --help                       this text

Don't forget the -- after "submissions". Without it, npm keeps some options for itself, and the
command doesn't see them.

FILTERS are any of these options. If you use several, a submission must match all of them:

${FILTER_HELP}

Without --status, all commands except list include every status: received, suspect (it looks as
if a program sent it) and spam (you have marked it). Instead of a whole RECEIPT, you can type its
first two groups.

The submissions are in the Postgres database of DATABASE_URL. If that isn't set, they are in the
SQLite file of SUBMISSIONS_FILE (${DEFAULT_FILE}).

Exit status: 0 done; 1 there is no such submission, or something is damaged or incomplete; 2 it
didn't work. The lines on standard error say why.
`

/** What people can correct. Any other error without a system call is a fault of the program. */
const KNOWN = [UsageError, StoreError, ConfigError]

/** npm has settings of these names, or shortens them, so a variable of npm says nothing about them. */
const NAMES_OF_NPM: readonly string[] = ['yes', 'format', 'email', 'help']

/** Runs one command, and returns its exit status, as HELP says. An error is one line on `stderr`. */
export async function runSubmissions(
  args: readonly string[],
  around: Surroundings,
): Promise<number> {
  let status = 0
  const report = (problem: string) => {
    around.stderr.write(`submissions: ${problem}\n`)
    status = 1
  }

  try {
    const { values, positionals } = readCommandLine(args, around.env)
    const output = values.help ? [HELP] : runCommand(positionals, values, around, report)
    await print(around.stdout, output)
  } catch (error) {
    report(describe(error))
    if (!(error instanceof MissingError)) status = 2
  }
  return status
}

function describe(error: unknown): string {
  const isKnown = KNOWN.some((known) => error instanceof known)
  return isKnown || isSystemError(error) ? messageOf(error) : `internal error: ${traceOf(error)}`
}

async function* runCommand(
  [name = 'list', ...typed]: readonly string[],
  values: Values,
  around: Surroundings,
  report: (problem: string) => void,
) {
  const command = COMMANDS.get(name)
  if (!command) throw new UsageError(`there is no command "${name}"; --help lists them`)

  refuseForeign(name, command, typed, values)

  const filter = readFilter(values)
  const { columns = 120 } = around.stdout

  const { patience } = around
  const access = command.isChange ? 'change' : 'read'
  const place = readPlace(around.env)
  const store = await openStore({ ...place, access, ...(patience !== undefined && { patience }) })

  try {
    yield* command.run({ ...around, store, values, filter, typed, columns, report })
  } finally {
    await store.close()
  }
}

/** Refuses arguments and options that a command does not take. */
function refuseForeign(
  name: string,
  { options = [], most = 0 }: Command,
  typed: readonly string[],
  values: Values,
): void {
  if (typed.length > most) {
    throw new UsageError(
      `"${typed[most]}" is not expected; npm needs -- before options: npm run submissions -- ${name} --help`,
    )
  }

  const names = Object.keys(values) as OptionName[]
  const foreign = names.find((option) => !options.includes(option))
  if (foreign) throw new UsageError(`${name} has no option --${foreign}; --help lists them`)
}

function readCommandLine(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): { values: Values; positionals: string[] } {
  const names = Object.keys(OPTIONS)
  try {
    const ownNames = names.filter((name) => !NAMES_OF_NPM.includes(name))
    refuseTaken(ownNames, env, 'npm run submissions --')
    return parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS })
  } catch (error) {
    const reason = explainArguments(error, names)
    throw new UsageError(`${reason}; --help lists the options`)
  }
}
