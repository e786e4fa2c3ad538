/** What both databases are asked in the same words: to store, find, count, list, judge and delete. */
import { withAsciiDomain } from '../../text/domain.ts'
import {
  type Counts,
  REPEAT_WINDOW,
  type Receipt,
  type SentField,
  STATUSES,
  type Status,
  type StoredSubmission,
  StoreError,
  type Submission,
  type SubmissionFilter,
  type Verdict,
} from './submission.ts'
import { NEXT_LIST, type SubmissionRow, toSubmission, type Unsaved } from './tables.ts'

/** Runs a statement with the parameters $1, $2 and so on, in this order. Resolves to its rows. */
export type Run = <Row>(sql: string, values: unknown[]) => Promise<Row[]>

/** How statements run in a database. */
export interface Statements {
  query: Run
  /** Runs a statement in a transaction of its own. */
  change: Run
  /** Clears the disk of what was deleted, if it can. */
  clear(): Promise<void>
  /** Returns SQL that selects the texts, or else the numbers, of a JSON array. */
  items(array: string, areNumbers?: true): string
  /** The end of a SELECT of one row to change, which another transaction may be changing. */
  skipLocked: string
}

/** What a database does. Every call rejects with `StoreError` when it fails. */
export interface Database extends Statements {
  /**
   * Stores a submission. Resolves only once it is committed to disk. The same content for the same
   * path within `REPEAT_WINDOW` is stored and announced once, and counted, apart for what is
   * suspect; each call gets its own receipt. After a rejection the submission may or may not be
   * stored. Sending it again is safe, and never stores it twice.
   */
  add(submission: Submission): Promise<Receipt>
  /**
   * Commits a write, in SQLite as large as any form. Rejects when {@link Database.add} would, or when
   * another program has changed how SQLite commits.
   */
  check(): Promise<void>
  /** Writes a consistent copy of SQLite's file into an empty one. Rejects if a page is damaged. */
  copyTo(file: string): Promise<void>
  /** Finishes queued calls, then closes. */
  close(): Promise<void>
}

/**
 * The status of a submission: the owner's verdict, or without one, what the honeypot says. One that is
 * damaged counts as received, so that nothing is hidden.
 */
const STATUS = `CASE WHEN verdict = 'spam' THEN 'spam' WHEN verdict = 'ham' THEN 'received'
  WHEN status = 'suspect' THEN 'suspect' ELSE 'received' END`

const columnsOf = (table: string) =>
  `submissions.id AS id, ${table}.receipt, path, ${table}.received_at AS "receivedAt", dataset,
    content_hash AS "contentHash", ${STATUS} AS status, repeats, fields,
    status AS "storedStatus", verdict`

export const COLUMNS = columnsOf('submissions')

/** Finds submissions by their own receipt or by that of a repeat. */
const found = (condition: string) => `SELECT ${COLUMNS} FROM submissions WHERE receipt ${condition}
  UNION ALL SELECT ${columnsOf('again')} FROM repeats AS again
  JOIN submissions ON submissions.id = submission WHERE again.receipt ${condition}`

export const FIND = found('= $1')

const COUNTS = `${STATUSES.map((status) => `count(*) FILTER (WHERE ${STATUS} = '${status}') AS ${status}`)},
  coalesce(sum(repeats), 0) AS repeats`

/** How many rows are read at once. In SQLite, more are hardly faster. */
export const ROWS_AT_ONCE = 500

/** How many rows one transaction deletes or marks, which takes a second on a slow disk. */
const CHANGED_AT_ONCE = 1_000

export const MARK_READY = `INSERT INTO readiness VALUES (1, $1)
  ON CONFLICT (id) DO UPDATE SET checked_at = excluded.checked_at`

/** Is called with each damaged submission that a search leaves out. */
export type LeaveOut = (submission: StoredSubmission) => void

type IdRow = { id: number; receivedAt: string }

