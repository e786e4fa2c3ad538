/** Sends the notifications that are queued in the outbox, one after the other, by mail or a webhook. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Outbox } from '../store/store.ts'
import { type Channel, HOUR, MINUTE } from '../store/submission.ts'
import type { Alarm } from './alarm.ts'
import { type Failure, LONGEST_ATTEMPT, type RefusedRecipient, type Send } from './delivery.ts'

/**
 * After this time, in milliseconds, an attempt counts as broken off, because its process was killed.
 * A mail that is refused is sent a second time within it.
 */
const LEASE = 3 * LONGEST_ATTEMPT

/**
 * How long to wait after an attempt, by how it ended, in milliseconds. A refusal of one message says
 * nothing about the next.
 */
const PAUSES = { sent: 0, refused: 0, failed: 5_000, none: 2_000 }

type End = keyof typeof PAUSES | 'deferred'

/** How long to wait before the second attempt, in milliseconds. Each later wait is twice as long. */
const FIRST_RETRY = 30_000

/** After every so many attempts, which take three days, a mail tells the owner. */
const LATE = 78

/**
 * How long to wait if only some recipients are refused for now, in milliseconds: longer than greylisting
 * takes, because the others get the mail again.
 */
const SECOND_COPY = 20 * MINUTE

export interface SenderParts {
  channel: Channel
  send: Send
  outbox: Outbox
  log: Logger
  /** How long after a message the next one may be sent, in milliseconds. See `Outbox.lease`. */
  pause: number
  alarm?: Alarm | undefined
}

/**
 * Sends until it is stopped by the function that it returns, which waits for the current attempt, but
 * at most the given milliseconds.
 */
export function startSender(parts: SenderParts, pauses = PAUSES): (wait: number) => Promise<void> {
  const stopping = new AbortController()

  async function run() {
    while (!stopping.signal.aborted) {
      const end = await sendNext(parts).catch((error: Error): End => {
        parts.log.error({ reason: error.message }, 'the outbox failed')
        return 'failed'
      })

      // Most have got a mail that is deferred, so the next one waits as after one that was sent.
      const wait = end === 'deferred' ? parts.pause : pauses[end]
      await sleep(wait, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  const running = run()

  return async (wait) => {
    stopping.abort()
    await Promise.race([running, sleep(wait)])
  }
}

/**
 * Sends the next message that is due. One that fails or is refused is sent again until it succeeds: a
 * full mailbox, too, refuses every message.
 */
export async function sendNext(parts: SenderParts, now = Date.now()): Promise<End> {
  const { channel, outbox, send, log, pause, alarm } = parts
  const terms = { now: new Date(now), until: new Date(now + LEASE), pause }

  const lease = await outbox.lease(channel, terms)
  if (!lease) return 'none'

  const { message, count, attempts } = lease
  const about = { channel, message, count }

  if (lease.submissions.length === 0) {
    // After damage in the outbox, there may be nothing to say.
    await outbox.end(lease, { doneAt: new Date() })
    log.warn(about, 'a notification without a submission was dropped')
    return 'sent'
  }

  const delivery = await send(lease)
  const { refused = [] } = delivery
  const deferral = lease.isAgain ? undefined : deferralOf(refused)
  const failure = delivery.failure ?? deferral

  if (!failure) {
    await outbox.end(lease, { doneAt: new Date() })
    log.info(about, 'notification sent')

    if (refused.length > 0) {
      log.warn({ ...about, refused: refused.map(({ address }) => address) }, 'addresses refused')
      await alarm?.('notDelivered', describeRefused(refused))
    }
    return 'sent'
  }

  const { reason, cause, isRefused, mayHaveArrived } = failure

  const wait = failure === deferral ? SECOND_COPY : retryAfter(attempts)
  const dueAt = new Date(now + wait)
  await outbox.end(lease, { failure: reason, dueAt, mayHaveArrived })

  log.warn({ ...about, attempts, cause }, 'notification not sent')
  if (attempts % LATE === 0) await alarm?.('notAnnounced', `${message}: ${reason}`)

  if (failure === deferral) return 'deferred'
  return isRefused ? 'refused' : 'failed'
}

/**
 * Returns the failure of a mail that some recipients may get later, as with greylisting: then it is
 * sent to all of them again, once. Who is refused then, as with a full mailbox, counts as refused.
 */
function deferralOf(refused: readonly RefusedRecipient[]): Failure | undefined {
  const deferred = refused.filter(({ code }) => code < 500)
  const [first] = deferred
  if (!first) return undefined

  return {
    reason: describeRefused(deferred).replaceAll('\n', '; '),
    cause: `RCPT ${first.code}`,
    isRefused: false,
    mayHaveArrived: true,
  }
}

/** Returns for how many milliseconds to wait after so many attempts: in the end, about an hour. */
function retryAfter(attempts: number): number {
  const wait = Math.min(HOUR, FIRST_RETRY * 2 ** (attempts - 1))

  // A quarter more or less, so that receivers do not keep in step.
  return wait * (0.75 + Math.random() / 2)
}

/** Names each refused recipient in a line of its own. */
export function describeRefused(refused: readonly RefusedRecipient[]): string {
  return refused.map(({ address, reason }) => `${address}: ${reason}`).join('\n')
}
