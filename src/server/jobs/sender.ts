/** Sends the notifications that wait in the outbox, one after the other, by mail or a webhook. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Outbox } from '../store/outbox.ts'
import { type Announcement, type Channel, HOUR } from '../store/submission.ts'

/** How long an attempt may take, in milliseconds. Some mail servers answer slowly, to deter spam. */
export const LONGEST_ATTEMPT = 120_000

/** Sends one message. It never rejects. */
export type Send = (announcement: Announcement) => Promise<Delivery>

/** How an attempt has ended. */
export interface Delivery {
  /** Why the message was not accepted at all. */
  failure?: Failure
  /** Recipients that were refused, with the reason, though others were accepted. */
  refused?: readonly RefusedRecipient[]
}

export interface RefusedRecipient {
  address: string
  /** One line, in the words of the mail server. */
  reason: string
}

/** The codes of errors before anything was sent: by the system, nodemailer and `fetch`. */
export const NOT_SENT =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EAUTH|EDNS|ETLS|EENVELOPE|UND_ERR_CONNECT_TIMEOUT)$/

/** Why a message was not accepted. */
export interface Failure {
  /** One line, which may quote the other side. */
  reason: string
  /** The reason as a code without any words, such as `EAUTH 535`. */
  cause: string
  /** Whether only this message was refused. Otherwise the next one would fail, too. */
  isRefused: boolean
  /** Whether it may have been accepted all the same, because the connection broke before the answer. */
  mayHaveArrived: boolean
}

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
  alarm?: ((topic: 'notAnnounced' | 'notDelivered', reason: string) => Promise<void>) | undefined
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

/** Names each refused recipient in a line of its own. */
export function describeRefused(refused: readonly RefusedRecipient[]): string {
  return refused.map(({ address, reason }) => `${address}: ${reason}`).join('\n')
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
  const { failure, refused = [] } = await send(taken)
  if (!failure) {
    await outbox.settle(taken, { sentAt: new Date() })
    log.info(about, 'notification sent')
    if (refused.length > 0) {
      log.warn({ ...about, refused: refused.map(({ address }) => address) }, 'addresses refused')
      await alarm?.('notDelivered', describeRefused(refused))
    }
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
