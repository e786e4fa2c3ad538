/** The tables of the store: the migrations that create them, and their rows. */
import {
  contentHash,
  newReceipt,
  numberedReceipt,
  type SentField,
  type StoredSubmission,
  StoreError,
  type Submission,
} from './submission.ts'

// 1. Migrations: a released one never changes -----------------------------------------------------

export const SQLITE_MIGRATIONS = migrations('INTEGER PRIMARY KEY', 'INTEGER', 'TEXT', 'STRICT')

export const POSTGRES_MIGRATIONS = migrations(
  'bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
  'bigint',
  'timestamptz(3)',
  '',
)

/**
 * `create`: a store that is missing is created. `change`: it must exist. `read`: it must exist, and
 * no byte of it changes, so its tables must be those of this release.
 */
export type Access = 'create' | 'change' | 'read'

/**
 * Returns the steps that bring the tables of `where` up to date. Throws a {@link StoreError} for those
 * of a later release, and for older ones that may only be read.
 */
export function stepsFrom(version: number, all: string[], access: Access, where: string) {
  const of = `${where} is of`
  if (version > all.length) throw new StoreError(`${of} a later release; start that release`)
  if (access === 'read' && version < all.length) {
    throw new StoreError(`${of} an older release; start the receiver once, which upgrades it`)
  }
  return all.slice(version)
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
     CREATE INDEX submissions_by_time ON submissions (received_at, id);
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
    `ALTER TABLE submissions ADD COLUMN verdict TEXT CHECK (verdict IN ('spam', 'ham'));
     CREATE INDEX submissions_by_page ON submissions (path, received_at, id);`,
    `ALTER TABLE submissions ADD COLUMN notification TEXT
       CHECK (notification IN ('waiting', 'sent', 'failed'));
     ALTER TABLE submissions ADD COLUMN notify_at ${moment};
     ALTER TABLE submissions ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0;
     ALTER TABLE submissions ADD COLUMN failure TEXT;
     CREATE INDEX submissions_by_notification ON submissions (notification, notify_at)
       WHERE notification IS NOT NULL;`,
    `ALTER TABLE submissions ADD COLUMN told_at ${moment};`,
    // The former columns stay: to drop one, SQLite would write the table anew.
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
  ]
}

// 2. Rows -----------------------------------------------------------------------------------------

/** The value of `outbox.message` while a submission waits for the next list. */
export const NEXT_LIST = 'list'

/** A row as it is stored. After damage, a value may have another type. */
export type SubmissionRow = Omit<StoredSubmission, 'fields' | 'damage'> & {
  fields: string
  storedStatus: string
  verdict: string | null
  /** The columns that are not UTF-8. */
  unreadable?: string[]
}

/** Returns a row as a submission. What is damaged in it is named, and keeps what could be read. */
export function toSubmission({
  unreadable,
  storedStatus,
  verdict,
  ...row
}: SubmissionRow): StoredSubmission {
  const damage = new Set(unreadable)
  const submission: StoredSubmission = { ...row, fields: [] }

  const texts = ['receipt', 'path', 'receivedAt', 'dataset', 'contentHash', 'status'] as const
  for (const name of texts) {
    if (typeof row[name] !== 'string') damage.add(name)
  }

  const fields = readFields(row.fields)
  if (fields) submission.fields = fields
  else {
    submission.fields = [['unreadable', String(row.fields)]]
    damage.add('fields')
  }

  if (Number.isNaN(Date.parse(row.receivedAt))) {
    submission.receivedAt = new Date(0).toISOString()
    damage.add('receivedAt')
  }
  if (!Number.isInteger(row.repeats)) {
    submission.repeats = 0
    damage.add('repeats')
  }
  if (!['received', 'suspect'].includes(storedStatus)) damage.add('status')
  if (![null, 'spam', 'ham'].includes(verdict)) damage.add('verdict')
  damage.delete('storedStatus')
  if (damage.has('receipt')) submission.receipt = numberedReceipt(row.id)
  for (const name of texts) submission[name] = String(submission[name]) as never
  return damage.size > 0 ? { ...submission, damage: [...damage] } : submission
}

/** Returns undefined if the text is not the JSON of a list of names with values. */
function readFields(text: string): SentField[] | undefined {
  try {
    const fields: unknown = JSON.parse(text)
    return Array.isArray(fields) && fields.every(isField) ? fields : undefined
  } catch {
    return undefined
  }
}

function isField(field: unknown): field is SentField {
  if (!Array.isArray(field) || field.length !== 2) return false
  return field.every((part) => typeof part === 'string')
}

export type Unsaved = Omit<StoredSubmission, 'id' | 'repeats'> &
  Pick<Submission, 'channels' | 'isListed'>

/** Returns a submission as it will be stored, unless it is a repeat. */
export function toStore({ isSuspect, ...sent }: Submission, now: Date): Unsaved {
  return {
    ...sent,
    receipt: newReceipt(),
    receivedAt: now.toISOString(),
    contentHash: contentHash(sent),
    status: isSuspect ? 'suspect' : 'received',
  }
}
