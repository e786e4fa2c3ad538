/**
 * Keeps submissions in one SQLite file, with durable commits: the only module that knows libsql.
 *
 * Two settings make a commit survive a power cut: a rollback journal that is truncated at the
 * commit, and `synchronous=EXTRA`, so that the journal, the database and the truncation are each
 * flushed before the commit returns. WAL is not used: SQLite 3.45.1, which libsql bundles, can lose
 * a transaction when two connections write or checkpoint a WAL at the same instant
 * (https://sqlite.org/wal.html#walresetbug), and the receiver and `npm run submissions` do share
 * the file. With a rollback journal any number of processes may share it: its locks allow one
 * writer at a time, and the check for a repeat is part of the transaction that stores.
 */
import { closeSync, openSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import Libsql from 'libsql/promise'
import { makeFolder } from '../../machine/files.ts'
import { addAll, type Database, FIND, MARK_READY, type Run } from './queries.ts'
import { createQueue, PATIENCE } from './queue.ts'
import { DEFAULT_FILE, type Receipt, StoreError, type Submission } from './submission.ts'
import { type Access, SQLITE_MIGRATIONS, stepsFrom, toStore, type Unsaved } from './tables.ts'

/** The approximate size of the largest submission in the file, in bytes. */
const LARGEST_ROW = 128 * 1024

/**
 * What libsql takes for a URL or a database in memory, such as `file:u.db`, `libsql://example.com` and
 * `:memory:`. The single letter of `C:\\data` is a drive of Windows.
 */
const OTHER_THAN_PATH = /^([a-z][a-z0-9+.-]+)?:/i

interface Connection {
  /** The file as messages name it. */
  file: string
  database: Libsql
  /** By their SQL: to prepare one takes as long as to run it. */
  statements: Map<string, Awaited<ReturnType<Libsql['prepare']>>>
  /** When its calls stop waiting for locks. */
  deadline: number
}

type Work<T> = (run: Run) => Promise<T>

/** @throws {StoreError} when the file cannot be opened, or would not be durable */
export async function openSqlite(file: string, access: Access, now: () => Date): Promise<Database> {
  if (OTHER_THAN_PATH.test(file)) {
    throw new StoreError(
      `SUBMISSIONS_FILE is "${file}", but must be the path of a file, such as ${DEFAULT_FILE}.`,
    )
  }

  // The error when there is no store; undefined while a new one may be created.
  const notYet = `${file} does not exist: set SUBMISSIONS_FILE or DATABASE_URL as for the receiver, which creates the store when it starts`
  let missing = access === 'create' ? undefined : notYet
  const unusable = `SUBMISSIONS_FILE is "${file}", but must be a file that may be read and written.`

  function connect(deadline: number): Connection {
    const info = statSync(file, { throwIfNoEntry: false })
    if (info && !info.isFile()) throw new StoreError(unusable)
    if (!info) {
      if (missing) throw new StoreError(missing)
      makeFolder(dirname(resolve(file)), 0o700)
      // Personal data, so only the owner may read it. SQLite gives its journal the same mode, and
      // flushes the folder of both files with the journal of every transaction.
      closeSync(openSync(file, 'a', 0o600))
    }
    try {
      return { file, database: new Libsql(file, {}), statements: new Map(), deadline }
    } catch {
      // When SQLite cannot open the file, libsql throws its own message, without a code.
      throw new StoreError(unusable)
    }
  }

  async function prepare(connection: Connection): Promise<void> {
    if (access !== 'read') {
      await exec(
        connection,
        `PRAGMA secure_delete = ON; PRAGMA foreign_keys = ON;
        PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = EXTRA`,
      )
      // Read back, because SQLite ignores settings that it cannot or will not apply.
      await demandDurability(connection)
    }
    await migrate(connection, access, missing)
    if (access === 'read') await exec(connection, 'PRAGMA query_only = ON')
  }

  let open: Connection | undefined
  /** Runs work on the connection, which waits for other processes until its deadline. */
  function connected<T>(
    deadline: number,
    work: (connection: Connection) => Promise<T>,
  ): Promise<T> {
    return onFile(file, async () => {
      const isNew = open === undefined
      open ??= connect(deadline)
      open.deadline = deadline
      try {
        if (isNew) await prepare(open)
        return await work(open)
      } catch (error) {
        // The connection may be in any state. A new one starts from what is on disk. Without the
        // rollback, libsql would keep the locks of this one until it is garbage-collected.
        await open.database.exec('ROLLBACK').catch(() => {})
        open.database.close()
        open = undefined
        throw error
      }
    })
  }

  await connected(performance.now() + PATIENCE, async () => {})
  // Silently creating a new file would hide that the submissions are gone.
  missing = `${file}: the file is gone or empty; put it back, or restart for a new one`

  const queue = createQueue<Submission, Receipt>((begin, deadline) => {
    let unsaved: Unsaved[] = []
    const add = (run: Run) => {
      // Dated only now: what an export up to a moment has missed must be of a later one.
      unsaved = begin().map((each) => toStore(each, now()))
      return addAll(run, unsaved)
    }
    const isAdded = async (run: Run) => (await run(FIND, [unsaved[0]?.receipt])).length > 0
    return connected(deadline, (connection) => writing(connection, add, isAdded))
  })
  const inTurn = <T>(work: (connection: Connection) => Promise<T>) =>
    queue.run((deadline) => connected(deadline, work))

  return {
    query: (sql, values) =>
      inTurn((connection) => {
        return reading(connection, (run) => run(sql, values))
      }),
    async change<Row>(sql: string, values: unknown[]) {
      const change = () =>
        inTurn((connection) => writing<Row[]>(connection, (run) => run(sql, values)))
      return change().catch(async (error) => {
        if (!isDamage(error)) throw error
        // SQLite changes no row whose index has another value for it, as after a flipped bit.
        await inTurn((connection) => writing(connection, () => exec(connection, 'REINDEX')))
        return change()
      })
    },
    // secure_delete overwrites rows, but not the few copies left when rows move between pages.
    clear: () =>
      inTurn(vacuum).catch(({ message }) => {
        const words = 'the file still holds traces of it, which the next deletion will clear'
        throw new StoreError(`it is deleted, but ${words}: ${message}`)
      }),
    items: (array) => `SELECT value FROM json_each(${array})`,
    skipLocked: '',
    add: queue.add,
    // A connection that only reads may write no other file, either.
    copyTo: (copy) =>
      inTurn(async (connection) => {
        await exec(connection, `PRAGMA query_only = OFF; VACUUM INTO '${quoted(copy)}'`)
        if (access === 'read') await exec(connection, 'PRAGMA query_only = ON')
      }),
    check: () =>
      inTurn(async (connection) => {
        // A full disk may have room for a timestamp, but not for a submission. SQLite writes only
        // the pages that change: all do.
        const moment = now().toISOString()
        const row = moment.repeat(LARGEST_ROW / moment.length)
        await writing(connection, (run) => run(MARK_READY, [row]))
        await demandDurability(connection)
      }),
    close: () => queue.close(async () => open?.database.close()),
  }
}

/** Rewrites the file without deleted data, beside it and in little memory. */
function vacuum(connection: Connection): Promise<void> {
  const folder = quoted(dirname(resolve(connection.file)))
  // Else libsql would keep the new file in memory.
  const beside = `PRAGMA temp_store = FILE; PRAGMA temp_store_directory = '${folder}'`
  return exec(connection, `${beside}; VACUUM`)
}

function quoted(text: string): string {
  return text.replaceAll("'", "''")
}

function runOn({ database, statements }: Connection): Run {
  return async (sql, values) => {
    const statement = statements.get(sql) ?? (await prepareStatement(database, sql))
    statements.set(sql, statement)
    const rows: unknown[] = await statement.all(...values)
    return rows.map((row) => withTexts(row as Record<string, unknown>))
  }
}

/**
 * Prepares a statement whose texts arrive as bytes: libsql ends the process when a stored text is not
 * UTF-8, as after a flipped bit.
 */
async function prepareStatement(database: Libsql, sql: string) {
  const statement = await database.prepare(sql)
  const columns: { name: string; type: string | null }[] = statement.columns()
  if (sql.startsWith('SELECT')) {
    const selected = columns.map(({ name }) => {
      return `CASE typeof("${name}") WHEN 'text' THEN CAST("${name}" AS BLOB) ELSE "${name}" END AS "${name}"`
    })
    return database.prepare(`SELECT ${selected.join(', ')} FROM (${sql})`)
  }

  // The rows of RETURNING cannot be selected from.
  if (columns.some(({ type }) => type === 'TEXT')) {
    throw new Error(`a change must return no text, but this one does: ${sql}`)
  }
  return statement
}

const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Decodes the texts of a row. Of one that is not UTF-8, `unreadable` names the column. */
function withTexts<Row>(row: Record<string, unknown>): Row {
  const unreadable: string[] = []
  for (const [column, value] of Object.entries(row)) {
    if (!(value instanceof ArrayBuffer)) continue
    try {
      row[column] = strictDecoder.decode(value)
    } catch {
      row[column] = decoder.decode(value)
      unreadable.push(column)
    }
  }
  if (unreadable.length > 0) row.unreadable = unreadable
  return row as Row
}

/**
 * Runs SQL on another thread, so that the server can respond while the disk flushes. Waits here for
 * the locks of other processes: SQLite's own wait would block one of libsql's few threads, which
 * the holder of the lock may need.
 */
async function exec(connection: Connection, sql: string): Promise<void> {
  while (true) {
    try {
      await connection.database.exec(sql)
      return
    } catch (error) {
      const isBusy = (error as NodeJS.ErrnoException).code?.startsWith('SQLITE_BUSY')
      if (!isBusy || performance.now() > connection.deadline) throw error
      await setTimeout(1 + Math.random() * 20)
    }
  }
}

/**
 * Runs work. Resolves once its changes are committed to disk. After a commit that fails, as on a full
 * disk, `isDone` looks whether it was done all the same.
 */
async function writing<T>(
  connection: Connection,
  work: Work<T>,
  isDone: Work<boolean> = async () => true,
): Promise<T> {
  const { file } = connection
  const result = await onFile(`${file}: nothing was stored or deleted`, async () => {
    await exec(connection, 'BEGIN IMMEDIATE')
    return work(runOn(connection))
  })
  try {
    await exec(connection, 'COMMIT')
  } catch (error) {
    // The code does not tell: libsql reads it late, when it may be that of another call.
    let mayBeStored = false
    // What can still be rolled back was not committed.
    await connection.database.exec('ROLLBACK').catch(async () => {
      mayBeStored = await reading(connection, isDone).catch(() => true)
    })
    const words = mayBeStored ? 'it is unknown whether anything was' : 'nothing was'
    const reason = describe(error as Error)
    throw new StoreError(`${file}: ${words} stored or deleted: ${reason}`, mayBeStored)
  }
  return result
}

/** Runs work that only reads. */
async function reading<T>(connection: Connection, work: Work<T>): Promise<T> {
  await exec(connection, 'BEGIN')
  // Takes the lock at once, because libsql reads rows on this thread.
  await exec(connection, 'SELECT count(*) FROM sqlite_schema')
  const result = await work(runOn(connection))
  await exec(connection, 'COMMIT')
  return result
}

async function pragma({ database }: Connection, name: string): Promise<unknown> {
  const [row] = (await database.pragma(name, {})) as object[]
  return Object.values(row ?? {})[0]
}

/**
 * Rejects when commits do not survive a power cut. SQLite notices a change only in the next one: call
 * it after one.
 */
async function demandDurability(connection: Connection): Promise<void> {
  for (const [name, expected] of Object.entries({ journal_mode: 'truncate', synchronous: 3 })) {
    const actual = await reading(connection, () => pragma(connection, name))
    if (actual === expected) continue
    throw new StoreError(`SQLite keeps ${name} at ${actual}; only ${expected} is durable`)
  }
}

const TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'"

async function migrate(connection: Connection, access: Access, missing?: string): Promise<void> {
  const { file } = connection
  // In one transaction: another process may create the tables at the same time.
  const work: Work<void> = async (run) => {
    const rows = await run<{ name: string }>(TABLES, [])
    const tables = rows.map(({ name }) => name)
    const version = (await pragma(connection, 'user_version')) as number
    if (version === 0 ? tables.length > 0 : !tables.includes('submissions')) {
      throw new StoreError(
        `${file} belongs to another program; SUBMISSIONS_FILE must name a file of its own`,
      )
    }
    if (version === 0 && missing) throw new StoreError(missing)
    const steps = stepsFrom(version, SQLITE_MIGRATIONS, access, file)
    if (steps.length === 0) return
    await exec(connection, `${steps.join('')} PRAGMA user_version = ${SQLITE_MIGRATIONS.length}`)
  }
  return access === 'read' ? reading(connection, work) : writing(connection, work)
}

/** Runs work on the file. Turns errors of SQLite or the system into a line that begins with `where`. */
async function onFile<T>(where: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof StoreError) throw error
    const { code = '' } = error as NodeJS.ErrnoException
    if (!/^(SQLITE_|UNKNOWN_SQLITE_|E[A-Z]+$)/.test(code)) throw error
    throw new StoreError(`${where}: ${describe(error as Error)}`)
  }
}

