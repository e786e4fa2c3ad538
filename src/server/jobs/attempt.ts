/** What mail and webhook have in common: how an attempt to send a message ends. */
import type { Taken } from '../store/submission.ts'

/** How long an attempt may take, in milliseconds. Some mail servers answer slowly, to deter spam. */
export const LONGEST_ATTEMPT = 120_000

/**
 * Resolves once the other side has accepted what was taken.
 *
 * @throws {SendError}
 */
export type Send = (taken: Taken) => Promise<void>

/** The codes of errors before anything was sent: by the system, nodemailer and `fetch`. */
export const NOT_SENT =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EAUTH|EDNS|ETLS|EENVELOPE|UND_ERR_CONNECT_TIMEOUT)$/

/** A message was not accepted. The text is one line, and may quote the other side. */
export class SendError extends Error {
  override name = 'SendError'
  /** The reason as a code without any words, such as `EAUTH 535`. */
  override cause: string
  /** Whether only this message was refused. Otherwise the next one would fail, too. */
  readonly isRefused: boolean
  /** Whether it may have been accepted all the same, because the connection broke before the answer. */
  readonly mayHaveArrived: boolean

  constructor(text: string, cause: string, is: { isRefused: boolean; mayHaveArrived: boolean }) {
    super(text)
    this.cause = cause
    this.isRefused = is.isRefused
    this.mayHaveArrived = is.mayHaveArrived
  }
}
