/** The refusals of the receiver, in the words of the site. Pure. */
import { answers as words } from '../../site.ts'
import { KEPT, LARGEST } from './request.ts'

/** A reason why a request was not fulfilled. */
export interface Refusal {
  status: number
  title: string
  /** What happened and what to do. */
  detail: string
  /** See `faultsOf`. */
  faults?: ReadonlyMap<string, string> | undefined
  headers?: Record<string, string>
}

const kibibytes = (bytes: number) => `${bytes / 1024} KiB`
const tryAgain = (seconds: number) => ({ 'Retry-After': String(seconds) })

export const refusals = {
  notFound: { status: 404, ...words.noForm },
  noReceipt: { status: 404, ...words.noReceipt },
  onlyPost: { status: 405, ...words.onlyPost, headers: { Allow: 'POST' } },
  onlyRead: { status: 405, ...words.onlyRead, headers: { Allow: 'GET, HEAD' } },
  fromElsewhere: { status: 403, ...words.fromElsewhere },
  otherType: (sent: string): Refusal => ({
    status: 415,
    ...words.otherType(sent),
    headers: { 'Accept-Post': 'application/x-www-form-urlencoded' },
  }),
  malformed: { status: 400, ...words.notAForm },
  invalid: (faults: Refusal['faults']): Refusal => ({ status: 422, ...words.invalid, faults }),
  tooLarge: { status: 413, ...words.tooLarge(kibibytes(LARGEST)) },
  muchTooLarge: { status: 413, ...words.muchTooLarge(kibibytes(LARGEST), kibibytes(KEPT)) },
  tooManyFields: (most: number): Refusal => ({ status: 413, ...words.tooManyFields(most) }),
  tooMany: (seconds: number): Refusal => ({
    status: 429,
    ...words.tooMany(seconds),
    headers: tryAgain(seconds),
  }),
  notStored: { status: 503, ...words.notStored, headers: tryAgain(60) },
  perhapsStored: { status: 503, ...words.perhapsStored, headers: tryAgain(60) },
  noAnswer: { status: 503, ...words.noAnswer, headers: tryAgain(60) },
  failed: { status: 500, ...words.failedHere },
} satisfies Record<string, Refusal | ((...args: never[]) => Refusal)>
