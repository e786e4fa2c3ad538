/** Sends the notifications that wait in the outbox, one after the other. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { FormPage } from '../../page/page.ts'
import type { Outbox } from '../store/outbox.ts'
import { type Channel, HOUR } from '../store/submission.ts'
import type { Alarm } from './alarm.ts'
import { LONGEST_ATTEMPT, type Send } from './attempt.ts'
import type { Mailer } from './mailer.ts'
import { listOf, notificationOf } from './message.ts'

/**
 * After this time, in milliseconds, an attempt counts as broken off, because its process was killed.
 * A list that is refused is sent a second time within it.
 */
const LEASE = 3 * LONGEST_ATTEMPT

/**
 * How long to wait after an attempt, by how it ended, in milliseconds. A refusal of one message says
 * nothing about the next.
 */
const PAUSES = { sent: 0, refused: 0, failed: 5_000, none: 2_000 }

/** After every so many attempts, which take three days, a mail tells the owner. */
const LATE = 78

export interface SenderParts {
  channel: Channel
  send: Send
  outbox: Outbox
  log: Logger
  /** How many messages an hour are about one submission, before the others come in lists. */
  most: number
  alarm?: Alarm | undefined
}

/** Returns a function that mails one submission, or a list of several. */
export function byMail(mailer: Mailer, pages: readonly FormPage[]): Send {
  return async (taken) => {
    const { submissions, count, message } = taken
    const [only] = submissions
    const page = pages.find(({ path }) => path === only?.path)
    if (only && count === 1) return mailer(notificationOf(only, page, message))
    const failure = await mailer(listOf(taken))
    return failure?.isRefused ? mailer(listOf(taken, false)) : failure
  }
}

/**
 * Sends until it is stopped by the function that it returns, which waits for the current attempt, but
 * at most the given milliseconds.
 */
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
 * Sends the next message that is due. One that fails or is refused is sent again, for ever: a full
 * mailbox, too, refuses every message.
 */
export async function sendNext(parts: SenderParts, now = Date.now()): Promise<keyof typeof PAUSES> {
  const { channel, outbox, send, log, most, alarm } = parts
  const taken = await outbox.take(channel, new Date(now), new Date(now + LEASE), most)
  if (!taken) return 'none'
  const { message, count, attempts } = taken
  const about = { channel, message, count }
  const failure = await send(taken)
  if (!failure) {
    await outbox.settle(taken, { sentAt: new Date() })
    log.info(about, 'notification sent')
    return 'sent'
  }
  const { reason, cause, isRefused, mayHaveArrived } = failure
  // A quarter more or less, so that receivers do not keep in step.
  const pause = Math.min(HOUR, 30_000 * 2 ** (attempts - 1)) * (0.75 + Math.random() / 2)
  const dueAt = new Date(now + pause)
  await outbox.settle(taken, { failure: reason, dueAt, mayHaveArrived })
  log.warn({ ...about, attempts, cause }, 'notification not sent')
  if (attempts % LATE === 0) await alarm?.('notAnnounced', `${message}: ${reason}`)
  return isRefused ? 'refused' : 'failed'
}
