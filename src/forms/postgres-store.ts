/**
 * Keeps submissions in Postgres, for several receivers on several machines: the only module that
 * knows pg.
 *
 * A commit survives a power cut when the server runs with `fsync=on`, which is asserted in every
 * transaction that stores, and the transaction with a `synchronous_commit` other than off, which is
 * set in every one where it is off: both can change while the store is open.
 */
import pg from 'pg'
import { GroupCommit } from './group-commit.ts'
import { isNewer, POSTGRES_MIGRATIONS } from './migrations.ts'
import {
  contentHash,
  newReceipt,
  REPEAT_WINDOW,
  type Receipt,
  type Store,
  type StoredSubmission,
  StoreError,
  type Submission,
} from './store.ts'

export interface PostgresOptions {
  url: string
  now: () => Date
}

/** For how long a call waits for the server, in milliseconds. */
const TIMEOUT = 10_000

/** Rows read in one query. */
const PAGE_SIZE = 100

/** Names our advisory lock among those of other programs in the same database. */
const MIGRATION_LOCK = 0x4d61_6e79

const COLUMNS = 'receipt, path, received_at, dataset, content_hash, status, repeats, fields'

/** @throws {StoreError} when the server cannot be reached, or would not be durable */
export async function openPostgresStore({ url, now }: PostgresOptions): Promise<Store> {
  const address = place(url)
  const pool = new pg.Pool({
    connectionString: url,
    max: 4,
    connectionTimeoutMillis: TIMEOUT,
    // Ends a query whose server has gone without a word.
    query_timeout: TIMEOUT,
    statement_timeout: TIMEOUT,
    keepAlive: true,
    application_name: 'manyurls',
  })
  // A connection that breaks while nobody uses it is replaced when next one is needed.
  pool.on('error', () => {})

  const query = <R extends pg.QueryResultRow>(sql: string, values: unknown[] = []) =>
    attempt(address, () => pool.query<R>(sql, values))

  function transaction<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    return attempt(address, async () => {
      const client = await pool.connect()
      // pg tells of a connection that breaks between two queries by an event alone.
      client.on('error', ignore)
      let failure: Error | undefined
      try {
        await client.query('BEGIN')
        await demandDurability(client)
        const result = await work(client)
        await client.query('COMMIT')
        return result
      } catch (error) {
        failure = error as Error
        throw error
      } finally {
        client.off('error', ignore)
        // After a failure the connection may be in any state, so it is not used again.
        client.release(failure)
      }
    })
  }

  try {
    await transaction(migrate)
  } catch (error) {
    await pool.end()
    throw error
  }

  // A connection may have died since it was last used. Receipts are drawn before the first try, so
  // that the second knows what the first has stored.
  const line = new GroupCommit<Submission, Receipt>(async (group) => {
    const moment = now()
    const drafts = group.map((submission) => draft(submission, moment))
    try {
      return await transaction((client) => keep(client, drafts, moment))
    } catch (error) {
      if (!isBrokenConnection(error)) throw error
      return transaction((client) => keep(client, drafts, moment))
    }
  })

  return {
    add: (submission) => line.add(submission),

    async find(receipt) {
      const sql = `SELECT ${COLUMNS} FROM submissions WHERE receipt = $1`
      return (await query<Row>(sql, [receipt])).rows.map(toSubmission)[0]
    },

    async count() {
      const { rows } = await query<Record<'total' | 'suspect' | 'repeats', string>>(
        `SELECT count(*) AS total, count(*) FILTER (WHERE status = 'suspect') AS suspect,
           coalesce(sum(repeats), 0) AS repeats FROM submissions`,
      )
      const [{ total, suspect, repeats }] = rows as [(typeof rows)[number]]
      const known = Number(suspect)
      return { received: Number(total) - known, suspect: known, repeats: Number(repeats) }
    },

    async list(limit) {
      const sql = `SELECT ${COLUMNS} FROM submissions ORDER BY received_at DESC, id DESC LIMIT $1`
      return (await query<Row>(sql, [limit])).rows.map(toSubmission)
    },

    async *all() {
      let after = { received_at: new Date(0), id: '0' }
      while (true) {
        const { rows } = await query<Row>(
          `SELECT id, ${COLUMNS} FROM submissions WHERE (received_at, id) > ($1, $2)
           ORDER BY received_at, id LIMIT ${PAGE_SIZE}`,
          [after.received_at, after.id],
        )
        yield* rows.map(toSubmission)
        const last = rows.at(-1)
        if (!last || rows.length < PAGE_SIZE) return
        after = last
      }
    },

    async delete(receipt) {
      const deleted = await transaction((client) =>
        client.query('DELETE FROM submissions WHERE receipt = $1', [receipt]),
      )
      return deleted.rowCount === 1
    },

    async deleteBefore(moment) {
      const deleted = await transaction((client) =>
        client.query('DELETE FROM submissions WHERE received_at < $1', [moment]),
      )
      return deleted.rowCount as number
    },

    check: () =>
      line.run(async () => {
        await transaction((client) =>
          client.query(
            `INSERT INTO readiness VALUES (1, $1)
             ON CONFLICT (id) DO UPDATE SET checked_at = excluded.checked_at`,
            [now()],
          ),
        )
      }),

    close: () => line.close(() => pool.end()),
  }
}

interface Row {
  id: string
  receipt: string
  path: string
  received_at: Date
  dataset: string
  content_hash: string
  status: 'received' | 'suspect'
  repeats: number
  fields: string
}

/** A submission with what it will be stored under, unless it is a repeat. */
type Draft = Omit<StoredSubmission, 'repeats'>

