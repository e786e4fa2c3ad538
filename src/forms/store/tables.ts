/** The tables of the store: the migrations that create them, and what is the same in both databases. */
import { contentHash, newReceipt, type StoredSubmission, type Submission } from './store.ts'

// 1. Migrations: a released one never changes -----------------------------------------------------

/** Migration N of a list brings a database from version N - 1 to version N. */
export const SQLITE_MIGRATIONS: readonly string[] = [
  `CREATE TABLE submissions (
     id INTEGER PRIMARY KEY,
     receipt TEXT NOT NULL UNIQUE,
     path TEXT NOT NULL,
     received_at TEXT NOT NULL,
     dataset TEXT NOT NULL,
     content_hash TEXT NOT NULL,
     status TEXT NOT NULL CHECK (status IN ('received', 'suspect')),
     repeats INTEGER NOT NULL DEFAULT 0,
     fields TEXT NOT NULL
   ) STRICT;
   CREATE INDEX submissions_by_content ON submissions (content_hash, received_at);
   CREATE INDEX submissions_by_time ON submissions (received_at, id);
   CREATE TABLE readiness (id INTEGER PRIMARY KEY CHECK (id = 1), checked_at TEXT NOT NULL) STRICT;`,
  `CREATE TABLE repeats (
     receipt TEXT PRIMARY KEY,
     received_at TEXT NOT NULL,
     submission INTEGER NOT NULL REFERENCES submissions ON DELETE CASCADE
   ) STRICT;
   CREATE INDEX repeats_by_submission ON repeats (submission);`,
]

// Fields are text, not jsonb: jsonb refuses U+0000 and does not keep the order of keys.
export const POSTGRES_MIGRATIONS: readonly string[] = [
  `CREATE TABLE submissions (
     id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     receipt text NOT NULL UNIQUE,
     path text NOT NULL,
     received_at timestamptz(3) NOT NULL,
     dataset text NOT NULL,
     content_hash text NOT NULL,
     status text NOT NULL CHECK (status IN ('received', 'suspect')),
     repeats integer NOT NULL DEFAULT 0,
     fields text NOT NULL
   );
   CREATE INDEX submissions_by_content ON submissions (content_hash, received_at);
   CREATE INDEX submissions_by_time ON submissions (received_at, id);
   CREATE TABLE readiness (id integer PRIMARY KEY CHECK (id = 1), checked_at timestamptz NOT NULL);`,
  `CREATE TABLE repeats (
     receipt text PRIMARY KEY,
     received_at timestamptz(3) NOT NULL,
     submission bigint NOT NULL REFERENCES submissions ON DELETE CASCADE
   );
   CREATE INDEX repeats_by_submission ON repeats (submission);`,
]

// 2. Rows -----------------------------------------------------------------------------------------

export interface SubmissionRow {
  id: number | string
  receipt: string
  path: string
  received_at: string | Date
  dataset: string
  content_hash: string
  status: 'received' | 'suspect'
  repeats: number
  fields: string
}

export function toSubmission(row: SubmissionRow): StoredSubmission {
  return {
    receipt: row.receipt,
    path: row.path,
    receivedAt: new Date(row.received_at).toISOString(),
    dataset: row.dataset,
    contentHash: row.content_hash,
    status: row.status,
    repeats: row.repeats,
    fields: JSON.parse(row.fields),
  }
}

/** Returns a submission as it will be stored, unless it is a repeat. */
export function toStore({ isSuspect, ...sent }: Submission, now: Date): StoredSubmission {
  return {
    ...sent,
    receipt: newReceipt(),
    receivedAt: now.toISOString(),
    contentHash: contentHash(sent),
    status: isSuspect ? 'suspect' : 'received',
    repeats: 0,
  }
}

// 3. Statements -----------------------------------------------------------------------------------

export const COLUMNS = 'receipt, path, received_at, dataset, content_hash, status, repeats, fields'

/** Finds a submission by its own receipt or by that of a repeat. */
export const FIND = `SELECT ${COLUMNS} FROM submissions WHERE receipt = $1 UNION ALL
  SELECT again.receipt, path, again.received_at, dataset, content_hash, status, repeats, fields
  FROM repeats AS again JOIN submissions ON submissions.id = submission WHERE again.receipt = $1`

export const DELETE = `DELETE FROM submissions
  WHERE receipt = $1 OR id = (SELECT submission FROM repeats WHERE receipt = $1)`

export const DELETE_BEFORE = 'DELETE FROM submissions WHERE received_at < $1'

export const COUNT = `SELECT count(*) FILTER (WHERE status = 'received') AS received,
  count(*) FILTER (WHERE status = 'suspect') AS suspect,
  coalesce(sum(repeats), 0) AS repeats FROM submissions`

/** The newest. */
export const LIST = `SELECT ${COLUMNS} FROM submissions ORDER BY received_at DESC, id DESC LIMIT $1`

const ROWS_AT_ONCE = 100

/** The oldest after a row. */
const NEXT = `SELECT id, ${COLUMNS} FROM submissions WHERE (received_at, id) > ($1, $2)
  ORDER BY received_at, id LIMIT ${ROWS_AT_ONCE}`

/** Yields every submission, oldest first. */
export async function* allOf(
  query: (sql: string, values: unknown[]) => Promise<SubmissionRow[]>,
): AsyncGenerator<StoredSubmission> {
  let after: Pick<SubmissionRow, 'received_at' | 'id'> | undefined
  do {
    const { received_at, id } = after ?? { received_at: new Date(0).toISOString(), id: 0 }
    const rows = await query(NEXT, [received_at, id])
    yield* rows.map(toSubmission)
    after = rows.length < ROWS_AT_ONCE ? undefined : rows.at(-1)
  } while (after)
}

export const MARK_READY = `INSERT INTO readiness VALUES (1, $1)
  ON CONFLICT (id) DO UPDATE SET checked_at = excluded.checked_at`
