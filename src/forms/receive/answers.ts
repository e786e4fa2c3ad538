/** The wording of the receiver's responses, for people and for programs. Pure. */
import { STATUS_CODES } from 'node:http'
import { plural } from '../../text/wording.ts'
import type { FieldFault } from './request.ts'

/** A reason why a request was not fulfilled. */
export interface Refusal {
  status: number
  /** The heading for people. */
  title: string
  /** What happened and what to do. */
  detail: string
  /** The errors in single fields. */
  faults?: readonly FieldFault[]
  headers?: Record<string, string>
  /** Whether the form is still read and sent back, although the headers are enough to refuse it. */
  givesBack?: boolean
}

const tryAgain = (seconds: number) => ({ 'Retry-After': String(seconds) })

export const refusals = {
  notFound: { status: 404, title: 'Not found', detail: 'There is no such form.' },
  noReceipt: { status: 404, title: 'Not found', detail: 'There is no such receipt.' },
  onlyPost: {
    status: 405,
    title: 'This address receives a form',
    detail: 'The form of the page is sent to this address.',
    headers: { Allow: 'POST' },
  },
  onlyRead: {
    status: 405,
    title: 'Nothing to send here',
    detail: 'This address accepts GET and HEAD only.',
    headers: { Allow: 'GET, HEAD' },
  },
  crossSite: (detail: string): Refusal => ({
    status: 403,
    title: 'Not sent from this site',
    detail: `${detail} Nothing was stored. Open the page and send the form from there.`,
  }),
  mediaType: {
    status: 415,
    title: 'Not a form as this site sends it',
    detail:
      'Nothing was stored. A form is sent as application/x-www-form-urlencoded in UTF-8, and not compressed.',
    headers: { 'Accept-Post': 'application/x-www-form-urlencoded' },
  },
  malformed: {
    status: 400,
    title: 'Not a form as browsers send it',
    detail:
      'Nothing was stored. The form is not UTF-8, or has a % without two hexadecimal digits after it.',
  },
  invalid: (faults: readonly FieldFault[]): Refusal => ({
    status: 422,
    title: 'There is a problem',
    detail: 'Nothing was stored.',
    faults,
  }),
  tooLarge: {
    status: 413,
    title: 'There is a problem: your text is too long',
    detail:
      'Nothing was stored. Shorten the text, then send it again: a form may have up to 64 KiB in total.',
  },
  muchTooLarge: {
    status: 413,
    title: 'There is a problem: your text is too long',
    detail:
      'Nothing was stored. A form may have up to 64 KiB in total, and comes back to be shortened when it has no more than 256 KiB. Go back to what you wrote and shorten it.',
  },
  tooManyFields: (most: number): Refusal => ({
    status: 413,
    title: 'There is a problem: too many fields were sent',
    detail: `Nothing was stored. This form accepts at most ${most} fields.`,
  }),
  tooMany: (seconds: number): Refusal => ({
    status: 429,
    title: 'There is a problem: too many forms were sent',
    detail: `Nothing was stored. Wait ${seconds} seconds, then send it again.`,
    headers: tryAgain(seconds),
    givesBack: true,
  }),
  notStored: {
    status: 503,
    title: 'There is a problem: nothing was stored',
    detail: 'The fault is ours, not yours. Wait a minute, then send it again.',
    headers: tryAgain(60),
  },
  closing: {
    status: 503,
    title: 'The site is restarting',
    detail: 'Nothing was stored. Wait a few seconds, then try again.',
    headers: tryAgain(5),
  },
  closingReceipts: {
    status: 503,
    title: 'The site is restarting',
    detail: 'What you sent is stored. This page is back in a few seconds: reload it.',
    headers: tryAgain(5),
  },
  noAnswer: {
    status: 503,
    title: 'Receipts cannot be looked up now',
    detail: 'What is stored stays stored. Wait a minute, then try again.',
    headers: tryAgain(60),
  },
  failed: {
    status: 500,
    title: 'Something went wrong here',
    detail: 'The fault is ours, not yours. Go back and try again in a minute.',
  },
} satisfies Record<string, Refusal | ((...args: never[]) => Refusal)>

/** Says how many notifications are not sent; '' when all are. */
export function describeUnsent({ waiting, failed }: Record<'waiting' | 'failed', number>): string {
  return waiting + failed > 0 ? `${plural(waiting, 'notification')} waiting, ${failed} failed` : ''
}

/** Returns a problem for programs: RFC 9457, with the invalid fields as an extension. */
export function problemDetails({ status, title, detail, faults }: Refusal): object {
  const errors = faults?.map(({ field, message }) => ({ field, detail: message }))
  return { type: 'about:blank', title: STATUS_CODES[status] ?? title, status, detail, errors }
}
