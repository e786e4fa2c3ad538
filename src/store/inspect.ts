/** Reads every row of the store, and looks for values that are not as they were stored. */
import type { Database, Run } from './database.ts'
import {
  COLUMNS,
  type InspectedRow,
  inspectNotification,
  inspectRepeat,
  inspectSubmission,
  type NotificationRow,
  type RepeatRow,
  toSubmission,
} from './rows.ts'
import type { DamagedRow } from './store.ts'
import { numberedReceipt } from './submission.ts'

interface Found {
  submissions: number
  rows: DamagedRow[]
}

/**
 * Reads by the numbers of rows, and not by an index, which may be damaged, too.
 *
 * @param atOnce how many rows are read at once
 * @param pause is awaited after each of these steps, so that visitors have their turn
 */
export async function inspectRows(
  database: Database,
  atOnce: number,
  pause: () => Promise<void>,
): Promise<Found> {
  const found: Found = { submissions: 0, rows: [] }
  let last = Number.NEGATIVE_INFINITY

  for (;;) {
    const step = await database.read((run) => inspectStep(run, Math.max(last, -(2 ** 53)), atOnce))
    found.submissions += step.submissions
    found.rows.push(...step.rows)
    if (step.last === undefined) return found
    last = step.last
    await pause()
  }
}

interface Step extends Found {
  /** The number of the last submission; undefined if there are no more. */
  last: number | undefined
}

/** Inspects the next submissions, with their repeats and notifications. */
async function inspectStep(run: Run, after: number, limit: number): Promise<Step> {
  const submissions = await run<InspectedRow>(
    `SELECT ${COLUMNS}, row_hash AS "rowHash",
       (SELECT count(*) FROM repeats WHERE submission = submissions.id) AS counted
     FROM submissions WHERE id > $1 ORDER BY id LIMIT ${limit}`,
    [after],
  )
  const isLast = submissions.length < limit
  const last = isLast ? undefined : submissions.at(-1)?.id
  // What belongs to no submission, after damage to its number, is looked at in one of the steps, too.
  const upTo = last ?? 2 ** 53
  const repeats = await run<RepeatRow>(
    `SELECT receipt, received_at AS "receivedAt", submission, row_hash AS "rowHash"
     FROM repeats WHERE submission > $1 AND submission <= $2`,
    [after, upTo],
  )
  const notifications = await run<NotificationRow>(
    `SELECT submission AS id, channel, due_at AS "dueAt", sent_at AS "doneAt", message, attempts,
       failure
     FROM outbox WHERE submission > $1 AND submission <= $2`,
    [after, upTo],
  )

  const receipts = new Map<number, string>()
  const rows: DamagedRow[] = []
  for (const row of submissions) {
    const { receipt } = toSubmission(row)
    receipts.set(row.id, receipt)
    addDamage(rows, 'submissions', receipt, inspectSubmission(row))
  }
  for (const row of repeats) {
    const receipt = receipts.get(row.submission)
    const damage = receipt === undefined ? ['submission'] : inspectRepeat(row)
    addDamage(rows, 'repeats', receipt ?? numberedReceipt(row.submission), damage)
  }
  for (const row of notifications) {
    const receipt = receipts.get(row.id)
    const damage = receipt === undefined ? ['submission'] : inspectNotification(row)
    addDamage(rows, 'outbox', receipt ?? numberedReceipt(row.id), damage)
  }
  return { submissions: submissions.length, rows, last }
}

function addDamage(
  rows: DamagedRow[],
  table: DamagedRow['table'],
  receipt: string,
  damage: readonly string[],
): void {
  if (damage.length > 0) rows.push({ table, receipt, damage })
}
