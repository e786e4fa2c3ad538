/** Keeps submissions in one SQLite file. */
import { GroupCommit } from './group-commit.ts'
import { openSqliteFile, type SqliteFileOptions, type Statement } from './sqlite-file.ts'
import {
  type Counts,
  REPEAT_WINDOW,
  type Receipt,
  type Store,
  StoreError,
  type Submission,
} from './store.ts'
import {
  allOf,
  COLUMNS,
  COUNT,
  DELETE,
  DELETE_BEFORE,
  FIND,
  LIST,
  MARK_READY,
  type SubmissionRow,
  toStore,
  toSubmission,
} from './tables.ts'

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
      `UPDATE submissions SET repeats = repeats + 1,
         status = CASE ? WHEN 'received' THEN 'received' ELSE status END WHERE id = ?`,
    ),
    insertRepeat: await database.prepare('INSERT INTO repeats VALUES (?, ?, ?)'),
    insert: await database.prepare(
      `INSERT INTO submissions (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, 0, ?)`,
    ),
  }))

  const line = new GroupCommit<Submission, Receipt>((group, deadline) => {
    const moment = now()
    return file.write(deadline, (statements) =>
      group.map((submission) => keep(statements, submission, moment)),
    )
  })

  const read = <T = SubmissionRow>(sql: string, ...values: unknown[]): Promise<T[]> =>
    line.run((deadline) => file.read<T>(deadline, sql, ...values))

  /** Runs a deletion, then clears the file of all traces of the deleted data. */
  const erase = (sql: string, value: string): Promise<number> =>
    line.run(async (deadline) => {
      const changes = await file.change(deadline, sql, value)
      // secure_delete overwrites rows, but not the few copies left when rows move between pages.
      if (changes > 0) await file.vacuum(deadline).catch(tellOfTraces)
      return changes
    })

  return {
    add: (submission) => line.add(submission),

    async find(receipt) {
      return (await read(FIND, receipt)).map(toSubmission)[0]
    },

    async count() {
      const [counts] = await read<Counts>(COUNT)
      return counts as Counts
    },

    list: async (limit) => (await read(LIST, limit)).map(toSubmission),

    all: () => allOf((sql, values) => read(sql, ...values)),

    delete: async (receipt) => (await erase(DELETE, receipt)) > 0,

    deleteBefore: (moment) => erase(DELETE_BEFORE, moment.toISOString()),

    check: () =>
      line.run(async (deadline) => {
        await file.change(
          deadline,
          MARK_READY,
          // A full disk may have room for a timestamp, but not for a submission.
          now().toISOString().padEnd(LARGEST_ROW),
        )
      }),

    isNew: file.isNew,
    close: () => line.close(async () => file.close()),
  }
}

type Statements = Record<'findFirst' | 'count' | 'insertRepeat' | 'insert', Statement>

/** Stores one submission or counts it as a repeat, within the open transaction. */
function keep(statements: Statements, submission: Submission, now: Date): Receipt {
  const { receipt, path, receivedAt, dataset, contentHash, status, fields } = toStore(
    submission,
    now,
  )
  const since = new Date(now.getTime() - REPEAT_WINDOW).toISOString()
  const first = statements.findFirst.get(contentHash, since) as
    | Pick<SubmissionRow, 'id'>
    | undefined
  if (first) {
    statements.count.run(status, first.id)
    statements.insertRepeat.run(receipt, receivedAt, first.id)
  } else {
    // As JSON, because libsql truncates text at U+0000, which JSON escapes.
    const text = JSON.stringify(fields)
    statements.insert.run(receipt, path, receivedAt, dataset, contentHash, status, text)
  }
  return { receipt, receivedAt, isRepeat: first !== undefined }
}

function tellOfTraces({ message }: Error): never {
  throw new StoreError(
    `it is deleted, but the file still holds traces of it, which the next deletion will clear: ${message}`,
  )
}
