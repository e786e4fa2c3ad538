/** What only the sample demands of a page. */
import type { Delivered } from '../generated/dataset.json'
import type { Fault, Rule } from '../page/content.ts'
import { readInstant } from '../text/instant.ts'
import { show } from '../text/wording.ts'

export const SAMPLE_RULES: readonly Rule[] = [titleFitsPath, updatedOnTheDayOfCreation]

/** Specification, section 3: the title of path '/{category}/{nnn}' is 'Section Page NNN'. */
function titleFitsPath({ path, title }: Delivered): Fault[] {
  const slash = path.indexOf('/', 1)
  if (slash < 0 || path.includes('/', slash + 1)) return []

  const start = path.charAt(1).toUpperCase() + path.slice(2, slash)
  const fitting = `${start} Page ${path.slice(slash + 1)}`
  if (title === fitting) return []

  const message = `${show(title)} doesn't fit the path. The title of this path is ${show(fitting)}.`
  return [{ pointer: ['title'], message }]
}

/** Specification, section 3: updatedAt is on the same day as createdAt. Days are UTC days. */
function updatedOnTheDayOfCreation({ createdAt, updatedAt }: Delivered): Fault[] {
  // In UTC and of one length, texts sort by time, and their first ten characters are the day.
  const isInUtc = createdAt.endsWith('Z') && updatedAt.endsWith('Z')
  const isSameDay = isInUtc && updatedAt.startsWith(createdAt.slice(0, 10))
  if (isSameDay && createdAt.length === updatedAt.length && createdAt <= updatedAt) return []

  const [created, updated] = [readInstant(createdAt), readInstant(updatedAt)]
  if (created === undefined || updated === undefined) return []

  const [before, after] = [toUtc(created), toUtc(updated)]
  if (updated >= created && after.startsWith(before.slice(0, 10))) return []

  // Times in two zones are hard to compare.
  const zone = isInUtc ? '' : ', both in UTC'
  const message = `A page is updated on the day of its creation, and not before it. This one was created at ${before} and updated at ${after}${zone}.`
  return [{ pointer: ['updatedAt'], message }]
}

function toUtc(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
