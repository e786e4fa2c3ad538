/** Deletes what the owner no longer wants to keep, and warns well before the disk is full. */
import type { Logger } from 'pino'
import { formatNumber } from '../../text/wording.ts'
import type { Store } from '../store/store.ts'
import { DAY, type SubmissionFilter } from '../store/submission.ts'
import type { Alarm } from './alarm.ts'

const MINUTE = 60_000
const MEGABYTE = 1_000_000

/** In bytes. One address that sends as much as the limits allow needs nine hours for it. */
const LEAST_ROOM = 1_000 * MEGABYTE

interface Keep {
  keepDays: number
  keepSpamDays: number
  /** The settings of notifications; without them, nothing waits to be announced. */
  mail?: object | undefined
}

/** Deletes at once and then every day, and looks at the disk every ten minutes. */
export function startUpkeep(store: Store, keep: Keep, log: Logger, alarm?: Alarm): void {
  const every = (milliseconds: number, work: () => Promise<void>) => {
    work()
    setInterval(work, milliseconds).unref()
  }
  const isForever = keep.keepDays === Infinity && keep.keepSpamDays === Infinity
  if (!isForever) every(DAY, () => deleteOld(store, keep, log))
  every(10 * MINUTE, () => lookAtRoom(store, log, alarm))
}

/** What waits to be announced stays, and what has failed to be until a mail has named it. */
async function deleteOld(store: Store, { keepDays, keepSpamDays, mail }: Keep, log: Logger) {
  const isSettled = mail ? true : undefined
  try {
    const deleted = await store.delete(
      olderThan(keepSpamDays, { isSettled, statuses: ['suspect', 'spam'] }),
      olderThan(keepDays, { isSettled }),
    )
    log.info({ deleted }, 'old submissions deleted')
  } catch (error) {
    log.error({ reason: (error as Error).message }, 'old submissions not deleted')
  }
}

/** Adds an age to a filter. Zero days mean any age, also one that the clock has yet to reach. */
export function olderThan(days: number, filter: SubmissionFilter): SubmissionFilter {
  if (days === 0) return filter
  // Nothing was received before 1970, and a store or Date may not know dates long before.
  const moment = new Date(Math.max(0, Date.now() - days * DAY - 1)).toISOString()
  return { ...filter, until: [moment, filter.until ?? moment].sort()[0] }
}

/**
 * To delete anything, SQLite writes its file anew, beside the old one and with a journal: there
 * should be room for two more.
 */
export async function lookAtRoom(
  store: Pick<Store, 'room'>,
  log: Logger,
  alarm?: Alarm,
): Promise<void> {
  const room = await store.room().catch(() => undefined)
  if (!room || room.free >= Math.max(LEAST_ROOM, 2 * room.used)) return
  const [free, used] = [room.free, room.used].map((bytes) =>
    formatNumber(Math.round(bytes / MEGABYTE)),
  )
  log.warn(room, 'little room on the disk')
  await alarm?.('littleRoom', `${free} MB are free; the store has ${used} MB.`)
}