export function queriesOf({ query, change, clear, items }: Statements) {
  /** Returns a filter as a condition in SQL, without what `isInFields` checks, and its values. */
  function where(filter: SubmissionFilter) {
    const values: unknown[] = []
    const put = (value: unknown) => `$${values.push(value)}`
    const { page, since, until, statuses, settledIn, ids } = filter
    const conditions = ['true']
    if (page !== undefined) conditions.push(`path = ${put(page)}`)
    if (since !== undefined) conditions.push(`received_at >= ${put(since)}`)
    if (until !== undefined) conditions.push(`received_at <= ${put(until)}`)
    if (statuses) conditions.push(`${STATUS} IN (${items(put(JSON.stringify(statuses)))})`)
    if (settledIn) {
      const channels = items(put(JSON.stringify(settledIn)))
      conditions.push(`NOT EXISTS (SELECT 1 FROM outbox
        WHERE submission = submissions.id AND sent_at IS NULL AND channel IN (${channels}))`)
    }
    if (ids) conditions.push(`id IN (${items(put(JSON.stringify(ids)), true)})`)
    return { condition: conditions.join(' AND '), values }
  }

  /** Yields rows, oldest first. Reads some at a time, so that no lock is held for long. */
  async function* rows<Row extends { id: number; receivedAt: string }>(
    columns: string,
    filter: SubmissionFilter,
  ): AsyncGenerator<Row> {
    const { condition, values } = where(filter)
    const next = `AND (received_at, id) > ($${values.length + 1}, $${values.length + 2})`
    let last: Row | undefined
    do {
      const some: Row[] = await query(
        `SELECT ${columns} FROM submissions WHERE ${condition} ${last ? next : ''}
         ORDER BY received_at, id LIMIT ${ROWS_AT_ONCE}`,
        last ? [...values, last.receivedAt, last.id] : values,
      )
      yield* some
      last = some.length < ROWS_AT_ONCE ? undefined : some.at(-1)
    } while (last)
  }

  /**
   * Yields all of the filter, oldest first. Reads some at a time, so that memory stays flat. Damaged
   * ones are left out and passed to `leaveOut`, whatever words the filter has.
   */
  async function* all(
    filter: SubmissionFilter = {},
    leaveOut: LeaveOut = () => {},
  ): AsyncGenerator<StoredSubmission> {
    for await (const row of rows<SubmissionRow>(COLUMNS, filter)) {
      const submission = toSubmission(row)
      if (submission.damage) leaveOut(submission)
      else if (isInFields(filter, submission.fields)) yield submission
    }
  }

  /**
   * Resolves to the numbers of all submissions of a filter. If it has words, damaged submissions are
   * left out, and passed to `leaveOut`.
   */
  async function idsOf(filter: SubmissionFilter, leaveOut?: LeaveOut): Promise<number[]> {
    const some = isOfFields(filter)
      ? all(filter, leaveOut)
      : rows<IdRow>('id, received_at AS "receivedAt"', filter)
    const ids: number[] = []
    for await (const { id } of some) ids.push(id)
    return ids
  }

  /**
   * Counts the submissions of a filter, and returns the newest of those with a status in `shown`:
   * newest first, at most `limit`.
   */
  async function list(
    filter: SubmissionFilter,
    limit: number,
    shown: readonly Status[] = STATUSES,
    leaveOut?: LeaveOut,
  ) {
    // For what fields say, all of them are read, which takes long: so only once.
    const found = isOfFields(filter) ? { ids: await idsOf(filter, leaveOut) } : filter
    const statuses = (filter.statuses ?? STATUSES).filter((each) => shown.includes(each))
    const listed = where({ ...found, statuses })
    const newest = await query<SubmissionRow>(
      `SELECT ${COLUMNS} FROM submissions WHERE ${listed.condition}
       ORDER BY received_at DESC, id DESC LIMIT ${limit}`,
      listed.values,
    )
    const { condition, values } = where(found)
    const sql = `SELECT ${COUNTS} FROM submissions WHERE ${condition}`
    const [counts] = await query<Counts>(sql, values)
    return { newest: newest.map(toSubmission), counts: counts as Counts }
  }

  return {
    /** Finds the submission of a receipt. For a repeat, it has the repeat's receipt and time. */
    async find(receipt: string): Promise<StoredSubmission | undefined> {
      return (await query<SubmissionRow>(FIND, [receipt])).map(toSubmission)[0]
    },

    /** Finds a submission by its number, however damaged it is. */
    async numbered(id: number): Promise<StoredSubmission | undefined> {
      const sql = `SELECT ${COLUMNS} FROM submissions WHERE id = $1`
      return (await query<SubmissionRow>(sql, [id])).map(toSubmission)[0]
    },

    /** Finds the submissions whose receipts begin with a text, at most `limit`, in any order. */
    async startingWith(start: string, limit: number) {
      if (!/^[0-9a-z-]+$/.test(start)) return []
      const sql = `${found('LIKE $1')} LIMIT ${limit}`
      return (await query<SubmissionRow>(sql, [`${start}%`])).map(toSubmission)
    },

    list,

    count: async (filter: SubmissionFilter = {}, leaveOut?: LeaveOut) =>
      (await list(filter, 0, STATUSES, leaveOut)).counts,

    all,

    idsOf,

    /** Sets the owner's verdict, which stays when the form is sent again. Resolves to how many. */
    async judge(ids: readonly number[], verdict: Verdict) {
      return inPieces(ids, `UPDATE submissions SET verdict = '${verdict}'`)
    },

    /**
     * Deletes submissions and their repeats for good, in short transactions, so that posts are
     * stored between them. Resolves to how many there were, and for how many seconds nothing was
     * stored afterwards.
     */
    async delete(ids: readonly number[]) {
      const deleted = await inPieces(ids, 'DELETE FROM submissions')
      const begin = performance.now()
      if (deleted > 0) await clear()
      return { deleted, seconds: (performance.now() - begin) / 1000 }
    },
  }

  /** Changes some at a time. Resolves to how many there were. */
  async function inPieces(ids: readonly number[], start: string): Promise<number> {
    const sql = `${start} WHERE id IN (${items('$1', true)}) RETURNING id`
    let changed = 0
    for (let from = 0; from < ids.length; from += CHANGED_AT_ONCE) {
      const piece = JSON.stringify(ids.slice(from, from + CHANGED_AT_ONCE))
      const rows = await change(sql, [piece]).catch((error: Error) => {
        if (changed === 0) throw error
        const words = `only ${changed} of ${ids.length} are done; run it again. The others:`
        throw new StoreError(`${words} ${error.message}`)
      })
      changed += rows.length
    }
    return changed
  }
}

