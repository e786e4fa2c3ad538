/** The rows of the store, and how damage in them is noticed. Pure. */
import { sha256Of } from '../text/digest.ts'
import {
  contentHash,
  newReceipt,
  numberedReceipt,
  type SentField,
  type Status,
  type StoredSubmission,
  type Submission,
} from './submission.ts'

// 1. Reading --------------------------------------------------------------------------------------

/**
 * The status of a submission: the owner's verdict, or without one, what the honeypot says. One that is
 * damaged counts as received, so that nothing is hidden.
 */
export const STATUS = `CASE WHEN verdict = 'spam' THEN 'spam' WHEN verdict = 'ham' THEN 'received'
  WHEN status = 'suspect' THEN 'suspect' ELSE 'received' END`

/** How many rows of `repeats` are about a submission. */
export const COUNTED = '(SELECT count(*) FROM repeats WHERE submission = submissions.id)'

const OWN_COLUMNS = `submissions.id AS id, submissions.receipt AS receipt, path AS path,
  submissions.received_at AS "receivedAt", dataset AS dataset, content_hash AS "contentHash",
  ${STATUS} AS status, repeats AS repeats, fields AS fields,
  submissions.status AS "storedStatus", verdict AS verdict,
  submissions.row_hash AS "rowHash"`

/** Selects a submission as a {@link SubmissionRow}, with all that its hashes vouch for. */
export const COLUMNS = `${OWN_COLUMNS}, ${COUNTED} AS counted`

/** Selects the same from a damaged file, of which the table of repeats may be unreadable. */
export const COLUMNS_ALONE = `${OWN_COLUMNS}, repeats AS counted`

/** Selects submissions by their own receipt or by that of a repeat, as a {@link FoundRow}. */
export function withReceipt(condition: string): string {
  return `SELECT ${COLUMNS}, NULL AS "repeatReceipt", NULL AS "repeatedAt", NULL AS "repeatHash"
    FROM submissions WHERE receipt ${condition}
    UNION ALL SELECT ${COLUMNS}, again.receipt AS "repeatReceipt",
      again.received_at AS "repeatedAt", again.row_hash AS "repeatHash"
    FROM repeats AS again JOIN submissions ON submissions.id = again.submission
    WHERE again.receipt ${condition}`
}

/** A row as it is stored. After damage, a value may have another type. */
export interface SubmissionRow {
  id: number
  receipt: string
  path: string
  receivedAt: string
  dataset: string
  contentHash: string
  status: Status
  repeats: number
  /** The JSON of the fields. */
  fields: string
  storedStatus: string
  verdict: string | null
  /** Null in what a release before 0.4.0 has stored. */
  rowHash: string | null
  /** How many rows of `repeats` are about it. */
  counted: number
  /** The columns whose text is not UTF-8. */
  unreadable?: string[]
}

/** A submission that was found by a receipt: its own, or that of the repeat that follows. */
export interface FoundRow extends SubmissionRow {
  repeatReceipt: string | null
  repeatedAt: string
  repeatHash: string | null
}

const TEXTS = ['receipt', 'path', 'receivedAt', 'dataset', 'contentHash', 'fields'] as const

/**
 * Returns a row as a submission. This is the only way out of the table, so here each row is compared
 * with its hashes. What is damaged is named, and keeps what could be read.
 */
export function toSubmission(row: SubmissionRow): StoredSubmission {
  const fields = readFields(row.fields)
  const damage = damageOf(row, fields)

  const submission: StoredSubmission = {
    id: row.id,
    receipt: damage.includes('receipt') ? numberedReceipt(row.id) : row.receipt,
    path: String(row.path),
    fields: fields ?? [['unreadable', String(row.fields)]],
    dataset: String(row.dataset),
    receivedAt: isMoment(row.receivedAt) ? row.receivedAt : new Date(0).toISOString(),
    contentHash: String(row.contentHash),
    status: row.status,
    repeats: isCount(row.repeats) ? row.repeats : 0,
  }
  if (damage.length > 0) submission.damage = damage
  return submission
}

/** Returns a submission with the receipt by which it was found. That of a repeat has a time of its own. */
export function toFoundSubmission(row: FoundRow): StoredSubmission {
  const submission = toSubmission(row)
  const { id, repeatReceipt, repeatedAt, repeatHash } = row
  if (repeatReceipt === null) return submission

  const repeat = { receipt: repeatReceipt, receivedAt: repeatedAt, submission: id }
  const damage = inspectRepeat({ ...repeat, rowHash: repeatHash })
  const receivedAt = isMoment(repeatedAt) ? repeatedAt : submission.receivedAt
  const found = { ...submission, receipt: repeatReceipt, receivedAt }
  if (damage.length === 0) return found

  return { ...found, damage: [...(submission.damage ?? []), ...damage] }
}

