/** The contract of a store of submissions, whichever database it uses. */
import { randomBytes } from 'node:crypto'
import { sha256Of } from '../../text/digest.ts'

/** One entry of a form as sent. Lists of entries keep the order of the form data set. */
export type Field = readonly [name: string, value: string]

/** A submission as the receiver passes it to a store. */
export interface Submission {
  /** The path of the page with the form, such as `/blog/029`. */
  path: string
  fields: readonly Field[]
  /** The SHA-256 of the dataset that defined the form, in hexadecimal digits. */
  dataset: string
  /** Whether it had the field that only a machine sends. */
  isSuspect: boolean
  /** Whether the owner gets a notification. */
  isAnnounced?: boolean | undefined
}

/** `suspect` by the honeypot, `spam` by the owner. See `STATUS` in `queries.ts`. */
export const STATUSES = ['received', 'suspect', 'spam'] as const
export type Status = (typeof STATUSES)[number]

/** What the owner says of a submission. */
export type Verdict = 'spam' | 'ham'

/** A submission as a store keeps it. */
export interface StoredSubmission extends Omit<Submission, 'isSuspect' | 'isAnnounced'> {
  receipt: string
  /** RFC 3339, UTC, to the millisecond. */
  receivedAt: string
  /** See {@link contentHash}. */
  contentHash: string
  status: Status
  /** How often the same content was sent again within {@link REPEAT_WINDOW}. */
  repeats: number
}

/** The visitor's proof that a submission is stored. */
export interface Receipt {
  receipt: string
  /** RFC 3339, UTC, to the millisecond. */
  receivedAt: string
  /**
   * Whether the same content for the same path was already stored, so that this one is only
   * counted. For the owner only: the sender must not learn that somebody sent it before.
   */
  isRepeat: boolean
}

/** How many submissions there are. */
export interface Counts extends Record<Status, number> {
  /** How many repeats of these were sent. */
  repeats: number
}

/** Which submissions are meant: those for which all of it is true. An empty filter means all. */
export interface SubmissionFilter {
  /** The path of the page with the form. */
  page?: string | undefined
  /** Received at this moment or later: RFC 3339, UTC, to the millisecond, from 1970 on. */
  since?: string | undefined
  /** Received at this moment or earlier. */
  until?: string | undefined
  /** Received before the submission with this receipt. */
  before?: string | undefined
  statuses?: readonly Status[] | undefined
  /** The receipts of submissions or of their repeats. */
  receipts?: readonly string[] | undefined
  /** Neither waits to be announced, nor has failed to be, unless a mail has named it. */
  isSettled?: true | undefined
  /** A value is this address, or one at this domain if it begins with @. Case does not count. */
  email?: string | undefined
  /** Each of these words is in a value. Case does not count. */
  text?: string | undefined
}

/** The notification of a submission. */
export interface Notification {
  submission: StoredSubmission
  notification: 'waiting' | 'sent' | 'failed'
  /** From when on it is sent, while it waits. */
  notifyAt: Date
  attempts: number
  /** Why the last attempt failed; null while one is made. */
  failure: string | null
}

/** What a digest lists of a submission: nothing that a visitor has written. */
export type Listed = Pick<StoredSubmission, 'receipt' | 'path' | 'receivedAt' | 'status'>

/** What one mail announces. */
export interface Taken {
  /** One submission, or all that an earlier hour has left over. */
  listed: readonly [Listed, ...Listed[]]
  /** The one submission. */
  submission?: StoredSubmission | undefined
  attempts: number
  /** Until when nobody else gets it. */
  until: Date
}

/** How an attempt has ended. */
type Outcome = Pick<Notification, 'notification' | 'notifyAt' | 'failure'>

/** The notifications, which the transaction that stores a submission writes. */
export interface Outbox {
  /**
   * Takes what is due `now`, for one mail. Nobody else gets it before the moment `until`. After
   * `most` mails in an hour (of UTC), the rest waits until the next hour, which begins with a list
   * of it. Examples ({@link TEST}) come first, and do not wait.
   */
  take(now: Date, until: Date, most: number): Promise<Taken | undefined>
  /** Records how an attempt has ended, unless another one has begun since. */
  settle(taken: Taken, outcome: Outcome): Promise<void>
  /** Resolves to the notification of a submission, unless there is none. */
  find(receipt: string): Promise<Notification | undefined>
  /** Resolves to receipts of those that have failed, and of which the owner was not told. */
  untold(): Promise<string[]>
  /** Records that a mail has named the failures. */
  told(receipts: readonly string[], now: Date): Promise<void>
  /** Makes all due `now` that have failed before. Resolves to how many there are. */
  retry(now: Date): Promise<number>
  /** Deletes an example, without clearing the disk of it. */
  forget(receipt: string): Promise<void>
  /** Resolves to how many are not sent, and to the next ones, at most `limit`. */
  unsent(limit: number): Promise<{ waiting: number; failed: number; next: Notification[] }>
}

