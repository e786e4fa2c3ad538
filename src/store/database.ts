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
   * Runs work in a transaction, and commits it to disk. A statement that changes something must not
   * return a text: select that separately.
   */
  write<T>(work: Work<T>): Promise<T>

  /** See the methods of `Store` with the same names. */
  add(submission: Submission): Promise<Receipt>
  probe(): Promise<void>
  copyTo(file: string): Promise<void>
  close(): Promise<void>

  /** Clears the disk of what was deleted, if the database does not do so itself. */
  clear(): Promise<void>

  /** Lets the database examine its own structure. */
  checkStructure(): Promise<Structure>
}

/** What a database says of its own structure. */
export interface Structure {
  /** One line for each fault. */
  faults: string[]
  /** A sentence for the owner about who examines the structure, if the store can't. */
  note?: string
}

/** Where the SQL of the two databases differs. */
export interface Dialect {
  /** Returns a SELECT of the texts in a JSON array. */
  texts(array: string): string
  /** Returns a SELECT of the numbers in a JSON array. */
  numbers(array: string): string
  /** The end of a SELECT that leaves out the rows that another transaction is changing. */
  skipLocked: string
}

/** What every database is opened with. */
export interface OpenOptions {
  access: Access
  now: () => Date
  patience: number
}
