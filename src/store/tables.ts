/**
 * The tables of the store, as the migrations that create them. A released one never changes a table.
 * Stores of releases before 0.5.0 also have two indexes that nothing reads: by time, and by page.
 */
import { StoreError } from './submission.ts'

export const SQLITE_MIGRATIONS = migrations('INTEGER PRIMARY KEY', 'INTEGER', 'TEXT', 'STRICT')

export const POSTGRES_MIGRATIONS = migrations(
  'bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
  'bigint',
  'timestamptz(3)',
  '',
)

/** Sets the moment at which the store was last found to be writable. */
export const MARK_READY = `INSERT INTO readiness (id, checked_at) VALUES (1, $1)
  ON CONFLICT (id) DO UPDATE SET checked_at = excluded.checked_at`

/** Sets the moment of the last upkeep. */
export const MARK_UPKEEP = `INSERT INTO readiness (id, checked_at, kept_up_at) VALUES (1, $1, $1)
  ON CONFLICT (id) DO UPDATE SET kept_up_at = excluded.kept_up_at`

/**
 * `create`: a store that is missing is created. `change`: it must exist. `read`: it must exist, and
 * no byte of it changes, so its tables must be those that commands read.
 */
export type Access = 'create' | 'change' | 'read'

/**
 * The first version with all that commands read: that of 0.4.0 and 0.5.0. What is damaged can be read
 * before the receiver changes it.
 */
const READABLE = 7

/** A column that each version has added. */
const ADDED = [
  'submissions.receipt',
  'repeats.receipt',
  'submissions.verdict',
  'submissions.notification',
  'submissions.told_at',
  'outbox.submission',
  'submissions.row_hash',
  'readiness.kept_up_at',
]

/** Returns the version of tables with these columns, such as `submissions.receipt`; 0 for others. */
export function versionOf(columns: readonly string[]): number {
  const latest = ADDED.findLast((column) => columns.includes(column))
  return latest === undefined ? 0 : ADDED.indexOf(latest) + 1
}

/**
 * Returns the steps that bring the tables of `where` up to date. Throws a {@link StoreError} for those
 * of a later release, and for older ones that may only be read.
 */
export function stepsFrom(
  version: number,
  migrations: readonly string[],
  access: Access,
  where: string,
): string[] {
  if (version > migrations.length) {
    throw new StoreError(
      `${where} was written by a later release, or is damaged. Start that release, or restore the last backup.`,
    )
  }

  if (access !== 'read') return migrations.slice(version)

  if (version >= READABLE) return []
  throw new StoreError(
    `${where} was written by an older release. Start the receiver once: it upgrades the store.`,
  )
}

/**
 * Migration N of the list brings a database from version N - 1 to version N.
 *
 * @param counted the type of a number that is given to each row
 * @param moment a type for moments to the millisecond
 * @param end the end of a definition
 */
function migrations(counted: string, number: string, moment: string, end: string) {
  // Fields are text, not jsonb: jsonb refuses U+0000 and does not keep the order of keys.
  return [
    `CREATE TABLE submissions (
       id ${counted},
       receipt TEXT NOT NULL UNIQUE,
       path TEXT NOT NULL,
       received_at ${moment} NOT NULL,
       dataset TEXT NOT NULL,
       content_hash TEXT NOT NULL,
       status TEXT NOT NULL CHECK (status IN ('received', 'suspect')),
       repeats INTEGER NOT NULL DEFAULT 0,
       fields TEXT NOT NULL
     ) ${end};
     CREATE INDEX submissions_by_content ON submissions (content_hash, received_at);
     CREATE TABLE readiness (
       id INTEGER PRIMARY KEY CHECK (id = 1),
       checked_at ${moment} NOT NULL
     ) ${end};`,
    `CREATE TABLE repeats (
       receipt TEXT PRIMARY KEY,
       received_at ${moment} NOT NULL,
       submission ${number} NOT NULL REFERENCES submissions ON DELETE CASCADE
     ) ${end};
     CREATE INDEX repeats_by_submission ON repeats (submission);`,
    `ALTER TABLE submissions ADD COLUMN verdict TEXT CHECK (verdict IN ('spam', 'ham'));`,
    `ALTER TABLE submissions ADD COLUMN notification TEXT
       CHECK (notification IN ('waiting', 'sent', 'failed'));
     ALTER TABLE submissions ADD COLUMN notify_at ${moment};
     ALTER TABLE submissions ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0;
     ALTER TABLE submissions ADD COLUMN failure TEXT;
     CREATE INDEX submissions_by_notification ON submissions (notification, notify_at)
       WHERE notification IS NOT NULL;`,
    `ALTER TABLE submissions ADD COLUMN told_at ${moment};`,
    // The former columns stay: to drop one, SQLite would have to rewrite the table.
    `CREATE TABLE outbox (
       submission ${number} NOT NULL REFERENCES submissions ON DELETE CASCADE,
       channel TEXT NOT NULL CHECK (channel IN ('mail', 'webhook')),
       due_at ${moment} NOT NULL,
       sent_at ${moment},
       message TEXT,
       attempts INTEGER NOT NULL DEFAULT 0,
       failure TEXT,
       PRIMARY KEY (submission, channel)
     ) ${end};
     INSERT INTO outbox (submission, channel, due_at, sent_at, attempts, failure)
       SELECT id, 'mail', notify_at, CASE notification WHEN 'sent' THEN notify_at END, attempts,
         failure FROM submissions WHERE notification IS NOT NULL;
     CREATE INDEX outbox_by_time ON outbox (channel, sent_at, due_at);
     CREATE INDEX outbox_by_message ON outbox (message);
     DROP INDEX submissions_by_notification;`,
    // Notifications that waited for a list are queued like all others.
    `ALTER TABLE submissions ADD COLUMN row_hash TEXT;
     ALTER TABLE repeats ADD COLUMN row_hash TEXT;
     UPDATE outbox SET message = NULL WHERE message = 'list' AND sent_at IS NULL;`,
    // The moment of the last upkeep.
    `ALTER TABLE readiness ADD COLUMN kept_up_at ${moment};`,
  ]
}
