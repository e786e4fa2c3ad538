/** What both databases are asked in the same words: to store, find, count, list, judge and delete. */
import { withAsciiDomain } from '../../text/domain.ts'
import {
  type Counts,
  type Field,
  REPEAT_WINDOW,
  type Receipt,
  STATUSES,
  type Status,
  type StoredSubmission,
  type SubmissionFilter,
  type Verdict,
} from './submission.ts'
import { type Draft, type SubmissionRow, toSubmission } from './tables.ts'

/**
 * Runs a statement, with the parameters $1, $2 and so on, in this order. Resolves to the rows that it
 * returns.
 */
export type Run = <Row>(sql: string, values: unknown[]) => Promise<Row[]>

/** What a database does. */
export interface Database {
  query: Run
  /** Runs a statement in a transaction of its own. */
  change: Run
  /** Like `change`; then clears the disk of these rows, if it can. */
  erase: Run
  /** Returns SQL that selects the strings of a JSON array. */
  items(array: string): string
  /** The end of a SELECT of one row to change, which another transaction may be changing. */
  skipLocked: string
}

/** What a submission is: what the owner says of it, else what the honeypot says. */
export const STATUS = `CASE verdict WHEN 'spam' THEN 'spam' WHEN 'ham' THEN 'received' ELSE status END`

/** See `isSettled` of a filter. */
const SETTLED = `(notification IS NULL OR notification = 'sent' OR told_at IS NOT NULL)`

const columnsOf = (table: string) =>
  `${table}.receipt, path, ${table}.received_at AS "receivedAt", dataset,
    content_hash AS "contentHash", ${STATUS} AS status, repeats, fields`

export const COLUMNS = columnsOf('submissions')

/** Finds submissions by their own receipt or by that of a repeat. */
const found = (condition: string) => `SELECT ${COLUMNS} FROM submissions WHERE receipt ${condition}
  UNION ALL SELECT ${columnsOf('again')} FROM repeats AS again
  JOIN submissions ON submissions.id = submission WHERE again.receipt ${condition}`

const COUNTS = `${STATUSES.map((status) => `count(*) FILTER (WHERE ${STATUS} = '${status}') AS ${status}`)},
  coalesce(sum(repeats), 0) AS repeats`

/** In SQLite, more at once are hardly faster. */
const ROWS_AT_ONCE = 500

export const MARK_READY = `INSERT INTO readiness VALUES (1, $1)
  ON CONFLICT (id) DO UPDATE SET checked_at = excluded.checked_at`

export type Queries = ReturnType<typeof queriesOf>

