/**
 * Keeps submissions in one SQLite file: the only module that knows libsql.
 *
 * What makes a commit survive a power cut: a rollback journal that is truncated at the commit, and
 * `synchronous=EXTRA`, so that the journal, the database and the truncation are each flushed before
 * the commit returns. Not WAL: SQLite 3.45.1, which libsql bundles, can lose a transaction when two
 * connections write or checkpoint a WAL at the same instant (https://sqlite.org/wal.html#walresetbug),
 * and here the receiver and `npm run submissions` do share the file. With a rollback journal any
 * number of processes may: the file's locks let one write at a time, and the look for a repeat is
 * within the transaction that stores.
 */
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import Database from 'libsql/promise'
import { GroupCommit } from './group-commit.ts'
import { isNewer, SQLITE_MIGRATIONS } from './migrations.ts'
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

export interface SqliteOptions {
  file: string
  now: () => Date
  /** Whether a file that is not there is an error. */
  mustExist?: boolean
  /** Only the power-cut test asks for less than EXTRA: to see that less is not enough. */
  synchronous?: 'EXTRA' | 'NORMAL' | 'OFF'
}

/** For how long a call waits for another process's transaction, in milliseconds. */
const BUSY_TIMEOUT = 10_000

/** Rows read in one turn. */
const PAGE_SIZE = 100

const COLUMNS = 'receipt, path, received_at, dataset, content_hash, status, repeats, fields'

/** @throws {StoreError} when the file cannot be opened, or would not be durable */
export async function openSqliteStore(options: SqliteOptions): Promise<Store> {
  const { file, now, mustExist = false } = options
  if (mustExist && !existsSync(file)) {
    throw new StoreError(`there is no database yet: ${file} is made by the first "npm start"`)
  }
  let open: Connection | undefined = await attempt(file, () => connect(options))

  // After a failure the connection may be in any state; a new one starts from what the disk has.
  async function withConnection<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return attempt(file, async () => {
      open ??= await connect(options)
      try {
        return await work(open)
      } catch (error) {
        await discard(open.database)
        open = undefined
        throw error
      }
    })
  }

  function transaction<T>(work: (connection: Connection) => T | Promise<T>): Promise<T> {
    return withConnection(async (connection) => {
      const { database } = connection
      await exec(database, 'BEGIN IMMEDIATE')
      const result = await work(connection)
      await exec(database, 'COMMIT')
      return result
    })
  }

  const line = new GroupCommit<Submission, Receipt>((group) => {
    const moment = now()
    return transaction((connection) =>
      group.map((submission) => keep(connection, submission, moment)),
    )
  })

  const read = (sql: string, ...values: (string | number)[]): Promise<Row[]> =>
    line.run(() =>
      withConnection(({ database }) =>
        reading(
          database,
          async () => (await (await database.prepare(sql)).all(...values)) as Row[],
        ),
      ),
    )

  /** Runs a deletion, then leaves no trace of what it deleted in the file. */
  async function erase(sql: string, value: string): Promise<number> {
    return line.run(async () => {
      const changes = await transaction(
        async ({ database }) => (await database.prepare(sql)).run(value).changes as number,
      )
      // secure_delete overwrites rows, but not the few copies that moving them between pages leaves.
      if (changes > 0)
        await withConnection(({ database }) => exec(database, 'VACUUM')).catch(keepTrace)
      return changes
    })
  }

  return {
    add: (submission) => line.add(submission),

    async find(receipt) {
      const sql = `SELECT ${COLUMNS} FROM submissions WHERE receipt = ?`
      return (await read(sql, receipt)).map(toSubmission)[0]
    },

    async count() {
      const [row] = await read(
        `SELECT count(*) AS total, count(*) FILTER (WHERE status = 'suspect') AS suspect,
           coalesce(sum(repeats), 0) AS repeats FROM submissions`,
      )
      const { total, suspect, repeats } = row as unknown as Record<string, number>
      return {
        received: (total as number) - (suspect as number),
        suspect: suspect as number,
        repeats: repeats as number,
      }
    },

    async list(limit) {
      const sql = `SELECT ${COLUMNS} FROM submissions ORDER BY received_at DESC, id DESC LIMIT ?`
      return (await read(sql, limit)).map(toSubmission)
    },

    async *all() {
      let after = { received_at: '', id: 0 }
      while (true) {
        const rows = await read(
          `SELECT id, ${COLUMNS} FROM submissions WHERE (received_at, id) > (?, ?)
           ORDER BY received_at, id LIMIT ${PAGE_SIZE}`,
          after.received_at,
          after.id,
        )
        yield* rows.map(toSubmission)
        const last = rows.at(-1)
        if (!last || rows.length < PAGE_SIZE) return
        after = last
      }
    },

    delete: async (receipt) =>
      (await erase('DELETE FROM submissions WHERE receipt = ?', receipt)) > 0,

    deleteBefore: (moment) =>
      erase('DELETE FROM submissions WHERE received_at < ?', moment.toISOString()),

    check: () =>
      line.run(async () => {
        await transaction(({ check }) => check.run(now().toISOString()))
      }),

    close: () =>
      line.close(async () => {
        open?.database.close()
        open = undefined
      }),
  }
}

