/** The store in SQL: finds, counts, lists, judges, deletes and inspects, in either database. */
import { messageOf } from '../machine/errors.ts'
import type { Database, Run } from './database.ts'
import { inspect } from './inspect.ts'
import { SqlOutbox } from './outbox.ts'
import {
  COLUMNS,
  COLUMNS_ALONE,
  COUNTED,
  type FoundRow,
  STATUS,
  type SubmissionRow,
  toFoundSubmission,
  toSubmission,
  withReceipt,
} from './rows.ts'
import { hasWords, matchesWords } from './search.ts'
import type { Inspection, Outbox, Store } from './store.ts'
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
import { MARK_UPKEEP } from './tables.ts'

/** How many rows are read at once. In SQLite, more are hardly faster. */
const ROWS_AT_ONCE = 500

/** How many rows one transaction deletes or marks, which takes a second on a slow disk. */
const CHANGED_AT_ONCE = 1_000

/** Before the number of every submission. */
const FIRST = -(2 ** 53)

/** How many numbers are skipped in a damaged file: a page has up to 30 submissions. */
const MOST_FAILURES = 1_000

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
    const rows = await this.#select<FoundRow>(withReceipt('= $1'), [receipt])

    const [submission] = rows.map(toFoundSubmission)
    return submission
  }

  async startingWith(start: string, limit: number): Promise<StoredSubmission[]> {
    if (!RECEIPT_START.test(start)) return []

    const sql = `${withReceipt('LIKE $1')} LIMIT ${limit}`
    const rows = await this.#select<FoundRow>(sql, [`${start}%`])

    return rows.map(toFoundSubmission)
  }

  async *all(filter: SubmissionFilter = {}): AsyncGenerator<StoredSubmission> {
    const isSelection = Object.values(filter).some((condition) => condition !== undefined)

    for await (const submission of this.#matches(filter)) {
      const isLeftOut = isSelection && submission.damage !== undefined
      if (!isLeftOut) yield submission
    }
  }

  async *salvage(filter: SubmissionFilter = {}): AsyncGenerator<StoredSubmission> {
    const { condition, values } = this.#where(filter)
    const sql = `SELECT ${COLUMNS_ALONE}, (${condition}) AS "isMatch" FROM submissions
      WHERE id > $${values.length + 1} ORDER BY id LIMIT 1`

    let previous = 0
    let failures = 0

    // One at a time, because an error takes all rows of its statement along.
    while (failures < MOST_FAILURES) {
      try {
        const [row] = await this.#select<MatchedRow>(sql, [...values, previous])
        if (!row) return

        demandIncrease(previous, row.id)
        previous = row.id

        const submission = toSubmission(row)
        if (row.isMatch && matchesWords(filter, submission.fields)) yield submission
      } catch (error) {
        if (!(error instanceof StoreError) || error.damage === undefined) throw error
        failures += 1
        previous += 1
      }
    }
  }

  idsOf(filter: SubmissionFilter): Promise<number[]> {
    return idsIn(this.all(filter))
  }

  async list(
    filter: SubmissionFilter,
    limit: number,
    shown: readonly Status[] = STATUSES,
  ): Promise<{ newest: StoredSubmission[]; counts: Counts }> {
    // To search for words, all submissions are read, which takes long: so only once.
    const found = hasWords(filter) ? { ids: await idsIn(this.#matches(filter)) } : filter
    const counts = await this.#countIn(found)
    if (limit === 0) return { newest: [], counts }

    const statuses = (filter.statuses ?? STATUSES).filter((status) => shown.includes(status))

    const { condition, values } = this.#where({ ...found, statuses })
    const rows = await this.#select<SubmissionRow>(
      `SELECT ${COLUMNS} FROM submissions WHERE ${condition} ORDER BY id DESC LIMIT ${limit}`,
      values,
    )

    return { newest: rows.map(toSubmission), counts }
  }

  async count(filter: SubmissionFilter = {}): Promise<Counts> {
    const { counts } = await this.list(filter, 0)
    return counts
  }

  // 2. Changing ----------------------------------------------------------------------------------

  judge(ids: readonly number[], verdict: Verdict): Promise<number> {
    return this.#changeInPieces(ids, (these) => {
      return `UPDATE submissions SET verdict = '${verdict}' WHERE ${these} RETURNING id AS id`
    })
  }

  async delete(ids: readonly number[]): Promise<{ deleted: number; seconds: number }> {
    // Their keys delete its repeats and notifications, too.
    const deleted = await this.#changeInPieces(ids, (these) => {
      return `DELETE FROM submissions WHERE ${these} RETURNING id AS id`
    })

    const begin = performance.now()
    if (deleted > 0) await this.#database.clear()

    return { deleted, seconds: (performance.now() - begin) / 1000 }
  }

  // 3. Upkeep ------------------------------------------------------------------------------------

  inspect(pause: () => Promise<void> = async () => {}): Promise<Inspection> {
    return inspect(this.#database, pause)
  }

  copyTo(file: string): Promise<void> {
    return this.#database.copyTo(file)
  }

  async lastUpkeep(): Promise<string | undefined> {
    const sql = 'SELECT kept_up_at AS "keptUpAt" FROM readiness'
    const [row] = await this.#select<{ keptUpAt: string | null }>(sql, [])

    return row?.keptUpAt ?? undefined
  }

  async setUpkeep(moment: Date): Promise<void> {
    await this.#database.write((run) => run(MARK_UPKEEP, [moment.toISOString()]))
  }

  close(): Promise<void> {
    return this.#database.close()
  }

  // 4. Statements --------------------------------------------------------------------------------

  #select<Row>(sql: string, values: readonly unknown[]): Promise<Row[]> {
    return this.#database.read((run) => run<Row>(sql, values))
  }

  /** Yields the submissions of a filter, also damaged ones. */
  async *#matches(filter: SubmissionFilter): AsyncGenerator<StoredSubmission> {
    const [row] = await this.#select<{ last: number | null }>(
      'SELECT max(id) AS last FROM submissions',
      [],
    )
    const end = row?.last ?? FIRST

    const { condition, values } = this.#where(filter)
    const count = values.length
    const sql = `SELECT ${COLUMNS} FROM submissions
      WHERE ${condition} AND id > $${count + 1} AND id <= $${count + 2}
      ORDER BY id LIMIT ${ROWS_AT_ONCE}`

    let previous = FIRST
    for (;;) {
      const rows = await this.#select<SubmissionRow>(sql, [...values, previous, end])

      for (const row of rows) {
        demandIncrease(previous, row.id)
        previous = row.id

        const submission = toSubmission(row)
        if (matchesWords(filter, submission.fields)) yield submission
      }

      if (rows.length < ROWS_AT_ONCE) return
    }
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
      conditions.push(`id NOT IN (SELECT submission FROM outbox
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
       FROM submissions WHERE ${condition}`,
      values,
    )
    return counts ?? { received: 0, suspect: 0, spam: 0, repeats: 0 }
  }

  /**
   * Runs a change for some submissions at a time. Resolves to how many rows it returns.
   *
   * @param sqlOf gets the condition that selects them
   */
  async #changeInPieces(ids: readonly number[], sqlOf: (these: string) => string): Promise<number> {
    const sql = sqlOf(`id IN (${this.#database.dialect.numbers('$1')})`)
    let changed = 0

    for (let from = 0; from < ids.length; from += CHANGED_AT_ONCE) {
      const piece = JSON.stringify(ids.slice(from, from + CHANGED_AT_ONCE))

      const change = async (run: Run) => {
        const rows = await run(sql, [piece])
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

/** A row, and whether it fits the conditions of a filter: true or, in SQLite, 1. */
interface MatchedRow extends SubmissionRow {
  isMatch: boolean | number
}

interface Condition {
  condition: string
  values: readonly unknown[]
}

async function idsIn(submissions: AsyncIterable<StoredSubmission>): Promise<number[]> {
  const ids: number[] = []

  for await (const { id } of submissions) ids.push(id)
  return ids
}

/** In a damaged file, rows may follow each other in a circle. */
function demandIncrease(previous: number, id: number): void {
  if (Number.isSafeInteger(id) && id > previous) return

  const damage = `submission ${id} follows submission ${previous}`
  throw new StoreError(`the store is damaged ("check" says more): ${damage}`, { damage })
}
