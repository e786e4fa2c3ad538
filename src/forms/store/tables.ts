/** The tables of the store: the migrations that create them, and their rows. */
import {
  contentHash,
  newReceipt,
  type Status,
  type StoredSubmission,
  type Submission,
} from './store.ts'

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
  `ALTER TABLE submissions ADD COLUMN verdict TEXT CHECK (verdict IN ('spam', 'ham'));
   CREATE INDEX submissions_by_page ON submissions (path, received_at, id);`,
  `ALTER TABLE submissions ADD COLUMN notification TEXT
     CHECK (notification IN ('waiting', 'sent', 'failed'));
   ALTER TABLE submissions ADD COLUMN notify_at TEXT;
   ALTER TABLE submissions ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE submissions ADD COLUMN failure TEXT;
   CREATE INDEX submissions_by_notification ON submissions (notification, notify_at)
     WHERE notification IS NOT NULL;`,
  `ALTER TABLE submissions ADD COLUMN told_at TEXT;`,
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
  `ALTER TABLE submissions ADD COLUMN verdict text CHECK (verdict IN ('spam', 'ham'));
   CREATE INDEX submissions_by_page ON submissions (path, received_at, id);`,
  `ALTER TABLE submissions
     ADD COLUMN notification text CHECK (notification IN ('waiting', 'sent', 'failed')),
     ADD COLUMN notify_at timestamptz(3),
     ADD COLUMN attempts integer NOT NULL DEFAULT 0,
     ADD COLUMN failure text;
   CREATE INDEX submissions_by_notification ON submissions (notification, notify_at)
     WHERE notification IS NOT NULL;`,
  `ALTER TABLE submissions ADD COLUMN told_at timestamptz(3);`,
]

// 2. Rows -----------------------------------------------------------------------------------------

export interface SubmissionRow {
  id: number | string
  receipt: string
  path: string
  received_at: string | Date
  dataset: string
  content_hash: string
  status: Status
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

export type Draft = StoredSubmission & { notification: 'waiting' | null }

/** Returns a submission as it will be stored, unless it is a repeat. */
export function toStore({ isSuspect, isAnnounced, ...sent }: Submission, now: Date): Draft {
  return {
    ...sent,
    receipt: newReceipt(),
    receivedAt: now.toISOString(),
    contentHash: contentHash(sent),
    status: isSuspect ? 'suspect' : 'received',
    repeats: 0,
    notification: isAnnounced ? 'waiting' : null,
  }
}