export function queriesOf({ query, change, erase, items }: Database) {
  /** Returns the condition of a filter, and its values. What `isInFields` checks is not in it. */
  function where(filter: SubmissionFilter, values: unknown[] = []) {
    const put = (value: unknown) => `$${values.push(value)}`
    const idsOf = (receipts: readonly string[]) => {
      const list = items(put(JSON.stringify(receipts)))
      return `SELECT id FROM submissions WHERE receipt IN (${list})
        UNION SELECT submission FROM repeats WHERE receipt IN (${list})`
    }
    const { page, since, until, before, statuses, receipts } = filter
    const conditions = ['true']
    if (page !== undefined) conditions.push(`path = ${put(page)}`)
    if (since !== undefined) conditions.push(`received_at >= ${put(since)}`)
    if (until !== undefined) conditions.push(`received_at <= ${put(until)}`)
    if (before !== undefined) {
      const position = `SELECT received_at, id FROM submissions WHERE id IN (${idsOf([before])})`
      conditions.push(`(received_at, id) < (${position})`)
    }
    if (statuses) conditions.push(`${STATUS} IN (${items(put(JSON.stringify(statuses)))})`)
    if (filter.isSettled) conditions.push(SETTLED)
    if (receipts) conditions.push(`id IN (${idsOf(receipts)})`)
    return { condition: conditions.join(' AND '), values }
  }

  /** Yields those in the order of time. Reads some at a time, so that no lock is held for long. */
  async function* all(filter: SubmissionFilter, isUp = true): AsyncGenerator<StoredSubmission> {
    const { condition, values } = where(filter)
    const [sign, direction] = isUp ? ['>', 'ASC'] : ['<', 'DESC']
    const next = `AND (received_at, id) ${sign} ($${values.length + 1}, $${values.length + 2})`
    let last: SubmissionRow | undefined
    do {
      const rows: SubmissionRow[] = await query(
        `SELECT id, ${COLUMNS} FROM submissions WHERE ${condition} ${last ? next : ''}
         ORDER BY received_at ${direction}, id ${direction} LIMIT ${ROWS_AT_ONCE}`,
        last ? [...values, last.receivedAt, last.id] : values,
      )
      for (const submission of rows.map(toSubmission))
        if (isInFields(filter, submission.fields)) yield submission
      last = rows.length < ROWS_AT_ONCE ? undefined : rows.at(-1)
    } while (last)
  }

  /** Finds what `where` cannot express. The rest is asked again: it may have changed since. */
  async function withReceipts(filter: SubmissionFilter): Promise<SubmissionFilter> {
    if (filter.email === undefined && filter.text === undefined) return filter
    const receipts: string[] = []
    for await (const { receipt } of all(filter)) receipts.push(receipt)
    return { ...filter, receipts }
  }

  async function count(filter: SubmissionFilter = {}): Promise<Counts> {
    const { condition, values } = where(await withReceipts(filter))
    const sql = `SELECT ${COUNTS} FROM submissions WHERE ${condition}`
    return (await query<Counts>(sql, values))[0] as Counts
  }

  return {
    /** Finds the submission of a receipt. For a repeat, it has the repeat's receipt and time. */
    async find(receipt: string): Promise<StoredSubmission | undefined> {
      return (await query<SubmissionRow>(found('= $1'), [receipt])).map(toSubmission)[0]
    },

    /** Finds the submissions whose receipts begin with a text, at most `limit`, in any order. */
    async startingWith(start: string, limit: number) {
      if (!/^[0-9a-z-]+$/.test(start)) return []
      const sql = `${found('LIKE $1')} LIMIT ${limit}`
      return (await query<SubmissionRow>(sql, [`${start}%`])).map(toSubmission)
    },

    count,

    /**
     * Returns the newest submissions of the filter, newest first, at most `limit` and only those of
     * the statuses `shown`, and counts all of the filter.
     */
    async list(filter: SubmissionFilter, limit: number, shown: readonly Status[] = STATUSES) {
      const newest: StoredSubmission[] = []
      const { statuses = STATUSES } = filter
      const wanted = { ...filter, statuses: statuses.filter((each) => shown.includes(each)) }
      for await (const submission of limit > 0 ? all(wanted, false) : []) {
        if (newest.push(submission) === limit) break
      }
      return { newest, counts: await count(filter) }
    },

    /** Yields all of the filter, oldest first. Reads some at a time, so that memory stays flat. */
    all: (filter: SubmissionFilter = {}) => all(filter),

    /** Sets the owner's verdict, which no repeat changes. Resolves to how many there were. */
    async judge(receipts: readonly string[], verdict: Verdict) {
      const { condition, values } = where({ receipts })
      const sql = `UPDATE submissions SET verdict = '${verdict}' WHERE ${condition} RETURNING id`
      return (await change(sql, values)).length
    },

    /**
     * Deletes all that any of the filters means, and their repeats, for good and in one transaction.
     * Resolves to how many there were.
     */
    async delete(...filters: SubmissionFilter[]) {
      const values: unknown[] = []
      const conditions: string[] = []
      for (const filter of filters) {
        conditions.push(where(await withReceipts(filter), values).condition)
      }
      const sql = `DELETE FROM submissions WHERE ${conditions.join(' OR ')} RETURNING id`
      return (await erase(sql, values)).length
    },
  }
}

/** Stores drafts within the open transaction, in which nobody else can store the same. */
export async function addAll(run: Run, drafts: readonly Draft[]): Promise<Receipt[]> {
  const receipts: Receipt[] = []
  for (const draft of drafts) receipts.push(await addOne(run, draft))
  return receipts
}

async function addOne(run: Run, draft: Draft): Promise<Receipt> {
  const { receipt, path, receivedAt, dataset, contentHash, status, notification, fields } = draft
  const since = new Date(Date.parse(receivedAt) - REPEAT_WINDOW).toISOString()
  const [first] = await run<{ id: number; receipt: string }>(
    `SELECT id, receipt FROM submissions WHERE content_hash = $1 AND received_at > $2
     ORDER BY received_at, id LIMIT 1`,
    [contentHash, since],
  )
  if (!first) {
    await run(
      `INSERT INTO submissions
         (receipt, path, received_at, notify_at, dataset, content_hash, status, notification, fields)
       VALUES ($1, $2, $3, $3, $4, $5, $6, $7, $8)`,
      // As JSON, because libsql truncates text at U+0000, which JSON escapes.
      [
        ...[receipt, path, receivedAt, dataset, contentHash, status, notification],
        JSON.stringify(fields),
      ],
    )
    return { receipt, receivedAt, isRepeat: false }
  }
  // An attempt before, whose connection broke, may have committed this: it is not counted again.
  if (first.receipt === receipt) return { receipt, receivedAt, isRepeat: false }
  const counted = await run(
    'INSERT INTO repeats VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING receipt',
    [receipt, receivedAt, first.id],
  )
  if (counted.length > 0) {
    await run(
      `UPDATE submissions SET repeats = repeats + 1, notify_at = coalesce(notify_at, $1),
         notification = coalesce(notification,
           CASE WHEN status = 'suspect' AND verdict IS NULL AND $2 = 'received' THEN $3 END),
         status = CASE $2 WHEN 'received' THEN 'received' ELSE status END WHERE id = $4`,
      [receivedAt, status, notification, first.id],
    )
  }
  return { receipt, receivedAt, isRepeat: true }
}

/** Whether fields are what a filter means. Not in SQL: databases fold case in different ways. */
function isInFields({ email, text }: SubmissionFilter, fields: readonly Field[]): boolean {
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
