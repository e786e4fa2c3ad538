/** One attempt to deliver a message, by mail or a webhook, and how it may end. */
import type { Announcement } from '../store/submission.ts'

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
  /** The code of the reply, such as 451. Below 500, a later attempt may succeed. */
  code: number
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
