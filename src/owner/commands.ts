/** The commands of `npm run submissions`. Each yields what it prints. */
import { createWriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { describeSystemError, isSystemError } from '../machine/errors.ts'
import { addFile } from '../machine/files.ts'
import { print } from '../machine/print.ts'
import { describeQueued } from '../notify/message.ts'
import type { FormPage } from '../page/page.ts'
import {
  describeInspection,
  describeLeftOut,
  describeMarked,
  describeRows,
  describeStructure,
} from '../store/damage.ts'
import type { DamagedRow, Store } from '../store/store.ts'
import {
  readNumberedReceipt,
  readReceipt,
  type StoredSubmission,
  type SubmissionFilter,
  type Verdict,
} from '../store/submission.ts'
import { formatNumber, plural } from '../text/wording.ts'
import {
  formatCounts,
  formatSubmission,
  formatTable,
  formatTime,
  formatWait,
  timeZone,
} from './listing.ts'
import { sendTest, showQueued } from './notifications.ts'
import { FILTER_OPTIONS, UsageError } from './which-submissions.ts'

export const OPTIONS = {
  ...FILTER_OPTIONS,
  limit: { type: 'string' },
  format: { type: 'string' },
  out: { type: 'string' },
  yes: { type: 'boolean' },
  help: { type: 'boolean' },
} as const

export type OptionName = keyof typeof OPTIONS

/** The options as they were typed. */
export type Values = {
  [Name in OptionName]?: (typeof OPTIONS)[Name]['type'] extends 'boolean' ? boolean : string
}

export interface Surroundings {
  /** The settings, and the variables that npm sets. */
  env: NodeJS.ProcessEnv
  /** `columns` is the width of a terminal. */
  stdout: NodeJS.WritableStream & { columns?: number }
  stderr: NodeJS.WritableStream
  /** Returns the pages of the site; undefined when it is not built. */
  readPages(): readonly FormPage[] | undefined
  /** How long a call to the store may wait, in milliseconds. See `StoreOptions`. */
  patience?: number
}

/** One call of a command. */
interface Call extends Surroundings {
  store: Store
  values: Values
  filter: SubmissionFilter
  /** The receipts or the file that were typed. */
  typed: readonly string[]
  /** The width of the table. */
  columns: number
  /** Prints what the command cannot vouch for on standard error. Its exit status is then 1. */
  report(problem: string): void
}

export interface Command {
  options?: readonly OptionName[]
  /** How many receipts or files it takes. */
  most?: number
  /** Whether it changes the store. Other commands change no byte of it. */
  isChange?: true
  run(call: Call): AsyncIterable<string | Buffer>
}

/** There is no such submission. */
export class MissingError extends UsageError {}

/** How many submissions `delete` shows. */
const EXAMPLES = 20

/** How much of a receipt has to be typed: two groups of four, and what is between them. */
const LEAST = 9

/** Files have personal data, so only their owner can read them. */
const PRIVATE = { mode: 0o600, flush: true }

const FILTERS = Object.keys(FILTER_OPTIONS) as (keyof typeof FILTER_OPTIONS)[]

export const COMMANDS: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['list', { options: [...FILTERS, 'limit'], run: list }],
  ['count', { options: FILTERS, run: count }],
  ['show', { most: 1, run: show }],
  ['export', { options: [...FILTERS, 'format', 'out'], run: exportAll }],
  ['spam', { options: FILTERS, most: Infinity, isChange: true, run: markAsSpam }],
  ['not-spam', { options: FILTERS, most: Infinity, isChange: true, run: markAsNotSpam }],
  ['delete', { options: [...FILTERS, 'yes'], most: Infinity, isChange: true, run: deleteAll }],
  ['notifications', { options: ['limit'], run: notifications }],
  ['test', { run: ({ env }) => sendTest(env) }],
  ['backup', { most: 1, run: backup }],
  ['check', { run: check }],
  ['confirm-date', { isChange: true, run: confirmDate }],
])

// 1. Reading --------------------------------------------------------------------------------------

async function* list({ store, values, filter, columns, report }: Call) {
  const limit = demandNumber('limit', values.limit ?? '20')
  const shown = filter.statuses ?? ['received']
  const { newest, counts } = await store.list(filter, limit, shown)

  const queued = await store.outbox.queued(0)

  if (newest.length > 0) {
    yield* formatTable(newest, columns)
    yield '\n'
  }
  yield formatCounts(counts)

  let older = -newest.length
  for (const status of shown) older += counts[status]
  if (older > 0) yield `Not shown: ${formatNumber(older)} older (--limit)\n`

  const spam = filter.statuses ? 0 : counts.suspect + counts.spam
  if (spam > 0) yield `Not shown: ${formatNumber(spam)} that may be spam (--status all)\n`

  const waiting = describeQueued(queued.count)
  if (waiting) yield `${waiting} ("notifications" shows them)\n`

  const damaged = newest.filter(({ damage }) => damage)
  if (damaged.length > 0) report(describeMarked(damaged.map(({ receipt }) => receipt)))
}

