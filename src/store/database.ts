/** What the store asks of a database. The SQL of the store is the same for both. */
import type { Receipt, Submission } from './submission.ts'
import type { Access } from './tables.ts'

/**
 * Runs a statement with the parameters $1, $2 and so on. Their numbers must be in the order in which
 * the statement names them first, because SQLite counts them so. Resolves to its rows.
 */
export type Run = <Row>(sql: string, values: readonly unknown[]) => Promise<Row[]>

export type Work<T> = (run: Run) => Promise<T>

/** Every call rejects with a `StoreError` when the database fails. */
export interface Database {
  readonly dialect: Dialect

  /** Runs work that only reads. All of it sees the database as it was at one moment. */
  read<T>(work: Work<T>): Promise<T>

  /**
   * Runs work in a transaction, and commits it to disk. The work may run a second time if the first
   * attempt changed nothing. No statement in it may return a text: select that separately.
   */
  write<T>(work: Work<T>): Promise<T>

  /** See the methods of `Store` with the same names. */
  add(submission: Submission): Promise<Receipt>
  probe(): Promise<void>
  copyTo(file: string): Promise<void>
  rebuildIndexes(): Promise<void>
  close(): Promise<void>

  /** Clears the disk of what was deleted, if the database does not do so itself. */
  clear(): Promise<void>

  /**
   * Resolves to what is wrong with the structure of the database, one line for each fault.
   *
   * @param copy a copy that `copyTo` has made; without it, a temporary copy is checked
   */
  checkStructure(copy?: string): Promise<string[]>
}

/** Where the SQL of the two databases differs. */
export interface Dialect {
  /** Returns a SELECT of the texts in a JSON array. */
  texts(array: string): string
  /** Returns a SELECT of the numbers in a JSON array. */
  numbers(array: string): string
  /** Returns what selects all values of a column, as JSON in one text; null if there are none. */
  list(column: string): string
  /** Follows the name of a table that must be read as it is: SQLite's indexes may be damaged. */
  unindexed: string
  /** The end of a SELECT that leaves out the rows that another transaction is changing. */
  skipLocked: string
}

/** What every database is opened with. */
export interface OpenOptions {
  access: Access
  now: () => Date
  patience: number
}
