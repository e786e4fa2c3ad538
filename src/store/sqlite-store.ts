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
import { closeSync, existsSync, openSync, rmSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import Libsql from 'libsql/promise'
import { messageOf } from '../machine/errors.ts'
import { makeFolder } from '../machine/files.ts'
import { addSubmissions } from './add-submissions.ts'
import type { Database, Dialect, OpenOptions, Structure, Work } from './database.ts'
import { Queue } from './queue.ts'
import { toStore, type Unsaved, withReceipt } from './rows.ts'
import { exec, pragma, runOn, type SqliteConnection } from './sqlite-connection.ts'
import { describe, onFile } from './sqlite-errors.ts'
import { structureOf } from './sqlite-structure.ts'
import { DEFAULT_FILE, type Receipt, StoreError, type Submission } from './submission.ts'
import { MARK_READY, SQLITE_MIGRATIONS, stepsFrom, versionOf } from './tables.ts'

/** The approximate size of the largest submission in the file, in bytes. */
const LARGEST_ROW = 128 * 1024

/**
 * What libsql takes for a URL or a database in memory, such as `file:u.db`, `libsql://example.com` and
 * `:memory:`. The single letter of `C:\data` is a drive of Windows.
 */
const OTHER_THAN_PATH = /^([a-z][a-z0-9+.-]+)?:/i

/** Selects the columns of all tables, such as `submissions.receipt`. */
const COLUMNS_OF_TABLES = `SELECT tables.name || '.' || columns.name AS name
  FROM sqlite_schema AS tables JOIN pragma_table_info(tables.name) AS columns
  WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite%'`

/** Every setting by which commits survive a power cut, with the value that is read back. */
const DURABLE = { journal_mode: 'truncate', synchronous: 3 }

export class SqliteDatabase implements Database {
  readonly dialect: Dialect = {
    texts: (array) => `SELECT value FROM json_each(${array})`,
    numbers: (array) => `SELECT value FROM json_each(${array})`,
    skipLocked: '',
  }

  readonly #file: string
  readonly #options: OpenOptions
  readonly #queue: Queue<Submission, Receipt>
  #connection: SqliteConnection | undefined
  /** The error when there is no file; undefined while a new one may be created. */
  #missing: string | undefined

  /** @throws {StoreError} when the file cannot be opened, or would not be durable */
  static async open(file: string, options: OpenOptions): Promise<SqliteDatabase> {
    if (OTHER_THAN_PATH.test(file)) {
      throw new StoreError(
        `SUBMISSIONS_FILE is "${file}", but must be the path of a file, such as ${DEFAULT_FILE}.`,
      )
    }

    const database = new SqliteDatabase(file, options)
    await database.#connected(performance.now() + options.patience, async () => {})
    // Silently creating a new file would hide that the submissions are gone.
    database.#missing = `${file}: the file is gone or empty. Put it back, or restart for a new one.`
    return database
  }

  private constructor(file: string, options: OpenOptions) {
    this.#file = file
    this.#options = options
    this.#queue = new Queue((begin, deadline) => this.#commit(begin, deadline), options.patience)
    if (options.access !== 'create') {
      this.#missing = `${file} does not exist. Set SUBMISSIONS_FILE or DATABASE_URL as for the receiver, which creates the store when it starts.`
    }
  }

  // 1. What a store asks for ---------------------------------------------------------------------

  read<T>(work: Work<T>): Promise<T> {
    return this.#inTurn((connection) => reading(connection, work))
  }

  write<T>(work: Work<T>): Promise<T> {
    return this.#inTurn((connection) => writing(connection, work))
  }

  add(submission: Submission): Promise<Receipt> {
    return this.#queue.add(submission)
  }

  probe(): Promise<void> {
    return this.#inTurn(async (connection) => {
      // A full disk may have room for a timestamp, but not for a submission. SQLite writes only the
      // pages that change: all do.
      const moment = this.#options.now().toISOString()
      const row = moment.repeat(LARGEST_ROW / moment.length)

      await writing(connection, (run) => run(MARK_READY, [row]))
      await demandDurability(connection)
    })
  }

  /** Rewrites the file. `secure_delete` leaves the few copies that exist when rows move between pages. */
  async clear(): Promise<void> {
    const folder = quoted(dirname(resolve(this.#file)))
    // Otherwise libsql would keep the new file in memory.
    const beside = `PRAGMA temp_store = FILE; PRAGMA temp_store_directory = '${folder}'`

    try {
      await this.#inTurn((connection) => exec(connection, `${beside}; VACUUM`))
    } catch (error) {
      const message = messageOf(error)
      throw new StoreError(
        `it is deleted, but the file still holds traces of it, which the next deletion will clear: ${message}`,
      )
    }
  }

  async copyTo(copy: string): Promise<void> {
    try {
      await this.#inTurn(async (connection) => {
        // A connection that only reads may write no other file, either.
        await exec(connection, `PRAGMA query_only = OFF; VACUUM INTO '${quoted(copy)}'`)
        if (this.#options.access === 'read') await exec(connection, 'PRAGMA query_only = ON')
      })
    } finally {
      rmSync(`${copy}-journal`, { force: true })
    }
  }

  async checkStructure(): Promise<Structure> {
    const faults = await this.#inTurn(({ deadline }) => {
      // Another connection would create a file that is gone.
      if (this.#missing && !existsSync(this.#file)) throw new StoreError(this.#missing)

      return structureOf(this.#file, deadline)
    })
    return { faults }
  }

  close(): Promise<void> {
    return this.#queue.close(async () => this.#connection?.database.close())
  }

  // 2. The connection ----------------------------------------------------------------------------

  #inTurn<T>(work: (connection: SqliteConnection) => Promise<T>): Promise<T> {
    return this.#queue.run((deadline) => this.#connected(deadline, work))
  }

  /** Stores a group of submissions, for the queue. */
  #commit(begin: () => Submission[], deadline: number): Promise<Receipt[]> {
    let unsaved: Unsaved[] = []
    const add: Work<Receipt[]> = (run) => {
      // Dated only now: what an export up to a moment has missed must be of a later one.
      unsaved = begin().map((submission) => toStore(submission, this.#options.now()))
      return addSubmissions(run, unsaved)
    }

    const isAdded: Work<boolean> = async (run) => {
      const rows = await run(withReceipt('= $1'), [unsaved[0]?.receipt])
      return rows.length > 0
    }

    return this.#connected(deadline, (connection) => writing(connection, add, isAdded))
  }

  /** Runs work on the connection, which waits for other processes until its deadline. */
  #connected<T>(deadline: number, work: (connection: SqliteConnection) => Promise<T>): Promise<T> {
    return onFile(this.#file, async () => {
      const isNew = this.#connection === undefined
      const connection = this.#connection ?? this.#connect(deadline)
      this.#connection = connection
      connection.deadline = deadline

      try {
        if (isNew) await this.#prepare(connection)
        return await work(connection)
      } catch (error) {
        // The connection may be in any state. A new one starts from what is on disk. Without the
        // rollback, libsql would keep the locks of this one until it is garbage-collected.
        await connection.database.exec('ROLLBACK').catch(() => {})
        connection.database.close()
        this.#connection = undefined
        throw error
      }
    })
  }

  #connect(deadline: number): SqliteConnection {
    const file = this.#file
    const unusable = `SUBMISSIONS_FILE is "${file}", but must be a file that may be read and written.`

    const info = statSync(file, { throwIfNoEntry: false })
    if (info && !info.isFile()) throw new StoreError(unusable)

    if (!info) {
      if (this.#missing) throw new StoreError(this.#missing)
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

  async #prepare(connection: SqliteConnection): Promise<void> {
    const { access } = this.#options

    if (access !== 'read') {
      await exec(
        connection,
        `PRAGMA secure_delete = ON; PRAGMA foreign_keys = ON;
        PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = EXTRA`,
      )

      // Read back, because SQLite ignores settings that it cannot or will not apply.
      await demandDurability(connection)
    }

    await this.#migrate(connection)
    if (access === 'read') await exec(connection, 'PRAGMA query_only = ON')
  }

  async #migrate(connection: SqliteConnection): Promise<void> {
    const file = this.#file
    const { access } = this.#options

    // In one transaction: another process may create the tables at the same time.
    const work: Work<void> = async (run) => {
      const rows = await run<{ name: string }>(COLUMNS_OF_TABLES, [])
      const columns = rows.map(({ name }) => name)
      const version = versionOf(columns)
      const isEmpty = columns.length === 0

      // A flipped bit lowers this number, and some tools that rescue a file lose it.
      const written = Number(await pragma(connection, 'user_version'))
      const isForeign = version === 0 && !(isEmpty && written === 0)

      if (isForeign) {
        throw new StoreError(
          `${file} belongs to another program; SUBMISSIONS_FILE must name a file of its own`,
        )
      }

      if (isEmpty && this.#missing) throw new StoreError(this.#missing)

      const latest = SQLITE_MIGRATIONS.length
      const steps = stepsFrom(Math.max(version, written), SQLITE_MIGRATIONS, access, file)
      if (access === 'read' || written === latest) return

      await exec(connection, `${steps.join('')} PRAGMA user_version = ${latest}`)
    }

    await (access === 'read' ? reading(connection, work) : writing(connection, work))
  }
}

