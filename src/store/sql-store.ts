/** The store in SQL: finds, counts, lists, judges, deletes and inspects, in either database. */
import type { Database, Run } from './database.ts'
import { inspectRows } from './inspect.ts'
import { SqlOutbox } from './outbox.ts'
import { COLUMNS, STATUS, type SubmissionRow, toSubmission, withReceipt } from './rows.ts'
import { hasWords, matchesWords } from './search.ts'
import type { Inspection, LeaveOut, Outbox, Store } from './store.ts'
import {
  type Counts,
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

/** How many rows are inspected at once: their hashes are computed while visitors wait. */
const INSPECTED_AT_ONCE = 100

/** How many rows one transaction deletes or marks, which takes a second on a slow disk. */
const CHANGED_AT_ONCE = 1_000

/** What a receipt may consist of. Anything else would mean something in LIKE. */
const RECEIPT_START = /^[0-9a-z-]+$/

export class SqlStore implements Store {
  readonly outbox: Outbox
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
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
    const [submission] = await this.#select(withReceipt('= $1'), [receipt])
    return submission
  }

  async numbered(id: number): Promise<StoredSubmission | undefined> {
    const [submission] = await this.#select(`SELECT ${COLUMNS} FROM submissions WHERE id = $1`, [
      id,
    ])
    return submission
  }

  async startingWith(start: string, limit: number): Promise<StoredSubmission[]> {
    if (!RECEIPT_START.test(start)) return []
    return this.#select(`${withReceipt('LIKE $1')} LIMIT ${limit}`, [`${start}%`])
  }

  async *all(
    filter: SubmissionFilter = {},
    leaveOut: LeaveOut = () => {},
  ): AsyncGenerator<StoredSubmission> {
    for await (const row of this.#rows<SubmissionRow>(COLUMNS, filter)) {
      const submission = toSubmission(row)
      if (submission.damage) leaveOut(submission)
      else if (matchesWords(filter, submission.fields)) yield submission
    }
  }

  async idsOf(filter: SubmissionFilter, leaveOut?: LeaveOut): Promise<number[]> {
    const columns = 'id, received_at AS "receivedAt"'
    const submissions = hasWords(filter)
      ? this.all(filter, leaveOut)
      : this.#rows<Position>(columns, filter)
    const ids: number[] = []
    for await (const { id } of submissions) ids.push(id)
    return ids
  }

  async list(
    filter: SubmissionFilter,
    limit: number,
    shown: readonly Status[] = STATUSES,
    leaveOut?: LeaveOut,
  ): Promise<{ newest: StoredSubmission[]; counts: Counts }> {
    // To search for words, all submissions are read, which takes long: so only once.
    const found = hasWords(filter) ? { ids: await this.idsOf(filter, leaveOut) } : filter
    const statuses = (filter.statuses ?? STATUSES).filter((status) => shown.includes(status))
    const listed = this.#where({ ...found, statuses })
    const newest = await this.#select(
      `SELECT ${COLUMNS} FROM submissions WHERE ${listed.condition}
       ORDER BY received_at DESC, id DESC LIMIT ${limit}`,
      listed.values,
    )
    return { newest, counts: await this.#countIn(found) }
  }

  async count(filter: SubmissionFilter = {}, leaveOut?: LeaveOut): Promise<Counts> {
    const { counts } = await this.list(filter, 0, STATUSES, leaveOut)
    return counts
  }

  // 2. Changing ----------------------------------------------------------------------------------

  judge(ids: readonly number[], verdict: Verdict): Promise<number> {
    return this.#changeInPieces(ids, `UPDATE submissions SET verdict = '${verdict}'`)
  }

  async delete(ids: readonly number[]): Promise<{ deleted: number; seconds: number }> {
    const deleted = await this.#changeInPieces(ids, 'DELETE FROM submissions')
    const begin = performance.now()
    if (deleted > 0) await this.#database.clear()
    return { deleted, seconds: (performance.now() - begin) / 1000 }
  }

  // 3. Upkeep ------------------------------------------------------------------------------------

  async inspect(pause: () => Promise<void> = async () => {}): Promise<Inspection> {
    const found = await inspectRows(this.#database, INSPECTED_AT_ONCE, pause)
    return { ...found, ...(await this.#checkStructure()) }
  }

  rebuildIndexes(): Promise<void> {
    return this.#database.rebuildIndexes()
  }

  async copyTo(file: string): Promise<Inspection> {
    await this.#database.copyTo(file)
    const found = await inspectRows(this.#database, INSPECTED_AT_ONCE, async () => {})
    return { ...found, ...(await this.#checkStructure(file)) }
  }

  close(): Promise<void> {
    return this.#database.close()
  }

  /** What is known of the rows counts, too, if there is no room for a copy to check. */
  async #checkStructure(copy?: string): Promise<Pick<Inspection, 'structure' | 'unchecked'>> {
    try {
      return { structure: await this.#database.checkStructure(copy), unchecked: undefined }
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      return { structure: [], unchecked: error.message }
    }
  }

  // 4. Statements --------------------------------------------------------------------------------

  async #select(sql: string, values: readonly unknown[]): Promise<StoredSubmission[]> {
    const rows = await this.#database.read((run) => run<SubmissionRow>(sql, values))
    return rows.map(toSubmission)
  }

  /** Returns a filter as a condition in SQL, without its words, and the values of the condition. */
  #where(filter: SubmissionFilter): Condition {
    const { texts, numbers } = this.#database.dialect
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
      conditions.push(`NOT EXISTS (SELECT 1 FROM outbox
        WHERE submission = submissions.id AND sent_at IS NULL AND channel IN (${channels}))`)
    }
    return { condition: conditions.join(' AND '), values }
  }

  /** Yields rows of a filter without words, oldest first. Reads some at a time. */
  async *#rows<Row extends Position>(
    columns: string,
    filter: SubmissionFilter,
  ): AsyncGenerator<Row> {
    const { condition, values } = this.#where(filter)
    const next = `AND (received_at, id) > ($${values.length + 1}, $${values.length + 2})`
    let last: Row | undefined
    do {
      const sql = `SELECT ${columns} FROM submissions WHERE ${condition} ${last ? next : ''}
        ORDER BY received_at, id LIMIT ${ROWS_AT_ONCE}`
      const position = last ? [...values, last.receivedAt, last.id] : values
      const rows = await this.#database.read((run) => run<Row>(sql, position))
      yield* rows
      last = rows.length < ROWS_AT_ONCE ? undefined : rows.at(-1)
    } while (last)
  }

  async #countIn(filter: SubmissionFilter): Promise<Counts> {
    const { condition, values } = this.#where(filter)
    const columns = STATUSES.map((status) => {
      return `count(*) FILTER (WHERE ${STATUS} = '${status}') AS ${status}`
    })
    const sql = `SELECT ${columns.join(', ')}, coalesce(sum(repeats), 0) AS repeats
      FROM submissions WHERE ${condition}`
    const [counts] = await this.#database.read((run) => run<Counts>(sql, values))
    return counts ?? { received: 0, suspect: 0, spam: 0, repeats: 0 }
  }

  /** Changes some rows at a time. Resolves to how many there were. */
  async #changeInPieces(ids: readonly number[], start: string): Promise<number> {
    const sql = `${start} WHERE id IN (${this.#database.dialect.numbers('$1')}) RETURNING id`
    let changed = 0
    for (let from = 0; from < ids.length; from += CHANGED_AT_ONCE) {
      const piece = JSON.stringify(ids.slice(from, from + CHANGED_AT_ONCE))
      const change = (run: Run) => run(sql, [piece])
      const rows = await this.#database.write(change).catch((error: Error) => {
        if (changed === 0) throw error
        throw new StoreError(
          `only ${changed} of ${ids.length} are done. Run it again for the others: ${error.message}`,
        )
      })
      changed += rows.length
    }
    return changed
  }
}

interface Condition {
  condition: string
  values: readonly unknown[]
}

/** Where a row stands in the order of arrival. */
interface Position {
  id: number
  receivedAt: string
}
