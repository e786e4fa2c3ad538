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

/** Its calls must not overlap; each rejects with {@link StoreError}. */
export interface SqliteFile<Statements> {
  /** Resolves once what `work` has changed is committed to the disk. */
  write<T>(work: (statements: Statements) => T): Promise<T>
  /** Runs a statement as a transaction of its own. Resolves to how many rows it has changed. */
  change(sql: string, ...values: unknown[]): Promise<number>
  read<Row>(sql: string, ...values: unknown[]): Promise<Row[]>
  /** Writes the file anew, without what was deleted. */
  vacuum(): Promise<void>
  close(): void
}

/** For how long a call waits for another process's transaction, in milliseconds. */
const BUSY_TIMEOUT = 10_000

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
  const { file, mustExist = false } = options
  if (mustExist && !existsSync(file)) {
    throw new StoreError(`there is no database yet: ${file} is made by the first "npm start"`)
  }

  async function connect() {
    const database = await openDatabase(options)
    try {
      // With the lock taken: while another process commits, SQLite cannot see that the tables it
      // remembers are out of date, and says that there is no such table.
      return { database, statements: await reading(database, () => prepare(database)) }
    } catch (error) {
      await discard(database)
      throw error
    }
  }

  let open: Awaited<ReturnType<typeof connect>> | undefined = await attempt(file, connect)

  // After a failure the connection may be in any state; a new one starts from what the disk has.
  function onConnection<T>(work: (connection: NonNullable<typeof open>) => Promise<T>): Promise<T> {
    return attempt(file, async () => {
      open ??= await connect()
      try {
        return await work(open)
      } catch (error) {
        await discard(open.database)
        open = undefined
        throw error
      }
    })
  }

  return {
    write: (work) =>
      onConnection(({ database, statements }) =>
        writing(database, file, async () => work(statements)),
      ),

    change: (sql, ...values) =>
      onConnection(({ database }) =>
        writing(database, file, async () => (await database.prepare(sql)).run(...values).changes),
      ),

    read: (sql, ...values) =>
      onConnection(({ database }) =>
        reading(database, async () => (await database.prepare(sql)).all(...values)),
      ),

    vacuum: () => onConnection(({ database }) => exec(database, 'VACUUM').catch(tellOfRoom)),

    close() {
      open?.database.close()
      open = undefined
    },
  }
}

async function openDatabase({ file, synchronous = 'EXTRA' }: SqliteFileOptions): Promise<Database> {
  if (!existsSync(file)) {
    makeFolder(dirname(resolve(file)))
    // Personal data: for its owner's eyes only. SQLite gives its journal the same mode, and flushes
    // the folder that names both with the journal of every transaction.
    closeSync(openSync(file, 'a', 0o600))
  }
  const database = connectTo(file)
  try {
    await exec(
      database,
      `PRAGMA secure_delete = ON;
      PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = ${synchronous}`,
    )
    // Read back: SQLite passes over what it cannot or will not set.
    await demand(database, 'journal_mode', 'truncate')
    await demand(database, 'synchronous', { NORMAL: 1, EXTRA: 3 }[synchronous])
    await migrate(database, file)
    return database
  } catch (error) {
    await discard(database)
    throw error
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
async function discard(database: Database): Promise<void> {
  await database.exec('ROLLBACK').catch(() => {})
  database.close()
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

async function writing<T>(database: Database, file: string, work: () => Promise<T>): Promise<T> {
  const result = await attempt(`${file}: nothing was stored or deleted`, async () => {
    await exec(database, 'BEGIN IMMEDIATE')
    return work()
  })
  try {
    await exec(database, 'COMMIT')
  } catch (error) {
    // For any code: libsql reads it late, when it may already be that of another call, or SQLITE_OK.
    const words = `nothing is known to be stored or deleted: ${describe(error as Error)}`
    throw new StoreError(`${file}: ${words}`, { cause: error })
  }
  return result
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
  ['SQLITE_READONLY_DBMOVED', 'the file was moved or deleted while it was open'],
  ['SQLITE_READONLY', 'may not be written; its owner or its folder forbids it'],
  ['SQLITE_CANTOPEN', 'cannot be opened; its folder may be missing or forbidden'],
  ['SQLITE_IOERR', 'the disk failed'],
]
