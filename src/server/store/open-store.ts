/** Opens the store of submissions: the only module that chooses between the two databases. */
import { outboxOf } from './outbox.ts'
import { type Database, queriesOf } from './queries.ts'
import type { Access } from './tables.ts'

export type Store = Awaited<ReturnType<typeof openStore>>

export interface StoreOptions {
  /** A `postgres:` or `postgresql:` URL, which is valid. Without it, or when it is empty, the file is used. */
  databaseUrl?: string | undefined
  /** The SQLite file. Its folder is created when missing. */
  file?: string
  access?: Access
  /** The clock that dates submissions and measures the 24 hours. */
  now?: () => Date
}

/** The default SQLite file, relative to the root of the project. */
export const DEFAULT_FILE = 'data/submissions.db'

/**
 * Opens the store, and brings its tables up to date unless it is only read.
 *
 * @throws {StoreError} when it cannot be opened; the message is one line that says what to do
 */
export async function openStore(options: StoreOptions = {}) {
  const database = await openDatabase(options)
  return { ...database, ...queriesOf(database), outbox: outboxOf(database) }
}

/** A driver is loaded only when it is used. */
async function openDatabase({
  databaseUrl,
  file = DEFAULT_FILE,
  access = 'create',
  now = () => new Date(),
}: StoreOptions): Promise<Database> {
  if (databaseUrl) {
    const { openPostgres } = await import('./postgres-store.ts')
    return openPostgres(databaseUrl, access, now)
  }
  const { openSqlite } = await import('./sqlite-store.ts')
  return openSqlite(file, access, now)
}