async function* count({ store, filter }: Call) {
  yield formatCounts(await store.count(filter))
}

async function* show({ store, typed: [receipt], report }: Call) {
  const submission = await demandSubmission(store, receipt)
  yield formatSubmission(submission)
  if (submission.damage) report(describeMarked([submission.receipt]))
}

async function* exportAll(call: Call) {
  const { store, values, filter, readPages, report } = call
  const { format = '', out } = values
  // Loaded only here, because spreadsheets take longer to load than everything else.
  const { FORMATS } = await import('./export.ts')

  const formats = new Map(Object.entries(FORMATS))
  const write = formats.get(format)
  if (!write) throw new UsageError(`--format must be one of ${[...formats.keys()].join(', ')}`)

  if (format === 'xlsx' && out === undefined) {
    throw new UsageError('xlsx is not text; name a file, such as --out data/all.xlsx')
  }

  const pages = format === 'json' ? [] : readPages()
  if (!pages) {
    throw new UsageError('the table has a column for each field of the site; first: npm run build')
  }

  const { isSound, rows } = await examine(call, 'This is only what can still be read of it.')
  const submissions = isSound ? store.all(filter) : store.salvage(filter)

  const damaged = receiptsOf(rows)
  const isSelection = hasFilters(call)
  const isComplete = isSound && !(isSelection && damaged.length > 0)
  if (damaged.length > 0) report(isSelection ? describeLeftOut(damaged) : describeMarked(damaged))

  const pieces = write(submissions, fieldNamesOf(pages))
  if (out === undefined) {
    yield* pieces
    return
  }

  await writing(out, (work) => pipeline(pieces, createWriteStream(work, PRIVATE)))
  const what = isComplete ? 'The submissions are' : 'A part of the submissions is'
  yield `${what} in ${out}.\n`
}

/** Returns the names of the fields of all forms, each once. */
function fieldNamesOf(pages: readonly FormPage[]): string[] {
  const names = new Set<string>()

  for (const { form } of pages) {
    for (const { name } of form?.fields ?? []) names.add(name)
  }

  return [...names]
}

function notifications({ store, values }: Call) {
  return showQueued(store, demandNumber('limit', values.limit ?? '20'))
}

// 2. Changing -------------------------------------------------------------------------------------

function markAsSpam(call: Call) {
  return judge(call, 'spam', 'as spam')
}

function markAsNotSpam(call: Call) {
  return judge(call, 'ham', 'as not spam')
}

async function* judge(call: Call, verdict: Verdict, words: string) {
  const ids = await demandIds(call)

  const judged = await call.store.judge(ids, verdict)
  yield `Marked ${plural(judged, 'submission')} ${words}.\n`
}

async function* deleteAll(call: Call) {
  const { store, stdout, columns, values, typed, report } = call
  const { isSound, rows } = await examine(call, 'Nothing was deleted.')
  if (!isSound) return

  const leftOut = hasFilters(call) ? receiptsOf(rows) : []
  const isComplete = leftOut.length === 0
  if (!isComplete) report(describeLeftOut(leftOut))

  // Submissions that arrive from now on stay.
  const ids = await demandIds(call)
  const { newest } = await store.list({ ids }, EXAMPLES)
  const isCut = ids.length > newest.length
  // Printed now, because an error or a long wait may follow.
  if (ids.length > 0) await print(stdout, formatTable(newest, columns))

  const isOnlyShown = typed.length === 0 && !values.yes
  if (isOnlyShown) {
    yield* askForYes(ids.length, newest.length, isComplete)
    return
  }

  const { deleted, seconds } = await store.delete(ids)
  const rest = isComplete ? '' : ' That may not be all of them.'
  const which = isCut ? ` The newest ${newest.length} are shown above.` : ''
  yield `Deleted ${plural(deleted, 'submission')}.${rest}${which}${formatWait(seconds)}\n`
}

/** Says what would be deleted. */
function* askForYes(count: number, shown: number, isComplete: boolean) {
  if (count === 0) {
    const isNone = 'There is no such submission, so there is nothing to delete.\n'
    yield isComplete ? isNone : 'There is nothing that can be deleted by these options.\n'
    return
  }

  const which = count > shown ? ` The newest ${shown} are shown.` : ''
  const them = count === 1 ? 'it' : 'all of them'
  yield `\n${plural(count, 'submission')} found.${which} Nothing was deleted yet.\n`
  yield `To delete ${them} for good, run the same command with --yes.\n`
}

