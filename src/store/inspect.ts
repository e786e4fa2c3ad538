/** Reads every row of the store, and looks for values that are not as they were stored. */
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
 * Inspects the rows, and then the structure of the file. Damage that ends the reading of the rows is
 * damage to the structure.
 *
 * @param pause is awaited after each step, so that visitors have their turn
 * @param copy see `Database.checkStructure`
 */
export async function inspect(
  database: Database,
  pause: () => Promise<void>,
  copy?: string,
): Promise<Inspection> {
  const inspection: Inspection = { submissions: 0, rows: [], structure: [], unchecked: undefined }

  try {
    await inspectRows(database, inspection, pause)
  } catch (error) {
    const damage = damageIn(error)
    if (damage === undefined) throw error
    const { submissions } = inspection
    inspection.structure.push(`after ${submissions} submissions, reading fails: ${damage}`)
  }

  try {
    inspection.structure.push(...(await database.checkStructure(copy)))
  } catch (error) {
    const damage = damageIn(error)
    if (damage !== undefined) inspection.structure.push(`its check fails: ${damage}`)
    else if (error instanceof StoreError) inspection.unchecked = error.message
    else throw error
  }
  return inspection
}

function damageIn(error: unknown): string | undefined {
  return error instanceof StoreError ? error.damage : undefined
}

/** Reads by the numbers of rows, and not by an index, which may be damaged, too. */
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
    `SELECT receipt, received_at AS "receivedAt", submission, row_hash AS "rowHash"
     FROM repeats WHERE submission > $1 AND submission <= $2`,
    range,
  )

  const notifications = await run<NotificationRow>(
    `SELECT submission AS id, channel, due_at AS "dueAt", sent_at AS "doneAt", message, attempts,
       failure
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
