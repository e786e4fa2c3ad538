/** Sends mail to the owner: the only module that knows nodemailer. */
import type { NodemailerError } from 'nodemailer'
import { site } from '../../site/site.ts'
import type { Config } from '../config.ts'
import { LONGEST_ATTEMPT, NOT_SENT, SendError } from './attempt.ts'
import { type Message, printableLine } from './message.ts'

/**
 * Resolves once the server has accepted the message.
 *
 * @throws {SendError}
 */
export type Mailer = (message: Message) => Promise<void>

/** `server` is a URL, as nodemailer reads it. */
type Settings = Pick<NonNullable<Config['mail']>, 'server' | 'to' | 'from'>

export async function createMailer({ server, to, from }: Settings): Promise<Mailer> {
  // Loaded only when there are notifications.
  const { createTransport } = await import('nodemailer')
  const transport = createTransport({
    url: server,
    // No password is sent in clear text.
    requireTLS: new URL(server).username !== '',
    ...{ disableFileAccess: true, disableUrlAccess: true, connectionTimeout: 20_000 },
    // One connection for many messages. What fails is left to the outbox.
    ...({ pool: true, maxConnections: 1, maxRequeues: 0, idleTimeout: 5_000 } as const),
  })
  return async ({ id, replyTo, ...content }: Message) => {
    try {
      await transport.sendMail({
        ...content,
        // Objects, because a text could name several people.
        from: { name: site.name, address: from },
        to: to.map((address) => ({ name: '', address })),
        ...(replyTo && { replyTo: { name: '', address: replyTo } }),
        ...(id && { messageId: `<${id}@${from.split('@')[1]}>` }),
        // No program should answer: RFC 3834.
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal: AbortSignal.timeout(LONGEST_ATTEMPT),
      })
    } catch (error) {
      const { message, code = '', originalCode = code, responseCode } = error as NodemailerError
      const { timeoutType } = error as NodemailerError
      const isAnswered = responseCode !== undefined && responseCode >= 400
      const isBefore = NOT_SENT.test(originalCode) || timeoutType === 'CONNECT_TIMEOUT'
      const line = printableLine(message.replace(/\s+/g, ' ')).slice(0, 200)
      throw new SendError(line, `${originalCode} ${responseCode ?? ''}`.trim(), {
        // The reply to a whole message. Sender and recipient, which all share, are refused before.
        isRefused: code === 'EMESSAGE' && !(responseCode && responseCode < 500),
        mayHaveArrived: !isAnswered && !isBefore,
      })
    }
  }
}
