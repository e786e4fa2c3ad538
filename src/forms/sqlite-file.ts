/**
 * One SQLite file, opened so that a commit lasts: the only module that knows libsql.
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
import { PATIENCE } from './group-commit.ts'
import { isNewer, SQLITE_MIGRATIONS } from './migrations.ts'
import { StoreError } from './store.ts'

export interface SqliteFileOptions {
  file: string
  /** Whether a file that is not there is an error. */
  mustExist?: boolean
  /** Only the power-cut test asks for less than EXTRA: to see that less is not enough. */
  synchronous?: 'EXTRA' | 'NORMAL'
}

export type Statement = Awaited<ReturnType<Database['prepare']>>

/**
 * Its calls must not overlap; each rejects with {@link StoreError}. Until its deadline, by
 * `performance.now()`, a call waits for the transactions of other processes.
 */
export interface SqliteFile<Statements> {
  /** Resolves once what `work` has changed is committed to the disk. */
  write<T>(deadline: number, work: (statements: Statements) => T): Promise<T>
  /** Runs a statement as a transaction of its own. Resolves to how many rows it has changed. */
  change(deadline: number, sql: string, ...values: unknown[]): Promise<number>
  read<Row>(deadline: number, sql: string, ...values: unknown[]): Promise<Row[]>
  /** Writes the file anew, without what was deleted. */
  vacuum(deadline: number): Promise<void>
  /** Whether its tables were made when it was opened. */
  isNew: boolean
  close(): void
}

interface Connection {
  file: string
  database: Database
  /** Until when its calls wait for locks. */
  deadline: number
}

/**
 * Opens the file, makes it when it is missing, and brings its tables up to date.
 *
 * @param prepare makes the statements for `write`, once for each connection
 * @throws {StoreError} when it cannot be opened, or would not be durable
 */
export async function openSqliteFile<Statements>(
  options: SqliteFileOptions,
  prepare: (database: Database) => Promise<Statements>,
): Promise<SqliteFile<Statements>> {
  const { file, mustExist = false, synchronous = 'EXTRA' } = options
  // What is said where there is no store; undefined while one may be made.
  const notYet = `there is no database yet: ${file} is made by the first "npm start"`
  let missing = mustExist ? notYet : undefined
  let isNew = false

  async function connect(deadline: number) {
    if (!existsSync(file)) {
      if (missing) throw new StoreError(missing)
      makeFolder(dirname(resolve(file)))
      // Personal data: for its owner's eyes only. SQLite gives its journal the same mode, and flushes
      // the folder that names both with the journal of every transaction.
      closeSync(openSync(file, 'a', 0o600))
    }
    const connection = { file, database: connectTo(file), deadline }
    try {
      await exec(
        connection,
        `PRAGMA secure_delete = ON; PRAGMA foreign_keys = ON;
        PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = ${synchronous}`,
      )
      // Read back: SQLite passes over what it cannot or will not set.
      await demand(connection, 'journal_mode', 'truncate')
      await demand(connection, 'synchronous', { NORMAL: 1, EXTRA: 3 }[synchronous])
      if (await migrate(connection, missing)) isNew = true
      // With the lock taken: while another process commits, SQLite cannot see that the tables it
      // remembers are out of date, and says that there is no such table.
      const statements = await reading(connection, () => prepare(connection.database))
      return Object.assign(connection, { statements })
    } catch (error) {
      await discard(connection)
      throw error
    }
  }

  let open: Awaited<ReturnType<typeof connect>> | undefined = await attempt(file, () =>
    connect(performance.now() + PATIENCE),
  )
  // A new one, made without a word, would hide that the submissions are gone.
  missing = `${file}: the file is gone or empty; put it back, or restart for a new one`

  // After a failure the connection may be in any state; a new one starts from what the disk has.
  function onConnection<T>(
    deadline: number,
    work: (connection: NonNullable<typeof open>) => Promise<T>,
  ): Promise<T> {
    return attempt(file, async () => {
      open ??= await connect(deadline)
      open.deadline = deadline
      try {
        return await work(open)
      } catch (error) {
        await discard(open)
        open = undefined
        throw error
      }
    })
  }

  return {
    isNew,

    write: (deadline, work) =>
      onConnection(deadline, (connection) =>
        writing(connection, async () => work(connection.statements)),
      ),

    change: (deadline, sql, ...values) =>
      onConnection(deadline, (connection) =>
        writing(connection, async () => {
          return (await connection.database.prepare(sql)).run(...values).changes
        }),
      ),

    read: (deadline, sql, ...values) =>
      onConnection(deadline, (connection) =>
        reading(connection, async () => (await connection.database.prepare(sql)).all(...values)),
      ),

    vacuum: (deadline) =>
      onConnection(deadline, (connection) => exec(connection, 'VACUUM').catch(tellOfRoom)),

    close() {
      open?.database.close()
      open = undefined
    },
  }
}

