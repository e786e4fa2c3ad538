/** Examines the whole store: the database examines its structure, and the hashes examine the rows. */
import type { Database, Run } from './database.ts'
import {
  COLUMNS,
  inspectNotification,
  inspectRepeat,
  type NotificationRow,
  type RepeatRow,
  type SubmissionRow,
  toSubmission,
} from './rows.ts'
import type { DamagedRow, Inspection } from './store.ts'
import { numberedReceipt, StoreError } from './submission.ts'

/** How many rows are inspected at once: their hashes are computed while visitors wait. */
const AT_ONCE = 100

/** Before and after the number of every submission. */
const FIRST = -(2 ** 53)
const LAST = 2 ** 53

/**
 * Inspects the structure, and if it is sound, all rows. Damage that ends the reading of the rows is
 * damage to the structure.
 *
 * @param pause is awaited after each step, so that visitors have their turn
 */
export async function inspect(database: Database, pause: () => Promise<void>): Promise<Inspection> {
  const { faults, note } = await database.checkStructure()
  const inspection: Inspection = { submissions: 0, rows: [], structure: faults, note }
  if (faults.length > 0) return inspection

  try {
    await inspectRows(database, inspection, pause)
  } catch (error) {
    if (!(error instanceof StoreError) || error.damage === undefined) throw error
    const { submissions } = inspection
    inspection.structure.push(`after ${submissions} submissions, reading fails: ${error.damage}`)
  }
  return inspection
}

async function inspectRows(
  database: Database,
  inspection: Inspection,
  pause: () => Promise<void>,
): Promise<void> {
  let after = FIRST
  for (;;) {
    const step = await database.read((run) => inspectStep(run, after))

    inspection.submissions += step.submissions
    inspection.rows.push(...step.rows)
    if (step.last === undefined) return

    after = step.last
    await pause()
  }
}

interface Step {
  submissions: number
  rows: DamagedRow[]
  /** The number of the last submission; undefined if there are no more. */
  last: number | undefined
}

/** Inspects the next submissions, with their repeats and notifications. */
async function inspectStep(run: Run, after: number): Promise<Step> {
  const submissions = await run<SubmissionRow>(
    `SELECT ${COLUMNS} FROM submissions WHERE id > $1 ORDER BY id LIMIT ${AT_ONCE}`,
    [after],
  )
  const isLast = submissions.length < AT_ONCE
  const last = isLast ? undefined : submissions.at(-1)?.id

  // What belongs to no submission, after damage to its number, is looked at in one of the steps, too.
  const range = [after, last ?? LAST]
  const repeats = await run<RepeatRow>(
    `SELECT receipt AS receipt, received_at AS "receivedAt", submission AS submission,
       row_hash AS "rowHash"
     FROM repeats WHERE submission > $1 AND submission <= $2`,
    range,
  )

  const notifications = await run<NotificationRow>(
    `SELECT submission AS id, channel AS channel, due_at AS "dueAt", sent_at AS "doneAt",
       message AS message, attempts AS attempts, failure AS failure
     FROM outbox WHERE submission > $1 AND submission <= $2`,
    range,
  )

  const rows = damagedRows(submissions, repeats, notifications)
  return { submissions: submissions.length, rows, last }
}

function damagedRows(
  submissions: readonly SubmissionRow[],
  repeats: readonly RepeatRow[],
  notifications: readonly NotificationRow[],
): DamagedRow[] {
  const receipts = new Map<number, string>()
  const rows: DamagedRow[] = []

  for (const row of submissions) {
    const { receipt, damage } = toSubmission(row)
    receipts.set(row.id, receipt)
    if (damage) rows.push({ table: 'submissions', receipt, damage })
  }

  const addDependent = (table: DamagedRow['table'], id: number, damage: readonly string[]) => {
    const receipt = receipts.get(id)
    if (receipt === undefined) {
      rows.push({ table, receipt: numberedReceipt(id), damage: ['submission'] })
    } else if (damage.length > 0) {
      rows.push({ table, receipt, damage })
    }
  }

  for (const row of repeats) addDependent('repeats', row.submission, inspectRepeat(row))
  for (const row of notifications) addDependent('outbox', row.id, inspectNotification(row))
  return rows
}
