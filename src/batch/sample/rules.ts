/** What only the sample demands of a page. */
import { readInstant } from '../../text/instant.ts'
import { nearest, show } from '../../text/wording.ts'
import type { CheckedPage, Rule } from '../rule.ts'
import { type Violation, violation } from '../violation.ts'

export const SAMPLE_RULES: readonly Rule[] = [
  {
    reads: ['path', 'title'],
    says: { key: 'title', must: titleOf },
    check: titleFitsPath,
  },
  { reads: ['createdAt', 'updatedAt'], check: updatedOnTheDayOfCreation },
]

/** Specification, section 3: the title of path '/{category}/{nnn}' is 'Section Page NNN'. */
function titleOf({ path }: CheckedPage): string {
  const [, category = '', id] = path.split('/')
  return `${category.charAt(0).toUpperCase()}${category.slice(1)} Page ${id}`
}

function titleFitsPath(page: CheckedPage): Violation[] {
  const { path, title } = page
  if (path.split('/').length !== 3) return []
  const fitting = titleOf(page)
  if (title === fitting) return []
  const [, section = '', id] = /^([A-Z][a-z]+) Page (\d{3})$/.exec(title) ?? []
  if (id !== undefined) {
    const other = `/${section.toLowerCase()}/${id}`
    const both = `the title of ${show(path)} is ${show(fitting)}, and ${show(title)} is that of ${show(other)}`
    return [violation(['title'], `must fit the path; which of the two is meant? ${both}`)]
  }
  const isOther = nearest(title, [fitting]) === undefined
  const words = isOther ? '; put words of your own into the body' : ''
  return [
    violation(['title'], `must be ${show(fitting)} to fit the path, but is ${show(title)}${words}`),
  ]
}

/** Specification, section 3: updatedAt is on the same day as createdAt. Days are UTC days. */
function updatedOnTheDayOfCreation({ createdAt, updatedAt }: CheckedPage): Violation[] {
  // Without the Z, the strings sort by time, and their first ten characters are the day.
  const [from, to] = [createdAt.slice(0, -1), updatedAt.slice(0, -1)]
  const isSameDay = UTC.test(createdAt) && UTC.test(updatedAt) && to.startsWith(from.slice(0, 10))
  if (isSameDay && from <= to) return []
  const created = toInstant(createdAt)
  const updated = toInstant(updatedAt)
  if (!created || !updated) return []
  const isEarlier =
    updated.second < created.second ||
    (updated.second === created.second && updated.fraction < created.fraction)
  if (!isEarlier && updated.day === created.day) return []
  const must = isEarlier
    ? `must not be before createdAt (${created.utc})`
    : `must be on the UTC day of createdAt (${created.day})`
  // Times in two zones are hard to compare.
  const zone = createdAt.endsWith('Z') && updatedAt.endsWith('Z') ? '' : ' (both in UTC)'
  return [violation(['updatedAt'], `${must}, but is ${updated.utc}${zone}`)]
}

/** Faster than Date for most records. */
const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/

/** Converts an instant to comparable values; undefined for other texts. */
function toInstant(dateTime: string) {
  const milliseconds = readInstant(dateTime)
  if (milliseconds === undefined) return undefined
  const [day = '', clock = ''] = new Date(milliseconds).toISOString().split('T')
  // Date stops at milliseconds.
  const [fraction = ''] = /\.\d+/.exec(dateTime) ?? []
  return {
    second: Math.floor(milliseconds / 1000),
    fraction: Number(`0${fraction}`),
    day,
    utc: `${day}T${clock.slice(0, 8)}${fraction}Z`,
  }
}
