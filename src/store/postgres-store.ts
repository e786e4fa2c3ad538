/**
 * Keeps submissions in Postgres, for several receivers on several machines: the only module that
 * knows pg.
 *
 * A commit survives a power cut when the server runs with `fsync=on`, and the transaction with a
 * `synchronous_commit` other than off. Both can change while the store is open, so every
 * transaction that writes checks the first, and turns on the second where it is off.
 */
import pg from 'pg'
import { codeOf, messageOf } from '../machine/errors.ts'
import { addSubmissions } from './add-submissions.ts'
import type { Database, Dialect, OpenOptions, Run, Structure, Work } from './database.ts'
import { Queue } from './queue.ts'
import { toStore, type Unsaved } from './rows.ts'
import { type Receipt, StoreError, type Submission } from './submission.ts'
import { type Access, MARK_READY, POSTGRES_MIGRATIONS, stepsFrom } from './tables.ts'

// Numbers and moments are returned as by SQLite; no count is beyond what a number keeps.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text) => new Date(text).toISOString())

/** Identifies the migration lock among the advisory locks of other programs in the database. */
const MIGRATION_LOCK = 0x4d61_6e79

const WITH_CHECKSUMS = 'Postgres checks its pages itself: data_checksums is on.'

const WITHOUT_CHECKSUMS =
  'Postgres does not check its pages: data_checksums is off. deploy/README.md says under "With Postgres" how to turn it on.'

/** What Postgres calls a damaged page or index: data_corrupted and index_corrupted. */
const DAMAGE: readonly string[] = ['XX001', 'XX002']

/** In milliseconds. New tables of a large store take longer than any post may. */
const MIGRATION_PATIENCE = 60 * 60 * 1000

export class PostgresDatabase implements Database {
  readonly dialect: Dialect = {
    texts: (array) => `SELECT json_array_elements_text(${array})`,
    numbers: (array) => `SELECT json_array_elements_text(${array})::bigint`,
    skipLocked: 'FOR NO KEY UPDATE SKIP LOCKED',
  }

  /** The server and the database, without the password. */
  readonly #address: string
  readonly #pool: pg.Pool
  readonly #options: OpenOptions
  readonly #queue: Queue<Submission, Receipt>

  /** @throws {StoreError} when the server cannot be reached, or would not be durable */
  static async open(url: string, options: OpenOptions): Promise<PostgresDatabase> {
    const database = new PostgresDatabase(url, options)
    const end = performance.now() + MIGRATION_PATIENCE

    try {
      await database.#transaction((client) => migrate(client, options.access), end)
    } catch (error) {
      await database.#pool.end()
      throw error
    }

    return database
  }

  private constructor(url: string, options: OpenOptions) {
    const { host, pathname } = new URL(url)
    const { patience } = options

    this.#address = `${host}${pathname}`
    this.#options = options
    this.#queue = new Queue((begin, deadline) => this.#commit(begin, deadline), patience)

    this.#pool = new pg.Pool({
      connectionString: url,
      max: 4,
      connectionTimeoutMillis: patience,
      // Ends a query when the server no longer responds. Each transaction tells the server its own
      // limit: poolers such as PgBouncer refuse one when a connection starts.
      query_timeout: patience,
      keepAlive: true,
      application_name: 'manyurls',
    })

    // A connection that breaks while idle is replaced when the next one is needed. Of one that breaks
    // between two queries, pg only emits an event.
    this.#pool.on('error', () => {})
    this.#pool.on('connect', (client) => client.on('error', () => {}))
  }

  /** In a snapshot, so that what is stored between two statements appears in none of them. */
  read<T>(work: Work<T>): Promise<T> {
    return this.#inTransaction('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', (client) => {
      return work(runOn(client))
    })
  }

  write<T>(work: Work<T>): Promise<T> {
    return this.#transaction((client) => work(runOn(client)))
  }

  add(submission: Submission): Promise<Receipt> {
    return this.#queue.add(submission)
  }

  probe(): Promise<void> {
    return this.#queue.run(async (deadline) => {
      await this.#transaction((client) => client.query(MARK_READY, [this.#options.now()]), deadline)
    })
  }

  /** Postgres clears its disk itself. */
  async clear(): Promise<void> {}

  async copyTo(): Promise<void> {
    throw new StoreError('with Postgres, pg_dump makes a copy')
  }

  /** Postgres compares the checksums of its pages itself, whenever it reads one. */
  async checkStructure(): Promise<Structure> {
    const [setting] = await this.read((run) => {
      return run<{ checksums: string }>(`SELECT current_setting('data_checksums') AS checksums`, [])
    })

    const note = setting?.checksums === 'on' ? WITH_CHECKSUMS : WITHOUT_CHECKSUMS
    return { faults: [], note }
  }

  close(): Promise<void> {
    return this.#queue.close(() => this.#pool.end())
  }

  /** Stores a group of submissions, for the queue. */
  async #commit(begin: () => Submission[], deadline: number): Promise<Receipt[]> {
    let mayBeStored = false
    const work = async (client: pg.PoolClient) => {
      // Dated only now: what an export up to a moment has missed must be of a later one.
      const unsaved = begin().map((submission) => toStore(submission, this.#options.now()))
      const receipts = await addGroup(client, unsaved)
      mayBeStored = true
      return receipts
    }

    try {
      return await this.#transaction(work, deadline)
    } catch (error) {
      throw new StoreError(messageOf(error), { mayBeStored })
    }
  }

  #transaction<T>(
    work: (client: pg.PoolClient) => Promise<T>,
    deadline = performance.now() + this.#options.patience,
  ): Promise<T> {
    return this.#inTransaction('BEGIN', async (client) => {
      if (performance.now() >= deadline) {
        throw new Error(`no answer for ${this.#options.patience / 1000} seconds`)
      }

      await demandDurability(client, deadline)
      return work(client)
    })
  }

  #inTransaction<T>(begin: string, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    return onServer(this.#address, async () => {
      const client = await this.#pool.connect()
      try {
        await client.query(begin)
        const result = await work(client)

        await client.query('COMMIT')
        client.release()
        return result
      } catch (error) {
        // The connection may be in any state, so it is not used again.
        client.release(true)
        throw error
      }
    })
  }
}

