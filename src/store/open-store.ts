/** Opens the store of submissions: the only module that chooses between the two databases. */
import { PATIENCE } from './queue.ts'
import { SqlStore } from './sql-store.ts'
import type { Store } from './store.ts'
import { DEFAULT_FILE, StoreError } from './submission.ts'
import type { Access } from './tables.ts'

export interface StoreOptions {
  /** A `postgres:` or `postgresql:` URL, which is valid. Without it, or when it is empty, the file is used. */
  databaseUrl?: string | undefined
  /** The SQLite file. Its folder is created when missing. */
  file?: string
  access?: Access
  /** The clock that dates submissions and measures the 24 hours. */
  now?: () => Date
  /** How long a call may wait for its turn and for locks, in milliseconds. */
  patience?: number
}

/**
 * Opens the store, and brings its tables up to date unless it is only read.
 *
 * @throws {StoreError} when it cannot be opened; the message is one line that says what to do
 */
export async function openStore(options: StoreOptions = {}): Promise<Store> {
  const { databaseUrl, file = DEFAULT_FILE } = options
  const { access = 'create', now = () => new Date(), patience = PATIENCE } = options

  const common = { access, now, patience }

  // A driver is loaded only when it is used.
  if (databaseUrl) {
    const { PostgresDatabase } = await import('./postgres-store.ts')
    return new SqlStore(await PostgresDatabase.open(databaseUrl, common))
  }

  const { SqliteDatabase } = await import('./sqlite-store.ts').catch((error) => {
    throw isWithoutBinary(error) ? new StoreError(WITHOUT_BINARY) : error
  })
  return new SqlStore(await SqliteDatabase.open(file, common))
}

/** libsql is a binary for each platform, in a package such as `@libsql/linux-x64-gnu`. */
function isWithoutBinary({ code, message }: NodeJS.ErrnoException): boolean {
  return code === 'MODULE_NOT_FOUND' && message.includes("'@libsql/")
}

const WITHOUT_BINARY = `SQLite isn't installed for this platform (${process.platform}, ${process.arch}). Run "npm ci" without --omit=optional on this machine. If that doesn't help, there is no SQLite for this platform: set DATABASE_URL to use Postgres instead.`
