/** Keeps submissions in one SQLite file. */

import { outboxOf } from './outbox.ts'
import { type Database, MARK_READY, queriesOf } from './queries.ts'
import { createQueue } from './queue.ts'
import { openSqliteFile, type SqliteFileOptions, type Statement } from './sqlite-file.ts'
import { REPEAT_WINDOW, type Receipt, type Store, StoreError, type Submission } from './store.ts'
import { type SubmissionRow, toStore } from './tables.ts'

export interface SqliteOptions extends SqliteFileOptions {
  now: () => Date
}

/** The approximate size of the largest submission in the file, in bytes. */
const LARGEST_ROW = 128 * 1024

/** @throws {StoreError} when the file cannot be opened, or would not be durable */
export async function openSqliteStore(options: SqliteOptions): Promise<Store> {
  const { now } = options
  const file = await openSqliteFile(options, async (database) => ({
    findFirst: await database.prepare(
      `SELECT id FROM submissions WHERE content_hash = ? AND received_at > ?
       ORDER BY received_at, id LIMIT 1`,
    ),
    count: await database.prepare(
      `UPDATE submissions SET repeats = repeats + 1, notify_at = coalesce(notify_at, $1),
         notification = coalesce(notification,
           CASE WHEN status = 'suspect' AND verdict IS NULL AND $2 = 'received' THEN $3 END),
         status = CASE $2 WHEN 'received' THEN 'received' ELSE status END WHERE id = $4`,
    ),
    insertRepeat: await database.prepare('INSERT INTO repeats VALUES (?, ?, ?)'),
    insert: await database.prepare(
      `INSERT INTO submissions
         (receipt, path, received_at, notify_at, dataset, content_hash, status, notification, fields)
       VALUES ($1, $2, $3, $3, $4, $5, $6, $7, $8)`,
    ),
  }))

  const queue = createQueue<Submission, Receipt>((group, deadline) => {
    const moment = now()
    return file.write(deadline, (statements) =>
      group.map((submission) => storeOne(statements, submission, moment)),
    )
  })

  const database: Database = {
    query: (sql, values) => queue.run((deadline) => file.read(deadline, sql, ...values)),
    change: (sql, values) => queue.run((deadline) => file.change(deadline, sql, ...values)),
    erase: (sql, values) =>
      queue.run(async (deadline) => {
        const rows = await file.change(deadline, sql, ...values)
        // secure_delete overwrites rows, but not the few copies left when rows move between pages.
        if (rows.length > 0) await file.vacuum(deadline).catch(tellOfTraces)
        return rows.length
      }),
    items: (array) => `SELECT value FROM json_each(${array})`,
    skipLocked: '',
  }

  return {
    add: (submission) => queue.add(submission),
    ...queriesOf(database),
    outbox: outboxOf(database),
    room: async () => file.room(),
    copyTo: (copy) => queue.run((deadline) => file.copyTo(deadline, copy)),

    check: () =>
      queue.run(async (deadline) => {
        await file.change(
          deadline,
          MARK_READY,
          // A full disk may have room for a timestamp, but not for a submission.
          now().toISOString().padEnd(LARGEST_ROW),
        )
        await file.demandDurability(deadline)
      }),

    isNew: file.isNew,
    close: () => queue.close(async () => file.close()),
  }
}

type Statements = Record<'findFirst' | 'count' | 'insertRepeat' | 'insert', Statement>

/** Stores one submission or counts it as a repeat, within the open transaction. */
function storeOne(statements: Statements, submission: Submission, now: Date): Receipt {
  const draft = toStore(submission, now)
  const { receipt, path, receivedAt, dataset, contentHash, status, notification, fields } = draft
  const since = new Date(now.getTime() - REPEAT_WINDOW).toISOString()
  const first = statements.findFirst.get(contentHash, since) as
    | Pick<SubmissionRow, 'id'>
    | undefined
  if (first) {
    statements.count.run(receivedAt, status, notification, first.id)
    statements.insertRepeat.run(receipt, receivedAt, first.id)
  } else {
    // As JSON, because libsql truncates text at U+0000, which JSON escapes.
    const text = JSON.stringify(fields)
    const values = [receipt, path, receivedAt, dataset, contentHash, status, notification, text]
    statements.insert.run(...values)
  }
  return { receipt, receivedAt, isRepeat: first !== undefined }
}

function tellOfTraces({ message }: Error): never {
  throw new StoreError(
    `it is deleted, but the file still holds traces of it, which the next deletion will clear: ${message}`,
  )
}
