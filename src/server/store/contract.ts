/** The contract of a store of submissions, whichever database it uses. */
import type { Outbox } from './outbox.ts'
import type { Queries } from './queries.ts'
import type { Receipt, Submission } from './submission.ts'

/** Every call rejects with `StoreError` when the database fails. */
export interface Store extends Queries {
  /**
   * Stores a submission. Resolves only once it is committed to disk. The same content for the same
   * path within `REPEAT_WINDOW` is stored and announced once, and counted, apart for what is
   * suspect; each call gets its own receipt. After a rejection the submission may or may not be
   * stored. Sending it again is safe, and never stores it twice.
   */
  add(submission: Submission): Promise<Receipt>
  /**
   * Commits a write, in SQLite as large as any form. Rejects when {@link Store.add} would, or when
   * another program has changed how SQLite commits.
   */
  check(): Promise<void>
  /** Writes a consistent copy of SQLite's file into an empty one. Rejects if a page is damaged. */
  copyTo(file: string): Promise<void>
  outbox: Outbox
  /** Finishes queued calls, then closes. */
  close(): Promise<void>
}
