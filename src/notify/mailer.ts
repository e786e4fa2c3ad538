/** Sends mail to the owner: the only module that knows nodemailer. */
import type { NodemailerError } from 'nodemailer'
import { site } from '../site.ts'
import type { Announcement } from '../store/submission.ts'
import {
  type Delivery,
  type Failure,
  LONGEST_ATTEMPT,
  NOT_SENT,
  type RefusedRecipient,
  type Send,
} from './delivery.ts'
import { listOf, type Message, notificationOf, printableLine, type SiteFacts } from './message.ts'

/** Sends a mail to everyone in NOTIFY_TO. It never rejects. */
export type Mailer = (message: Message) => Promise<Delivery>

export interface MailConfig {
  /** The mail server as a URL, as nodemailer reads it. It may have a user and a password, too. */
  server: string
  user?: string | undefined
  password?: string | undefined
  to: readonly string[]
  from: string
  /** How long after a mail the next one may be sent, in milliseconds; 0 for a mail of each form. */
  pause: number
}

type Settings = Omit<MailConfig, 'pause'>

export async function createMailer(settings: Settings): Promise<Mailer> {
  const transport = await createTransport(settings)

  return async (message) => {
    const signal = AbortSignal.timeout(LONGEST_ATTEMPT)
    const mail = { ...mailOf(message, settings), signal }

    try {
      const { rejectedErrors = [] } = await transport.sendMail(mail)
      return { refused: rejectedErrors.map(refusedRecipientOf) }
    } catch (error) {
      return { failure: failureOf(error as NodemailerError) }
    }
  }
}

/** Returns what connects to the mail server. */
async function createTransport({ server, user, password }: Settings) {
  // Loaded only when there are notifications.
  const nodemailer = await import('nodemailer')
  const login = user && password ? { auth: { user, pass: password } } : {}

  return nodemailer.createTransport({
    url: server,
    ...login,
    // No password is sent in clear text.
    requireTLS: Boolean(user) || new URL(server).username !== '',
    disableFileAccess: true,
    disableUrlAccess: true,
    connectionTimeout: 20_000,
    // One connection for many messages.
    pool: true,
    maxConnections: 1,
    idleTimeout: 5_000,
    // What fails is left to the outbox.
    maxRequeues: 0,
  })
}

/** Returns a message as nodemailer takes it. */
function mailOf({ id, replyTo, ...content }: Message, { to, from }: Settings) {
  const [, domain] = from.split('@')

  return {
    ...content,
    // Objects, because a text could name several people.
    from: { name: site.name, address: from },
    to: to.map((address) => ({ name: '', address })),
    replyTo: replyTo && { name: '', address: replyTo },
    messageId: id && `<${id}@${domain}>`,
    // No program should answer: RFC 3834.
    headers: { 'Auto-Submitted': 'auto-generated' },
  }
}

function refusedRecipientOf(error: NodemailerError): RefusedRecipient {
  const { recipient = '', message, responseCode = 500 } = error
  return { address: recipient, code: responseCode, reason: shortLine(message) }
}

function failureOf(error: NodemailerError): Failure {
  const { message, code = '', originalCode = code, responseCode, timeoutType } = error
  const isAnswered = (responseCode ?? 0) >= 400
  const isBefore = NOT_SENT.test(originalCode) || timeoutType === 'CONNECT_TIMEOUT'

  return {
    reason: shortLine(message),
    cause: `${originalCode} ${responseCode ?? ''}`.trim(),
    // The reply to a whole message. Sender and recipient, which all share, are refused before.
    isRefused: code === 'EMESSAGE' && !(responseCode && responseCode < 500),
    mayHaveArrived: !isAnswered && !isBefore,
  }
}

function shortLine(text: string): string {
  return printableLine(text.replace(/\s+/g, ' ')).slice(0, 200)
}

/**
 * Returns a function that mails one submission, or several. What is refused may have been taken for
 * spam because of its words, so it is sent once more without them.
 */
export function byMail(mailer: Mailer, facts: SiteFacts): Send {
  return async (announcement) => {
    const delivery = await mailer(messageOf(announcement, facts))
    if (!delivery.failure?.isRefused) return delivery

    return mailer(listOf(announcement, facts, false))
  }
}

function messageOf(announcement: Announcement, facts: SiteFacts): Message {
  const { message, submissions, count } = announcement
  const [only] = submissions
  if (!only || count > 1) return listOf(announcement, facts)

  return notificationOf(only, facts, message)
}
