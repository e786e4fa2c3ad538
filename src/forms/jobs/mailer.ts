/** Sends mail to the owner: the only module that knows nodemailer. */
import type { NodemailerError } from 'nodemailer'
import { site } from '../../site/site.ts'
import { harmless, type Message } from './message.ts'

/** How long an attempt may take, in milliseconds. Some servers answer slowly, to deter spam. */
export const LONGEST_ATTEMPT = 120_000

/**
 * Resolves once the server has accepted the message. Rejects with an error in one line, which may
 * quote the server; its cause is a code without any words, such as `EAUTH 535`.
 */
export type Mailer = (message: Message) => Promise<void>

export interface MailSettings {
  /** A URL, as nodemailer reads it. */
  server: string
  to: string
  from: string
}

export async function createMailer({ server, to, from }: MailSettings): Promise<Mailer> {
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
  return async ({ id, replyTo, ...content }) => {
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
      const { message, code, originalCode, responseCode = '' } = error as NodemailerError
      const line = harmless(message.replace(/\s+/g, ' ')).slice(0, 200)
      throw new Error(line, { cause: `${originalCode ?? code} ${responseCode}`.trim() })
    }
  }
}