/** Whether SQLite has found the file to be damaged. */
function isDamage(error: Error): boolean {
  return error.message.includes('SQLITE_CORRUPT')
}

function describe({ code: libsqlCode = '', message }: NodeJS.ErrnoException): string {
  const code = libsqlCode === UNNAMED_CORRUPT_INDEX ? 'SQLITE_CORRUPT_INDEX' : libsqlCode
  const known = ADVICE.find(([prefix]) => code.startsWith(prefix))
  return `${known ? known[1] : message} (${code})`
}

/** What libsql calls SQLITE_CORRUPT_INDEX, which has the number 779. */
const UNNAMED_CORRUPT_INDEX = 'UNKNOWN_SQLITE_ERROR_779'

const ADVICE: readonly [prefix: string, advice: string][] = [
  ['SQLITE_OK', 'SQLite failed and does not say why'],
  ['SQLITE_BUSY', 'another process has kept the database locked for 10 seconds; try again'],
  ['SQLITE_FULL', 'the disk is full'],
  ['SQLITE_NOTADB', 'is not a SQLite database'],
  ['SQLITE_CORRUPT', 'the database is damaged; restore a copy'],
  ['SQLITE_READONLY_DBMOVED', 'the file is gone; put it back, or restart for a new one'],
  ['SQLITE_READONLY', 'may not be written; its owner or its folder forbids it'],
]