// 3. Transactions ---------------------------------------------------------------------------------

/**
 * Runs work in a transaction that writes. If the commit fails, as when the power of an external disk
 * fails, `isDone` looks whether it was done all the same.
 */
async function writing<T>(
  connection: SqliteConnection,
  work: Work<T>,
  isDone: Work<boolean> = async () => true,
): Promise<T> {
  const { file } = connection
  const begin = async () => {
    await exec(connection, 'BEGIN IMMEDIATE')
    return work(runOn(connection))
  }
  const result = await onFile(file, begin, 'nothing was stored or deleted: ')

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
    const reason = describe(error, file)
    throw new StoreError(`${file}: ${words} stored or deleted: ${reason}`, { mayBeStored })
  }
  return result
}

/** Runs work that only reads. */
async function reading<T>(connection: SqliteConnection, work: Work<T>): Promise<T> {
  await exec(connection, 'BEGIN')
  // Takes the lock at once, because libsql reads rows on this thread.
  await exec(connection, 'SELECT count(*) FROM sqlite_schema')

  const result = await work(runOn(connection))
  await exec(connection, 'COMMIT')
  return result
}

/**
 * Rejects when commits do not survive a power cut. SQLite notices a change only in the next one: call
 * it after one.
 */
async function demandDurability(connection: SqliteConnection): Promise<void> {
  for (const [name, expected] of Object.entries(DURABLE)) {
    const actual = await reading(connection, () => pragma(connection, name))
    if (actual === expected) continue

    throw new StoreError(`SQLite keeps ${name} at ${actual}; only ${expected} is durable`)
  }
}

function quoted(text: string): string {
  return text.replaceAll("'", "''")
}
