/** The outbox: which notifications wait, in the same SQL for both databases. */
import { COLUMNS, type Statements } from './queries.ts'
import { type Channel, HOUR, type Taken, type Unsent } from './submission.ts'
import { NEXT_LIST, type SubmissionRow, toSubmission } from './tables.ts'

/** The end of a message's name when the message is a list. */
const LIST = '-list'

/** A list is sent at most this often, in milliseconds. */
const LIST_PAUSE = HOUR / 6

/** How many submissions a list shows. A longer one might be too large for memory or mail servers. */
const LONGEST_LIST = 500

/** How an attempt has ended. */
type Outcome = { sentAt?: Date; failure?: string; dueAt?: Date; mayHaveArrived?: boolean }

/** The table `outbox`. The transaction that stores a submission also writes its row there. */
export type Outbox = ReturnType<typeof outboxOf>

export function outboxOf({ query, change, items, skipLocked }: Statements) {
  // SQLite numbers parameters in the order in which a statement names them first.
  const waits = (channel: string, now: string) =>
    `channel = ${channel} AND sent_at IS NULL AND due_at <= ${now}`

  /** Counts the mails about one submission of the last hour, and those that are being sent. */
  async function countSingles(channel: Channel, now: Date): Promise<number> {
    const [row] = await query<{ singles: number }>(
      `SELECT count(DISTINCT message) AS singles FROM outbox
       WHERE channel = $1 AND message <> '${NEXT_LIST}' AND message NOT LIKE '%${LIST}'
         AND (sent_at IS NULL OR sent_at > $2 AND sent_at <= $3)`,
      [channel, new Date(now.getTime() - HOUR).toISOString(), now.toISOString()],
    )
    return row?.singles ?? 0
  }

  /** Returns the name of the next list, if there is one and it is time for it. */
  async function nextList(channel: Channel, now: Date, which: string) {
    const [row] = await query<{ receipt: string | null; lately: number }>(
      `SELECT (SELECT receipt FROM outbox JOIN submissions ON id = submission
           WHERE ${waits('$1', '$2')} AND ${which} ORDER BY due_at, id LIMIT 1) AS receipt,
         (SELECT count(*) FROM outbox WHERE channel = $1 AND message LIKE '%${LIST}'
           AND (sent_at > $3 AND sent_at <= $2
             OR sent_at IS NULL AND failure IS NULL AND due_at > $2)) AS lately`,
      [channel, now.toISOString(), new Date(now.getTime() - LIST_PAUSE).toISOString()],
    )
    return row?.receipt && row.lately === 0 ? row.receipt + LIST : undefined
  }

  return {
    /**
     * Takes the submissions of the next message that is due `now`. Until the moment `until`, no
     * other receiver can take them. First come messages that may have arrived already: they are sent
     * again with the same name and submissions. Then comes each submission in a message of its own.
     * After `most` of these in an hour, the others come in a list, with those that wait for one.
     */
    async take(channel: Channel, now: Date, until: Date, most: number): Promise<Taken | undefined> {
      // Each claim is a transaction of its own: a mail server may take minutes to answer.
      const claim = (message: string, which: string, list?: string) =>
        change<{ id: number }>(
          `UPDATE outbox SET message = coalesce($1, ${message}), due_at = $2, failure = NULL,
             attempts = attempts + 1
           WHERE ${waits('$3', '$4')} AND ${which} RETURNING submission AS id`,
          [list ?? null, until.toISOString(), channel, now.toISOString()],
        )
      const first = (column: string, which: string) =>
        `${column} = (SELECT ${column} FROM outbox WHERE ${waits('$3', '$4')} AND ${which}
           ORDER BY due_at, submission LIMIT 1`
      // Here, to skip locked rows would let two receivers lock the rows of one list crosswise.
      let rows = await claim('message', `${first('message', `message <> '${NEXT_LIST}'`)})`)
      const isLimited = rows.length === 0 && most < Infinity
      const isFull = isLimited && (await countSingles(channel, now)) >= most
      if (rows.length === 0 && !isFull) {
        const receipt = '(SELECT receipt FROM submissions WHERE id = submission)'
        const next = `${first('submission', 'message IS NULL')} ${skipLocked})`
        rows = await claim(receipt, `message IS NULL AND ${next}`)
      }
      if (rows.length === 0) {
        const which = `(message = '${NEXT_LIST}' ${isFull ? 'OR message IS NULL' : ''})`
        const list = await nextList(channel, now, which)
        if (list) rows = await claim('message', which, list)
      }
      if (rows.length === 0) return undefined
      const ids = rows.map(({ id }) => id)
      const taken = [channel, until.toISOString(), JSON.stringify(ids)]
      const isTaken = `channel = $1 AND due_at = $2 AND submission IN (${items('$3', true)})`
      const [facts] = await query<{ attempts: number; message: string; unreadable?: string[] }>(
        `SELECT max(attempts) AS attempts, min(message) AS message FROM outbox WHERE ${isTaken}`,
        taken,
      )
      const stored = await query<SubmissionRow>(
        `SELECT ${COLUMNS} FROM outbox JOIN submissions ON id = submission
         WHERE ${isTaken} ORDER BY submissions.received_at, id LIMIT ${LONGEST_LIST}`,
        taken,
      )
      const submissions = stored.map(toSubmission)
      const isNamed = typeof facts?.message === 'string' && !facts.unreadable
      const name = `${submissions[0]?.receipt}${rows.length > 1 ? LIST : ''}`
      return {
        channel,
        message: isNamed ? facts.message : name,
        submissions,
        count: rows.length,
        attempts: Number(facts?.attempts) || 1,
        until,
        ids,
      }
    },

    /** Records how an attempt has ended, unless another one has begun since. */
    async settle({ channel, message, until, ids }: Taken, outcome: Outcome) {
      const { sentAt, failure = null, dueAt = until, mayHaveArrived } = outcome
      const sent = sentAt?.toISOString() ?? null
      const free = message.endsWith(LIST) ? NEXT_LIST : null
      const name = sent || mayHaveArrived ? message : free
      await change(
        `UPDATE outbox SET sent_at = $1, failure = $2, due_at = $3, message = $4
         WHERE channel = $5 AND due_at = $6 AND sent_at IS NULL
           AND submission IN (${items('$7', true)})`,
        [
          sent,
          failure,
          dueAt.toISOString(),
          name,
          channel,
          until.toISOString(),
          JSON.stringify(ids),
        ],
      )
    },

    /** Resolves to how many notifications are not sent, and to the next ones, at most `limit`. */
    async unsent(limit: number): Promise<{ waiting: number; next: Unsent[] }> {
      const count = 'SELECT count(*) AS waiting FROM outbox WHERE sent_at IS NULL'
      const [row] = await query<{ waiting: number }>(count, [])
      const next = await query<Unsent>(
        `SELECT receipt, channel, due_at AS "dueAt", outbox.attempts AS attempts,
           outbox.failure AS failure, coalesce(message = '${NEXT_LIST}', false) AS "isListed"
         FROM outbox JOIN submissions ON id = submission
         WHERE sent_at IS NULL ORDER BY due_at, id, channel LIMIT ${limit}`,
        [],
      )
      return { waiting: row?.waiting ?? 0, next }
    },
  }
}
