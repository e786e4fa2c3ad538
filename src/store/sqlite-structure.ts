/** Checks the structure of a SQLite file, on a copy: SQLite's own check locks a file while it reads it. */
import { randomBytes } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { chmod, copyFile, stat, statfs } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import Libsql from 'libsql/promise'
import type { Run } from './database.ts'
import {
  COLUMNS_OF_TABLES,
  exec,
  expectedColumns,
  FAULTS,
  runOn,
  type TableColumn,
} from './sqlite-connection.ts'
import { numberedReceipt, StoreError } from './submission.ts'

/** What a copy must leave on the disk for new submissions, in bytes. */
const SPARE_ROOM = 16 * 2 ** 20

/** How many faults in the structure of a file are reported. */
const MOST_FAULTS = 100

/** What is between the name of a file and the rest of the name of its copy. */
const COPY = '-check-'

/**
 * Makes a copy of a file beside it, and checks that. The copy has everything that was deleted since,
 * so it doesn't outlive the process.
 *
 * @param locked runs work while nobody writes to the file
 */
export async function checkCopy(
  file: string,
  locked: (work: () => Promise<void>) => Promise<void>,
): Promise<string[]> {
  const copy = `${file}${COPY}${randomBytes(4).toString('hex')}`
  const clear = () => removeCopy(copy)
  process.once('exit', clear)

  try {
    await demandRoom(file)
    await locked(async () => {
      // Nobody writes, so the copy is whole, and needs no journal.
      await copyFile(file, copy)
      await chmod(copy, 0o600)
    })

    return await structureOf(copy)
  } finally {
    process.off('exit', clear)
    clear()
  }
}

/** Removes the copies of a file that killed processes have left, also those of another container. */
export function removeCopies(file: string): void {
  const folder = dirname(resolve(file))
  const start = basename(file) + COPY

  for (const name of readdirSync(folder)) {
    if (name.startsWith(start)) rmSync(join(folder, name), { force: true })
  }
}

function removeCopy(copy: string): void {
  rmSync(copy, { force: true })
  rmSync(`${copy}-journal`, { force: true })
}

/** Runs SQLite's own check of a file that nobody else uses. Resolves to what it finds. */
export async function structureOf(file: string): Promise<string[]> {
  const connection = {
    file,
    database: new Libsql(file, {}),
    statements: new Map(),
    deadline: Infinity,
  }
  try {
    // On another thread, which a SELECT of the pragma would not be.
    await exec(
      connection,
      `PRAGMA temp_store = MEMORY;
       ${FAULTS};
       INSERT INTO faults SELECT integrity_check FROM pragma_integrity_check(${MOST_FAULTS}, 'main')`,
    )

    const run = runOn(connection)
    const rows = await run<{ fault: string }>('SELECT fault FROM faults', [])

    const faults: string[] = []
    for (const { fault } of rows) {
      if (fault !== 'ok') faults.push(await withReceiptOf(run, fault))
    }

    return [...faults, ...(await lostColumns(run))]
  } finally {
    connection.database.close()
  }
}

/** Says which columns are gone: after damage to the definition of a table, one may have another name. */
async function lostColumns(run: Run): Promise<string[]> {
  const columns = await run<TableColumn>(COLUMNS_OF_TABLES, [])
  const known = new Set(columns.map(({ table, column }) => `${table} ${column}`))

  const lost = (await expectedColumns()).filter((expected) => {
    return !known.has(`${expected.table} ${expected.column}`)
  })
  return lost.map(({ table, column }) => `column ${column} missing from table ${table}`)
}

/** Such as `row 17 missing from index submissions_by_content`. */
const FAULT_OF_ROW = /^row (\d+) (?:missing|values differ) from index (\w+)$/

/** Adds to a fault of a row which submission it is about. */
async function withReceiptOf(run: Run, fault: string): Promise<string> {
  const [, row, index] = FAULT_OF_ROW.exec(fault) ?? []
  if (row === undefined) return fault

  const [indexed] = await run<{ table: string }>(
    'SELECT tbl_name AS "table" FROM sqlite_schema WHERE name = $1',
    [index],
  )
  const table = indexed?.table
  const column = table === 'submissions' ? 'id' : 'submission'

  const [submission] = await run<{ receipt: string; unreadable?: string[] }>(
    `SELECT receipt FROM submissions NOT INDEXED
     WHERE id = (SELECT ${column} FROM ${table} NOT INDEXED WHERE rowid = $1)`,
    [Number(row)],
  )

  const isNamed = submission && !submission.unreadable
  return `${fault}: ${isNamed ? submission.receipt : numberedReceipt(Number(row))}`
}

/** Rejects if a copy of a file would leave too little room on the disk for new submissions. */
async function demandRoom(file: string): Promise<void> {
  const { size } = await stat(file)
  const { bavail, bsize } = await statfs(dirname(resolve(file)))

  if (bavail * bsize >= 2 * size + SPARE_ROOM) return

  throw new StoreError(
    `${file}: the disk has too little room for a copy, which is needed to check the structure of the file. The rows were checked.`,
  )
}
