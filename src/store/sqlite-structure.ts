/** Lets SQLite examine the structure of a file. */
import Libsql from 'libsql/promise'
import { exec, runOn } from './sqlite-connection.ts'
import { damageOf } from './sqlite-errors.ts'

/** How many faults are reported. */
const MOST_FAULTS = 20

/** What SQLite reports instead of a fault, and as the first line of some. */
const NO_FAULT: readonly string[] = ['ok', '*** in database main ***']

/**
 * Resolves to what SQLite's own check of a file finds, which takes a connection of its own: another
 * one may remember pages as they were. Nobody else can commit meanwhile.
 *
 * @param deadline when it stops waiting for locks, by `performance.now()`
 */
export async function structureOf(file: string, deadline: number): Promise<string[]> {
  const database = new Libsql(file, {})
  const connection = { file, database, statements: new Map(), deadline }

  try {
    // Damaged values are for the hashes to find: they don't make the structure unreliable.
    await exec(
      connection,
      `PRAGMA temp_store = MEMORY; PRAGMA ignore_check_constraints = ON;
       CREATE TEMP TABLE faults (fault TEXT)`,
    )

    // On another thread, which a SELECT of the pragma would not be.
    await exec(
      connection,
      `INSERT INTO faults
       SELECT integrity_check FROM pragma_integrity_check(${MOST_FAULTS}, 'main')`,
    )

    const rows = await runOn(connection)<{ fault: string }>(
      'SELECT fault AS fault FROM temp.faults',
      [],
    )
    const lines = rows.flatMap(({ fault }) => fault.split('\n'))
    return lines.filter((line) => !NO_FAULT.includes(line))
  } catch (error) {
    const damage = damageOf(error)
    if (damage === undefined) throw error
    return [`its check fails: ${damage}`]
  } finally {
    database.close()
  }
}
