/** `npm run submissions`: reads what visitors have sent, and deletes it. */
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { FORMATS } from '../src/forms/export.ts'
import { DEFAULT_FILE, openStore } from '../src/forms/open-store.ts'
import { formatCounts, formatNumber, formatSubmission, formatTable } from '../src/forms/report.ts'
import { readReceipt, type Store, StoreError } from '../src/forms/store.ts'
import { toBuildError } from '../src/pipeline/errors.ts'

const HELP = `Reads what visitors have sent, also while the server runs.

npm run submissions -- [command] [options]

  list [--limit N]             the newest submissions, at most N (20); what runs without a command
  count                        how many there are
  show RECEIPT                 one submission, whole
  export --format FORMAT       all of them, the oldest first: csv, json or ndjson
         [--out FILE]          into a file, not to standard output
  delete RECEIPT               delete one for good
  delete --older-than DAYS     delete all received more than so many days ago; 0 is all
         --yes                 really; without it, only say how many they are
  --help                       this text

The submissions are in the Postgres database of DATABASE_URL; without it, in the SQLite file of
SUBMISSIONS_FILE (${DEFAULT_FILE}).

Exit status: 0 done, 1 no such submission, 2 the command line or the machine.
`

const DAY = 24 * 60 * 60 * 1000

/** The command line is at fault; the message is one line that says what to do. */
class UsageError extends Error {}

interface Command {
  options: readonly (keyof ReturnType<typeof readCommandLine>['values'])[]
  run(store: Store, argument: string | undefined): Promise<number>
}

const { values, positionals } = readCommandLineOrEnd()

const commands: Record<string, Command> = {
  list: {
    options: ['limit'],
    async run(store) {
      const limit = wholeNumber('limit', values.limit ?? '20')
      const submissions = await store.list(limit)
      const counts = await store.count()
      if (submissions.length > 0) {
        await print(formatTable(submissions, process.stdout.columns ?? 120))
      }
      const rest = counts.received + counts.suspect - submissions.length
      const more = rest > 0 ? `${formatNumber(rest)} older ones are not shown (--limit)\n` : ''
      await print([submissions.length > 0 ? '\n' : '', formatCounts(counts), more])
      return 0
    },
  },

  count: {
    options: [],
    async run(store) {
      await print([formatCounts(await store.count())])
      return 0
    },
  },

  show: {
    options: [],
    async run(store, argument) {
      const submission = await store.find(readReceipt(demandReceipt(argument)))
      if (!submission) return tellMissing(argument)
      await print([formatSubmission(submission)])
      return 0
    },
  },

  export: {
    options: ['format', 'out'],
    async run(store) {
      const { format = '', out } = values
      if (!isFormat(format)) {
        throw new UsageError(`--format must be one of ${Object.keys(FORMATS).join(', ')}`)
      }
      const pieces = FORMATS[format](() => store.all())
      if (out === undefined) await print(pieces)
      else await writeFile(out, pieces)
      return 0
    },
  },

  delete: {
    options: ['older-than', 'yes'],
    async run(store, argument) {
      const days = values['older-than']
      if (days === undefined) {
        const isDeleted = await store.delete(readReceipt(demandReceipt(argument)))
        if (!isDeleted) return tellMissing(argument)
        await print(['Deleted 1 submission.\n'])
        return 0
      }
      if (argument !== undefined) throw new UsageError('delete takes RECEIPT or --older-than')
      const moment = new Date(Date.now() - wholeNumber('older-than', days) * DAY)
      if (!values.yes) {
        let old = 0
        for await (const { receivedAt } of store.all()) {
          if (receivedAt >= moment.toISOString()) break
          old += 1
        }
        throw new UsageError(
          `nothing was deleted; --yes would delete ${plural(old)} from before ${moment.toISOString()}`,
        )
      }
      await print([`Deleted ${plural(await store.deleteBefore(moment))}.\n`])
      return 0
    },
  },
}

async function main(): Promise<number> {
  if (values.help) {
    await print([HELP])
    return 0
  }
  const [name = 'list', argument, ...more] = positionals
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) throw new UsageError(`there is no command "${name}"; --help lists them`)
  const takesReceipt = name === 'show' || name === 'delete'
  const surplus = takesReceipt ? more[0] : argument
  if (surplus !== undefined) throw new UsageError(`"${surplus}" is too much; --help says why`)
  const given = Object.keys(values) as (keyof typeof values)[]
  const foreign = given.find((option) => !command.options.includes(option))
  if (foreign) throw new UsageError(`${name} has no option --${foreign}; --help lists them`)

  const { DATABASE_URL: databaseUrl, SUBMISSIONS_FILE } = process.env
  const store = await openStore({
    databaseUrl,
    file: SUBMISSIONS_FILE || DEFAULT_FILE,
    mustExist: true,
  })
  try {
    return await command.run(store, argument)
  } finally {
    await store.close()
  }
}

function readCommandLine() {
  return parseArgs({
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
}

function readCommandLineOrEnd() {
  try {
    return readCommandLine()
  } catch (error) {
    return end(`${(error as Error).message.split(/\.\s/)[0]}; --help lists the options`)
  }
}

function isFormat(name: string): name is keyof typeof FORMATS {
  return Object.hasOwn(FORMATS, name)
}

function wholeNumber(option: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new UsageError(`--${option} must be a whole number, but is "${text}"`)
}

function demandReceipt(argument: string | undefined): string {
  if (argument) return argument
  throw new UsageError('say which one: RECEIPT is missing')
}

function tellMissing(argument: string | undefined): number {
  process.stderr.write(`submissions: there is no submission ${argument}\n`)
  return 1
}

function plural(number: number): string {
  return `${formatNumber(number)} ${number === 1 ? 'submission' : 'submissions'}`
}

type Pieces = Iterable<string> | AsyncIterable<string>

async function print(pieces: Pieces): Promise<void> {
  try {
    await pipeline(Readable.from(pieces), process.stdout, { end: false })
  } catch (error) {
    // A reader that has seen enough (`| head`) is no fault.
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error
  }
}

/** Writes a whole file or none; for its owner's eyes only, for it holds personal data. */
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
    throw new UsageError(toBuildError(`write ${file}, which --out names`, error).message)
  }
}

function end(message: string): never {
  process.stderr.write(`submissions: ${message}\n`)
  process.exit(2)
}

try {
  process.exitCode = await main()
} catch (error) {
  const { message, stack, syscall } = error as NodeJS.ErrnoException
  const isTold = error instanceof UsageError || error instanceof StoreError || syscall !== undefined
  end(isTold ? message : `a fault of its own: ${stack}`)
}
