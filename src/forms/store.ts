/** What a store of submissions promises, whichever database keeps them. */
import { createHash, randomBytes } from 'node:crypto'

/** One entry of the form as sent, in the order of the form data set. */
export type Field = readonly [name: string, value: string]

/** What the receiver hands to a store. */
export interface Submission {
  /** The path of the page with the form, such as `/blog/029`. */
  path: string
  fields: readonly Field[]
  /** The SHA-256 of the dataset that defined the form, in hexadecimal digits. */
  dataset: string
  /** Whether a field that only a machine fills in was filled in. */
  isSuspect: boolean
}

/** What a store keeps of a submission. */
export interface StoredSubmission extends Omit<Submission, 'isSuspect'> {
  receipt: string
  /** RFC 3339, UTC, to the millisecond. */
  receivedAt: string
  /** See {@link contentHash}. */
  contentHash: string
  status: 'received' | 'suspect'
  /** How often the same content was sent again within {@link REPEAT_WINDOW}. */
  repeats: number
}

/** The visitor's proof that a submission is stored. */
export interface Receipt {
  receipt: string
  /** RFC 3339, UTC, to the millisecond. */
  receivedAt: string
  /**
   * Whether the same content for the same path was stored before, and is only counted now. For the
   * owner alone: who sends it must not learn that somebody sent it before.
   */
  isRepeat: boolean
}

/** How many submissions a store keeps. */
export interface Counts {
  received: number
  suspect: number
  /** How many more were sent that repeated one of these. */
  repeats: number
}

/** Every call rejects with {@link StoreError} when the database does not do what it is asked. */
export interface Store {
  /**
   * Keeps a submission. Resolves only once it is committed to disk. The same content for the same
   * path within {@link REPEAT_WINDOW} is stored once and counted; each time has a receipt of its own.
   * After a rejection it is not known to be stored; sending it again is safe, and never stores it
   * twice.
   */
  add(submission: Submission): Promise<Receipt>
  /** What a receipt is for; a repeat's is for the content, with the receipt and time of the repeat. */
  find(receipt: string): Promise<StoredSubmission | undefined>
  count(): Promise<Counts>
  /** The newest submissions, the newest first. */
  list(limit: number): Promise<StoredSubmission[]>
  /** Every submission, the oldest first; a few at a time, so that memory stays flat. */
  all(): AsyncIterable<StoredSubmission>
  /** Deletes one for good, with all its repeats, by any of their receipts. Resolves to whether it was there. */
  delete(receipt: string): Promise<boolean>
  /** Deletes all received before a moment for good. Resolves to how many they were. */
  deleteBefore(moment: Date): Promise<number>
  /** Writes as much as the largest submission and commits: rejects when {@link Store.add} would. */
  check(): Promise<void>
  /** Whether there was no store before this one was opened. */
  isNew: boolean
  /** Finishes what waits, then closes. */
  close(): Promise<void>
}

/** The database is at fault, not the visitor; the message is one line that says what to do. */
export class StoreError extends Error {
  override name = 'StoreError'
}

/** For how long the same content for the same path counts as a repeat: 24 hours, in milliseconds. */
export const REPEAT_WINDOW = 24 * 60 * 60 * 1000

/**
 * SHA-256, in hexadecimal digits, of the path and the fields. They are hashed as JSON, in which
 * no two lists of fields look the same.
 */
export function contentHash({ path, fields }: Pick<Submission, 'path' | 'fields'>): string {
  return createHash('sha256')
    .update(JSON.stringify([path, fields]))
    .digest('hex')
}

// Crockford's base 32 in small letters: no i, l, o or u, which are misread or misheard.
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz'

/**
 * A reference that nobody can guess (140 random bits), that can stand in an address and be read
 * aloud: seven groups of four, such as `4x7h-q2m9-kc0d-8w3t-r5va-61ye-n4jp`.
 */
export function newReceipt(): string {
  const digits = [...randomBytes(28)].map((byte) => DIGITS[byte & 31]).join('')
  return (digits.match(/.{4}/g) as string[]).join('-')
}

/** A receipt as somebody typed or heard it: in capitals, with o for 0, with spaces or none. */
export function readReceipt(typed: string): string {
  const digits = typed.toLowerCase().replace(/[\s-]/g, '').replace(/o/g, '0').replace(/[il]/g, '1')
  return (digits.match(/.{1,4}/g) ?? []).join('-')
}