// 3. Upkeep ---------------------------------------------------------------------------------------

async function* backup(call: Call) {
  const { store, typed, report } = call
  const [file = ''] = typed
  if (file === '') throw new UsageError('FILE is missing')

  const { isSound, rows } = await examine(call, 'No copy was made. Keep your older backups.')
  if (!isSound) return

  await writing(file, async (work) => {
    await writeFile(work, '', PRIVATE)
    await store.copyTo(work)
  })
  yield `The copy is in ${file}.\n`

  if (rows.length > 0) {
    const words = 'the store is damaged, and so is this copy. Keep your older backups.'
    report(`${words}\n${describeRows(rows)}`)
  }
}

async function* check({ store, report }: Call) {
  const inspection = await store.inspect()
  const { submissions, structure, note } = inspection
  const damage = describeInspection(inspection)

  if (structure.length === 0) {
    const words = damage ? '' : ' No damage was found.'
    yield `Checked ${plural(submissions, 'submission')}.${words}\n`
  }
  if (note) yield `${note}\n`

  if (damage) report(`damage was found.\n${damage}\n${WHAT_TO_DO}`)
}

const WHAT_TO_DO = `What to do:
  1. Save what can be read: "export --format json --out FILE". Damaged submissions are marked in it.
  2. If the structure of the file is damaged, recover it, as deploy/README.md says under "Damage".
  3. "show RECEIPT" shows what is left of a submission, and "delete RECEIPT" deletes it.
  4. Make a backup, and keep your older backups: they may still have what is damaged.
  5. Check the disk and the memory of this machine.`

/**
 * Examines the whole store: a command that has to be complete, or can't be taken back, begins with it.
 * Reports damage to the structure.
 *
 * @param consequence what such damage means for the command
 */
async function examine({ store, report }: Call, consequence: string) {
  const { rows, structure } = await store.inspect()
  const isSound = structure.length === 0

  if (!isSound) report(`${describeStructure(structure)}\n${consequence} ${RECOVER}`)
  return { isSound, rows }
}

const RECOVER = 'deploy/README.md says under "Damage" how to recover the file.'

/** Returns the receipts of the submissions among damaged rows. */
function receiptsOf(rows: readonly DamagedRow[]): string[] {
  const submissions = rows.filter(({ table }) => table === 'submissions')
  return submissions.map(({ receipt }) => receipt)
}

/** Lets the receiver delete old submissions again, after a long gap. See `Upkeep`. */
async function* confirmDate({ store }: Call) {
  const now = new Date()
  await store.setUpkeep(now)

  yield `Confirmed: it is ${formatTime(now)} (${timeZone}).\n`
  yield 'Old submissions are deleted in the next night, or when the receiver restarts.\n'
}

// 4. Arguments ------------------------------------------------------------------------------------

/** Whether options choose submissions. */
function hasFilters({ values }: Call): boolean {
  return FILTERS.some((name) => values[name] !== undefined)
}

/** Finds what a command changes, all of it before anything is changed. */
async function demandIds(call: Call): Promise<number[]> {
  const { store, filter, typed } = call
  const isFiltered = hasFilters(call)
  if (isFiltered && typed.length > 0) throw new UsageError('type RECEIPT or filters, not both')
  if (isFiltered) return store.idsOf(filter)

  // A set, because two receipts may be those of one submission that was sent twice.
  const ids = new Set<number>()

  for (const receipt of typed.length > 0 ? typed : ['']) {
    const { id } = await demandSubmission(store, receipt)
    ids.add(id)
  }

  return [...ids]
}

/** Finds one submission by a receipt or its start, or by what stands for a damaged receipt. */
async function demandSubmission(store: Store, typed = ''): Promise<StoredSubmission> {
  const number = readNumberedReceipt(typed)
  if (number !== undefined) {
    const { newest } = await store.list({ ids: [number] }, 1)
    const [submission] = newest
    if (!submission) throw new MissingError(`there is no submission ${typed}`)
    return submission
  }

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

function demandNumber(option: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new UsageError(`--${option} must be a whole number, but is "${text}"`)
}

/** Writes a new file. Turns the system's errors into one line that names it. */
async function writing(file: string, write: (work: string) => Promise<void>): Promise<void> {
  try {
    await addFile(file, write)
  } catch (error) {
    if (!isSystemError(error)) throw error
    throw new UsageError(`cannot write ${file}: ${describeSystemError(error)}`)
  }
}
