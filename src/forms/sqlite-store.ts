/** Keeps submissions in one SQLite file. */
import { GroupCommit } from './group-commit.ts'
import { openSqliteFile, type SqliteFileOptions, type Statement } from './sqlite-file.ts'
import {
  type Counts,
  contentHash,
  newReceipt,
  REPEAT_WINDOW,
  type Receipt,
  type Store,
  type StoredSubmission,
  StoreError,
  type Submission,
} from './store.ts'

export interface SqliteOptions extends SqliteFileOptions {
  now: () => Date
}

/** Rows read in one turn. */
const PAGE_SIZE = 100

const COLUMNS = 'receipt, path, received_at, dataset, content_hash, status, repeats, fields'

/** @throws {StoreError} when the file cannot be opened, or would not be durable */
export async function openSqliteStore(options: SqliteOptions): Promise<Store> {
  const { now } = options
  const file = await openSqliteFile(options, async (database) => ({
    findRepeat: await database.prepare(
      `SELECT receipt, received_at FROM submissions WHERE content_hash = ? AND received_at > ?
       ORDER BY received_at, id LIMIT 1`,
    ),
    count: await database.prepare(
      `UPDATE submissions SET repeats = repeats + 1,
         status = CASE ? WHEN 'received' THEN 'received' ELSE status END WHERE receipt = ?`,
    ),
    insert: await database.prepare(
      `INSERT INTO submissions (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, 0, ?)`,
    ),
  }))

  const line = new GroupCommit<Submission, Receipt>((group) => {
    const moment = now()
    return file.write((statements) =>
      group.map((submission) => keep(statements, submission, moment)),
    )
  })

  const read = <T = Row>(sql: string, ...values: (string | number)[]): Promise<T[]> =>
    line.run(() => file.read<T>(sql, ...values))

  /** Runs a deletion, then leaves no trace of what it deleted in the file. */
  const erase = (sql: string, value: string): Promise<number> =>
    line.run(async () => {
      const changes = await file.change(sql, value)
      // secure_delete overwrites rows, but not the few copies that moving them between pages leaves.
      if (changes > 0) await file.vacuum().catch(tellOfTraces)
      return changes
    })

  return {
    add: (submission) => line.add(submission),

    async find(receipt) {
      const sql = `SELECT ${COLUMNS} FROM submissions WHERE receipt = ?`
      return (await read(sql, receipt)).map(toSubmission)[0]
    },

    async count() {
      const [counts] = await read<Counts>(
        `SELECT count(*) FILTER (WHERE status = 'received') AS received,
           count(*) FILTER (WHERE status = 'suspect') AS suspect,
           coalesce(sum(repeats), 0) AS repeats FROM submissions`,
      )
      return counts as Counts
    },

    async list(limit) {
      const sql = `SELECT ${COLUMNS} FROM submissions ORDER BY received_at DESC, id DESC LIMIT ?`
      return (await read(sql, limit)).map(toSubmission)
    },

    async *all() {
      let after = { received_at: '', id: 0 }
      while (true) {
        const rows = await read(
          `SELECT id, ${COLUMNS} FROM submissions WHERE (received_at, id) > (?, ?)
           ORDER BY received_at, id LIMIT ${PAGE_SIZE}`,
          after.received_at,
          after.id,
        )
        yield* rows.map(toSubmission)
        const last = rows.at(-1)
        if (!last || rows.length < PAGE_SIZE) return
        after = last
      }
    },

    delete: async (receipt) =>
      (await erase('DELETE FROM submissions WHERE receipt = ?', receipt)) > 0,

    deleteBefore: (moment) =>
      erase('DELETE FROM submissions WHERE received_at < ?', moment.toISOString()),

    check: () =>
      line.run(async () => {
        await file.change(
          `INSERT INTO readiness VALUES (1, ?)
           ON CONFLICT (id) DO UPDATE SET checked_at = excluded.checked_at`,
          now().toISOString(),
        )
      }),

    close: () => line.close(async () => file.close()),
  }
}

type Statements = Record<'findRepeat' | 'count' | 'insert', Statement>

interface Row {
  id: number
  receipt: string
  path: string
  received_at: string
  dataset: string
  content_hash: string
  status: 'received' | 'suspect'
  repeats: number
  fields: string
}

/** Stores one submission or counts it as a repeat, within the transaction that is open. */
function keep({ findRepeat, count, insert }: Statements, submission: Submission, now: Date) {
  const { path, fields, dataset, isSuspect } = submission
  const hash = contentHash(submission)
  const status = isSuspect ? 'suspect' : 'received'
  const since = new Date(now.getTime() - REPEAT_WINDOW).toISOString()
  const first = findRepeat.get(hash, since) as Row | undefined
  if (first) {
    count.run(status, first.receipt)
    return { receipt: first.receipt, receivedAt: first.received_at, isRepeat: true }
  }
  const receipt = newReceipt()
  const receivedAt = now.toISOString()
  // As JSON: libsql cuts text off at U+0000, which JSON writes as an escape.
  insert.run(receipt, path, receivedAt, dataset, hash, status, JSON.stringify(fields))
  return { receipt, receivedAt, isRepeat: false }
}

function toSubmission(row: Row): StoredSubmission {
  return {
    receipt: row.receipt,
    path: row.path,
    receivedAt: row.received_at,
    dataset: row.dataset,
    contentHash: row.content_hash,
    status: row.status,
    repeats: row.repeats,
    fields: JSON.parse(row.fields),
  }
}

function tellOfTraces({ message }: Error): never {
  throw new StoreError(
    `it is deleted, but the file still holds traces of it, which the next deletion clears: ${message}`,
  )
}
