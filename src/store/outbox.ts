/** The outbox in SQL: which notifications are queued, leased and done. */
import type { Database, Run } from './database.ts'
import {
  COLUMNS,
  inspectNotification,
  type NotificationRow,
  type SubmissionRow,
  toSubmission,
} from './rows.ts'
import type { Lease, LeaseTerms, Outbox, Outcome, QueuedNotification } from './store.ts'
import { type Channel, HOUR } from './submission.ts'

/** The end of a message's name when it announces several submissions. */
const LIST = '-list'

/** How many submissions a message has. More might be too large for memory or mail servers. */
const LONGEST_LIST = 500

/**
 * No attempt is due as long from now as this, in milliseconds: if one is, the clock was wrong when it
 * was planned, or the moment is damaged. Then it is due now.
 */
const TOO_FAR = 2 * HOUR

/**
 * A row of the table `outbox` is
 * - *queued* without a message: from `due_at` on, it can be leased;
 * - *leased* with a message, until `due_at`. If that passes, the attempt was cut off, and the same
 *   message may have arrived: it is sent again;
 * - *done* when it has `sent_at`.
 */
export class SqlOutbox implements Outbox {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  lease(channel: Channel, terms: LeaseTerms): Promise<Lease | undefined> {
    return this.#database.write(async (run) => {
      let ids = await this.#leaseAgain(run, channel, terms)
      const isAgain = ids.length > 0