function draft({ path, fields, dataset, isSuspect }: Submission, now: Date): Draft {
  return {
    receipt: newReceipt(),
    path,
    fields,
    dataset,
    receivedAt: now.toISOString(),
    contentHash: contentHash({ path, fields }),
    status: isSuspect ? 'suspect' : 'received',
  }
}

/** Stores a group or counts its members as repeats, within the transaction that is open. */
async function keep(
  client: pg.PoolClient,
  drafts: readonly Draft[],
  now: Date,
): Promise<Receipt[]> {
  const hashes = [...new Set(drafts.map(({ contentHash }) => contentHash))].sort()
  // Another receiver with the same content waits here until this transaction has ended. All take
  // their locks in the same order, so that no two wait for each other.
  await client.query(
    `SELECT pg_advisory_xact_lock(('x' || left(hash, 16))::bit(64)::bigint)
     FROM unnest($1::text[]) WITH ORDINALITY AS lock (hash, position) ORDER BY position`,
    [hashes],
  )
  const { rows } = await client.query<Row>(
    `SELECT receipt, received_at, content_hash FROM submissions
     WHERE content_hash = ANY ($1) AND received_at > $2 ORDER BY received_at, id`,
    [hashes, new Date(now.getTime() - REPEAT_WINDOW)],
  )
  const firsts = new Map<string, { receipt: string; receivedAt: string }>()
  for (const { receipt, received_at, content_hash } of rows) {
    const first = { receipt, receivedAt: received_at.toISOString() }
    if (!firsts.has(content_hash)) firsts.set(content_hash, first)
  }

  const stored: Draft[] = []
  const repeated: Draft[] = []
  const receipts = drafts.map((draft) => {
    const first = firsts.get(draft.contentHash)
    if (!first) {
      stored.push(draft)
      firsts.set(draft.contentHash, draft)
    } else if (first.receipt !== draft.receipt) {
      repeated.push({ ...draft, receipt: first.receipt })
    }
    const { receipt, receivedAt } = first ?? draft
    return { receipt, receivedAt, isRepeat: receipt !== draft.receipt }
  })

  await client.query(
    `INSERT INTO submissions (receipt, path, received_at, dataset, content_hash, status, fields)
     SELECT * FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::text[], $5::text[],
       $6::text[], $7::text[])`,
    [
      stored.map(({ receipt }) => receipt),
      stored.map(({ path }) => path),
      stored.map(({ receivedAt }) => receivedAt),
      stored.map(({ dataset }) => dataset),
      stored.map(({ contentHash }) => contentHash),
      stored.map(({ status }) => status),
      stored.map(({ fields }) => JSON.stringify(fields)),
    ],
  )
  await client.query(
    `UPDATE submissions SET repeats = submissions.repeats + again.times,
       status = CASE WHEN again.is_received THEN 'received' ELSE status END
     FROM (
       SELECT receipt, count(*) AS times, bool_or(sent = 'received') AS is_received
       FROM unnest($1::text[], $2::text[]) AS again (receipt, sent) GROUP BY receipt
     ) AS again WHERE submissions.receipt = again.receipt`,
    [repeated.map(({ receipt }) => receipt), repeated.map(({ status }) => status)],
  )
  return receipts
}

function toSubmission(row: Row): StoredSubmission {
  return {
    receipt: row.receipt,
    path: row.path,
    receivedAt: row.received_at.toISOString(),
    dataset: row.dataset,
    contentHash: row.content_hash,
    status: row.status,
    repeats: row.repeats,
    fields: JSON.parse(row.fields),
  }
}

async function demandDurability(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query<{ fsync: string }>(
    `SELECT current_setting('fsync') AS fsync, set_config('synchronous_commit',
       replace(current_setting('synchronous_commit'), 'off', 'on'), true)`,
  )
  if (rows[0]?.fsync === 'on') return
  throw new StoreError('Postgres runs with fsync=off, and would lose submissions in a power cut')
}

async function migrate(client: pg.PoolClient): Promise<void> {
  // Of two processes that start together, the second waits here, and finds nothing to do.
  await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
  await client.query(
    `CREATE TABLE IF NOT EXISTS submissions_migrations (
       number integer PRIMARY KEY, run_at timestamptz NOT NULL DEFAULT now())`,
  )
  const { rows } = await client.query<{ version: number }>(
    'SELECT coalesce(max(number), 0) AS version FROM submissions_migrations',
  )
  const [{ version }] = rows as [(typeof rows)[number]]
  if (isNewer(version, POSTGRES_MIGRATIONS)) {
    throw new StoreError('the database was made by a later release; this one would misread it')
  }
  for (const [index, step] of POSTGRES_MIGRATIONS.entries()) {
    if (index < version) continue
    await client.query(step)
    await client.query('INSERT INTO submissions_migrations (number) VALUES ($1)', [index + 1])
  }
}

/** Runs what talks to the server, and turns what it or the network says into one line. */
async function attempt<T>(address: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof StoreError) throw error
    const { code, message } = error as NodeJS.ErrnoException
    const words = message || (error as AggregateError).errors?.[0]?.message || 'no answer'
    const reason = `${words.replaceAll('\n', ' ')}${code && !words.includes(code) ? ` (${code})` : ''}`
    throw new StoreError(`Postgres at ${address}: ${reason}`, { cause: error })
  }
}

/** Where a server is, without its password. */
function place(url: string): string {
  const { host, pathname } = new URL(url)
  return `${host}${pathname}`
}

/** Whether the connection ended, whatever became of the transaction on it. */
function isBrokenConnection(error: unknown): boolean {
  const { code = '', message = '' } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException
  // 57P01 to 57P03: the server is shutting down or starting. Class 08: the connection failed.
  return /^(08|57P0[123]|ECONN|EPIPE)/.test(code) || /terminat|ended/i.test(message)
}

function ignore(): void {}