/** Stores submissions within the open transaction, in which nobody else can store the same. */
export async function addAll(run: Run, unsaved: readonly Unsaved[]): Promise<Receipt[]> {
  const receipts: Receipt[] = []
  for (const submission of unsaved) receipts.push(await addOne(run, submission))
  return receipts
}

async function addOne(run: Run, submission: Unsaved): Promise<Receipt> {
  const { receipt, path, receivedAt, dataset, contentHash, status, fields } = submission
  const since = new Date(Date.parse(receivedAt) - REPEAT_WINDOW).toISOString()
  // What a program has sent does not hide what a person sends.
  const [first] = await run<{ id: number }>(
    `SELECT id FROM submissions WHERE content_hash = $1 AND status = $2 AND received_at > $3
     ORDER BY received_at, id LIMIT 1`,
    [contentHash, status, since],
  )
  if (!first) {
    // As JSON, because libsql truncates text at U+0000, which JSON escapes.
    const text = JSON.stringify(fields)
    const [added] = await run<{ id: number }>(
      `INSERT INTO submissions (receipt, path, received_at, dataset, content_hash, status, fields)
       VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id`,
      [receipt, path, receivedAt, dataset, contentHash, status, text],
    )
    for (const channel of submission.channels ?? []) {
      const message = submission.isListed && channel === 'mail' ? NEXT_LIST : null
      const sql =
        'INSERT INTO outbox (submission, channel, due_at, message) VALUES ($1, $2, $3, $4)'
      await run(sql, [added?.id, channel, receivedAt, message])
    }
    return { receipt, receivedAt, isRepeat: false }
  }
  await run('INSERT INTO repeats VALUES ($1, $2, $3)', [receipt, receivedAt, first.id])
  await run('UPDATE submissions SET repeats = repeats + 1 WHERE id = $1', [first.id])
  return { receipt, receivedAt, isRepeat: true }
}

/** Whether a filter asks what fields say, which `isInFields` checks and no database. */
const isOfFields = ({ email, text }: SubmissionFilter) => email !== undefined || text !== undefined

/** Whether fields are what a filter means. Not in SQL: databases fold case in different ways. */
function isInFields({ email, text }: SubmissionFilter, fields: readonly SentField[]): boolean {
  if (email === undefined && text === undefined) return true
  const values = fields.map(([, value]) => folded(value))
  const address = folded(withAsciiDomain((email ?? '').trim()))
  const isMeant = (value: string) =>
    address.startsWith('@') ? /^\S+$/.test(value) && value.endsWith(address) : value === address
  const addresses = fields.map(([, value]) => folded(withAsciiDomain(value.trim())))
  if (email !== undefined && !addresses.some(isMeant)) return false
  const words = text === undefined ? [] : folded(text).split(/\s+/)
  return words.every((word) => values.some((value) => value.includes(word)))
}

/** In capitals, because a small letter may have two forms (σ and ς). */
function folded(text: string): string {
  return text.normalize().toUpperCase()
}
