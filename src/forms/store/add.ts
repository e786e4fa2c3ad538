/** How both databases store a submission, or count it as a repeat, in the same words. */
import type { Run } from './queries.ts'
import { REPEAT_WINDOW, type Receipt } from './submission.ts'
import type { Draft } from './tables.ts'

/** Stores drafts within the open transaction, in which nobody else can store the same. */
export async function addAll(run: Run, drafts: readonly Draft[]): Promise<Receipt[]> {
  const receipts: Receipt[] = []
  for (const draft of drafts) receipts.push(await addOne(run, draft))
  return receipts
}

async function addOne(run: Run, draft: Draft): Promise<Receipt> {
  const { receipt, path, receivedAt, dataset, contentHash, status, notification, fields } = draft
  const since = new Date(Date.parse(receivedAt) - REPEAT_WINDOW).toISOString()
  const [first] = await run<{ id: number; receipt: string }>(
    `SELECT id, receipt FROM submissions WHERE content_hash = $1 AND received_at > $2
     ORDER BY received_at, id LIMIT 1`,
    [contentHash, since],
  )
  if (!first) {
    await run(
      `INSERT INTO submissions
         (receipt, path, received_at, notify_at, dataset, content_hash, status, notification, fields)
       VALUES ($1, $2, $3, $3, $4, $5, $6, $7, $8)`,
      // As JSON, because libsql truncates text at U+0000, which JSON escapes.
      [
        ...[receipt, path, receivedAt, dataset, contentHash, status, notification],
        JSON.stringify(fields),
      ],
    )
    return { receipt, receivedAt, isRepeat: false }
  }
  // An attempt before, whose connection broke, may have committed this: it is not counted again.
  if (first.receipt === receipt) return { receipt, receivedAt, isRepeat: false }
  const counted = await run(
    'INSERT INTO repeats VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING receipt',
    [receipt, receivedAt, first.id],
  )
  if (counted.length > 0) {
    await run(
      `UPDATE submissions SET repeats = repeats + 1, notify_at = coalesce(notify_at, $1),
         notification = coalesce(notification,
           CASE WHEN status = 'suspect' AND verdict IS NULL AND $2 = 'received' THEN $3 END),
         status = CASE $2 WHEN 'received' THEN 'received' ELSE status END WHERE id = $4`,
      [receivedAt, status, notification, first.id],
    )
  }
  return { receipt, receivedAt, isRepeat: true }
}
