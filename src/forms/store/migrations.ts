/** The tables of the store, as numbered migrations. A released migration never changes. */

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

/** Whether the tables were made by a later release, so that this one would misread them. */
export function isNewer(version: number, migrations: readonly string[]): boolean {
  return version > migrations.length
}
