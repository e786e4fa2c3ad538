/** Deletes old submissions as KEEP_DAYS says, and warns the owner of damage in the store. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Store } from '../store/open-store.ts'
import { ROWS_AT_ONCE } from '../store/queries.ts'
import { DAY, describeDamaged, MINUTE, type Status } from '../store/submission.ts'
import type { Alarm } from './alarm.ts'

/** Between two reads of some submissions, in milliseconds. */
const PAUSE = 50

/** The hour in which old submissions are deleted, in the time zone of the machine. */
const NIGHT = 3

/**
 * Deletes old submissions every night, when few visitors have to wait, and at the start those that a
 * night has missed; then reads all others. Returns a function that is called before the store closes.
 */
export function startUpkeep(store: Store, config: Config, log: Logger, alarm?: Alarm) {
  let lastDay: number | undefined
  let isStopped = false
  const tell = async (topic: 'notDeleted' | 'notRead', words: string, error: Error) => {
    if (isStopped) return
    log.error({ reason: error.message }, words)
    await alarm?.(topic, error.message)
  }
  const look = async (isStart: boolean) => {
    const now = new Date()
    const isNight = now.getHours() === NIGHT && now.getDate() !== lastDay
    if (isNight) lastDay = now.getDate()
    if (!isNight && !isStart) return
    const late = isNight ? 0 : 1
    await deleteOld(store, config, late, log).catch((error) => {
      return tell('notDeleted', 'old submissions not deleted', error)
    })
    await readAll(store).catch((error) => {
      return tell('notRead', 'not every submission could be read', error)
    })
  }
  look(true)
  const timer = setInterval(look, 10 * MINUTE, false).unref()
  return () => {
    isStopped = true
    clearInterval(timer)
  }
}

/**
 * Reads every submission, so that the owner learns of damage as long as there is a copy without it.
 * SQLite's own check would lock the file until it has read all of it; this reads some at a time, and
 * then lets visitors have their turn.
 */
async function readAll(store: Store): Promise<void> {
  const damaged: string[] = []
  const submissions = store.all({}, ({ receipt }) => damaged.push(receipt))
  for (let read = 0; !(await submissions.next()).done; read++) {
    if (read % ROWS_AT_ONCE === 0) await sleep(PAUSE)
  }
  if (damaged.length > 0) throw new Error(describeDamaged(damaged))
}

/** Deletes what is `late` days too old, unless it waits to be announced in a way that is set up. */
async function deleteOld(store: Store, config: Config, late: number, log: Logger): Promise<void> {
  const { keepDays, keepSpamDays, channels: settledIn } = config
  const idsOf = (days: number, statuses?: Status[]) => {
    if (days === Infinity) return []
    // Nothing was received before 1970, and a store may not know dates long before.
    const moment = Date.now() - (days + late) * DAY - 1
    const until = new Date(Math.max(0, moment)).toISOString()
    return store.idsOf({ settledIn, statuses, until })
  }
  const old = await idsOf(keepDays)
  const spam = await idsOf(keepSpamDays, ['suspect', 'spam'])
  const { deleted } = await store.delete([...new Set([...old, ...spam])])
  if (deleted > 0) log.info({ deleted }, 'old submissions deleted')
}
