/** The store in SQL: finds, counts, lists, judges, deletes and inspects, in either database. */
import { messageOf } from '../machine/errors.ts'
import type { Database, Run } from './database.ts'
import { inspect } from './inspect.ts'
import { SqlOutbox } from './outbox.ts'
import {
  COLUMNS,
  COUNTED,
  type FoundRow,
  STATUS,
  type SubmissionRow,
  toFoundSubmission,
  toSubmission,
  withReceipt,
} from './rows.ts'
import { hasWords, matchesWords } from './search.ts'
import type { Inspection, OnDoubt, Outbox, Store } from './store.ts'
import {
  type Counts,
  numberedReceipt,
  type Receipt,
  STATUSES,
  type Status,
  type StoredSubmission,
  StoreError,
  type Submission,
  type SubmissionFilter,
  type Verdict,
} from './submission.ts'

/** How many rows are read at once. In SQLite, more are hardly faster. */
const ROWS_AT_ONCE = 500

/** How many rows one transaction deletes or marks, which takes a second on a slow disk. */
const CHANGED_AT_ONCE = 1_000

/** What a receipt may consist of. Anything else would mean something in LIKE. */
const RECEIPT_START = /^[0-9a-z-]+$/

/** A row, and whether it fits the conditions of a filter: true or, in SQLite, 1. */
interface MatchedRow extends SubmissionRow {
  isMatch: boolean | number
}

export class SqlStore implements Store {
  readonly outbox: Outbox
  readonly #database: Database
  /** The table, read as it is. */
  readonly #table: string

  constructor(database: Database) {
    this.#database = database
    this.#table = `submissions ${database.dialect.unindexed}`
    this.outbox = new SqlOutbox(database)
  }

  add(submission: Submission): Promise<Receipt> {
    return this.#database.add(submission)
  }

  probe(): Promise<void> {
    return this.#database.probe()
  }

  // 1. Finding -----------------------------------------------------------------------------------

  async find(receipt: string): Promise<StoredSubmission | undefined> {
    const rows = await this.#select<FoundRow>(withReceipt('= $1'), [receipt])

    const [submission] = rows.map(toFoundSubmission)
    return submission
  }

  async numbered(id: number): Promise<StoredSubmission | undefined> {
    const sql = `SELECT ${COLUMNS} FROM submissions WHERE id = $1`
    const rows = await this.#select<SubmissionRow>(sql, [id])

    const [submission] = rows.map(toSubmission)
    return submission
  }

  async startingWith(start: string, limit: number): Promise<StoredSubmission[]> {
    if (!RECEIPT_START.test(start)) return []

    const sql = `${withReceipt('LIKE $1')} LIMIT ${limit}`
    const rows = await this.#select<FoundRow>(sql, [`${start}%`])

    return rows.map(toFoundSubmission)
  }

  async *all(filter: SubmissionFilter = {}, onDoubt?: OnDoubt): AsyncGenerator<StoredSubmission> {
    const isSelection = Object.values(filter).some((condition) => condition !== undefined)
    // What is damaged may fit no condition any more, so all are read if it has to be reported.
    const ids = await this.#idsIn(onDoubt ? {} : filter)
    const unread: number[] = []

    for await (const row of this.#rowsOf(ids, filter, unread)) {
      const submission = toSubmission(row)
      const isDamaged = submission.damage !== undefined
      if (isDamaged) onDoubt?.(isSelection ? 'leftOut' : 'marked', submission.receipt)

      const isWanted = isDamaged ? !isSelection : isMatch(row, submission, filter)
      if (isWanted) yield submission
    }

    if (onDoubt) await this.#reportLost(unread, onDoubt)
  }

  async idsOf(filter: SubmissionFilter, onDoubt?: OnDoubt): Promise<number[]> {
    const ids: number[] = []

    for await (const { id } of this.all(filter, onDoubt)) ids.push(id)
    return ids
  }