/** Returns the names of all values that are not as they were stored. */
function damageOf(row: SubmissionRow, fields: SentField[] | undefined): string[] {
  const impossible = impossibleValues(row, fields)
  if (impossible.size > 0 || !fields) return [...impossible]

  const hasContent = contentHash({ path: row.path, fields }) === row.contentHash
  if (!hasContent) return ['path, fields or contentHash']

  // The first release counted repeats without keeping their receipts.
  if (row.rowHash === null) return row.counted > row.repeats ? ['repeats'] : []

  const stored = { ...row, status: row.storedStatus }
  if (rowHash(stored) !== row.rowHash) return ['receipt, receivedAt, dataset or status']
  return row.counted === row.repeats ? [] : ['repeats']
}

/** Returns the names of the values that cannot be right, whatever was stored. */
function impossibleValues(row: SubmissionRow, fields: SentField[] | undefined): Set<string> {
  const damage = new Set<string>()
  const unreadable = new Set(row.unreadable)

  for (const name of TEXTS) {
    if (typeof row[name] !== 'string' || unreadable.has(name)) damage.add(name)
  }
  if (unreadable.has('rowHash')) damage.add('rowHash')
  if (!fields) damage.add('fields')
  if (!isMoment(row.receivedAt)) damage.add('receivedAt')
  if (!isCount(row.repeats)) damage.add('repeats')
  if (!['received', 'suspect'].includes(row.storedStatus)) damage.add('status')
  if (![null, 'spam', 'ham'].includes(row.verdict)) damage.add('verdict')
  return damage
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

/** Whether a value is a moment as the store writes it, such as `2026-03-28T12:00:00.123Z`. */
function isMoment(value: unknown): value is string {
  if (typeof value !== 'string') return false
  const moment = Date.parse(value)
  return !Number.isNaN(moment) && new Date(moment).toISOString() === value
}

function isCount(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0
}

// 2. Inspecting -----------------------------------------------------------------------------------

export interface RepeatRow {
  receipt: string
  receivedAt: string
  submission: number
  rowHash: string | null
  unreadable?: string[]
}

/** Returns the names of all values that are not as they were stored. */
export function inspectRepeat(row: RepeatRow): string[] {
  if (row.unreadable) return row.unreadable
  if (typeof row.receipt !== 'string') return ['receipt']
  if (!isMoment(row.receivedAt)) return ['receivedAt']
  if (row.rowHash === null) return []
  return repeatHash(row) === row.rowHash ? [] : ['receipt, receivedAt or submission']
}

export interface NotificationRow {
  id: number
  channel: string
  dueAt: string
  doneAt: string | null
  message: string | null
  attempts: number
  failure: string | null
  unreadable?: string[]
}

/** A receipt, or that of a list: `4x7h-q2m9-kc0d-8w3t-r5va-61ye-n4jp-list`. */
const MESSAGE = /^([0-9a-z]{4}(-[0-9a-z]{4}){6}|row-\d+)(-list)?$/

/**
 * Returns the names of the values that cannot be right. Another number of attempts, other words of a
 * failure and other moments are not noticed: they change with every attempt, so nothing vouches for
 * them.
 */
export function inspectNotification(row: NotificationRow): string[] {
  const damage = new Set(row.unreadable)

  if (!['mail', 'webhook'].includes(row.channel)) damage.add('channel')
  if (!isMoment(row.dueAt)) damage.add('dueAt')
  if (row.doneAt !== null && !isMoment(row.doneAt)) damage.add('doneAt')
  if (row.message !== null && !MESSAGE.test(row.message)) damage.add('message')
  if (!isCount(row.attempts)) damage.add('attempts')
  if (row.failure !== null && typeof row.failure !== 'string') damage.add('failure')

  return [...damage]
}

// 3. Writing --------------------------------------------------------------------------------------

/** A submission before it is known whether it is a repeat. */
export interface Unsaved extends Omit<Submission, 'isSuspect'> {
  receipt: string
  receivedAt: string
  contentHash: string
  status: 'received' | 'suspect'
}

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

interface Hashed
  extends Pick<StoredSubmission, 'receipt' | 'receivedAt' | 'dataset' | 'contentHash'> {
  /** As it was when the submission was stored: `received` or `suspect`. */
  status: string
}

/** Returns the SHA-256 of everything in a row that never changes, by which damage is noticed. */
export function rowHash({ receipt, receivedAt, dataset, status, contentHash }: Hashed): string {
  return sha256Of(JSON.stringify([receipt, receivedAt, dataset, status, contentHash]))
}

/** Returns the same for a repeat. */
export function repeatHash(repeat: Omit<RepeatRow, 'rowHash'>): string {
  const { receipt, receivedAt, submission } = repeat
  return sha256Of(JSON.stringify([receipt, receivedAt, submission]))
}
