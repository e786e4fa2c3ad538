/** Where submissions are kept: the only module that chooses between the two databases. */
import { type Store, StoreError } from './store.ts'

export interface StoreOptions {
  /** A `postgres:` or `postgresql:` address; without it, or when it is empty, the file is used. */
  databaseUrl?: string | undefined
  /** The SQLite file. Its folder is made when it is missing. */
  file?: string
  /** Whether a SQLite file that is not there is an error, not a new database. */
  mustExist?: boolean
  /** The clock that dates submissions and measures the 24 hours. */
  now?: () => Date
}

/** Where the SQLite file is unless someone says otherwise, seen from the root of the project. */
export const DEFAULT_FILE = 'data/submissions.db'

/**
 * Opens the store and brings its tables up to date.
 *
 * @throws {StoreError} when it cannot be opened, in one line that says what to do
 */
export async function openStore(options: StoreOptions = {}): Promise<Store> {
  const { databaseUrl, file = DEFAULT_FILE, mustExist = false, now = () => new Date() } = options
  // Each database's driver is loaded only where it is used.
  if (!databaseUrl) {
    const { openSqliteStore } = await import('./sqlite-store.ts')
    return openSqliteStore({ file, mustExist, now })
  }
  // The address may hold a password, so it is not repeated.
  if (!/^postgres(ql)?:\/\//.test(databaseUrl) || !URL.canParse(databaseUrl)) {
    throw new StoreError(
      'DATABASE_URL must be an address such as postgres://user:password@host:5432/database',
    )
  }
  const { openPostgresStore } = await import('./postgres-store.ts')
  return openPostgresStore({ url: databaseUrl, now })
}
