/** Keeps submissions in one SQLite file. */
import { addAll, type Database, FIND, MARK_READY, type Run } from '../queries.ts'
import { createQueue } from '../queue.ts'
import { type Receipt, StoreError, type Submission } from '../submission.ts'
import { type Access, toStore, type Unsaved } from '../tables.ts'
import {
  type Connection,
  copyTo,
  demandDurability,
  openSqliteFile,
  reading,
  vacuum,
  writing,
} from './sqlite-file.ts'

/** The approximate size of the largest submission in the file, in bytes. */
const LARGEST_ROW = 128 * 1024

/** @throws {StoreError} when the file cannot be opened, or would not be durable */
export async function openSqlite(name: string, access: Access, now: () => Date): Promise<Database> {
  const file = await openSqliteFile(name, access)
  const queue = createQueue<Submission, Receipt>((begin, deadline) => {
    let unsaved: Unsaved[] = []
    const add = (run: Run) => {
      // Dated only now: what an export up to a moment has missed must be of a later one.
      unsaved = begin().map((each) => toStore(each, now()))
      return addAll(run, unsaved)
    }
    const isAdded = async (run: Run) => (await run(FIND, [unsaved[0]?.receipt])).length > 0
    return file.run(deadline, (connection) => writing(connection, add, isAdded))
  })
  const inTurn = <T>(work: (connection: Connection) => Promise<T>) =>
    queue.run((deadline) => file.run(deadline, work))

  return {
    query: (sql, values) => inTurn((connection) => reading(connection, (run) => run(sql, values))),
    change: (sql, values) => inTurn((connection) => writing(connection, (run) => run(sql, values))),
    // secure_delete overwrites rows, but not the few copies left when rows move between pages.
    clear: () =>
      inTurn(vacuum).catch(({ message }) => {
        const words = 'the file still holds traces of it, which the next deletion will clear'
        throw new StoreError(`it is deleted, but ${words}: ${message}`)
      }),
    items: (array) => `SELECT value FROM json_each(${array})`,
    skipLocked: '',
    add: queue.add,
    copyTo: (copy) => inTurn((connection) => copyTo(connection, copy)),
    check: () =>
      inTurn(async (connection) => {
        // A full disk may have room for a timestamp, but not for a submission. SQLite writes only
        // the pages that change: all do.
        const moment = now().toISOString()
        const row = moment.repeat(LARGEST_ROW / moment.length)
        await writing(connection, (run) => run(MARK_READY, [row]))
        await demandDurability(connection)
      }),
    close: () => queue.close(async () => file.close()),
  }
}
