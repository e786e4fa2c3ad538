/** What happens at night: deletes old submissions as KEEP_DAYS says, and looks for damage. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { messageOf } from '../machine/errors.ts'
import { describeInspection, summarizeInspection } from '../store/damage.ts'
import type { Store } from '../store/store.ts'
import {
  type Channel,
  DAY,
  MINUTE,
  type Status,
  type SubmissionFilter,
} from '../store/submission.ts'
import type { Alarm, Topic } from './alarm.ts'

/** Between two steps of an inspection, in milliseconds. */
const PAUSE = 50

/** The hours of the night, in the time zone of the machine. In some nights, one of them is missing. */
const NIGHT = { from: 3, to: 6 }

/** How often to look whether it is night, in milliseconds. */
const LOOK = 10 * MINUTE

/** The shortest gap that is doubted, in days. Two nightly runs may be some hours more than one apart. */
const SHORTEST_GAP = 2

/** What the last inspection has found. */
export interface Condition {
  /** How much is damaged, in words that anybody may read; undefined if nothing is. */
  damage: string | undefined
}

export interface UpkeepParts {
  store: Store
  config: {
    /** After how many days submissions, and spam, are deleted; or Infinity. */
    keepDays: number
    keepSpamDays: number
    /** The ways of notification that are set up. */
    channels: readonly Channel[]
  }
  log: Logger
  alarm?: Alarm | undefined
  /** Is kept up to date. */
  condition?: Condition
}

/**
 * Works every night, when few visitors have to wait, and at the start, which makes up for a night that
 * was missed.
 */
export class Upkeep {
  readonly #parts: UpkeepParts
  readonly #timer: NodeJS.Timeout
  /** The day of the last night in which it worked. */
  #lastNight = ''
  #isStopped = false
  /** Resolves once the work at the start is done. */
  readonly started: Promise<void>

  constructor(parts: UpkeepParts) {
    this.#parts = parts
    this.#timer = setInterval(() => this.#look(), LOOK).unref()
    this.started = this.#start()
  }

  async #start(): Promise<void> {
    // What becomes too old during this day is left for the night.
    const late = this.#isNewNight() ? 0 : 1

    await this.#probe()
    await this.#work(late)
  }

  /** Says that nothing can be stored, as on a read-only disk. The pages are still served. */
  async #probe(): Promise<void> {
    try {
      await this.#parts.store.probe()
    } catch (error) {
      await this.#report('notStored', 'submissions cannot be stored', messageOf(error))
    }
  }

  /** Is called before the store closes. */
  stop(): void {
    this.#isStopped = true
    clearInterval(this.#timer)
  }

  #look(): void {
    if (this.#isNewNight()) this.#work(0)
  }

  #isNewNight(): boolean {
    const now = new Date()

    const hour = now.getHours()
    const day = now.toDateString()

    if (hour < NIGHT.from || hour >= NIGHT.to || day === this.#lastNight) return false

    this.#lastNight = day
    return true
  }

  /** @param late how many days older a submission must be */
  async #work(late: number): Promise<void> {
    let isSound = false
    try {
      isSound = await this.#inspect()
    } catch (error) {
      await this.#report('notChecked', 'the store was not checked', messageOf(error))
    }

    // Nothing is deleted from a file whose structure is damaged.
    if (!isSound) return

    try {
      await this.#deleteOld(late)
    } catch (error) {
      await this.#report('notDeleted', 'old submissions not deleted', messageOf(error))
    }
  }

  /**
   * Deletes what is too old, unless the date is in doubt: a clock that is years ahead would delete
   * everything. If more time has passed since the last upkeep than submissions are kept, the owner has to
   * confirm the date. Without such a moment, there is nothing to compare with: it is only stored, for the
   * next time.
   */
  async #deleteOld(late: number): Promise<void> {
    const { store, config, log } = this.#parts
    const now = new Date()

    const last = (await store.lastUpkeep()) ?? ''
    const isKnown = !Number.isNaN(Date.parse(last))
    const days = isKnown ? (now.getTime() - Date.parse(last)) / DAY : 0

    const longestGap = Math.max(SHORTEST_GAP, Math.min(config.keepDays, config.keepSpamDays))
    if (days > longestGap) {
      const reason = `The clock says ${toMinute(now.toISOString())}. The last nightly run was at ${toMinute(last)}, ${Math.floor(days)} days before.`
      await this.#report('dateDoubted', 'the date is in doubt, so nothing is deleted', reason)
      return
    }

    await store.setUpkeep(now)
    if (isKnown) await deleteOld(store, config, late, log)
  }

  /** Looks for damage. Resolves to whether the structure of the store is sound. */
  async #inspect(): Promise<boolean> {
    const { store, condition } = this.#parts
    const inspection = await store.inspect(() => this.#rest())
    if (condition) condition.damage = summarizeInspection(inspection)

    const damage = describeInspection(inspection)
    if (damage) await this.#report('damaged', 'the store is damaged', damage)
    return inspection.structure.length === 0
  }

  /** Lets visitors have their turn. Ends an inspection when it is stopped. */
  async #rest(): Promise<void> {
    await sleep(PAUSE)
    if (this.#isStopped) throw new Error('the receiver stopped')
  }

  async #report(topic: Topic, words: string, reason: string): Promise<void> {
    if (this.#isStopped) return

    const { log, alarm } = this.#parts

    log.error({ reason }, words)
    await alarm?.(topic, reason)
  }
}

/** Shortens a moment, such as 2026-11-22T12:00:00.000Z, to 2026-11-22 12:00 UTC. */
function toMinute(moment: string): string {
  return `${moment.slice(0, 16).replace('T', ' ')} UTC`
}

/** Deletes what is `late` days too old, unless its notification is still to be sent. */
async function deleteOld(
  store: Store,
  config: UpkeepParts['config'],
  late: number,
  log: Logger,
): Promise<void> {
  const { keepDays, keepSpamDays, channels } = config
  const old = await olderThan(keepDays + late, { doneIn: channels }, store)
  const spam = await olderThan(keepSpamDays + late, { doneIn: channels, statuses: SPAM }, store)

  const { deleted } = await store.delete([...new Set([...old, ...spam])])
  if (deleted > 0) log.info({ deleted }, 'old submissions deleted')
}

const SPAM: readonly Status[] = ['suspect', 'spam']

async function olderThan(days: number, filter: SubmissionFilter, store: Store): Promise<number[]> {
  if (days === Infinity) return []

  // Nothing was received before 1970, and a store may not know dates long before.
  const moment = Date.now() - days * DAY - 1
  const until = new Date(Math.max(0, moment)).toISOString()
  return store.idsOf({ ...filter, until })
}