      if (!isAgain && !(await this.#isPaused(run, channel, terms))) {
        ids = await this.#leaseQueued(run, channel, terms)
      }

      if (ids.length === 0) return undefined

      const announcement = await this.#describe(run, channel, terms, ids)
      return { ...announcement, isAgain }
    })
  }

  async end({ channel, until, ids, isAgain }: Lease, outcome: Outcome): Promise<void> {
    const isLeased = `channel = $3 AND due_at = $4 AND sent_at IS NULL
      AND submission IN (${this.#database.dialect.numbers('$5')})`
    const leased = [channel, until.toISOString(), JSON.stringify(ids)]

    await this.#database.write(async (run) => {
      if ('doneAt' in outcome) {
        const sql = `UPDATE outbox SET sent_at = $1, failure = $2 WHERE ${isLeased}`
        await run(sql, [outcome.doneAt.toISOString(), null, ...leased])
        return
      }

      // Without a name, it may join another message.
      const mayHaveArrived = outcome.mayHaveArrived || isAgain
      const name = mayHaveArrived ? '' : ', message = NULL'
      const sql = `UPDATE outbox SET failure = $1, due_at = $2 ${name} WHERE ${isLeased}`
      await run(sql, [outcome.failure, outcome.dueAt.toISOString(), ...leased])
    })
  }

  queued(limit: number): Promise<{ count: number; next: QueuedNotification[] }> {
    return this.#database.read(async (run) => {
      const [row] = await run<{ count: number }>(
        'SELECT count(*) AS count FROM outbox WHERE sent_at IS NULL',
        [],
      )

      const rows = await run<QueuedRow>(
        `SELECT ${COLUMNS}, channel AS channel, due_at AS "dueAt", sent_at AS "doneAt",
           message AS message, outbox.attempts AS attempts, outbox.failure AS failure
         FROM outbox JOIN submissions ON id = submission
         WHERE sent_at IS NULL ORDER BY due_at, id, channel LIMIT ${limit}`,
        [],
      )
      return { count: row?.count ?? 0, next: rows.map(toQueued) }
    })
  }

  /** Leases a message that may have arrived, with all of its submissions. Returns their numbers. */
  async #leaseAgain(run: Run, channel: Channel, { now, until }: LeaseTerms): Promise<number[]> {
    const isDue = `channel = $2 AND sent_at IS NULL AND (due_at <= $3 OR due_at > $4)`

    const rows = await run<{ id: number }>(
      `UPDATE outbox SET due_at = $1, failure = NULL, attempts = attempts + 1
       WHERE ${isDue} AND message = (
         SELECT message FROM outbox WHERE ${isDue} AND message IS NOT NULL
         ORDER BY due_at, submission LIMIT 1)
       RETURNING submission AS id`,
      [until.toISOString(), channel, ...momentsOf(now)],
    )

    return rows.map(({ id }) => id)
  }

  /** Whether a message is being sent, or was sent less than the pause ago. */
  async #isPaused(run: Run, channel: Channel, { now, pause }: LeaseTerms): Promise<boolean> {
    if (pause === 0) return false

    const moment = now.toISOString()
    const since = new Date(now.getTime() - pause).toISOString()
    const [, tooFar] = momentsOf(now)

    const rows = await run(
      `SELECT 1 AS one FROM outbox WHERE channel = $1 AND (
         sent_at > $2 AND sent_at <= $3
         OR sent_at IS NULL AND message IS NOT NULL AND failure IS NULL
           AND due_at > $3 AND due_at <= $4)
       LIMIT 1`,
      [channel, since, moment, tooFar],
    )
    return rows.length > 0
  }

  /** Leases what is queued: all of it, or without a pause, one submission. Returns the numbers. */
  async #leaseQueued(run: Run, channel: Channel, terms: LeaseTerms): Promise<number[]> {
    const { now, until, pause } = terms
    const { dialect } = this.#database

    const queued = await run<{ id: number }>(
      `SELECT submission AS id FROM outbox
       WHERE channel = $1 AND sent_at IS NULL AND (due_at <= $2 OR due_at > $3)
         AND message IS NULL
       ORDER BY due_at, submission ${pause === 0 ? 'LIMIT 1' : ''} ${dialect.skipLocked}`,
      [channel, ...momentsOf(now)],
    )

    const ids = queued.map(({ id }) => id)
    const [first] = ids
    if (first === undefined) return []

    const [named] = await run<SubmissionRow>(`SELECT ${COLUMNS} FROM submissions WHERE id = $1`, [
      first,
    ])

    const name = named ? messageNameOf(toSubmission(named).receipt, ids.length) : String(first)
    await run(
      `UPDATE outbox SET message = $1, due_at = $2, failure = NULL, attempts = attempts + 1
       WHERE channel = $3 AND submission IN (${dialect.numbers('$4')})`,
      [name, until.toISOString(), channel, JSON.stringify(ids)],
    )
    return ids
  }

  /** Reads the message that has just been leased. */
  async #describe(run: Run, channel: Channel, { until }: LeaseTerms, ids: number[]) {
    const isLeased = `channel = $1 AND submission IN (${this.#database.dialect.numbers('$2')})`
    const values = [channel, JSON.stringify(ids)]

    const [facts] = await run<{ attempts: number; message: string }>(
      `SELECT max(attempts) AS attempts, min(message) AS message FROM outbox WHERE ${isLeased}`,
      values,
    )

    const rows = await run<SubmissionRow>(
      `SELECT ${COLUMNS} FROM outbox JOIN submissions ON id = submission WHERE ${isLeased}
       ORDER BY submissions.received_at, id LIMIT ${LONGEST_LIST}`,
      values,
    )

    const submissions = rows.map(toSubmission)

    const { message = '', attempts = 1 } = facts ?? {}
    return { channel, message, submissions, count: ids.length, attempts, until, ids }
  }
}

interface QueuedRow extends SubmissionRow, NotificationRow {
  channel: Channel
}

function toQueued(row: QueuedRow): QueuedNotification {
  const { channel, dueAt, attempts, failure } = row
  const { receipt, damage } = toSubmission(row)
  const isDamaged = damage !== undefined || inspectNotification(row).length > 0
  return { receipt, channel, dueAt, attempts, failure, isDamaged }
}

/** Returns the moment until which attempts are due, and that from which on none can be meant. */
function momentsOf(now: Date): [due: string, tooFar: string] {
  return [now.toISOString(), new Date(now.getTime() + TOO_FAR).toISOString()]
}

/** Returns the name of a message: the receipt of its first submission, marked if there are more. */
function messageNameOf(receipt: string, count: number): string {
  return count > 1 ? receipt + LIST : receipt
}
