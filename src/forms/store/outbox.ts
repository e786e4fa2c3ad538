/** The outbox: what both databases do with notifications, in the same words. */
import { COLUMNS, type Database } from './queries.ts'
import type { Notification, Outbox } from './store.ts'
import { type SubmissionRow, toSubmission } from './tables.ts'

const SELECTED = `${COLUMNS}, notification, notify_at, attempts, failure`

type Row = SubmissionRow & Notification & { notify_at: string | Date }

export function outboxOf({ query, change, skipLocked }: Database): Outbox {
  return {
    async take(now, until) {
      // In a short transaction: a mail server may take minutes to answer.
      const rows = await change<Row>(
        `UPDATE submissions SET notify_at = $1, attempts = attempts + 1, failure = NULL
         WHERE id = (SELECT id FROM submissions WHERE notification = 'waiting' AND notify_at <= $2
           ORDER BY notify_at LIMIT 1 ${skipLocked}) RETURNING ${SELECTED}`,
        [until.toISOString(), now.toISOString()],
      )
      return rows.map(toNotification)[0]
    },

    async settle({ submission, notification, notifyAt, attempts, failure }) {
      await change(
        `UPDATE submissions SET notification = $1, notify_at = $2, failure = $3
         WHERE receipt = $4 AND attempts = $5`,
        [notification, notifyAt.toISOString(), failure, submission.receipt, attempts],
      )
    },

    async retry(now) {
      const sql = `UPDATE submissions SET notification = 'waiting', notify_at = $1, attempts = 0
        WHERE notification IN ('waiting', 'failed') AND failure IS NOT NULL RETURNING id`
      return (await change(sql, [now.toISOString()])).length
    },

    async unsent(limit) {
      const unsent = `FROM submissions WHERE notification IN ('waiting', 'failed')`
      const [counts] = await query<Record<'waiting' | 'failed', number | string>>(
        `SELECT count(*) FILTER (WHERE notification = 'waiting') AS waiting,
           count(*) FILTER (WHERE notification = 'failed') AS failed ${unsent}`,
        [],
      )
      const sql = `SELECT ${SELECTED} ${unsent} ORDER BY notify_at, id LIMIT ${limit}`
      const next = (await query<Row>(sql, [])).map(toNotification)
      return { waiting: Number(counts?.waiting), failed: Number(counts?.failed), next }
    },
  }
}

function toNotification({ notification, notify_at, attempts, failure, ...row }: Row): Notification {
  const submission = toSubmission(row)
  return { submission, notification, notifyAt: new Date(notify_at), attempts, failure }
}
