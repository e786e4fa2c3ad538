/** The row of a submission in a table, the same in both databases. */
import { contentHash, newReceipt, type StoredSubmission, type Submission } from './store.ts'

export interface Row {
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

export const COLUMNS = 'receipt, path, received_at, dataset, content_hash, status, repeats, fields'

/** Finds a submission by its own receipt or by that of a repeat. */
export const FIND = `SELECT ${COLUMNS} FROM submissions WHERE receipt = $1 UNION ALL
  SELECT again.receipt, path, again.received_at, dataset, content_hash, status, repeats, fields
  FROM repeats AS again JOIN submissions ON submissions.id = submission WHERE again.receipt = $1`

export const DELETE = `DELETE FROM submissions
  WHERE receipt = $1 OR id = (SELECT submission FROM repeats WHERE receipt = $1)`

export function toSubmission(row: Row): StoredSubmission {
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