export type Room = Record<'free' | 'used', number>

/**
 * `create`: a store that is missing is created. `change`: it must exist. `read`: it must exist, and
 * no byte of it changes; older tables are not brought up to date.
 */
export type Access = 'create' | 'change' | 'read'

/** Every call rejects with {@link StoreError} when the database fails. */
export interface Store {
  /**
   * Stores a submission. Resolves only once it is committed to disk. The same content for the same
   * path within {@link REPEAT_WINDOW} is stored once and counted; each call gets its own receipt.
   * A repeat is not announced, unless it clears the suspicion of what was held back. After a
   * rejection the submission may or may not be stored. Sending it again is safe, and never stores
   * it twice.
   */
  add(submission: Submission): Promise<Receipt>
  /** Finds the submission of a receipt. For a repeat, it has the repeat's receipt and time. */
  find(receipt: string): Promise<StoredSubmission | undefined>
  /** Finds the submissions whose receipts begin with a text, at most `limit`, in any order. */
  startingWith(start: string, limit: number): Promise<StoredSubmission[]>
  count(filter?: SubmissionFilter): Promise<Counts>
  /**
   * Returns the newest submissions of the filter, newest first, at most `limit` and only those of
   * the statuses `shown`, and counts all of the filter.
   */
  list(
    filter: SubmissionFilter,
    limit: number,
    shown?: readonly Status[],
  ): Promise<{ newest: StoredSubmission[]; counts: Counts }>
  /** Yields all of the filter, oldest first. Reads some at a time, so that memory stays flat. */
  all(filter?: SubmissionFilter): AsyncIterable<StoredSubmission>
  /** Sets the owner's verdict, which no repeat changes. Resolves to how many there were. */
  judge(receipts: readonly string[], verdict: Verdict): Promise<number>
  /**
   * Deletes all that any of the filters means, and their repeats, for good and in one transaction.
   * Resolves to how many there were.
   */
  delete(...filters: SubmissionFilter[]): Promise<number>
  /**
   * Commits a write, in SQLite as large as any form. Rejects when {@link Store.add} would, or when
   * another program has changed how SQLite commits.
   */
  check(): Promise<void>
  /** Writes a consistent copy of SQLite's file into an empty one. */
  copyTo(file: string): Promise<void>
  outbox: Outbox
  /** Resolves to the free bytes of the disk, and those of SQLite's file. Postgres does not tell. */
  room(): Promise<Room | undefined>
  /** Whether there was no store before this one was opened. */
  isNew: boolean
  /** Finishes queued calls, then closes. */
  close(): Promise<void>
}

/** The database failed, not the visitor. The message is one line that says what to do. */
export class StoreError extends Error {
  override name = 'StoreError'
}

/** The path of an example by which the owner tests notifications: no page has it. */
export const TEST = 'Test'

/** How long the same content for the same path counts as a repeat: 24 hours, in milliseconds. */
export const REPEAT_WINDOW = 24 * 60 * 60 * 1000

/**
 * Returns the SHA-256, in hexadecimal digits, of the path and the fields. They are hashed as JSON,
 * in which no two lists of fields look the same.
 */
export function contentHash({ path, fields }: Pick<Submission, 'path' | 'fields'>): string {
  return sha256Of(JSON.stringify([path, fields]))
}

// Crockford's base 32 in lower case: without i, l, o and u, which are misread or misheard.
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz'

/**
 * Creates a receipt that nobody can guess (140 random bits), and that can be part of a URL and read
 * aloud: seven groups of four, for example `4x7h-q2m9-kc0d-8w3t-r5va-61ye-n4jp`.
 */
export function newReceipt(): string {
  const digits = [...randomBytes(28)].map((byte) => DIGITS[byte & 31]).join('')
  return (digits.match(/.{4}/g) as string[]).join('-')
}

/** Normalizes a receipt as typed or heard: in capitals, with o for 0, with or without spaces. */
export function readReceipt(typed: string): string {
  const digits = typed.toLowerCase().replace(/[\s-]/g, '').replace(/o/g, '0').replace(/[il]/g, '1')
  return (digits.match(/.{1,4}/g) ?? []).join('-')
}
