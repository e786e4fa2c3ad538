/** What a store of submissions does, whichever database keeps them. */
import type {
  Announcement,
  Channel,
  Counts,
  Receipt,
  Status,
  StoredSubmission,
  Submission,
  SubmissionFilter,
  Verdict,
} from './submission.ts'

/**
 * Every call rejects with a `StoreError` when the database fails. What has to be complete, or can't be
 * taken back, begins with {@link Store.inspect}: all other calls trust the structure of the database.
 */
export interface Store {
  /** Which notifications are not sent yet. */
  readonly outbox: Outbox

  /**
   * Stores a submission. Resolves only once it is committed to disk. The same content for the same
   * path within `REPEAT_WINDOW` is stored and announced once, and counted; suspects are compared only
   * with suspects. Each call gets its own receipt. After a rejection the submission may or may not be
   * stored. Sending it again is safe, and never stores it twice.
   */
  add(submission: Submission): Promise<Receipt>

  /**
   * Commits a write that is as large as any form. Rejects when {@link Store.add} would, or when
   * another program has changed how SQLite commits.
   */
  probe(): Promise<void>

  /** Finds the submission of a receipt. For a repeat, it has the repeat's receipt and time. */
  find(receipt: string): Promise<StoredSubmission | undefined>

  /** Finds the submissions whose receipts begin with a text, at most `limit`, in any order. */
  startingWith(start: string, limit: number): Promise<StoredSubmission[]>

  /**
   * Counts the submissions of a filter, and returns the newest of those with a status in `shown`:
   * newest first, at most `limit`. Those that are damaged have their `damage`.
   */
  list(
    filter: SubmissionFilter,
    limit: number,
    shown?: readonly Status[],
  ): Promise<{ newest: StoredSubmission[]; counts: Counts }>

  /** Counts the submissions of a filter. */
  count(filter?: SubmissionFilter): Promise<Counts>

  /**
   * Yields the submissions of a filter that were stored when it began, oldest first. Damaged ones have
   * their `damage`. If the filter has a condition, they are left out, because nobody can tell whether
   * it means them. Reads some at a time, so that memory stays flat and no lock is held for long.
   */
  all(filter?: SubmissionFilter): AsyncGenerator<StoredSubmission>

  /** Yields what can be read of the submissions of a filter although the structure is damaged. */
  salvage(filter?: SubmissionFilter): AsyncGenerator<StoredSubmission>

  /** Resolves to the numbers of the submissions that `all` would yield. */
  idsOf(filter: SubmissionFilter): Promise<number[]>

  /** Sets the owner's verdict, which stays when the form is sent again. Resolves to how many. */
  judge(ids: readonly number[], verdict: Verdict): Promise<number>

  /**
   * Deletes submissions and their repeats for good, in short transactions, so that posts are stored
   * between them. Resolves to how many there were, and for how many seconds nothing was stored
   * afterwards.
   */
  delete(ids: readonly number[]): Promise<{ deleted: number; seconds: number }>

  /**
   * Examines the whole store: the database examines its structure, and then hashes examine all rows, some at a time.
   * In SQLite, posts wait for the first.
   *
   * @param pause is awaited between two steps
   */
  inspect(pause?: () => Promise<void>): Promise<Inspection>

  /** Writes a consistent copy of a SQLite file into an empty one. */
  copyTo(file: string): Promise<void>

  /** Resolves to the moment of the last upkeep: RFC 3339, UTC. Undefined before the first one. */
  lastUpkeep(): Promise<string | undefined>

  /** Stores the moment of an upkeep. */
  setUpkeep(moment: Date): Promise<void>

  /** Finishes queued calls, then closes. */
  close(): Promise<void>
}

/** What an inspection has found. */
export interface Inspection {
  /** How many submissions were read: none if the structure is damaged, as reading might not end. */
  submissions: number
  /** The damaged rows. */
  rows: DamagedRow[]
  /** What is wrong with the structure of the database, in its own words. */
  structure: string[]
  /** See `Structure`. */
  note: string | undefined
}

/** A row that is not as it was stored. */
export interface DamagedRow {
  /** The receipt of the submission that the row is or belongs to. */
  receipt: string
  table: 'submissions' | 'repeats' | 'outbox'
  /** The damaged values, such as `fields`. */
  damage: readonly string[]
}

/**
 * The notifications of submissions. One is *queued* until it is sent, *leased* while a receiver sends
 * it, and then *done*. The transaction that stores a submission also queues its notifications.
 */
export interface Outbox {
  /**
   * Leases the next message that is due. First come messages that may have arrived already: they are
   * sent again with the same name and the same submissions. Then comes what is queued: all of it in
   * one message, unless `pause` is 0, which means a message for each submission.
   */
  lease(channel: Channel, terms: LeaseTerms): Promise<Lease | undefined>

  /** Records how an attempt has ended, unless its lease is over. */
  end(lease: Lease, outcome: Outcome): Promise<void>

  /** Counts the notifications that are not done, and returns the next ones, at most `limit`. */
  queued(limit: number): Promise<{ count: number; next: QueuedNotification[] }>
}

export interface LeaseTerms {
  now: Date
  /** Until when no other receiver gets the message. */
  until: Date
  /** How long after the last message the next one may be sent, in milliseconds. */
  pause: number
}

/** An announcement that is being sent. */
export interface Lease extends Announcement {
  channel: Channel
  /** How often it was attempted, this time included. */
  attempts: number
  /** Whether an earlier attempt may have arrived, so that it keeps its name. */
  isAgain: boolean
  until: Date
  /** The numbers of its submissions. */
  ids: readonly number[]
}

/** How an attempt has ended. */
export type Outcome =
  | { doneAt: Date }
  /** Not done: when to try again, and whether the message may have arrived all the same. */
  | { failure: string; dueAt: Date; mayHaveArrived: boolean }

export interface QueuedNotification {
  receipt: string
  channel: Channel
  /** From when on it is sent: RFC 3339, UTC. */
  dueAt: string
  attempts: number
  /** Why the last attempt failed; null while one is made. */
  failure: string | null
  /** Whether its submission or the notification itself is damaged. */
  isDamaged: boolean
}