function runOn(client: pg.PoolClient): Run {
  return async (sql, values) => (await client.query(sql, [...values])).rows
}

/** Stores a group within the open transaction. */
async function addGroup(client: pg.PoolClient, unsaved: readonly Unsaved[]): Promise<Receipt[]> {
  // Another receiver with the same content waits here until this transaction ends. All of them take
  // their locks in the same order, so that there is no deadlock.
  const hashes = [...new Set(unsaved.map(({ contentHash }) => contentHash))].sort()
  await client.query(
    `SELECT pg_advisory_xact_lock(('x' || left(hash, 16))::bit(64)::bigint)
     FROM unnest($1::text[]) WITH ORDINALITY AS lock (hash, position) ORDER BY position`,
    [hashes],
  )

  return addSubmissions(runOn(client), unsaved)
}

async function demandDurability(client: pg.PoolClient, deadline: number): Promise<void> {
  const { rows } = await client.query<{ fsync: string }>(
    `SELECT current_setting('fsync') AS fsync, set_config('statement_timeout', $1, true),
       set_config('synchronous_commit',
         replace(current_setting('synchronous_commit'), 'off', 'on'), true)`,
    [String(Math.max(1, Math.ceil(deadline - performance.now())))],
  )

  if (rows[0]?.fsync === 'on') return

  throw new StoreError('Postgres runs with fsync=off, and would lose submissions in a power cut')
}

/** Rejects when the database would refuse some of what visitors write, such as € in LATIN1. */
async function demandUtf8(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query<{ encoding: string }>(
    `SELECT current_setting('server_encoding') AS encoding`,
  )

  const encoding = rows[0]?.encoding
  if (encoding === 'UTF8') return
  throw new StoreError(
    `the database of DATABASE_URL has the encoding ${encoding}, which lacks many characters. Create one with "createdb --encoding UTF8 --template template0 NAME".`,
  )
}

async function migrate(client: pg.PoolClient, access: Access): Promise<void> {
  await demandUtf8(client)

  // When two processes start together, the second waits here and then finds nothing to do.
  const limit = { query_timeout: MIGRATION_PATIENCE }
  const lock = 'SELECT pg_advisory_xact_lock($1)'
  await client.query({ ...limit, text: lock, values: [MIGRATION_LOCK] })

  await createMigrationsTable(client, access)

  const { rows } = await client.query<{ version: number }>(
    'SELECT coalesce(max(number), 0) AS version FROM submissions_migrations',
  )

  const version = rows[0]?.version ?? 0
  const steps = stepsFrom(version, POSTGRES_MIGRATIONS, access, 'the database of DATABASE_URL')

  if (steps.length === 0) return

  await client.query({ ...limit, text: steps.join('') })
  const done = 'INSERT INTO submissions_migrations (number) SELECT generate_series($1::int, $2)'
  await client.query(done, [version + 1, version + steps.length])
}

async function createMigrationsTable(client: pg.PoolClient, access: Access): Promise<void> {
  const { rows } = await client.query<{ exists: boolean }>(
    "SELECT to_regclass('submissions_migrations') IS NOT NULL AS exists",
  )
  if (rows[0]?.exists) return

  if (access !== 'create') {
    throw new StoreError(
      'the database of DATABASE_URL keeps no submissions. It must be that of the receiver, which creates the tables when it starts.',
    )
  }
  await client.query(
    `CREATE TABLE submissions_migrations (
       number integer PRIMARY KEY, run_at timestamptz NOT NULL DEFAULT now())`,
  )
}

/** Runs a call to the server. Turns errors of the server or the network into one line. */
async function onServer<T>(address: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof StoreError) throw error

    // Of several addresses of a host, each has failed.
    const [first] = error instanceof AggregateError ? error.errors : []
    const words = messageOf(error) || messageOf(first ?? '') || 'no answer'
    const line = words.replaceAll('\n', ' ')

    const code = codeOf(error)
    const reason = code && !line.includes(code) ? `${line} (${code})` : line

    const damage = DAMAGE.includes(code) ? reason : undefined
    throw new StoreError(`Postgres at ${address}: ${reason}`, { damage })
  }
}
