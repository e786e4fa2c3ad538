/** Stores submissions and queues their notifications. */
import type { Run } from './database.ts'
import {
  COLUMNS,
  repeatHash,
  rowHash,
  type SubmissionRow,
  toSubmission,
  type Unsaved,
} from './rows.ts'
import { REPEAT_WINDOW, type Receipt } from './submission.ts'

/** Stores submissions within the open transaction, in which nobody else can store the same. */
export async function addSubmissions(run: Run, unsaved: readonly Unsaved[]): Promise<Receipt[]> {
  const receipts: Receipt[] = []
  for (const submission of unsaved) receipts.push(await addSubmission(run, submission))

  return receipts
}

async function addSubmission(run: Run, submission: Unsaved): Promise<Receipt> {
  const { receipt, receivedAt } = submission

  const first = await findSame(run, submission)
  if (first === undefined) {
    await insert(run, submission)
    return { receipt, receivedAt, isRepeat: false }
  }

  const hash = repeatHash({ receipt, receivedAt, submission: first })
  await run(
    'INSERT INTO repeats (receipt, received_at, submission, row_hash) VALUES ($1, $2, $3, $4)',
    [receipt, receivedAt, first, hash],
  )

  await run('UPDATE submissions SET repeats = repeats + 1 WHERE id = $1', [first])
  return { receipt, receivedAt, isRepeat: true }
}

/**
 * Resolves to the number of the first submission with the same content, if there is one. A damaged one
 * does not count: what was sent again is the only sound copy.
 */
async function findSame(run: Run, submission: Unsaved): Promise<number | undefined> {
  const { contentHash, receivedAt, status } = submission
  const since = new Date(Date.parse(receivedAt) - REPEAT_WINDOW).toISOString()

  // What a program has sent does not hide what a person sends.
  const rows = await run<SubmissionRow>(
    `SELECT ${COLUMNS} FROM submissions
     WHERE content_hash = $1 AND submissions.status = $2 AND received_at > $3
     ORDER BY received_at, id`,
    [contentHash, status, since],
  )

  const submissions = rows.map(toSubmission)
  return submissions.find(({ damage }) => damage === undefined)?.id
}

async function insert(run: Run, submission: Unsaved): Promise<void> {
  const { receipt, path, receivedAt, dataset, contentHash, status, fields } = submission

  // As JSON, because libsql truncates text at U+0000, which JSON escapes.
  const text = JSON.stringify(fields)

  const [added] = await run<{ id: number }>(
    `INSERT INTO submissions
       (receipt, path, received_at, dataset, content_hash, status, fields, row_hash)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING id AS id`,
    [receipt, path, receivedAt, dataset, contentHash, status, text, rowHash(submission)],
  )

  for (const channel of submission.channels ?? []) {
    const sql = 'INSERT INTO outbox (submission, channel, due_at) VALUES ($1, $2, $3)'
    await run(sql, [added?.id, channel, receivedAt])
  }
}
