/** Deletes what the owner no longer wants to keep, and warns well before the disk is full. */
import type { Logger } from 'pino'
import { formatNumber } from '../../text/wording.ts'
import type { Store } from '../store/store.ts'
import { type Channel, DAY, type SubmissionFilter } from '../store/submission.ts'
import type { Alarm } from './alarm.ts'

const MINUTE = 60_000
const MEGABYTE = 1_000_000

/** In bytes. One address that sends as much as the limits allow needs nine hours for it. */
const LEAST_ROOM = 1_000 * MEGABYTE

interface Keep {
  keepDays: number
  keepSpamDays: number
  /** Of notifications; without one, nothing waits to be announced. */
  channels: readonly Channel[]
}

/** The hour of the night in which old submissions are deleted, in the time zone of the machine. */
const NIGHT = 3

/**
 * Deletes every night, when few visitors have to wait, and at the start what a night has missed.
 * Looks at the disk every ten minutes.
 */
export function startUpkeep(store: Store, keep: Keep, log: Logger, alarm?: Alarm): void {
  let lastDay: number | undefined
  const look = async (isStart: boolean) => {
    const now = new Date()
    const isNight = now.getHours() === NIGHT && now.getDate() !== lastDay
    if (isNight) lastDay = now.getDate()
    await lookAtRoom(store, log, alarm)
    if (isNight || isStart) await deleteOld(store, keep, isNight ? 0 : 1, log, alarm)
  }
  look(true)
  setInterval(look, 10 * MINUTE, false).unref()
}

/**
 * Deletes what is old. What waits to be announced stays until it was, or a mail has named it.
 *
 * @param late by how many days something must be too old
 */
async function deleteOld(store: Store, keep: Keep, late: number, log: Logger, alarm?: Alarm) {
  const isSettled = keep.channels.length > 0 || undefined
  const filters = [
    { days: keep.keepSpamDays, filter: { isSettled, statuses: ['suspect', 'spam'] as const } },
    { days: keep.keepDays, filter: { isSettled } },
  ].filter(({ days }) => days !== Infinity)
  if (filters.length === 0) return
  const idsOf = async (more: number) => {
    const all = filters.map(({ days, filter }) => store.idsOf(olderThan(days + more, filter)))
    return [...new Set((await Promise.all(all)).flat())]
  }
  try {
    if (late > 0 && (await idsOf(late)).length === 0) return
    const deleted = await store.delete(await idsOf(0))
    log.info({ deleted }, 'old submissions deleted')
  } catch (error) {
    const { message: reason } = error as Error
    log.error({ reason }, 'old submissions not deleted')
    await alarm?.('notDeleted', reason)
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
