/** Lets SQLite examine the structure of a file. */
import Libsql from 'libsql/promise'
import { exec, runOn } from './sqlite-connection.ts'
import { damageOf } from './sqlite-errors.ts'

/** After how many faults the check ends. */
const MOST_FAULTS = 1_000

/**
 * What SQLite reports instead of a fault or before some, and for a damaged value, such as `CHECK
 * constraint failed in submissions`. Values are for the hashes to find: the structure is reliable.
 */
const NO_FAULT = /^(ok$|\*\*\* in database main \*\*\*$|CHECK constraint failed in )/

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
    await exec(connection, 'PRAGMA temp_store = MEMORY; CREATE TEMP TABLE faults (fault TEXT)')

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
    return lines.filter((line) => !NO_FAULT.test(line))
  } catch (error) {
    const damage = damageOf(error)
    if (damage === undefined) throw error
    return [`its check fails: ${damage}`]
  } finally {
    database.close()
  }
}
