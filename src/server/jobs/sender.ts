/** Sends the notifications of the outbox, one after the other. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { FormPage } from '../../site/content/page.ts'
import type { Outbox } from '../store/outbox.ts'
import { HOUR } from '../store/submission.ts'
import type { Alarm } from './alarm.ts'
import { LONGEST_ATTEMPT, type MailError, type Mailer } from './mailer.ts'
import { digestOf, notificationOf } from './message.ts'

/** After this time, an attempt counts as broken off: its process was killed. */
const LEASE = 2 * LONGEST_ATTEMPT

/** When a submission is this old, and its notification was tried so often, that has failed. */
const LAST = { age: 72 * HOUR, attempts: 10 }

/** How long to wait, in milliseconds. What is refused for itself says nothing about the next. */
const PAUSES = { sent: 0, refused: 0, failed: 5_000, none: 2_000 }

/** How long to wait before failures are reported again, in milliseconds. */
const REPORT = 60_000

interface SenderParts {
  outbox: Outbox
  mailer: Mailer
  pages: readonly FormPage[]
  log: Logger
  /** How many mails an hour. */
  most: number
  alarm: Alarm
}

/** Returns a function that stops it. It waits at most the given milliseconds for an attempt. */
export function startSender(parts: SenderParts, pauses = PAUSES): (wait: number) => Promise<void> {
  const stopping = new AbortController()
  async function run() {
    let reportAt = 0
    while (!stopping.signal.aborted) {
      const end = await sendNext(parts).catch((error: Error) => {
        parts.log.error({ reason: error.message }, 'the outbox failed')
        return 'failed' as const
      })
      if (end === 'none' && performance.now() >= reportAt) {
        await reportFailures(parts).catch(() => {})
        reportAt = performance.now() + REPORT
      }
      await sleep(pauses[end], undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  const running = run()
  return async (wait) => {
    stopping.abort()
    await Promise.race([running, sleep(wait)])
  }
}

/**
 * Sends the next mail that is due: about one submission, or the list of an hour. What is refused for
 * good is sent again all the same: so is every message while the mailbox is full.
 */
export async function sendNext(parts: SenderParts, now = Date.now()): Promise<keyof typeof PAUSES> {
  const { outbox, mailer, pages, log, most } = parts
  const taken = await outbox.take(new Date(now), new Date(now + LEASE), most)
  if (!taken) return 'none'
  const { submission, attempts, listed } = taken
  const about = submission ? { receipt: submission.receipt } : { listed: listed.length }
  try {
    const page = pages.find(({ path }) => path === submission?.path)
    await mailer(submission ? notificationOf(submission, page) : digestOf(listed))
  } catch (error) {
    const { message: failure, cause, isRefused } = error as MailError
    // A quarter more or less, so that receivers do not keep in step.
    const pause = Math.min(HOUR, 30_000 * 2 ** (attempts - 1)) * (0.75 + Math.random() / 2)
    const age = now - Date.parse(listed[0].receivedAt)
    const isOver = age >= LAST.age && attempts >= LAST.attempts
    const notification = isOver ? 'failed' : 'waiting'
    await outbox.settle(taken, { notification, notifyAt: new Date(now + pause), failure })
    log.warn({ ...about, attempts, notification, cause }, 'notification not sent')
    return isRefused ? 'refused' : 'failed'
  }
  await outbox.settle(taken, { notification: 'sent', notifyAt: new Date(), failure: null })
  log.info(about, 'notification sent')
  return 'sent'
}

/** Tells the owner what has failed for good since the last time. */
export async function reportFailures({ outbox, alarm }: SenderParts): Promise<void> {
  const receipts = await outbox.untold()
  if (receipts.length === 0) return
  if (await alarm('notAnnounced', receipts.join('\n'))) await outbox.told(receipts, new Date())
}
