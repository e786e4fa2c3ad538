/** Sends mail to the owner: the only module that knows nodemailer. */
import type { NodemailerError } from 'nodemailer'
import { site } from '../../site/site.ts'
import { type Message, printableLine } from './message.ts'

/** How long an attempt may take, in milliseconds. Some servers answer slowly, to deter spam. */
export const LONGEST_ATTEMPT = 120_000

/**
 * Resolves once the server has accepted the message.
 *
 * @throws {MailError}
 */
export type Mailer = (message: Message) => Promise<void>

/** A message was not sent. The text is one line, and may quote the server. */
export class MailError extends Error {
  /** The reason as a code without any words, such as `EAUTH 535`. */
  override cause: string
  /** Whether this message was refused for itself; else the next one would fail, too. */
  readonly isRefused: boolean

  constructor(text: string, code: string, reply: number | undefined) {
    super(text)
    this.cause = `${code} ${reply ?? ''}`.trim()
    // The reply to a whole message. Sender and recipient, which all share, are refused before.
    this.isRefused = code === 'EMESSAGE' && !(reply && reply < 500)
  }
}

/** @param server a URL, as nodemailer reads it */
export async function createMailer({ server, to, from }: Record<'server' | 'to' | 'from', string>) {
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
        to: { name: '', address: to },
        ...(replyTo && { replyTo: { name: '', address: replyTo } }),
        ...(id && { messageId: `<${id}@${from.split('@')[1]}>` }),
        // No program should answer: RFC 3834.
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal: AbortSignal.timeout(LONGEST_ATTEMPT),
      })
    } catch (error) {
      const { message, code, originalCode, responseCode } = error as NodemailerError
      const line = printableLine(message.replace(/\s+/g, ' ')).slice(0, 200)
      throw new MailError(line, `${originalCode ?? code}`, responseCode)
    }
  }
}
