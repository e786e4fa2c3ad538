/** Runs statements on a connection of libsql. */
import { setTimeout } from 'node:timers/promises'
import type Libsql from 'libsql/promise'
import { codeOf } from '../machine/errors.ts'
import type { Run } from './database.ts'

type Statement = Awaited<ReturnType<Libsql['prepare']>>

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
 * UTF-8, as after a flipped bit. Statements name each column with AS, so that no name comes from the
 * file.
 */
async function prepareStatement(database: Libsql, sql: string): Promise<Statement> {
  const statement = await database.prepare(sql)
  // The rows of RETURNING cannot be selected from.
  if (!sql.startsWith('SELECT')) return statement

  const columns: { name: string }[] = statement.columns()
  const selected = columns.map(({ name }) => asBytes(name))
  return database.prepare(`SELECT ${selected.join(', ')} FROM (${sql})`)
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
