/** The outbox: what both databases do with notifications, in the same words. */
import { COLUMNS, type Database, STATUS } from './queries.ts'
import { type DigestEntry, HOUR, type Notification, type Taken, TEST } from './submission.ts'
import { type SubmissionRow, toSubmission } from './tables.ts'

const SELECTED = `${COLUMNS}, notification, notify_at, attempts, failure`

const LISTED = `receipt, path, received_at AS "receivedAt", ${STATUS} AS status, attempts`

type Row = SubmissionRow & Omit<Notification, 'submission' | 'notifyAt'> & { notify_at: string }

/** What was tried, and is sent again. */
const TRIED = `notification = 'waiting' AND attempts > 0`

/** How an attempt has ended. */
type Outcome = Pick<Notification, 'notification' | 'notifyAt' | 'failure'>

/** The notifications, which the transaction that stores a submission writes. */
export type Outbox = ReturnType<typeof outboxOf>

export function outboxOf({ query, change, items, skipLocked }: Database) {
  /**
   * Counts the mails from a moment on, and before another. All submissions of a list have the same
   * moment. What is being sent counts, too: it may have been delivered when its process was killed.
   */
  async function countMails(from: Date, to: Date): Promise<number> {
    const [row] = await query<{ mails: number }>(
      `SELECT count(DISTINCT notify_at) AS mails FROM submissions
       WHERE notify_at >= $1 AND notify_at < $2 AND path <> '${TEST}'
         AND (notification = 'sent' OR ${TRIED} AND failure IS NULL)`,
      [from.toISOString(), to.toISOString()],
    )
    return row?.mails ?? 0
  }

  /**
   * Counts what is due, and what of it was due before an hour; with the first such moment, and that
   * of a list that was refused, or whose process was killed.
   */
  async function countDue(now: Date, hour: Date) {
    const [row] = await query<{ tests: number; left: number; first: string; list: string | null }>(
      `SELECT count(*) FILTER (WHERE path = '${TEST}') AS tests,
         count(*) FILTER (WHERE notify_at < $1) AS left, min(notify_at) AS first,
         (SELECT min(notify_at) FROM (SELECT notify_at FROM submissions
            WHERE ${TRIED} AND notify_at <= $2 GROUP BY notify_at HAVING count(*) > 1) AS lists) AS list
       FROM submissions WHERE notification = 'waiting' AND notify_at <= $2 HAVING count(*) > 0`,
      [hour.toISOString(), now.toISOString()],
    )
    return row
  }

  return {
    /**
     * Takes what is due `now`, for one mail. Nobody else gets it before the moment `until`. After
     * `most` mails in an hour (of UTC), the rest waits until the next hour, which begins with a list
     * of it. Examples ({@link TEST}) come first, and do not wait.
     */
    async take(now: Date, until: Date, most: number): Promise<Taken | undefined> {
      const hour = startOfHour(now)
      const due = await countDue(now, hour)
      if (!due) return undefined
      const end = new Date(hour.getTime() + 2 * HOUR)
      if (due.tests === 0 && (await countMails(hour, end)) >= most) return undefined

      // In short transactions: a mail server may take minutes to answer.
      const sql = `UPDATE submissions SET notify_at = $1, attempts = attempts + 1, failure = NULL`
      const before = startOfHour(new Date(due.first))
      const isLeft = due.left > 1 && (await countMails(before, hour)) >= most
      if (due.tests === 0 && (due.list || isLeft)) {
        const which = due.list
          ? `${TRIED} AND notify_at = $2`
          : `notification = 'waiting' AND notify_at < $2`
        const rows = await change<DigestEntry & { attempts: number }>(
          `${sql} WHERE ${which} RETURNING ${LISTED}`,
          [until.toISOString(), due.list ?? hour.toISOString()],
        )
        const [oldest, ...others] = rows.sort((one, other) =>
          one.receivedAt < other.receivedAt ? -1 : 1,
        )
        const attempts = Math.min(...rows.map((row) => row.attempts))
        return oldest && { listed: [oldest, ...others], attempts, until }
      }
      const [row] = await change<Row>(
        `${sql} WHERE id = (SELECT id FROM submissions WHERE notification = 'waiting'
           AND notify_at <= $2 ${due.tests > 0 ? `AND path = '${TEST}'` : ''}
           ORDER BY notify_at LIMIT 1 ${skipLocked}) RETURNING ${SELECTED}`,
        [until.toISOString(), now.toISOString()],
      )
      if (!row) return undefined
      const { submission, attempts } = toNotification(row)
      return { listed: [submission], submission, attempts, until }
    },

    /** Records how an attempt has ended, unless another one has begun since. */
    async settle({ listed, until }: Taken, { notification, notifyAt, failure }: Outcome) {
      const receipts = listed.map(({ receipt }) => receipt)
      const moments = [notifyAt.toISOString(), failure, until.toISOString()]
      await change(
        `UPDATE submissions SET notification = $1, notify_at = $2, failure = $3
         WHERE notification = 'waiting' AND notify_at = $4 AND receipt IN (${items('$5')})`,
        [notification, ...moments, JSON.stringify(receipts)],
      )
    },

    /** Resolves to the notification of a submission, unless there is none. */
    async find(receipt: string): Promise<Notification | undefined> {
      const sql = `SELECT ${SELECTED} FROM submissions WHERE receipt = $1 AND notification IS NOT NULL`
      return (await query<Row>(sql, [receipt])).map(toNotification)[0]
    },

    /** Resolves to receipts of those that have failed, and of which the owner was not told. */
    async untold() {
      const sql = `SELECT receipt FROM submissions WHERE notification = 'failed' AND told_at IS NULL
        ORDER BY id LIMIT 1000`
      return (await query<{ receipt: string }>(sql, [])).map(({ receipt }) => receipt)
    },

    /** Records that a mail has named the failures. */
    async told(receipts: readonly string[], now: Date) {
      const sql = `UPDATE submissions SET told_at = $1
        WHERE notification = 'failed' AND receipt IN (${items('$2')})`
      await change(sql, [now.toISOString(), JSON.stringify(receipts)])
    },

    /** Makes all due `now` that have failed before. Resolves to how many there are. */
    async retry(now: Date) {
      const sql = `UPDATE submissions
        SET notification = 'waiting', notify_at = $1, attempts = 0, told_at = NULL
        WHERE notification IN ('waiting', 'failed') AND failure IS NOT NULL RETURNING id`
      return (await change(sql, [now.toISOString()])).length
    },

    /** Deletes an example, without clearing the disk of it. */
    async forget(receipt: string) {
      await change(`DELETE FROM submissions WHERE receipt = $1 AND path = '${TEST}'`, [receipt])
    },

    /** Resolves to how many are not sent, and to the next ones, at most `limit`. */
    async unsent(limit: number) {
      const unsent = `FROM submissions WHERE notification IN ('waiting', 'failed')`
      const [counts = { waiting: 0, failed: 0 }] = await query<
        Record<'waiting' | 'failed', number>
      >(
        `SELECT count(*) FILTER (WHERE notification = 'waiting') AS waiting,
           count(*) FILTER (WHERE notification = 'failed') AS failed ${unsent}`,
        [],
      )
      const sql = `SELECT ${SELECTED} ${unsent} ORDER BY notify_at, id LIMIT ${limit}`
      const next = (await query<Row>(sql, [])).map(toNotification)
      return { ...counts, next }
    },
  }
}

function startOfHour(moment: Date): Date {
  return new Date(moment.getTime() - (moment.getTime() % HOUR))
}

function toNotification({ notification, notify_at, attempts, failure, ...row }: Row): Notification {
  const submission = toSubmission(row)
  return { submission, notification, notifyAt: new Date(notify_at), attempts, failure }
}
