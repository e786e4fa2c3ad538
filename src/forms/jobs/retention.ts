/** Deletes submissions that are older than the owner wants to keep them. */
import type { Logger } from 'pino'
import type { Store, SubmissionFilter } from '../store/store.ts'

const DAY = 24 * 60 * 60 * 1000

interface Keep {
  keepDays: number
  keepSpamDays: number
  /** The settings of notifications; without them, nothing waits to be announced. */
  mail?: object | undefined
}

/**
 * Deletes them now, and then once a day; what waits to be announced stays, and what has failed to be
 * until a mail has named it.
 */
export function startRetention(store: Store, keep: Keep, log: Logger): void {
  const { keepDays, keepSpamDays } = keep
  if (keepDays === Infinity && keepSpamDays === Infinity) return
  const run = async () => {
    try {
      const isSettled = keep.mail ? true : undefined
      const deleted = await store.delete(
        olderThan(keepSpamDays, { isSettled, statuses: ['suspect', 'spam'] }),
        olderThan(keepDays, { isSettled }),
      )
      log.info({ deleted }, 'old submissions deleted')
    } catch (error) {
      log.error({ reason: (error as Error).message }, 'old submissions not deleted')
    }
  }
  run()
  setInterval(run, DAY).unref()
}

/** Adds an age to a filter. Zero days mean any age, also one that the clock has yet to reach. */
export function olderThan(days: number, filter: SubmissionFilter): SubmissionFilter {
  if (days === 0) return filter
  // Nothing was received before 1970, and a store or Date may not know dates long before.
  const moment = new Date(Math.max(0, Date.now() - days * DAY - 1)).toISOString()
  return { ...filter, until: [moment, filter.until ?? moment].sort()[0] }
}
