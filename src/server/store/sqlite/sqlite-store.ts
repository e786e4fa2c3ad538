/** Keeps submissions in one SQLite file. */

import type { Access, Store } from '../contract.ts'
import { outboxOf } from '../outbox.ts'
import { addAll, type Database, MARK_READY, queriesOf } from '../queries.ts'
import { createQueue } from '../queue.ts'
import { type Receipt, StoreError, type Submission } from '../submission.ts'
import { toStore } from '../tables.ts'
import { openSqliteFile } from './sqlite-file.ts'

/** The approximate size of the largest submission in the file, in bytes. */
const LARGEST_ROW = 128 * 1024

/** @throws {StoreError} when the file cannot be opened, or would not be durable */
export async function openSqliteStore(name: string, access: Access, now: () => Date) {
  const file = await openSqliteFile(name, access)
  const queue = createQueue<Submission, Receipt>((begin, deadline) =>
    file.write(deadline, (run) => {
      const moment = now()
      return addAll(
        run,
        begin().map((each) => toStore(each, moment)),
      )
    }),
  )
  const database: Database = {
    query: (sql, values) => queue.run((deadline) => file.read(deadline, (run) => run(sql, values))),
    change: (sql, values) =>
      queue.run((deadline) => file.write(deadline, (run) => run(sql, values))),
    // secure_delete overwrites rows, but not the few copies left when rows move between pages.
    clear: () =>
      queue.run((deadline) =>
        file.vacuum(deadline).catch(({ message }) => {
          const words = 'the file still holds traces of it, which the next deletion will clear'
          throw new StoreError(`it is deleted, but ${words}: ${message}`)
        }),
      ),
    items: (array) => `SELECT value FROM json_each(${array})`,
    skipLocked: '',
  }

  return {
    add: queue.add,
    ...queriesOf(database),
    outbox: outboxOf(database),
    copyTo: (copy) => queue.run((deadline) => file.copyTo(deadline, copy)),

    check: () =>
      queue.run(async (deadline) => {
        // A full disk may have room for a timestamp, but not for a submission.
        const moment = now().toISOString().padEnd(LARGEST_ROW)
        await file.write(deadline, (run) => run(MARK_READY, [moment]))
        await file.demandDurability(deadline)
      }),

    close: () => queue.close(async () => file.close()),
  } satisfies Store
}
