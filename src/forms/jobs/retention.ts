/** Deletes submissions that are older than the owner wants to keep them. */
import type { Logger } from 'pino'
import type { Filter, Store } from '../store/store.ts'

const DAY = 24 * 60 * 60 * 1000

type Keep = Record<'keepDays' | 'keepSpamDays', number>

/** Deletes them now, and then once a day. */
export function startRetention(store: Store, { keepDays, keepSpamDays }: Keep, log: Logger): void {
  if (keepDays === Infinity && keepSpamDays === Infinity) return
  const run = async () => {
    try {
      const spam = await store.delete(olderThan(keepSpamDays, { statuses: ['suspect', 'spam'] }))
      const deleted = spam + (await store.delete(olderThan(keepDays, {})))
      log.info({ deleted }, 'old submissions deleted')
    } catch (error) {
      log.error({ reason: (error as Error).message }, 'old submissions not deleted')
    }
  }
  run()
  setInterval(run, DAY).unref()
}

/** Adds an age to a filter. Zero days mean any age, also one that the clock has yet to reach. */
export function olderThan(days: number, filter: Filter): Filter {
  if (days === 0) return filter
  // Nothing was received before 1970, and a store or Date may not know dates long before.
  const moment = new Date(Math.max(0, Date.now() - days * DAY - 1)).toISOString()
  return { ...filter, until: [moment, filter.until ?? moment].sort()[0] }
}
