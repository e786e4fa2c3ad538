/** Runs statements on a connection of libsql. */
import { setTimeout } from 'node:timers/promises'
import Libsql from 'libsql/promise'
import { codeOf } from '../machine/errors.ts'
import type { Run } from './database.ts'
import { SQLITE_MIGRATIONS } from './tables.ts'

type Statement = Awaited<ReturnType<Libsql['prepare']>>

/** The table in which the check of a copy keeps what it finds. */
export const FAULTS = 'CREATE TEMP TABLE faults (fault TEXT)'

export interface SqliteConnection {
  /** The file as messages name it. */
  file: string
  database: Libsql
  /** By their SQL: to prepare one takes as long as to run it. */
  statements: Map<string, Statement>
  /** When its calls stop waiting for locks, by `performance.now()`. */
  deadline: number
}

export function runOn({ database, statements }: SqliteConnection): Run {
  return async <Row>(sql: string, values: readonly unknown[]) => {
    const statement = statements.get(sql) ?? (await prepareStatement(database, sql))
    statements.set(sql, statement)

    const rows: Record<string, unknown>[] = await statement.all(...values)
    return rows.map(withTexts<Row>)
  }
}

/**
 * Prepares a statement whose texts arrive as bytes: libsql ends the process when a stored text is not
 * UTF-8, as after a flipped bit.
 */
async function prepareStatement(database: Libsql, sql: string): Promise<Statement> {
  const columns = await columnsOf(sql)
  if (sql.startsWith('SELECT')) {
    const selected = columns.map(({ name }) => asBytes(name))
    return database.prepare(`SELECT ${selected.join(', ')} FROM (${sql})`)
  }

  // The rows of RETURNING cannot be selected from.
  if (columns.some(({ type }) => type === 'TEXT')) {
    throw new Error(`a change must return no text, but this one does: ${sql}`)
  }
  return database.prepare(sql)
}

interface Column {
  name: string
  /** As it was declared; null for an expression. */
  type: string | null
}

/** Selects the columns of all tables: `{ table, column }`. */
export const COLUMNS_OF_TABLES = `SELECT t.name AS "table", c.name AS "column"
  FROM sqlite_schema AS t JOIN pragma_table_info(t.name) AS c
  WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%'`

export interface TableColumn {
  table: string
  column: string
}

/** Returns the columns that the tables of a store have. */
export async function expectedColumns(): Promise<TableColumn[]> {
  pattern ??= createPattern()
  return (await (await pattern).prepare(COLUMNS_OF_TABLES)).all()
}

let pattern: Promise<Libsql> | undefined

/**
 * Returns what a statement returns, from an empty store in memory: libsql ends the process when the
 * name of a column is not UTF-8, as after damage to the definition of a table.
 */
async function columnsOf(sql: string): Promise<Column[]> {
  pattern ??= createPattern()
  const statement = await (await pattern).prepare(sql)
  return statement.columns()
}

async function createPattern(): Promise<Libsql> {
  const database = new Libsql(':memory:', {})
  await database.exec(`${SQLITE_MIGRATIONS.join(';')}; ${FAULTS}`)
  return database
}

/** Selects a column, as bytes if it is a text. */
function asBytes(name: string): string {
  return `CASE typeof("${name}") WHEN 'text' THEN CAST("${name}" AS BLOB) ELSE "${name}" END AS "${name}"`
}

const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const lenientDecoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Decodes the texts of a row. If some are not UTF-8, `unreadable` names their columns. */
function withTexts<Row>(row: Record<string, unknown>): Row {
  const unreadable: string[] = []

  for (const [column, value] of Object.entries(row)) {
    if (!(value instanceof ArrayBuffer)) continue

    try {
      row[column] = strictDecoder.decode(value)
    } catch {
      row[column] = lenientDecoder.decode(value)
      unreadable.push(column)
    }
  }

  if (unreadable.length > 0) row.unreadable = unreadable
  return row as Row
}

/**
 * Runs SQL on another thread, so that the server can respond while the disk flushes. Waits here for
 * the locks of other processes: SQLite's own wait would block one of libsql's few threads, which
 * the holder of the lock may need.
 */
export async function exec(connection: SqliteConnection, sql: string): Promise<void> {
  while (true) {
    try {
      await connection.database.exec(sql)
      return
    } catch (error) {
      const isBusy = codeOf(error).startsWith('SQLITE_BUSY')
      if (!isBusy || performance.now() > connection.deadline) throw error

      await setTimeout(1 + Math.random() * 20)
    }
  }
}

/** Resolves to the value of a setting of SQLite. */
export async function pragma({ database }: SqliteConnection, name: string): Promise<unknown> {
  const [row] = (await database.pragma(name, {})) as object[]
  return Object.values(row ?? {})[0]
}