type Statement = Awaited<ReturnType<Database['prepare']>>

interface Connection {
  database: Database
  findRepeat: Statement
  count: Statement
  insert: Statement
  check: Statement
}

interface Row {
  id: number
  receipt: string
  path: string
  received_at: string
  dataset: string
  content_hash: string
  status: 'received' | 'suspect'
  repeats: number
  fields: string
}

async function connect({ file, synchronous = 'EXTRA' }: SqliteOptions): Promise<Connection> {
  if (!existsSync(file)) {
    makeFolder(dirname(resolve(file)))
    // Personal data: for its owner's eyes only. SQLite gives its journal the same mode, and flushes
    // the folder that names both with the journal of every transaction.
    closeSync(openSync(file, 'a', 0o600))
  }
  const database = new Database(file, {})
  try {
    await exec(
      database,
      `PRAGMA secure_delete = ON;
      PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = ${synchronous}`,
    )
    // Read back: SQLite passes over what it cannot or will not set.
    await demand(database, 'journal_mode', 'truncate')
    await demand(database, 'synchronous', { OFF: 0, NORMAL: 1, EXTRA: 3 }[synchronous])
    await migrate(database, file)
    return {
      database,
      findRepeat: await database.prepare(
        `SELECT receipt, received_at FROM submissions WHERE content_hash = ? AND received_at > ?
         ORDER BY received_at, id LIMIT 1`,
      ),
      count: await database.prepare(
        `UPDATE submissions SET repeats = repeats + 1,
           status = CASE ? WHEN 'received' THEN 'received' ELSE status END WHERE receipt = ?`,
      ),
      insert: await database.prepare(
        `INSERT INTO submissions (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, 0, ?)`,
      ),
      check: await database.prepare(
        `INSERT INTO readiness VALUES (1, ?)
         ON CONFLICT (id) DO UPDATE SET checked_at = excluded.checked_at`,
      ),
    }
  } catch (error) {
    await discard(database)
    throw error
  }
}

/** Closes a connection that may be in a transaction: libsql keeps its locks until it is collected. */
async function discard(database: Database): Promise<void> {
  await database.exec('ROLLBACK').catch(() => {})
  database.close()
}

/** Stores one submission or counts it as a repeat, within the transaction that is open. */
function keep({ findRepeat, count, insert }: Connection, submission: Submission, now: Date) {
  const { path, fields, dataset, isSuspect } = submission
  const hash = contentHash(submission)
  const status = isSuspect ? 'suspect' : 'received'
  const since = new Date(now.getTime() - REPEAT_WINDOW).toISOString()
  const first = findRepeat.get(hash, since) as Row | undefined
  if (first) {
    count.run(status, first.receipt)
    return { receipt: first.receipt, receivedAt: first.received_at, isRepeat: true }
  }
  const receipt = newReceipt()
  const receivedAt = now.toISOString()
  // As JSON: libsql cuts text off at U+0000, which JSON writes as an escape.
  insert.run(receipt, path, receivedAt, dataset, hash, status, JSON.stringify(fields))
  return { receipt, receivedAt, isRepeat: false }
}