  async list(
    filter: SubmissionFilter,
    limit: number,
    shown: readonly Status[] = STATUSES,
    onDoubt: OnDoubt = () => {},
  ): Promise<{ newest: StoredSubmission[]; counts: Counts }> {
    // To search for words, all submissions are read, which takes long: so only once.
    const found = hasWords(filter) ? { ids: await this.idsOf(filter, onDoubt) } : filter
    const counts = await this.#countIn(found)
    if (limit === 0) return { newest: [], counts }

    const statuses = (filter.statuses ?? STATUSES).filter((status) => shown.includes(status))

    const { condition, values } = this.#where({ ...found, statuses })
    const rows = await this.#select<SubmissionRow>(
      `SELECT ${COLUMNS} FROM ${this.#table} WHERE ${condition} ORDER BY id DESC LIMIT ${limit}`,
      values,
    )

    const newest = rows.map(toSubmission)

    for (const { damage, receipt } of newest) {
      if (damage) onDoubt('marked', receipt)
    }
    return { newest, counts }
  }

  async count(filter: SubmissionFilter = {}, onDoubt?: OnDoubt): Promise<Counts> {
    const { counts } = await this.list(filter, 0, STATUSES, onDoubt)
    return counts
  }

  // 2. Changing ----------------------------------------------------------------------------------

  judge(ids: readonly number[], verdict: Verdict): Promise<number> {
    const areThese = this.#areThese('id')
    return this.#changeInPieces(ids, [
      `UPDATE submissions SET verdict = '${verdict}' WHERE ${areThese} RETURNING id`,
    ])
  }

  async delete(
    ids: readonly number[],
    onDoubt: OnDoubt = () => {},
  ): Promise<{ deleted: number; seconds: number }> {
    const { unindexed } = this.#database.dialect
    const deleted = await this.#changeInPieces(ids, [
      // Their keys would delete them, too, but find them by indexes, which may be damaged.
      `DELETE FROM repeats ${unindexed} WHERE ${this.#areThese('submission')}`,
      `DELETE FROM outbox ${unindexed} WHERE ${this.#areThese('submission')}`,
      `DELETE FROM submissions WHERE ${this.#areThese('id')} RETURNING id`,
    ])

    if (deleted < ids.length) await this.#reportLost(ids, onDoubt)

    const begin = performance.now()
    if (deleted > 0) await this.#database.clear()

    return { deleted, seconds: (performance.now() - begin) / 1000 }
  }

  // 3. Upkeep ------------------------------------------------------------------------------------

  inspect(pause: () => Promise<void> = async () => {}): Promise<Inspection> {
    return inspect(this.#database, pause)
  }

  rebuildIndexes(): Promise<void> {
    return this.#database.rebuildIndexes()
  }

  async copyTo(file: string): Promise<Inspection> {
    await this.#database.copyTo(file)
    return inspect(this.#database, async () => {}, file)
  }

  close(): Promise<void> {
    return this.#database.close()
  }

  // 4. Statements --------------------------------------------------------------------------------

  #select<Row>(sql: string, values: readonly unknown[]): Promise<Row[]> {
    return this.#database.read((run) => run<Row>(sql, values))
  }

  /**
   * Resolves to the numbers of the submissions of a filter without words, oldest first. The table is
   * read from its first page to its last, so that no damaged index hides one.
   */
  async #idsIn(filter: SubmissionFilter): Promise<number[]> {
    const { condition, values } = this.#where(filter)
    const list = this.#database.dialect.list('id')
    const sql = `SELECT ${list} AS ids FROM ${this.#table} WHERE ${condition}`
    const [row] = await this.#select<{ ids: string | null }>(sql, values)

    const ids: number[] = JSON.parse(row?.ids ?? '[]')
    return ids.sort((one, other) => one - other)
  }

  /**
   * Yields the rows with these numbers, reading some at a time. Adds to `unread` the numbers whose rows
   * are gone or cannot be found.
   */
  async *#rowsOf(
    ids: readonly number[],
    filter: SubmissionFilter,
    unread: number[],
  ): AsyncGenerator<MatchedRow> {
    const { condition, values } = this.#where(filter)
    const numbers = this.#database.dialect.numbers(`$${values.length + 1}`)
    const sql = `SELECT ${COLUMNS}, (${condition}) AS "isMatch" FROM ${this.#table}
      WHERE id IN (${numbers}) ORDER BY id`

    for (let from = 0; from < ids.length; from += ROWS_AT_ONCE) {
      const piece = ids.slice(from, from + ROWS_AT_ONCE)
      const rows = await this.#select<MatchedRow>(sql, [...values, JSON.stringify(piece)])
      unread.push(...without(piece, rows))

      yield* rows
    }
  }

  /** Reports those that could not be found by their numbers, and are still in the table. */
  async #reportLost(ids: readonly number[], onDoubt: OnDoubt): Promise<void> {
    if (ids.length === 0) return

    const remaining = new Set(await this.#idsIn({}))
    for (const id of ids) {
      if (remaining.has(id)) onDoubt('lost', numberedReceipt(id))
    }
  }

  /** Returns a filter as a condition in SQL, without its words, and the values of the condition. */
  #where(filter: SubmissionFilter): Condition {
    const { texts, numbers, unindexed } = this.#database.dialect
    const { page, since, until, statuses, doneIn, ids } = filter
    const values: unknown[] = []
    const put = (value: unknown) => `$${values.push(value)}`

    const conditions = ['true']
    if (page !== undefined) conditions.push(`path = ${put(page)}`)
    if (since !== undefined) conditions.push(`received_at >= ${put(since)}`)
    if (until !== undefined) conditions.push(`received_at <= ${put(until)}`)
    if (statuses) conditions.push(`${STATUS} IN (${texts(put(JSON.stringify(statuses)))})`)
    if (ids) conditions.push(`id IN (${numbers(put(JSON.stringify(ids)))})`)

    if (doneIn) {
      const channels = texts(put(JSON.stringify(doneIn)))
      conditions.push(`id NOT IN (SELECT submission FROM outbox ${unindexed}
        WHERE sent_at IS NULL AND channel IN (${channels}))`)
    }

    return { condition: conditions.join(' AND '), values }
  }

  async #countIn(filter: SubmissionFilter): Promise<Counts> {
    const { condition, values } = this.#where(filter)
    const columns = STATUSES.map((status) => {
      return `count(*) FILTER (WHERE ${STATUS} = '${status}') AS ${status}`
    })
    // What has a hash has a row for each repeat, so that no damaged number is added.
    const repeats = `CASE WHEN row_hash IS NULL THEN repeats ELSE ${COUNTED} END`

    const [counts] = await this.#select<Counts>(
      `SELECT ${columns.join(', ')}, CAST(coalesce(sum(${repeats}), 0) AS bigint) AS repeats
       FROM ${this.#table} WHERE ${condition}`,
      values,
    )
    return counts ?? { received: 0, suspect: 0, spam: 0, repeats: 0 }
  }

  /** Returns the condition that a column has one of the numbers in the first parameter. */
  #areThese(column: string): string {
    return `${column} IN (${this.#database.dialect.numbers('$1')})`
  }

  /** Runs statements for some submissions at a time. Resolves to how many rows the last one returns. */
  async #changeInPieces(ids: readonly number[], statements: readonly string[]): Promise<number> {
    let changed = 0

    for (let from = 0; from < ids.length; from += CHANGED_AT_ONCE) {
      const piece = JSON.stringify(ids.slice(from, from + CHANGED_AT_ONCE))

      const change = async (run: Run) => {
        let rows: unknown[] = []
        for (const sql of statements) rows = await run(sql, [piece])
        return rows.length
      }

      try {
        changed += await this.#database.write(change)
      } catch (error) {
        if (changed === 0) throw error
        throw new StoreError(
          `only ${changed} of ${ids.length} are done. Run it again for the others: ${messageOf(error)}`,
        )
      }
    }

    return changed
  }
}

interface Condition {
  condition: string
  values: readonly unknown[]
}

function isMatch(row: MatchedRow, { fields }: StoredSubmission, filter: SubmissionFilter): boolean {
  return Boolean(row.isMatch) && matchesWords(filter, fields)
}

/** Returns the numbers that no row has. One that stands twice needs two rows. */
function without(ids: readonly number[], rows: readonly { id: number }[]): number[] {
  const found = new Set(rows.map(({ id }) => id))
  const missing: number[] = []

  for (const id of ids) {
    if (!found.has(id)) missing.push(id)
    found.delete(id)
  }
  return missing
}
