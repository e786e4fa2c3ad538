/** Reads the options that say which submissions are meant: the same for every command. */
import { DAY, STATUSES, type SubmissionFilter } from '../store/submission.ts'
import { readInstant } from '../text/instant.ts'

/** An error in the command line or what it needs. The message is one line that says what to do. */
export class UsageError extends Error {}

export const FILTER_OPTIONS = {
  page: { type: 'string' },
  since: { type: 'string' },
  until: { type: 'string' },
  email: { type: 'string' },
  text: { type: 'string' },
  status: { type: 'string' },
} as const

export type FilterValues = { [Name in keyof typeof FILTER_OPTIONS]?: string | undefined }

export const FILTER_HELP = `  --page PATH                  sent from this page
  --since TIME, --until TIME   received from then on, or up to then. TIME is 7d (seven days ago),
                               2026-03-28 (the whole day) or 2026-03-28T12:00. It is in the time
                               zone of this machine, unless you add Z or an offset such as +01:00
  --email ADDRESS              with this address in a field. @example.com finds all addresses there
  --text WORDS                 with all of these words or parts of words, in capitals or not
  --status STATUS              ${STATUSES.join(', ')} or all`

/** @throws {UsageError} when a value is not what its option takes */
export function readFilter(values: FilterValues): SubmissionFilter {
  const { page, since, until, email, text, status } = values
  for (const [option, value] of Object.entries({ page, email, text })) {
    if (value?.trim() === '') throw new UsageError(`--${option} must not be empty`)
  }

  if (email?.includes('@') === false) {
    throw new UsageError(`--email must be an address or begin with @, such as @${email}`)
  }

  const known = STATUSES.find((name) => name === status)

  if (status !== undefined && status !== 'all' && !known) {
    throw new UsageError(`--status must be one of ${STATUSES.join(', ')}, all, but is "${status}"`)
  }

  return {
    page: page === undefined || page.startsWith('/') ? page : `/${page}`,
    since: since === undefined ? undefined : readMoment('since', since, false),
    until: until === undefined ? undefined : readMoment('until', until, true),
    statuses: status === 'all' ? STATUSES : known && [known],
    email,
    text: text?.trim(),
  }
}

/** Returns a moment as filters have it. If `isEnd`, a day means its end. */
function readMoment(option: string, typed: string, isEnd: boolean): string {
  const moment = momentOf(typed.trim(), isEnd)
  if (moment !== undefined) return new Date(Math.max(0, moment)).toISOString()
  throw new UsageError(
    `--${option} must be days ago, a day or a time, such as 7d, 2026-03-28 or 2026-03-28T12:00+01:00, but is "${typed}"`,
  )
}

/** Such as 7d. */
const DAYS_AGO = /^(\d{1,5})d$/i

/** Such as 2026-03-28, 2026-03-28 12:00 and 2026-03-28T12:00:30.5+01:00. */
const DAY_OR_TIME =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)?)?$/i

function momentOf(typed: string, isEnd: boolean): number | undefined {
  const [, days] = DAYS_AGO.exec(typed) ?? []
  if (days) return Date.now() - Number(days) * DAY

  const [, day, time = '00:00', seconds = ':00', zone = ''] = DAY_OR_TIME.exec(typed) ?? []

  const written = `${day}T${time}${seconds}`
  const offset = zone.toUpperCase()

  if (readInstant(`${written}${offset || 'Z'}`) === undefined) return undefined

  // Without a zone, in that of this machine, in which a day may have 23 or 25 hours.
  const moment = new Date(written + offset)

  if (isEnd && typed === day) return moment.setDate(moment.getDate() + 1) - 1

  return moment.getTime()
}