function toSubmission(row: Row): StoredSubmission {
  return {
    receipt: row.receipt,
    path: row.path,
    receivedAt: row.received_at,
    dataset: row.dataset,
    contentHash: row.content_hash,
    status: row.status,
    repeats: row.repeats,
    fields: JSON.parse(row.fields),
  }
}

/**
 * Runs SQL off this thread, so that the server answers others while the disk flushes. Waits for the
 * locks of other processes here: SQLite's own wait would hold one of libsql's few threads, which
 * whoever has the lock may need.
 */
async function exec(database: Database, sql: string): Promise<void> {
  const deadline = performance.now() + BUSY_TIMEOUT
  while (true) {
    try {
      await database.exec(sql)
      return
    } catch (error) {
      const isBusy = (error as NodeJS.ErrnoException).code?.startsWith('SQLITE_BUSY')
      if (!isBusy || performance.now() > deadline) throw error
      await setTimeout(1 + Math.random() * 20)
    }
  }
}

/** Runs what only reads, with the lock already taken: libsql reads rows on this thread. */
async function reading<T>(database: Database, work: () => Promise<T>): Promise<T> {
  await exec(database, 'BEGIN')
  await exec(database, 'SELECT count(*) FROM sqlite_schema')
  const result = await work()
  await exec(database, 'COMMIT')
  return result
}

async function pragma(database: Database, name: string): Promise<unknown> {
  const [row] = await (await database.prepare(`PRAGMA ${name}`)).all()
  return Object.values(row)[0]
}

async function demand(database: Database, name: string, expected: unknown): Promise<void> {
  const actual = await reading(database, () => pragma(database, name))
  if (actual === expected) return
  throw new StoreError(`SQLite keeps ${name} at ${actual}, where only ${expected} is durable`)
}

async function migrate(database: Database, file: string): Promise<void> {
  const before = await reading(database, () => pragma(database, 'user_version'))
  if (before === SQLITE_MIGRATIONS.length) return
  await exec(database, 'BEGIN IMMEDIATE')
  // Read again: another process may have been first.
  const version = (await pragma(database, 'user_version')) as number
  if (isNewer(version, SQLITE_MIGRATIONS)) {
    throw new StoreError(`${file} was made by a later release; this one would misread it`)
  }
  for (const step of SQLITE_MIGRATIONS.slice(version)) await exec(database, step)
  await exec(database, `PRAGMA user_version = ${SQLITE_MIGRATIONS.length}`)
  await exec(database, 'COMMIT')
}

function keepTrace({ message }: Error): never {
  throw new StoreError(
    `it is deleted, but the file still holds traces of it, which the next deletion clears: ${message}`,
  )
}

/** Makes a folder that is there after a power cut too, and closed to others on the machine. */
function makeFolder(folder: string): void {
  const first = mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let at = folder; at !== dirname(first); at = dirname(at)) flushFolder(dirname(at))
}

function flushFolder(folder: string): void {
  // Windows cannot flush a folder, and needs no flush.
  if (process.platform === 'win32') return
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Runs what touches the file, and turns what SQLite or the system says into one line. */
async function attempt<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof StoreError) throw error
    const { code = '', message } = error as NodeJS.ErrnoException
    const known = ADVICE.find(([prefix]) => code.startsWith(prefix))
    if (!known && !/^(SQLITE_|E[A-Z]+$)/.test(code)) throw error
    throw new StoreError(`${file}: ${known ? known[1] : message} (${code})`, { cause: error })
  }
}

const ADVICE: readonly [prefix: string, advice: string][] = [
  ['SQLITE_BUSY', 'another process has kept the database locked for 10 seconds; try again'],
  ['SQLITE_FULL', 'the disk is full; nothing was stored'],
  ['SQLITE_NOTADB', 'is no SQLite database'],
  ['SQLITE_CORRUPT', 'the database is damaged; restore a copy'],
  ['SQLITE_READONLY_DBMOVED', 'the file was moved or deleted while it was open'],
  ['SQLITE_READONLY', 'may not be written; its owner or its folder forbids it'],
  ['SQLITE_CANTOPEN', 'cannot be opened; its folder may be missing or forbidden'],
  ['SQLITE_IOERR', 'the disk failed; nothing is known to be stored'],
]
