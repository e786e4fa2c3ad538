/** Opens the store of submissions: the only module that chooses between the two databases. */
import { outboxOf } from './outbox.ts'
import { queriesOf } from './queries.ts'
import { DEFAULT_FILE } from './submission.ts'
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

/**
 * Opens the store, and brings its tables up to date unless it is only read.
 *
 * @throws {StoreError} when it cannot be opened; the message is one line that says what to do
 */
export async function openStore({
  databaseUrl,
  file = DEFAULT_FILE,
  access = 'create',
  now = () => new Date(),
}: StoreOptions = {}) {
  // A driver is loaded only when it is used.
  const open = databaseUrl
    ? (await import('./postgres-store.ts')).openPostgres
    : (await import('./sqlite-store.ts')).openSqlite
  const database = await open(databaseUrl || file, access, now)
  return { ...database, ...queriesOf(database), outbox: outboxOf(database) }
}
