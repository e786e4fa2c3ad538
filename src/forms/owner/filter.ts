/** Reads the options that say which submissions are meant: the same for every command. */
import { readInstant } from '../../text/instant.ts'
import { type Filter, STATUSES } from '../store/store.ts'

/** An error in the command line or what it needs. The message is one line that says what to do. */
export class UsageError extends Error {}

/** The options as `parseArgs` takes them. */
export const FILTER_OPTIONS = {
  page: { type: 'string' },
  since: { type: 'string' },
  until: { type: 'string' },
  email: { type: 'string' },
  text: { type: 'string' },
  status: { type: 'string' },
} as const

type FilterValues = { [Name in keyof typeof FILTER_OPTIONS]?: string | undefined }

export const FILTER_HELP = `  --page PATH                  sent from this page
  --since TIME, --until TIME   received from then on, up to then: a day, such as 2026-03-28, or an
                               instant, such as 2026-03-28T12:00Z, in UTC; a day is meant whole
  --email ADDRESS              with a value that is this address, in capitals or not
  --text WORDS                 with all of these words or parts of words, in capitals or not
  --status STATUS              ${STATUSES.join(', ')} or all`

/** @throws {UsageError} when a value is not what its option takes */
export function readFilter({ page, since, until, email, text, status }: FilterValues): Filter {
  for (const [option, value] of Object.entries({ page, email, text })) {
    if (value?.trim() === '') throw new UsageError(`--${option} must not be empty`)
  }
  const known = STATUSES.find((each) => each === status)
  if (status !== undefined && status !== 'all' && !known) {
    throw new UsageError(`--status must be one of ${STATUSES.join(', ')}, all, but is "${status}"`)
  }
  return {
    page: page === undefined || page.startsWith('/') ? page : `/${page}`,
    since: since === undefined ? undefined : readMoment('since', since, '00:00:00.000'),
    until: until === undefined ? undefined : readMoment('until', until, '23:59:59.999'),
    statuses: known ? [known] : status === 'all' ? STATUSES : undefined,
    email,
    text: text?.trim(),
  }
}

/** Returns the moment of a day or an instant: RFC 3339, UTC, to the millisecond, from 1970 on. */
function readMoment(option: string, typed: string, timeOfDay: string): string {
  const [, day, time, seconds = ':00'] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d{1,3})?)?Z?)?$/i.exec(typed.trim()) ?? []
  const moment = readInstant(`${day}T${time ? `${time}${seconds}` : timeOfDay}Z`)
  if (moment !== undefined) return new Date(Math.max(0, moment)).toISOString()
  throw new UsageError(
    `--${option} must be a day or an instant in UTC, such as 2026-03-28 or 2026-03-28T12:00Z, but is "${typed}"`,
  )
}
