/** What mail and webhook have in common: how an attempt to send a message ends. */
import type { Taken } from '../store/submission.ts'

/** How long an attempt may take, in milliseconds. Some mail servers answer slowly, to deter spam. */
export const LONGEST_ATTEMPT = 120_000

/** Resolves to undefined once the other side has accepted what was taken. */
export type Send = (taken: Taken) => Promise<Failure | undefined>

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
