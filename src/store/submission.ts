/** A submission, its receipt and its notification, whichever database keeps them. */
import { randomBytes } from 'node:crypto'
import { sha256Of } from '../text/digest.ts'

/** The default SQLite file, relative to the root of the project. */
export const DEFAULT_FILE = 'data/submissions.db'

/** One entry of a form as sent. Lists of entries keep the order of the form data set. */
export type SentField = readonly [name: string, value: string]

/** A submission as the receiver passes it to a store. */
export interface Submission {
  /** The path of the page with the form, such as `/blog/029`. */
  path: string
  fields: readonly SentField[]
  /** The SHA-256 of the dataset that defined the form, in hexadecimal digits. */
  dataset: string
  /** Whether it had the field that only a machine sends. */
  isSuspect: boolean
  /** How the owner learns of it. */
  channels?: readonly Channel[] | undefined
}

/** A way to tell the owner of submissions. */
export type Channel = 'mail' | 'webhook'

/** `suspect` by the honeypot, `spam` by the owner. See `STATUS` in `rows.ts`. */
export const STATUSES = ['received', 'suspect', 'spam'] as const
export type Status = (typeof STATUSES)[number]

/** The owner's verdict on a submission: spam, or not spam. */
export type Verdict = 'spam' | 'ham'

/** A submission as a store keeps it. */
export interface StoredSubmission extends Pick<Submission, 'path' | 'fields' | 'dataset'> {
  id: number
  receipt: string
  /** RFC 3339, UTC, to the millisecond. */
  receivedAt: string
  contentHash: string
  status: Status
  /** How often the same content was sent again within {@link REPEAT_WINDOW}. */
  repeats: number
  /** The values that are damaged. They have what could be read of them. */
  damage?: readonly string[]
}

/** The visitor's proof that a submission is stored. */
export interface Receipt extends Pick<StoredSubmission, 'receipt' | 'receivedAt'> {
  /** Whether it is only counted. The sender must not learn that somebody sent the same before. */
  isRepeat: boolean
}

export interface Counts extends Record<Status, number> {
  /** How many repeats of these were sent. */
  repeats: number
}

/** Selects the submissions to which all of its conditions apply. An empty filter selects all. */
export interface SubmissionFilter {
  page?: string | undefined
  /** Received at this moment or later: RFC 3339, UTC, to the millisecond, from 1970 on. */
  since?: string | undefined
  /** Received at this moment or earlier. */
  until?: string | undefined
  statuses?: readonly Status[] | undefined
  ids?: readonly number[] | undefined
  /** Has no notification left to send through any of these channels. */
  doneIn?: readonly Channel[] | undefined
  /** A value is this address, or one at this domain if it begins with @. Case does not count. */
  email?: string | undefined
  /** Each of these words is in a value. Case does not count. */
  text?: string | undefined
}

/** What a notification says of a submission. */
export type Announced = Omit<StoredSubmission, 'id' | 'dataset' | 'contentHash' | 'repeats'>

/** What one message announces. */
export interface Announcement {
  /** Its name: a receipt, or that of a list. An attempt that may have arrived is repeated with it. */
  message: string
  /** The oldest first; of a long list, not all. */
  submissions: readonly Announced[]
  /** How many there are. */
  count: number
}

interface StoreErrorFacts {
  /** Whether a commit had begun, so that a submission may be stored all the same. */
  mayBeStored?: boolean
  /** What the database says of its damage, if that is why it failed, without any advice. */
  damage?: string | undefined
}

/** The database failed, not the visitor. The message is one line that says what to do. */
export class StoreError extends Error {
  readonly mayBeStored: boolean
  readonly damage: string | undefined

  constructor(message: string, { mayBeStored = false, damage }: StoreErrorFacts = {}) {
    super(message)
    this.mayBeStored = mayBeStored
    this.damage = damage
  }
}

/** In milliseconds. */
export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** How long the same content for the same path counts as a repeat. */
export const REPEAT_WINDOW = 24 * HOUR

/** Returns the SHA-256, in hexadecimal, of JSON, in which no two lists of fields look the same. */
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

/** Returns what stands for a receipt that is damaged. It is not the start of any receipt. */
export function numberedReceipt(id: number): string {
  return `row-${id}`
}

/** Returns the number of a submission whose receipt is damaged, as {@link numberedReceipt} shows it. */
export function readNumberedReceipt(typed: string): number | undefined {
  const [, digits] = /^row-(\d{1,15})$/.exec(typed.trim().toLowerCase()) ?? []
  return digits === undefined ? undefined : Number(digits)
}

/** Normalizes a receipt as typed or heard: in capitals, with o for 0, with or without spaces. */
export function readReceipt(typed: string): string {
  const digits = typed.toLowerCase().replace(/[\s-]/g, '').replace(/o/g, '0').replace(/[il]/g, '1')
  return (digits.match(/.{1,4}/g) ?? []).join('-')
}
