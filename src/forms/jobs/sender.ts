/** Sends the notifications of the outbox, one after the other. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { SitePage } from '../../site/content/page.ts'
import type { Outbox } from '../store/store.ts'
import { LONGEST_ATTEMPT, type Mailer } from './mailer.ts'
import { notificationOf } from './message.ts'

const HOUR = 60 * 60 * 1000

/** After this time, an attempt counts as broken off: its process was killed. */
const LEASE = 2 * LONGEST_ATTEMPT

/** When a submission is this old, and its notification was tried so often, that has failed. */
const LAST = { age: 72 * HOUR, attempts: 10 }

/** How long to wait, in milliseconds. After a failure, the server may be down for all. */
const PAUSES = { sent: 0, failed: 5_000, none: 2_000 }

interface SenderParts {
  outbox: Outbox
  mailer: Mailer
  pages: readonly SitePage[]
  log: Logger
}

/** Returns a function that stops it. It waits at most the given milliseconds for an attempt. */
export function startSender(parts: SenderParts, pauses = PAUSES): (wait: number) => Promise<void> {
  const stopping = new AbortController()
  async function run() {
    while (!stopping.signal.aborted) {
      const end = await sendNext(parts).catch((error: Error) => {
        parts.log.error({ reason: error.message }, 'the outbox failed')
        return 'failed' as const
      })
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
 * Sends the next notification that is due. What is refused for good is sent again all the same: so
 * is every message while the password is wrong or the mailbox is full.
 */
export async function sendNext(parts: SenderParts, now = Date.now()): Promise<keyof typeof PAUSES> {
  const { outbox, mailer, pages, log } = parts
  const taken = await outbox.take(new Date(now), new Date(now + LEASE))
  if (!taken) return 'none'
  const { submission, attempts } = taken
  const { receipt, path, receivedAt } = submission
  try {
    const page = pages.find((each) => each.path === path)
    await mailer(notificationOf(submission, page))
  } catch (error) {
    const { message: failure, cause } = error as Error
    const isOver = now - Date.parse(receivedAt) >= LAST.age && attempts >= LAST.attempts
    // A quarter more or less, so that receivers do not keep in step.
    const pause = Math.min(HOUR, 30_000 * 2 ** (attempts - 1)) * (0.75 + Math.random() / 2)
    const notification = isOver ? 'failed' : 'waiting'
    await outbox.settle({ ...taken, notification, notifyAt: new Date(now + pause), failure })
    log.warn({ receipt, attempts, notification, cause }, 'notification not sent')
    return 'failed'
  }
  await outbox.settle({ ...taken, notification: 'sent' })
  log.info({ receipt }, 'notification sent')
  return 'sent'
}