function connectTo(file: string): Database {
  try {
    return new Database(file, {})
  } catch (error) {
    // libsql says in a line of its own making, without a code, that SQLite cannot open it.
    const mustBe = 'a file that may be read and written'
    throw new StoreError(`SUBMISSIONS_FILE is "${file}", but must be ${mustBe}.`, { cause: error })
  }
}

/** Closes a connection that may be in a transaction: libsql keeps its locks until it is collected. */
async function discard({ database }: Connection): Promise<void> {
  await database.exec('ROLLBACK').catch(() => {})
  database.close()
}

/**
 * Runs SQL off this thread, so that the server answers others while the disk flushes. Waits for the
 * locks of other processes here: SQLite's own wait would hold one of libsql's few threads, which
 * whoever has the lock may need.
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

async function writing<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  const { file } = connection
  const result = await attempt(`${file}: nothing was stored or deleted`, async () => {
    await exec(connection, 'BEGIN IMMEDIATE')
    return work()
  })
  try {
    await exec(connection, 'COMMIT')
  } catch (error) {
    // For any code: libsql reads it late, when it may already be that of another call, or SQLITE_OK.
    const words = `nothing is known to be stored or deleted: ${describe(error as Error)}`
    throw new StoreError(`${file}: ${words}`, { cause: error })
  }
  return result
}

/** Runs what only reads, with the lock already taken: libsql reads rows on this thread. */
async function reading<T>(connection: Connection, work: () => Promise<T>): Promise<T> {
  await exec(connection, 'BEGIN')
  await exec(connection, 'SELECT count(*) FROM sqlite_schema')
  const result = await work()
  await exec(connection, 'COMMIT')
  return result
}

async function pragma({ database }: Connection, name: string): Promise<unknown> {
  const [row] = await (await database.prepare(`PRAGMA ${name}`)).all()
  return Object.values(row)[0]
}

async function demand(connection: Connection, name: string, expected: unknown): Promise<void> {
  const actual = await reading(connection, () => pragma(connection, name))
  if (actual === expected) return
  throw new StoreError(`SQLite keeps ${name} at ${actual}, where only ${expected} is durable`)
}

/** Brings the tables up to date. Resolves to whether there were none. */
async function migrate(connection: Connection, missing?: string): Promise<boolean> {
  const before = await reading(connection, () => pragma(connection, 'user_version'))
  if (before === SQLITE_MIGRATIONS.length) return false
  if (before === 0 && missing) throw new StoreError(missing)
  await exec(connection, 'BEGIN IMMEDIATE')
  // Read again: another process may have been first.
  const version = (await pragma(connection, 'user_version')) as number
  if (isNewer(version, SQLITE_MIGRATIONS)) {
    throw new StoreError(
      `${connection.file} was made by a later release; this one would misread it`,
    )
  }
  for (const step of SQLITE_MIGRATIONS.slice(version)) await exec(connection, step)
  await exec(connection, `PRAGMA user_version = ${SQLITE_MIGRATIONS.length}`)
  await exec(connection, 'COMMIT')
  return version === 0
}

/** Makes a folder that is there after a power cut too, and closed to others on the machine. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  try {
    // One at a time: with `recursive`, Node never ends below /proc.
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another process may have been first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  flushFolder(dirname(folder))
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

/**
 * Runs what touches the file, and turns what SQLite or the system says into one line.
 *
 * @param where what the line begins with
 */
async function attempt<T>(where: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof StoreError) throw error
    const { code = '' } = error as NodeJS.ErrnoException
    if (!/^(SQLITE_|E[A-Z]+$)/.test(code)) throw error
    throw new StoreError(`${where}: ${describe(error as Error)}`, { cause: error })
  }
}

function describe({ code = '', message }: NodeJS.ErrnoException): string {
  const known = ADVICE.find(([prefix]) => code.startsWith(prefix))
  return `${known ? known[1] : message} (${code})`
}

/** What is deleted is deleted: all that is missing is room for the file beside its old self. */
function tellOfRoom(error: NodeJS.ErrnoException): never {
  if (error.code !== 'SQLITE_FULL') throw error
  throw new StoreError('the disk has no room for the file to be written anew', { cause: error })
}

const ADVICE: readonly [prefix: string, advice: string][] = [
  ['SQLITE_OK', 'SQLite failed and does not say why'],
  ['SQLITE_BUSY', 'another process has kept the database locked for 10 seconds; try again'],
  ['SQLITE_FULL', 'the disk is full'],
  ['SQLITE_NOTADB', 'is no SQLite database'],
  ['SQLITE_CORRUPT', 'the database is damaged; restore a copy'],
  [
    'SQLITE_READONLY_DBMOVED',
    'the file was moved or deleted; put it back, or restart for a new one',
  ],
  ['SQLITE_READONLY', 'may not be written; its owner or its folder forbids it'],
  ['SQLITE_CANTOPEN', 'cannot be opened; its folder may be missing or forbidden'],
  ['SQLITE_IOERR', 'the disk failed'],
]
